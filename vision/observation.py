"""The result of reading a table: probabilities for each cell, or why there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.labels import parse_label, single_words, stacks

SURE = 0.95
"""A cell is too close to call if the probability of its best label is below this, unless the table's model sets another
level (`sure` in its model.toml, chosen to control the rate of silent errors)."""

HEIGHTS_P = 0.97
"""Least probability of a number of stacked pieces that is named, or of a range of numbers, whatever the level."""


class BlindReason(StrEnum):
    """Why a picture was refused, in the public protocol's words."""

    NO_BOARD = "no-board"
    MARKERS = "markers"
    MIRRORED = "mirrored"
    WRONG_GAME = "wrong-game"
    CUT_OFF = "cut-off"
    DARK = "dark"
    BLURRED = "blurred"
    NO_COLOUR = "no-colour"
    UNREADABLE_FILE = "unreadable-file"
    NO_PICTURE = "no-picture"


@dataclass(frozen=True, slots=True)
class Blind:
    """The reason why there is no observation.

    Attributes:
        reason: the kind.
        facts: details by name: "markers" (no-board: how many of the table's four were seen), "game" (no-board: the
            game of the table searched for), "printed" (no-board: the same for a table without markers), "instead"
            (no-board: the title of the same game's known table whose markers are there), "title" (wrong-game: the title
            of the table in the picture), "outside" (cut-off: share of the cells outside the picture), "misfit" and
            "ids" (markers: "moved", "copied", "swapped", "twice" or "unfit", and the ids of these markers), "exchanged"
            (no-colour: red and blue are exchanged), "error" (unreadable-file: one English sentence that names the
            file).
    """

    reason: BlindReason
    facts: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """Probabilities of the labels of every cell, from one or several still frames.

    Attributes:
        cells: names of the cells, row by row from the top left.
        labels: the words of the table file, in the order of the columns of `p`.
        p: float64 (n_cells, n_labels), each row a probability distribution, calibrated.
        visible: bool (n_cells,); False if a hand, glare or the picture's edge hides too much of the cell.
        sure: the probability of the best label below which a visible cell is too close to call.
        appearance: float32 (n_cells, channels, rows, columns), a coarse picture of each cell, centred, with the light
            divided out. Under a camera that has not moved, the same look has the same numbers. None if the reader has
            none.
        relit: whether the light is another one than on the last board without hands, shadows and such a change.
        p_hidden: float64 (n_cells,), the probability that something hides a cell that counts as visible; None if the
            reader does not say.
    """

    cells: tuple[str, ...]
    labels: tuple[str, ...]
    p: NDArray[np.float64]
    visible: NDArray[np.bool_]
    sure: float = SURE
    appearance: NDArray[np.float32] | None = None
    relit: bool = False
    p_hidden: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        expected = (len(self.cells), len(self.labels))
        if self.p.shape != expected or self.visible.shape != expected[:1]:
            message = (
                f"an observation of {expected} needs p {expected} and visible {expected[:1]},"
                f" not {self.p.shape} and {self.visible.shape}"
            )
            raise ValueError(message)
        if not np.allclose(self.p.sum(axis=1), 1.0, atol=1e-6):
            message = "every row of an observation's p must sum to 1"
            raise ValueError(message)

    def best(self) -> tuple[str, ...]:
        """Return the most probable label of each cell, in the order of `cells`.

        From above a stack looks like one counter, so "white*3" is returned as "white" until its height is certain.
        """
        of_kind = self._of_kinds().argmax(axis=1)
        sure = self.p.max(axis=1) >= self.sure
        return tuple(
            self.labels[i] if certain else self._kinds[kind]
            for i, certain, kind in zip(self.p.argmax(axis=1), sure, of_kind, strict=True)
        )

    def confidence(self) -> NDArray[np.float64]:
        """Return the probability of the label that `best` returns, float64 (n_cells,)."""
        exact = self.p.max(axis=1)
        return np.asarray(np.where(exact >= self.sure, exact, self._of_kinds().max(axis=1)), dtype=np.float64)

    def open_heights(self) -> dict[str, tuple[int, int]]:
        """Return the least and most pieces stacked on each cell whose height is not sure, by cell.

        Only visible cells whose kind of piece is sure are included. Among the heights of its kind, a height is sure
        from the level `sure` on, and at least HEIGHTS_P; the range is the central interval of that probability.
        """
        level = max(self.sure, HEIGHTS_P)
        labels, kinds, of_kinds = list(map(parse_label, self.labels)), self._kinds, self._of_kinds()
        best, p_kind = of_kinds.argmax(axis=1), of_kinds.max(axis=1)
        unread = self.visible & (p_kind >= self.sure) & (self.p.max(axis=1) < level * p_kind)
        found = {}
        for row in np.flatnonzero(unread):
            columns = [i for i, label in enumerate(labels) if str(label.single) == kinds[best[row]]]
            columns.sort(key=lambda column: labels[column].height)
            up_to = np.cumsum(self.p[row, columns]) / self.p[row, columns].sum()
            rest = (1.0 - level) / 2
            least, most = np.searchsorted(up_to, rest, side="right"), np.searchsorted(up_to, 1.0 - rest)
            found[self.cells[row]] = (labels[columns[least]].height, labels[columns[most]].height)
        return found

    @property
    def _kinds(self) -> tuple[str, ...]:
        """The labels without how many are stacked."""
        return stacks(self.labels)

    def _of_kinds(self) -> NDArray[np.float64]:
        """Probabilities summed over heights, float64 (n_cells, n_kinds); `p` itself if no label stacks."""
        kinds = self._kinds
        if kinds == self.labels:
            return self.p
        columns = [kinds.index(word) for word in single_words(self.labels)]
        joined = np.zeros((len(self.cells), len(kinds)))
        np.add.at(joined.T, columns, self.p.T)
        return joined

    def unsure(self) -> NDArray[np.bool_]:
        """Return a mask of the cells that must not be relied on, bool (n_cells,): hidden, or too close to call."""
        return ~self.visible | (self.confidence() < self.sure)

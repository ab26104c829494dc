"""What a reading says of a table: probabilities for each cell, or why there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.labels import parse_label, single_words, stacks

SURE = 0.95
"""Probability of the best label below which a cell is too close to call, unless the model of the table names another
level (`sure` in its model.toml, chosen by control of the rate of silent errors)."""


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
    """Why there is no observation.

    Attributes:
        reason: the kind.
        facts: what is known of it, by name: "markers" (no-board: how many of the table's four were seen), "game"
            (no-board: of the table that was looked for), "printed" (no-board: the same, of a table without markers),
            "title" (wrong-game: of the table that is there), "outside" (cut-off: share of the cells outside the
            picture), "misfit" and "ids" (markers: "moved", "copied", "swapped" or "unfit", and the ids of these
            markers), "exchanged" (no-colour: red and blue are), "error" (unreadable-file: one English sentence that
            names the file).
    """

    reason: BlindReason
    facts: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What one or several still frames say of every cell.

    Attributes:
        cells: names of the cells, row by row from the top left.
        labels: the words of the table file, in the order of the columns of `p`.
        p: float64 (n_cells, n_labels), each row a probability distribution, calibrated.
        visible: bool (n_cells,); False where a hand, glare or the picture's edge leaves nothing to build on.
        sure: the probability of the best label below which a visible cell is too close to call.
        appearance: float32 (n_cells, channels, rows, columns), how each cell looks with the light divided out, coarsely
            and with its middle in the middle: the same numbers for the same look under one camera that has not moved.
            None if the reader has none.
    """

    cells: tuple[str, ...]
    labels: tuple[str, ...]
    p: NDArray[np.float64]
    visible: NDArray[np.bool_]
    sure: float = SURE
    appearance: NDArray[np.float32] | None = None

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

        From above a stack looks like one counter: as long as its height is not certain, "white*3" is read as "white".
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
        """Return how many pieces at least and at most are on one another where that is not sure, by cell.

        Only of visible cells on which it is sure what they are, such as white counters. The numbers between leave out
        as much of what is likely on both sides as a reading that is sure may.
        """
        labels, kinds, best = list(map(parse_label, self.labels)), self._kinds, self._of_kinds().argmax(axis=1)
        unread = self.visible & (self.p.max(axis=1) < self.sure) & (self._of_kinds().max(axis=1) >= self.sure)
        found = {}
        for row in np.flatnonzero(unread):
            columns = [i for i, label in enumerate(labels) if str(label.single) == kinds[best[row]]]
            columns.sort(key=lambda column: labels[column].height)
            up_to = np.cumsum(self.p[row, columns]) / self.p[row, columns].sum()
            rest = (1.0 - self.sure) / 2
            least, most = np.searchsorted(up_to, rest, side="right"), np.searchsorted(up_to, 1.0 - rest)
            found[self.cells[row]] = (labels[columns[least]].height, labels[columns[most]].height)
        return found

    @property
    def _kinds(self) -> tuple[str, ...]:
        """The labels without how many are stacked."""
        return stacks(self.labels)

    def _of_kinds(self) -> NDArray[np.float64]:
        """Probabilities of the kinds, float64 (n_cells, n_kinds); of labels that do not stack these are their own."""
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

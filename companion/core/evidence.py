"""Evidence added up over several still frames.

Frames of one still table share their errors: the same light, glare and head next to the same cell. So n frames count as
n / (1 + (n - 1) rho) independent ones, the effective sample size of equally correlated samples (Kish, Survey Sampling,
1965, "design effect"). With rho = 1/2 three frames count as 1.5, and no number of frames counts as more than 2.

What remains is what is misread with full confidence, once in ten thousand cells (the bound that readings are held to):
every label keeps its share of that, so one cell alone never outweighs everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engines.kernel import Cell
from vision.labels import parse_label, single_words
from vision.observation import Observation

CORRELATION = 0.5
"""rho: the correlation between the errors of two frames of one still table."""

RESIDUAL_ERROR = 1e-4
"""How often a cell is read wrongly with full confidence."""

UNUSED = 0.02
"""How much rarer than it looks is a piece of a colour that nobody plays: it lies in the box. An estimate."""

NUMBER_ERROR = 0.01
"""How often the height of a stack is misread with full confidence.

A hundred times as often as its pieces, because the topmost is visible and those under it hardly are. An estimate, not a
measurement.
"""

KNOWN_NUMBER_ERROR = 1e-4
"""The same if the height was known before, and the reading is compared with the one from then."""

OVERLAID = 1.0
"""Log odds that a cell was already as it is read before the last of several moves, against each other label: a move
changes few cells. An estimate."""


_LOOKS, _OCCUPIED = "looks", "occupied"
"""How labels are distinguished: by their look, or only by what kinds of things they put on a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The log likelihood of every label on every cell.

    Attributes:
        cells: names of the cells.
        labels: the words of the table file, in the order of the columns of `log_p`.
        log_p: float64 (n_cells, n_labels), natural logarithms; a hidden cell's row is all zero, which favours no label.
        weight: `log_p` with the doubt whether labels can be distinguished, for weighing explanations.
        visible: bool (n_cells,).
        looks: the visible class of each label; labels of one look cannot contradict one another.
        of_looks: computed once for each way to distinguish labels: the number of each label's look, the log likelihood
            of each look on each cell, and the log odds of the best other look against it, both (n_cells, n_looks).
    """

    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    log_p: NDArray[np.float64]
    weight: NDArray[np.float64]
    visible: NDArray[np.bool_]
    looks: tuple[str, ...] = ()
    row: dict[Cell, int] = field(init=False)
    column: dict[str, int] = field(init=False)
    of_looks: dict[str, tuple[list[int], NDArray[np.float64], NDArray[np.float64]]] = field(
        init=False, default_factory=dict, repr=False
    )

    def __post_init__(self) -> None:
        # what is easy to see of a label: a piece's colour or name, or a card with what is on it
        seen = (label if parse_label(label).card else parse_label(label).piece for label in self.labels)
        object.__setattr__(self, "looks", self.looks or tuple(seen))
        object.__setattr__(self, "row", {cell: i for i, cell in enumerate(self.cells)})
        object.__setattr__(self, "column", {label: j for j, label in enumerate(self.labels)})

    def of(self, cell: Cell, label: str) -> float:
        """Return the log likelihood of a label on a cell, with the doubts that distinguish it from other labels."""
        return float(self.weight[self.row[cell], self.column[label]])

    def best(self, cell: Cell) -> str:
        """Return the most probable label of a cell."""
        return self.labels[int(self.log_p[self.row[cell]].argmax())]

    def denies(self, cell: Cell, labels: Collection[str]) -> float:
        """Return the log odds that a cell is empty rather than occupied as some labels have it, or the reverse.

        A piece or flag on a card counts as occupying it. Which piece or card it is, and the height of a stack, do not
        count. Minus infinity for a hidden cell.
        """
        return self._against(cell, labels, _OCCUPIED)

    def recolours(self, cell: Cell, labels: Collection[str]) -> float:
        """Return the log odds of another look of a cell (another colour, another card, none) against some labels.

        See `denies`; labels that the game does not distinguish have one look.
        """
        return self._against(cell, labels, _LOOKS)

    def _against(self, cell: Cell, labels: Collection[str], kind: str) -> float:
        """Return the log odds of the most probable look that no label has against all looks of the labels together.

        This sums the readings (`log_p`), not `weight`: each of 36 cards that are not distinguished has the weight of
        all of them together, so they would count 36 times.
        """
        if kind not in self.of_looks:
            # 1. The look of each label: its own, or only which kinds of things, such as a piece or a card, it puts on a
            #   cell. The likelihood of a look is the sum over its labels.
            seen = map(parse_label, self.labels)
            things = ((bool(one.piece), bool(one.card), *(thing for thing, _colour in one.on_card)) for one in seen)
            looks = [*(self.looks if kind == _LOOKS else things)]
            of_column, likely = _log_p_of_kinds(looks, self.log_p)
            # 2. Against each look stands the best of the others: the best of all, or the second best against that.
            second, best = np.sort(np.vstack([np.full((1, len(self.cells)), -np.inf), likely]), axis=0)[-2:]
            self.of_looks[kind] = of_column, likely.T, (np.where(likely == best, second, best) - likely).T
        (of_column, likely, against), row = self.of_looks[kind], self.row[cell]
        # 3. The looks that the cell may have; a single one has been compared with the others already.
        allowed = {of_column[self.column[label]] for label in labels}
        if len(allowed) == likely.shape[1] or not self.visible[row]:
            return -np.inf
        if len(allowed) == 1:
            return float(against[row, allowed.pop()])
        # 4. Of several, the likelihoods add up.
        columns = [*allowed]
        return float(np.delete(likely[row], columns).max() - np.logaddexp.reduce(likely[row, columns]))

    def confirms(self, cell: Cell, labels: Collection[str], at_least: float = 0.9) -> bool:
        """Return whether a cell is visible and holds one of some labels with at least this probability."""
        row = self.row[cell]
        likely = np.logaddexp.reduce([self.weight[row, self.column[label]] for label in labels])
        return bool(self.visible[row]) and float(likely) >= np.log(at_least)

    def shows_other(self, cell: Cell, label: str, at_least: float) -> bool:
        """Return whether a visible cell shows another piece or card than a label's with at least this probability.

        Labels that the game does not distinguish count as different here; the height of a stack does not count.
        """
        row, kinds = self.row[cell], single_words(self.labels)
        best = int(self.log_p[row].argmax())
        other = kinds[best] != kinds[self.column[label]]
        return bool(self.visible[row] and other and self.log_p[row, best] >= np.log(at_least))

    def is_certain(self, cell: Cell, at_least: float) -> bool:
        """Return whether a cell is visible and its look, of any stack height, has at least this probability."""
        row = self.row[cell]
        of_column, likely = _log_p_of_kinds(self.looks, self.log_p[[row]])
        look = of_column[int(self.log_p[row].argmax())]
        return bool(self.visible[row]) and float(likely[look, 0]) >= np.log(at_least)

    def of_any_height(self, cells: Collection[Cell]) -> Evidence:
        """Return evidence in which stacks of one kind of piece are as likely at any height on some cells."""
        log_p, weight, kinds = self.log_p.copy(), self.weight.copy(), single_words(self.labels)
        rows = [self.row[cell] for cell in cells]
        for kind in set(kinds):
            same = np.ix_(rows, [column for column, other in enumerate(kinds) if other == kind])
            for logs in (log_p, weight):
                logs[same] = np.logaddexp.reduce(logs[same], axis=1, keepdims=True)
        return replace(self, log_p=log_p, weight=weight)

    def overlaid(self, cells: Collection[Cell]) -> Evidence:
        """Return evidence of what lay on some cells before others put there what is read."""
        log_p, weight, rows = self.log_p.copy(), self.weight.copy(), [self.row[cell] for cell in cells]
        for logs in (log_p, weight):
            logs[rows] = np.maximum(logs[rows], logs[rows].max(axis=1, keepdims=True) - OVERLAID)
        return replace(self, log_p=log_p, weight=weight)

    def in_sight(self, placement: Mapping[Cell, str]) -> dict[Cell, str]:
        """Return a placement without the places that are not read, such as pads next to the cells."""
        return {cell: label for cell, label in placement.items() if cell in self.row}

    def unsure(self, at_least: float = 0.9) -> tuple[Cell, ...]:
        """Return the cells that are hidden, or whose most probable piece or card has less than this probability.

        The height of a stack does not count: it is hardly visible from above.
        """
        _of_column, likely = _log_p_of_kinds(single_words(self.labels), self.log_p)
        doubtful = ~self.visible | (likely.max(axis=0) < np.log(at_least))
        return tuple(self.cells[i] for i in np.flatnonzero(doubtful))


def _log_p_of_kinds(kinds: Sequence[object], log_p: NDArray[np.float64]) -> tuple[list[int], NDArray[np.float64]]:
    """Return the number of each label's kind, and log p of each kind, (n_kinds, n_cells): the sum over its labels."""
    place = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    of_column = [place[kind] for kind in kinds]
    likely = np.full((len(place), len(log_p)), -np.inf)
    np.logaddexp.at(likely, of_column, log_p.T)
    return of_column, likely


def fuse_observations(
    observations: Sequence[Observation],
    counted: Collection[Cell] = (),
    correlation: float = CORRELATION,
    unused: Collection[str] = (),
) -> Evidence:
    """Add up the log p of frames of one still table; on `counted` cells the height of a stack was known before.

    With a `correlation` of 1 all frames share their errors: their mean counts, however many there are. A cell counts in
    the frames that show it. Pieces of `unused` colours are rare. Raises ValueError for no frames, or frames of
    different tables.
    """
    # 1. Only frames of one table can be added up.
    first = observations[0]
    if any((o.cells, o.labels) != (first.cells, first.labels) for o in observations):
        message = "frames of one table must have the same cells and labels"
        raise ValueError(message)
    # 2. Sum log p over the frames in which a cell is visible: a product of likelihoods, as if frames were
    #   independent.
    seen = np.array([o.visible for o in observations])
    frames = seen.sum(axis=0)
    logs = np.log(np.clip(np.array([o.p for o in observations]), 1e-12, 1.0)) * seen[:, :, None]
    # 3. They are not: scale by the design effect, so that n frames count as n / (1 + (n - 1) rho) (Kish, 1965).
    share = 1.0 / (1.0 + (np.maximum(frames, 1) - 1) * correlation)
    tempered = logs.sum(axis=0) * share[:, None]
    # 4. A piece of a colour that nobody plays is rarer than it looks.
    strange = [any(colour in unused for colour in parse_label(label).colours) for label in first.labels]
    tempered[:, strange] += np.log(UNUSED)
    # 5. Normalise and mix in the residual error, a share of it for every label: no cell outweighs everything. A cell
    #   never seen says nothing (0).
    visible = frames > 0
    p = np.exp(tempered - tempered.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    log_p = np.where(visible[:, None], np.log((1.0 - RESIDUAL_ERROR) * p + RESIDUAL_ERROR / p.shape[1]), 0.0)
    # 6. Doubt how many pieces are on one another, less where the number was known before: that part of the evidence for
    #   one height of a stack is spread over all heights of the same piece.
    error = np.array([[KNOWN_NUMBER_ERROR if cell in counted else NUMBER_ERROR] for cell in map(Cell, first.cells)])
    weight, kinds = log_p.copy(), single_words(first.labels)
    for kind in set(kinds):
        same = [column for column, other in enumerate(kinds) if other == kind]
        if len(same) > 1:
            p = np.exp(log_p[:, same])
            weight[:, same] = np.log((1.0 - error) * p + error * p.mean(axis=1, keepdims=True))
    return Evidence(tuple(Cell(c) for c in first.cells), first.labels, log_p, weight, visible)


def with_label_confusion(evidence: Evidence, kind_of: Callable[[str], str], error: float) -> Evidence:
    """Return evidence that doubts which label of its kind is on a cell.

    With probability `error` the evidence for a label means only that a label of its kind is there; with 1 the labels of
    a kind are not distinguished at all. Hidden cells still favour no label.
    """
    # 1. For every label the probability of its kind: the sum over the labels of that kind.
    kinds = [kind_of(label) for label in evidence.labels]
    own = evidence.weight[evidence.visible]
    of_column, likely = _log_p_of_kinds(kinds, own)
    # 2. Mix: with probability 1 - error the label's own p, with probability error only its kind's. Rows need not sum
    #   to 1 any more; they are likelihoods.
    weight = evidence.weight.copy()
    weight[evidence.visible] = np.log((1.0 - error) * np.exp(own) + error * np.exp(likely[of_column].T))
    return replace(evidence, weight=weight, looks=tuple(kinds))


def with_one_of_each(evidence: Evidence, kind: str) -> Evidence:
    """Return evidence in which there is one piece of a kind in each colour, on cards: shown on one cell, it is rare on
    all others. Which colour it has where one stands nevertheless is as likely as before.
    """
    colours = [parse_label(label).colour_on_card(kind) for label in evidence.labels]
    of_any = [column for column, colour in enumerate(colours) if colour is not None]
    # 1. How probably each visible cell has the piece of each colour, (n_colours, n_cells), and how probably another
    #   cell has it, the most probable one.
    _number, likely = _log_p_of_kinds([colours[column] for column in of_any], evidence.log_p[:, of_any])
    there = np.exp(likely) * evidence.visible
    second, best = np.sort(there)[:, -2:].T[..., None]
    elsewhere = np.where(there == best, second, best).clip(max=1.0)
    # 2. If that is the one that seems to be here, it is here as rarely as a piece that lies in the box.
    twice = (there * elsewhere).sum(axis=0) / np.maximum(there.sum(axis=0), RESIDUAL_ERROR)
    log_p, weight = evidence.log_p.copy(), evidence.weight.copy()
    for logs in (log_p, weight):
        logs[:, of_any] += np.log(1.0 - (1.0 - UNUSED) * twice[:, None])
    # 3. What these labels have lost in probability the others of the cell gain.
    lost = np.logaddexp.reduce(evidence.log_p, axis=1) - np.logaddexp.reduce(log_p, axis=1)
    return replace(evidence, log_p=log_p + lost[:, None], weight=weight + lost[:, None])


def discount_known_misreads(
    observation: Observation, earlier: Observation, placement: Mapping[Cell, str]
) -> Observation:
    """Discount the errors of an earlier reading of a known placement, made by the same camera in the same light.

    A label that then beat the known one is divided by that ratio now: a cell that looks as it did before says nothing,
    and one that looks different counts by its difference.
    """
    # For every cell whose label was known: the ratio by which each label was read as likelier than the true one then
    #   (at least 1) is divided out of what is read now. Then the rows are normalised again.
    p = np.clip(observation.p, 1e-12, 1.0)
    for row, cell in enumerate(earlier.cells):
        if earlier.visible[row] and Cell(cell) in placement:
            reported = np.clip(earlier.p[row], 1e-12, 1.0)
            p[row] /= np.maximum(reported / reported[earlier.labels.index(placement[Cell(cell)])], 1.0)
    p /= p.sum(axis=1, keepdims=True)
    return replace(observation, p=p)

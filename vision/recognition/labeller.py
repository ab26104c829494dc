"""From views to label probabilities: the small network, and the calibration of its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engines.sentence import about, unexpected
from vision.board import Board, cell_column_row
from vision.enrolment import Enrolment, tones_seen, weighed
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.labels import EMPTY, parse_label, single_words
from vision.localization.planes import CELL_PX, Planes, clear_of_pieces, coarse_looks, view_planes
from vision.looks.ground import Ground, Looks
from vision.observation import SURE
from vision.recognition.light import TableView
from vision.recognition.memory import Remembering
from vision.recognition.trust import misplaced
from vision.shipped_network import FallibleOutputs, of_board, softmax

DOUBT = 0.97
"""Probability of the best label of a visible cell below which the table gets a second look."""


_BLOCK_PX = 4
"""Side of the squares whose change causes a new reading, in pixels: a quarter of a cell."""


PIECE_SHOWS_GROUND = 0.015
"""Likelihood ratio, piece over empty cell, of a cell that shows the print shared by the cells, or part of it in the
ground's colour: 23 of 3,866 pieces did (pictures of three tables, photographs of two others), and half of the empty
cells on grounds that no network knows."""

KNOWN_GROUND = 0.9
"""Least share of the open cells that a network reads as empty with certainty if it knows the ground: 99 of 100 on our
boards, 1 to 6 of 10 on boards of wood or orange paper. On a known ground it is better than the colour test."""

OPEN = 0.95
"""Least visibility of a cell that shows the shared print."""


class NetworkFile(FallibleOutputs, frozen=True, kw_only=True):
    """The file next to a network's weights: the labels of its outputs and their calibration.

    Attributes:
        labels: words of the outputs, in order; one more output is the visibility.
        heights: names of the pieces whose heights the planes have, after the board's own at 0 mm; for stacks
            "counter*3".
        cell_px: pixels along a cell of the planes.
        height_temperature: divides the logits of a stack's heights once more, relative to one another; the kind of
            piece is as probable as before.
    """

    labels: tuple[str, ...]
    heights: tuple[str, ...]
    cell_px: int = CELL_PX
    height_temperature: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class StageResult:
    """The probabilities of all cells after one stage of recognition.

    Attributes:
        stage: its name, such as "network" or "ground".
        p: probabilities float64 (n_cells, n_labels).
        p_visible: probability that each cell is visible, float64 (n_cells,).
    """

    stage: str
    p: Floats
    p_visible: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """The result of a labeller for all cells.

    Attributes:
        p: probabilities float64 (n_cells, n_labels).
        p_visible: probability that each cell is visible, float64 (n_cells,).
        appearance: a coarse picture of each cell with the light divided out, float32 (n_cells, channels, rows,
            columns); None if it is not kept.
        in_step: a mask of the cells that show the print repeated in step with the grid, bool (n_cells,): their position
            is right or off by whole cells; None if nothing is known.
        stages: the results of the stages so far, in order.
    """

    p: Floats
    p_visible: Floats
    appearance: NDArray[np.float32] | None = None
    in_step: NDArray[np.bool_] | None = None
    stages: tuple[StageResult, ...] = ()

    def after(self, stage: str) -> Labelled:
        """Return a copy that records the present probabilities as the result of a stage."""
        return replace(self, stages=(*self.stages, StageResult(stage, self.p, self.p_visible)))


class Labeller(Protocol):
    """The interface of a labeller of one table; there is one implementation for each kind of table.

    Attributes:
        labels: the words of the table file, in the order of the columns of `p`.
        sure: the probability of the best label below which a visible cell is too close to call.
    """

    labels: tuple[str, ...]
    sure: float

    def label(self, view: TableView) -> Labelled:
        """Compute the labels of all places, in the board's order. Raises on no picture."""


class CellLabeller:
    """The labeller of cells from planes, all at once. It holds a network, so only one thread may use it at a time.

    Raises:
        BoardFileError: there is no network for this game, or it was not trained for one of the table's labels.
    """

    def __init__(self, board: Board, enrolment: Enrolment | None = None) -> None:
        self.file, self._network = of_board(board, NetworkFile)
        self.labels, self.sure = board.label_words, self.file.sure
        self._enrolment = enrolment
        unknown = sorted(set(board.label_words) - set(self.file.labels))
        if unknown:
            problem = unexpected("labels", "some of {words}", unknown, words=", ".join(self.file.labels))
            raise BoardFileError(about(board.game, problem))
        self._board = board
        self._heights_mm = (0.0, *(height_mm(board, name) for name in self.file.heights))
        self._columns = [self.file.labels.index(word) for word in board.label_words]
        self._singles = single_words(board.label_words)
        self._places = tuple(np.transpose([cell_column_row(cell)[::-1] for cell in board.places]))
        self._at = list(zip(*self._places, strict=True))
        self._looks = Looks()
        self._seen = Remembering(self._network, _BLOCK_PX)
        self._turned = Remembering(lambda planes: self._network(planes[..., ::-1, ::-1]), _BLOCK_PX)
        rows, columns = ((n + 1) * self.file.cell_px for n in (board.grid.rows, board.grid.columns))
        self.label_planes(np.zeros((3 * len(self._heights_mm), rows, columns), dtype=np.float32))  # the first is slow

    def label(self, view: TableView) -> Labelled:
        """Compute the labels of all cells in a picture, with the colours learned if the table was enrolled."""
        planes = self._planes(view)
        known = self.label_planes(planes)
        labelled = with_looks(known, self._board, view, planes, looks=self._looks, sure=self.sure, knows_grounds=True)
        labelled = replace(labelled, appearance=coarse_looks(planes, self._at, self.file.cell_px)).after("ground")
        if self._enrolment is None:
            return labelled
        tones = tones_seen(planes, self._at, self.file.cell_px)
        p = weighed(labelled.p, tones, self._enrolment, self._board.places, self.labels)
        return replace(labelled, p=p).after("enrolment")

    def tones(self, view: TableView) -> Floats:
        """Return the colours over the places' centres, float64 (n_places, heights x bgr), for enrolment."""
        return tones_seen(self._planes(view), self._at, self.file.cell_px)

    def _planes(self, view: TableView) -> Planes:
        return view_planes(view, self._board, self._heights_mm, cell_px=self.file.cell_px)

    def label_planes(self, planes: Planes) -> Labelled:
        """Compute the labels of all cells from planes, float32 (3 * heights, rows px, columns px).

        If a cell is in doubt, the network also reads the table upside down and the logits are averaged; few wrong
        labels are the same both ways.
        """
        (logits,) = self._seen.answers([0], planes[None])
        first = self._label(logits).after("network")
        if not (first.p.max(axis=1) < DOUBT)[first.p_visible > 0.5].any():
            return first
        (turned,) = self._turned.answers([0], planes[None])
        second = self._label((logits + turned[:, ::-1, ::-1]) / 2)
        return replace(second, stages=first.stages).after("network-turned")

    def _label(self, logits: Floats) -> Labelled:
        at_cells = logits[:, self._places[0], self._places[1]].T
        scores, residual = at_cells[:, self._columns] / self.file.temperature, self.file.residual
        p = softmax(heights_tempered(scores, self._singles, self.file.height_temperature))
        return Labelled((1 - residual) * p + residual / p.shape[1], 1 / (1 + np.exp(-at_cells[:, -1])))


def heights_tempered(logits: Floats, kinds: Sequence[str], temperature: float) -> Floats:
    """Return logits (n_cells, n_labels) with those of the heights within each kind of piece divided by a temperature.

    A network may know the colour of a stack well and its height badly. Each kind is as probable as before.
    """
    tempered = np.array(logits)
    for kind in set(kinds):
        columns = [column for column, other in enumerate(kinds) if other == kind]
        within = logits[:, columns] / temperature
        lost = np.logaddexp.reduce(logits[:, columns], axis=1) - np.logaddexp.reduce(within, axis=1)
        tempered[:, columns] = within + lost[:, None]
    return tempered


class UnknownLabeller:
    """A labeller without a model: each place is empty with probability one half, all other labels share the rest."""

    def __init__(self, board: Board) -> None:
        self.labels, self.sure = board.label_words, SURE
        row = np.array([len(self.labels) - 1.0 if word == EMPTY else 1.0 for word in self.labels])
        self._p = np.tile(row / row.sum(), (len(board.places), 1))

    def label(self, view: TableView) -> Labelled:
        """Return the same probabilities for all places."""
        del view
        return Labelled(self._p.copy(), np.ones(len(self._p)))


def with_looks(
    labelled: Labelled,
    board: Board,
    view: TableView,
    planes: Planes,
    *,
    looks: Looks,
    sure: float,
    knows_grounds: bool,
) -> Labelled:
    """Return labels revised by the look of the ground in the picture, and hidden where it lacks the board's print.

    Args:
        labelled: the labels so far.
        board: the table.
        view: the table in the picture.
        planes: as returned by `warp_planes`, the board's own plane first.
        looks: the memory of this table's looks, which is updated.
        sure: the probability from which on a label is sure.
        knows_grounds: whether what was read comes from a model of the board's own ground, however cells differ.
    """
    # 1. A model that knows the ground is believed if every cell is certain, visible and well placed.
    column = board.label_words.index(EMPTY)
    p_empty, unseen = labelled.p[:, column], labelled.p_visible <= 0.5
    shifted = misplaced(board, view.located) > 1 - sure
    in_doubt = (((p_empty > 1 - sure) & (p_empty < sure)) | unseen | shifted).any()
    if knows_grounds and not in_doubt:
        return labelled
    # 2. Learn the ground from the empty cells, and find the cells that show it.
    cell_px = planes.shape[1] // (board.grid.rows + 1)
    at = [cell_column_row(place) for place in board.places]
    middles = [(cell_px * (row + 1), cell_px * (across + 1)) for across, row in at]
    ground = Ground(planes[:3], cell_px, middles, clear_of_pieces(board, view.pose, cell_px))
    empty = labelled.p.argmax(axis=1) == column
    certain = ~unseen & (p_empty >= sure)
    looks.learn(ground, empty)
    shown = looks.refine(ground, empty, certain, unseen if knows_grounds else None)
    p_visible = np.where(shown.lacking, np.minimum(labelled.p_visible, 1 - OPEN), labelled.p_visible)
    knows = certain[shown.is_open & empty]
    if not len(knows) or not in_doubt:
        return replace(labelled, p_visible=p_visible)
    # 3. Cells that show ground are probably empty and visible (Bayes, with a measured likelihood ratio), but not start
    #   spaces, which are printed in the colour of the pieces that stand there; cells that lack it are hidden.
    is_ground = shown.bare if knows.mean() >= KNOWN_GROUND else shown.bare | shown.alike
    starts = {seat.colour: seat.start for seat in board.seat}
    own = np.array([[starts.get(label.piece) == place for label in board.cell_labels] for place in board.places])
    others = np.arange(labelled.p.shape[1]) != column
    p = labelled.p * np.where(is_ground[:, None] & others & ~own, PIECE_SHOWS_GROUND, 1.0)
    p_visible = np.where(shown.is_open & ~shown.lacking, np.maximum(p_visible, OPEN), p_visible)
    return replace(labelled, p=p / p.sum(axis=1, keepdims=True), p_visible=p_visible, in_step=shown.bare)


def height_mm(board: Board, name: str) -> float:
    """Return the height of a piece ("tee") or of a stack of them ("counter*3"), in mm.

    Raises:
        BoardFileError: the table has no such piece.
    """
    stack = parse_label(name)
    if str(stack.single) not in board.pieces:
        problem = unexpected("pieces", '"{piece}" among them', list(board.pieces), piece=stack.single)
        raise BoardFileError(about(board.game, problem))
    return board.pieces[str(stack.single)].height * stack.height

"""Views to label probabilities: the small network, run by OpenCV, and what it takes to trust its numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, cell_column_row
from vision.enrolment import Enrolment, tones_seen, weighed
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.labels import EMPTY, parse_label
from vision.localization.planes import CELL_PX, Planes, choose_source, clear_of_pieces, coarse_looks, warp_planes
from vision.looks.ground import Ground, Looks
from vision.observation import SURE
from vision.recognition.light import TableView
from vision.recognition.memory import Pictures, Remembering
from vision.recognition.trust import misplaced
from vision.shipped_network import of_board, softmax

DOUBT = 0.97
"""Probability of its best label below which a cell that can be seen is worth a second look at the table."""


_BLOCK_PX = 4
"""Side of the squares that must look different for a table to be read again: a quarter of a cell."""


PIECE_SHOWS_GROUND = 0.015
"""How much more rarely than an empty cell one with a piece shows the print that cells share, or some of it under the
ground's colour: of 3,866 pieces, in pictures of three tables and on photographs of two others, 23 did, of empty cells
of grounds that no network knows half."""

KNOWN_GROUND = 0.9
"""Part of the open cells that a network which knows the ground takes for empty and open with certainty: 99 of 100 in
pictures of our boards, 1 to 6 of 10 on boards of wood or orange paper. On a ground that it knows it tells pieces better
than their colour does."""

OPEN = 0.95
"""How likely a cell is to be seen that shows it."""


class NetworkFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is beside a network's weights: the labels of its outputs and how its numbers become probabilities.

    Attributes:
        labels: words of the outputs, in order; one more output follows, which says whether the cell can be seen.
        heights: names of the pieces of the table file whose heights the planes have, after the board's own, 0 mm; of
            pieces that may be stacked also "counter*3".
        cell_px: pixels along a cell of the planes.
        temperature: divides the logits; fitted on pictures that the network was not trained on.
        residual: probability of an error that the network does not see, shared among all labels.
        sure: probability of the best label below which a visible cell is unsure; chosen by risk control.
    """

    labels: tuple[str, ...]
    heights: tuple[str, ...]
    temperature: float
    residual: float
    cell_px: int = CELL_PX
    sure: float = SURE


@dataclass(frozen=True, slots=True, eq=False)
class StageResult:
    """What a stage of recognition made of all cells.

    Attributes:
        stage: what it looks at, in a word: "network", "ground".
        p: probabilities float64 (n_cells, n_labels).
        p_visible: how likely each cell is to be seen, float64 (n_cells,).
    """

    stage: str
    p: Floats
    p_visible: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """What a labeller makes of all cells.

    Attributes:
        p: probabilities float64 (n_cells, n_labels).
        p_visible: how likely each cell is to be seen, float64 (n_cells,).
        appearance: how each cell looks with the light divided out, float32 (n_cells, channels, rows,
            columns); None if it is not kept.
        in_step: cells that show the print which comes again in step with the grid, bool (n_cells,), so they are where
            they are looked at, or whole cells away; None if nothing is known.
        stages: what each stage so far made of the cells, in order.
    """

    p: Floats
    p_visible: Floats
    appearance: NDArray[np.float32] | None = None
    in_step: NDArray[np.bool_] | None = None
    stages: tuple[StageResult, ...] = ()

    def after(self, stage: str) -> Labelled:
        """Return the same, with what it is now kept as what a stage made of the cells."""
        return replace(self, stages=(*self.stages, StageResult(stage, self.p, self.p_visible)))


class Labeller(Protocol):
    """Labels every cell of one table; there is one kind of labeller for each kind of table."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The words that it may use, in the order of the columns of `p`."""

    @property
    def sure(self) -> float:
        """The probability of the best label below which a visible cell is too close to call."""

    def label(self, view: TableView) -> Labelled:
        """Label all places of a table, in the order of the board's places. Never raises on any picture."""


class CellLabeller:
    """Labels the cells of a table from planes, all at once. It holds a network, so one thread may use it at a time.

    Raises:
        BoardFileError: there is no network for this game, or the table has labels that it was not trained for.
    """

    def __init__(self, board: Board, enrolment: Enrolment | None = None) -> None:
        self.file, weights = of_board(board, NetworkFile)
        self._enrolment = enrolment
        unknown = sorted(set(board.label_words) - set(self.file.labels))
        if unknown:
            message = f"{board.game}: labels: expected some of {list(self.file.labels)}, found {unknown}"
            raise BoardFileError(message)
        self._board = board
        self._heights_mm = (0.0, *(height_mm(board, name) for name in self.file.heights))
        self._columns = [self.file.labels.index(word) for word in board.label_words]
        self._places = tuple(np.transpose([cell_column_row(cell)[::-1] for cell in board.places]))
        self._at = list(zip(*self._places, strict=True))
        self._network = cv2.dnn.readNetFromONNX(weights)
        self._looks = Looks()
        self._seen = Remembering(self._logits, _BLOCK_PX)
        self._turned = Remembering(lambda planes: self._logits(planes[..., ::-1, ::-1]), _BLOCK_PX)
        rows, columns = ((n + 1) * self.file.cell_px for n in (board.grid.rows, board.grid.columns))
        self.label_planes(np.zeros((3 * len(self._heights_mm), rows, columns), dtype=np.float32))  # the first is slow

    @property
    def labels(self) -> tuple[str, ...]:
        """The words of the table file."""
        return self._board.label_words

    @property
    def sure(self) -> float:
        """The level of the model."""
        return self.file.sure

    def label(self, view: TableView) -> Labelled:
        """Label all cells of a table in a picture, by what was learned of this table if it was enrolled."""
        planes = self._planes(view)
        labelled = with_looks(self.label_planes(planes), self._board, view, planes, looks=self._looks, sure=self.sure)
        labelled = replace(labelled, appearance=coarse_looks(planes, self._at, self.file.cell_px)).after("ground")
        if self._enrolment is None:
            return labelled
        p = weighed(labelled.p, self._tones(planes), self._enrolment, self._board.places, self.labels)
        return replace(labelled, p=p).after("enrolment")

    def tones(self, view: TableView) -> Floats:
        """Return the colours over the places' middles, float64 (n_places, heights x bgr), to learn from."""
        return self._tones(self._planes(view))

    def _tones(self, planes: Planes) -> Floats:
        return tones_seen(planes, self._at, self.file.cell_px)

    def _planes(self, view: TableView) -> Planes:
        scaled, cell_px = view.scaled, self.file.cell_px
        source = choose_source(scaled.image_bgr, scaled.reduced_bgr, self._board, view.pose, cell_px=cell_px)
        return warp_planes(source, self._board, view.pose, view.light, self._heights_mm, cell_px=cell_px)

    def label_planes(self, planes: Planes) -> Labelled:
        """Label all cells from planes float32 (3 * heights, rows px, columns px).

        Where a cell is in doubt the table is looked at once more, from the other side: of what the network takes for
        something that it is not, little looks the same upside down.
        """
        (logits,) = self._seen.answers([0], planes[None])
        first = self._labelled(logits).after("network")
        if not (first.p.max(axis=1) < DOUBT)[first.p_visible > 0.5].any():
            return first
        (turned,) = self._turned.answers([0], planes[None])
        second = self._labelled((logits + turned[:, ::-1, ::-1]) / 2)
        return replace(second, stages=first.stages).after("network-turned")

    def _logits(self, tables: Pictures) -> Floats:
        self._network.setInput(np.ascontiguousarray(tables))
        return np.asarray(self._network.forward(), dtype=np.float64)

    def _labelled(self, logits: Floats) -> Labelled:
        at_cells = logits[:, self._places[0], self._places[1]].T
        p_visible = 1 / (1 + np.exp(-at_cells[:, -1]))
        return Labelled(self._soften(at_cells[:, self._columns]), p_visible)

    def _soften(self, logits: Floats) -> Floats:
        p = softmax(logits / self.file.temperature)
        return np.asarray((1 - self.file.residual) * p + self.file.residual / p.shape[1])


class UnknownLabeller:
    """Knows nothing of how a table's pieces look: half of all places are empty, all other labels are alike likely."""

    def __init__(self, board: Board) -> None:
        self.labels = board.label_words
        self.sure = SURE
        row = np.array([len(self.labels) - 1.0 if word == EMPTY else 1.0 for word in self.labels])
        self._p = np.tile(row / row.sum(), (len(board.places), 1))

    def label(self, view: TableView) -> Labelled:
        """Return the same probabilities for all places."""
        del view
        return Labelled(self._p.copy(), np.ones(len(self._p)))


def with_looks(
    labelled: Labelled, board: Board, view: TableView, planes: Planes, *, looks: Looks, sure: float
) -> Labelled:
    """Return what was read with what the picture itself shows of it, if it is in doubt what is empty or where it is.

    Args:
        labelled: what was read.
        board: the table.
        view: the table in the picture.
        planes: the board's own plane, and others, as `warp_planes` makes them.
        looks: what is known of how this table looks; learns.
        sure: the probability from which on a label is sure.
    """
    column = board.label_words.index(EMPTY)
    p_empty, unseen = labelled.p[:, column], labelled.p_visible <= 0.5
    shifted = misplaced(board, view.located) > 1 - sure
    if not (((p_empty > 1 - sure) & (p_empty < sure)) | unseen | shifted).any():
        return labelled
    cell_px = planes.shape[1] // (board.grid.rows + 1)
    at = [cell_column_row(place) for place in board.places]
    middles = [(cell_px * (row + 1), cell_px * (across + 1)) for across, row in at]
    ground = Ground(planes[:3], cell_px, middles, clear_of_pieces(board, view.pose, cell_px))
    empty = labelled.p.argmax(axis=1) == column
    certain = ~unseen & (p_empty >= sure)
    looks.learn(ground, empty)
    shown = looks.refine(ground, empty, certain, unseen)
    knows = certain[shown.is_open & empty]
    if not len(knows):
        return labelled
    is_ground = shown.bare if knows.mean() >= KNOWN_GROUND else shown.bare | shown.alike
    others = np.arange(labelled.p.shape[1]) != column
    p = labelled.p * np.where(is_ground[:, None] & others, PIECE_SHOWS_GROUND, 1.0)
    p_visible = np.where(shown.is_open, np.maximum(labelled.p_visible, OPEN), labelled.p_visible)
    p_visible = np.where(shown.lacking, np.minimum(p_visible, 1 - OPEN), p_visible)
    return replace(labelled, p=p / p.sum(axis=1, keepdims=True), p_visible=p_visible, in_step=shown.bare)


def height_mm(board: Board, name: str) -> float:
    """Return the height of a piece ("tee") or of a stack of them ("counter*3"), in mm.

    Raises:
        BoardFileError: the table has no such piece.
    """
    stack = parse_label(name)
    if str(stack.single) not in board.pieces:
        message = f'{board.game}: pieces: expected "{stack.single}" among them, found {list(board.pieces)}'
        raise BoardFileError(message)
    return board.pieces[str(stack.single)].height * stack.height

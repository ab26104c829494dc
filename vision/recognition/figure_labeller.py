"""The labeller of tables with one figure of each kind: a network on each cell's patch, then an assignment to cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.sentence import about, unexpected
from vision.board import Board, cell_column_row
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.labels import EMPTY
from vision.localization.planes import choose_source, warp_planes
from vision.looks.ground import edges_shown
from vision.recognition.assignment_marginals import assignment_marginals
from vision.recognition.figure_patches import CELL_PX, PATCH_WH, Patches, looks_of, warp_patches
from vision.recognition.labeller import DOUBT, OPEN, Labelled
from vision.recognition.light import TableView
from vision.recognition.memory import Remembering
from vision.shipped_network import FallibleOutputs, of_board, softmax

_FLAT_PX = 40
"""Pixels along a cell's side in the plane in which its edges are searched for."""

_LEAST_EDGES = 2
"""Sides on which an empty cell shows its printed edge: of 218 that can be seen in sample pictures one showed fewer, of
ten that were covered and yet taken for empty seven."""


class FigureFile(FallibleOutputs, frozen=True, kw_only=True):
    """The file next to a network's weights: the labels of its outputs and their calibration.

    Attributes:
        labels: words of the outputs, in order, "empty" first; one more output says whether the cell can be seen.
        share: frequency of each label in the training data.
    """

    labels: tuple[str, ...]
    share: tuple[float, ...]


def stands_one_of_each(board: Board) -> bool:
    """Return whether a table's pieces are all different, one of each."""
    return all(piece.count == 1 for piece in board.pieces.values())


class FigureLabeller:
    """The labeller of cells from patches. It holds a network, so only one thread may use it at a time.

    Raises:
        BoardFileError: there is no network for this game, or the table has other labels than it was trained for.
    """

    def __init__(self, board: Board) -> None:
        self.file, self._network = of_board(board, FigureFile)
        self.labels, self.sure = board.label_words, self.file.sure
        if self.file.labels != board.label_words:
            found = [word for word in board.label_words if word not in self.file.labels] or board.label_words
            problem = unexpected("labels", "all of {words}", found, words=", ".join(self.file.labels))
            raise BoardFileError(about(board.game, problem))
        self._board = board
        self._seen = Remembering(self._network)
        self._mirrored = Remembering(lambda patches: self._network(patches[..., ::-1]))
        self.label_patches(np.zeros((len(board.cells), 4, *PATCH_WH[::-1]), dtype=np.float32))  # the first is slow

    def label(self, view: TableView) -> Labelled:
        """Compute the labels of all cells of a table in a picture."""
        scaled = view.scaled
        source = choose_source(scaled.image_bgr, scaled.reduced_bgr, self._board, view.pose, cell_px=CELL_PX)
        patches = warp_patches(source, self._board, view.pose, view.light)
        labelled = replace(self.label_patches(patches), appearance=looks_of(patches)).after("figures")
        # An empty cell shows its printed edges, at least on two sides if tall pieces hide the others.
        flat = warp_planes(source, self._board, view.pose, view.light, (0.0,), cell_px=_FLAT_PX)
        middles = [
            ((row + 1) * _FLAT_PX, (column + 1) * _FLAT_PX) for column, row in map(cell_column_row, self._board.cells)
        ]
        reached_over = (edges_shown(flat, _FLAT_PX, middles) < _LEAST_EDGES) & (
            labelled.p.argmax(axis=1) == self.labels.index(EMPTY)
        )
        p_visible = np.where(reached_over, np.minimum(labelled.p_visible, 1 - OPEN), labelled.p_visible)
        return replace(labelled, p_visible=p_visible).after("edges")

    def label_patches(self, patches: Patches) -> Labelled:
        """Compute the labels of all cells from their patches.

        If a cell is in doubt, the network also reads all patches mirrored; few wrong labels are the same both ways.
        """
        cells = range(len(patches))
        logits = self._seen.answers(cells, patches)
        first = weigh(logits, self.file)
        if not (first.p.max(axis=1) < DOUBT)[first.p_visible > 0.5].any():
            return first
        return weigh((logits + self._mirrored.answers(cells, patches)) / 2, self.file)


def weigh(logits: Floats, file: FigureFile) -> Labelled:
    """Return the probabilities from a network's outputs for all cells of one table, float64 (n_cells, labels + 1)."""
    p_visible = 1 / (1 + np.exp(-logits[:, -1]))
    evidence = softmax(logits[:, :-1] / file.temperature) / np.asarray(file.share)
    seen = p_visible[:, None]
    p = assignment_marginals(seen * evidence + (1 - seen))
    return Labelled((1 - file.residual) * p + file.residual / p.shape[1], p_visible)

"""What is in each cell of a table of cards, and how exactly it is there: a small network.

It sees the table from above at the heights of the cards and of the tops of what is put on them, too coarsely to
distinguish one card from another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engines.sentence import about, unexpected
from vision.board import Board, cell_column_row
from vision.errors import BoardFileError
from vision.geometry import Floats
from vision.labels import BACK
from vision.localization.planes import Planes, coarse_looks, view_planes
from vision.recognition.labeller import DOUBT
from vision.recognition.light import TableView
from vision.recognition.memory import Pictures, Remembering
from vision.shipped_network import OutputCalibration, of_board, softmax

CELL_PX = 48
"""Pixels along a cell's side in a plane: a symbol on a tile is fifteen across, the head of a pawn six."""

_BLOCK_PX = 6
"""Side of the squares that must look different for a table to be read again: a pawn's head."""

_LOOK_PX = 4
"""Side of the squares of a cell's coarse picture: 6 by 8 mm on the table, a little more than on other boards."""

FACE, NOTHING = "face", "nothing"

PLACE_UNIT = np.array([5.0, 5.0, 0.1])
"""The network gives places in these units: a card's middle off its cell's (x, y) in mm, its turn in radians."""

_TURNED_PLACE = np.array([-1.0, -1.0, 1.0])
"""What becomes of a place when the table is turned by half a turn."""


def lying_words(board: Board) -> tuple[str, ...]:
    """Return what is uppermost in a cell, or under what stands there: a card's sides, nothing, what covers cards."""
    return (FACE, BACK, NOTHING, *board.parts_on_cards(covers=True))


def standing_words(board: Board) -> tuple[str, ...]:
    """Return what can stand in a cell: nothing, or what is put on cards without covering them."""
    return (NOTHING, *board.parts_on_cards(covers=False))


def heights_mm(board: Board) -> tuple[float, ...]:
    """Return the heights of the planes: cards, and the tops of what is put on them."""
    return (0.0, *sorted(piece.height for piece in board.pieces.values()))


class LayoutFile(OutputCalibration, frozen=True, kw_only=True):
    """What is beside the network's weights.

    Attributes:
        lying, standing: words of the outputs, in order; "can it be seen" and the three of the place follow.
    """

    lying: tuple[str, ...]
    standing: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """What is on a table, in the order of the board's cells.

    Attributes:
        p_lying: float64 (n_cells, lying words).
        p_standing: float64 (n_cells, standing words).
        p_visible: float64 (n_cells,), how likely the cell can be seen.
        place: float64 (n_cells, 3), where a card is: its middle off the cell's (x, y) in mm, and its turn clockwise
            in radians.
        appearance: how each cell looks, as `vision.observation.Observation.appearance`; None if it is not kept.
    """

    p_lying: Floats
    p_standing: Floats
    p_visible: Floats
    place: Floats
    appearance: NDArray[np.float32] | None = None

    def in_doubt(self) -> NDArray[np.bool_]:
        """Which cells can be seen, and yet what is or stands there is not sure, bool (n_cells,)."""
        sure = self.p_lying.max(axis=1) * self.p_standing.max(axis=1)
        return np.asarray((sure < DOUBT) & (self.p_visible > 0.5))


class LayoutReader:
    """Reads what is on a table of cards. It holds a network, so one thread may use it at a time.

    Raises:
        BoardFileError: there is no network for this game, or it was not trained for this table's colours.
    """

    def __init__(self, board: Board) -> None:
        self.file, self._network = of_board(board, LayoutFile)
        expected = (lying_words(board), standing_words(board))
        if (self.file.lying, self.file.standing) != expected:
            problem = unexpected("seat", "the colours in {words}", board.colours, words=", ".join(self.file.standing))
            raise BoardFileError(about(board.game, problem))
        self._board = board
        self._at = [cell_column_row(cell)[::-1] for cell in board.cells]
        self._seen = Remembering(self._outputs, _BLOCK_PX)
        self._turned = Remembering(lambda planes: self._outputs(planes[..., ::-1, ::-1]), _BLOCK_PX)
        rows, columns = ((n + 1) * CELL_PX for n in (board.grid.rows, board.grid.columns))
        self.read_planes(np.zeros((3 * len(heights_mm(board)), rows, columns), dtype=np.float32))  # the first is slow

    def read(self, view: TableView) -> Layout:
        """Return what is on a table in a picture."""
        planes = view_planes(view, self._board, heights_mm(self._board), cell_px=CELL_PX)
        return replace(self.read_planes(planes), appearance=coarse_looks(planes, self._at, CELL_PX, _LOOK_PX))

    def read_planes(self, planes: Planes) -> Layout:
        """Return what is on a table from planes float32 (3 * heights, rows px, columns px).

        Where a cell is in doubt the table is looked at once more, from the other side.
        """
        (outputs,) = self._seen.answers([0], planes[None])
        first = self._layout(outputs)
        if not first.in_doubt().any():
            return first
        turned = self._turned.answers([0], planes[None])[0, ::-1].copy()
        turned[:, -3:] *= _TURNED_PLACE
        return self._layout((outputs + turned) / 2)

    def _outputs(self, tables: Pictures) -> Floats:
        """Run the network on planes (n, channels, rows px, columns px): float64 (n, n_cells, outputs)."""
        outputs = self._network(tables)
        return outputs.reshape(*outputs.shape[:2], -1).transpose(0, 2, 1)

    def _layout(self, outputs: Floats) -> Layout:
        ends = np.cumsum([len(self.file.lying), len(self.file.standing), 1])
        lying, standing, seen, place = np.split(outputs, ends, axis=1)
        return Layout(
            softmax(lying / self.file.temperature),
            softmax(standing / self.file.temperature),
            1 / (1 + np.exp(-seen[:, 0])),
            place * PLACE_UNIT,
        )

"""The 6 by 6 grid of cards as data: its spaces, quadrants and start spaces, and sets of spaces as bits of a number."""

from __future__ import annotations

from engines.grid import Bitboard, CellGrid, CellIndex, cells_in, set_of
from engines.kernel import Cell

SIZE = 6
"""Columns and rows: 36 cards, a rule of the game."""

ALL_CELLS = tuple(CellIndex(i) for i in range(SIZE * SIZE))

ALL_SPACES: Bitboard = (1 << SIZE * SIZE) - 1

_GRID = CellGrid(SIZE, SIZE)
NAMES = _GRID.names
"""The name of each space, by its number."""

on_board, cell_index = _GRID.has, _GRID.cell_index


def names_in(spaces: Bitboard) -> tuple[Cell, ...]:
    """List the names of a set's spaces, row by row from the top left."""
    return tuple(NAMES[index] for index in cells_in(spaces))


def _neighbours(index: CellIndex) -> Bitboard:
    row, column = divmod(index, SIZE)
    near = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return set_of(CellIndex(r * SIZE + c) for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE)


NEIGHBOURS: tuple[Bitboard, ...] = tuple(_neighbours(i) for i in ALL_CELLS)
"""The spaces one orthogonal step away, by the number of the space."""


def quadrant_of(index: CellIndex) -> int:
    """Return in which quadrant a space is: 0 to 3, clockwise from the top left."""
    row, column = divmod(index, SIZE)
    below, right = row >= SIZE // 2, column >= SIZE // 2
    return 3 - right if below else int(right)


QUADRANTS: tuple[Bitboard, ...] = tuple(set_of(i for i in ALL_CELLS if quadrant_of(i) == q) for q in range(4))
"""The nine spaces of each quadrant, clockwise from the top left."""

START_SPACES: tuple[CellIndex, ...] = tuple(cell_index(name) for name in ("C3", "D3", "D4", "C4"))
"""The four spaces in the middle; each stands at the place of its quadrant."""

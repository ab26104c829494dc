"""The board as data: its spaces and sides, and sets of spaces as the bits of one integer."""

from __future__ import annotations

from enum import StrEnum

from engines.grid import Bitboard, CellGrid, CellIndex, cells_in
from engines.kernel import Cell

SIZE = 12
"""The number of columns and rows, a rule of the game, not of the printed copy."""

ALL_SPACES: Bitboard = (1 << SIZE * SIZE) - 1


class Side(StrEnum):
    """A side of the board, in turn order: counter-clockwise seen from above."""

    BOTTOM = "bottom"
    RIGHT = "right"
    TOP = "top"
    LEFT = "left"

    @property
    def place(self) -> int:
        """The number of sides from the bottom, in turn order."""
        return tuple(Side).index(self)


def _neighbours(index: int) -> tuple[CellIndex, ...]:
    near = (n for n in (index - SIZE, index + 1, index + SIZE, index - 1) if 0 <= n < SIZE * SIZE)
    return tuple(CellIndex(n) for n in near if n // SIZE == index // SIZE or n % SIZE == index % SIZE)


GRID = CellGrid(SIZE, SIZE)
NAMES = GRID.names
"""The printed name of each space, by its number."""

on_board, cell_index = GRID.has, GRID.cell_index

NEIGHBOURS: tuple[tuple[CellIndex, ...], ...] = tuple(_neighbours(i) for i in range(SIZE * SIZE))
"""The spaces one orthogonal step away, by the number of the space."""


def cell_name(index: CellIndex) -> Cell:
    """Return the printed name of a space."""
    return NAMES[index]


def names_in(spaces: Bitboard) -> list[Cell]:
    """Return the names of a set's spaces in text order, as `sorted` does: "A1", "A10", "A2"."""
    return sorted([NAMES[index] for index in cells_in(spaces)])

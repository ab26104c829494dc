"""The board as data: its spaces and sides, and sets of spaces as the bits of one integer."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from engines.grid import Bitboard, CellGrid, CellIndex, cells_in, set_of
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


GRID = CellGrid(SIZE, SIZE)
NAMES = GRID.names
"""The printed name of each space, by its number."""

on_board, cell_index = GRID.has, GRID.cell_index

NEIGHBOURS: tuple[tuple[CellIndex, ...], ...] = tuple(GRID.neighbours(CellIndex(i)) for i in range(SIZE * SIZE))
"""The spaces one orthogonal step away, by the number of the space."""


def distance(one: CellIndex, other: CellIndex) -> int:
    """Return the fewest steps from one space to another on a board without Royal Tees."""
    return sum(abs(here - there) for here, there in zip(divmod(one, SIZE), divmod(other, SIZE), strict=True))


@cache
def within(cell: CellIndex, steps: int) -> Bitboard:
    """Return the spaces at most `steps` steps away, on a board without Royal Tees."""
    return set_of(CellIndex(i) for i in range(SIZE * SIZE) if distance(cell, CellIndex(i)) <= steps)


def names_in(spaces: Bitboard) -> list[Cell]:
    """Return the names of a set's spaces in text order, as `sorted` does: "A1", "A10", "A2"."""
    return sorted([NAMES[index] for index in cells_in(spaces)])

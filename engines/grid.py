"""Cells in rows and columns: their names and numbers, and sets of them as the bits of one whole number."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase
from typing import NewType, TypeAlias

from engines.kernel import BadRequestError, Cell

CellIndex = NewType("CellIndex", int)
"""A cell by its number: row * columns + column, both from 0 at the top left."""

Bitboard: TypeAlias = int
"""A set of cells: bit i stands for the cell with the number i."""


class CellGrid:
    """The names of the cells, column letter before row number from 1 at the top.

    Args:
        columns: how many cells a row has.
        rows: how many cells a column has.
        noun: what the game calls a cell.
    """

    def __init__(self, columns: int, rows: int, noun: str = "space") -> None:
        self.names = tuple(Cell(f"{ascii_uppercase[i % columns]}{i // columns + 1}") for i in range(columns * rows))
        self._noun = noun
        self._index = {name: CellIndex(i) for i, name in enumerate(self.names)}

    def has(self, name: str) -> bool:
        """Return whether a name is that of a cell."""
        return name in self._index

    def cell_index(self, name: str) -> CellIndex:
        """Return the number of the cell with a printed name.

        Raises:
            BadRequestError: there is no such cell.
        """
        if not self.has(name):
            raise BadRequestError(f"there is no {self._noun} {name[:12]!r}; {self._noun}s are A1 to {self.names[-1]}")
        return self._index[Cell(name)]


def bit(index: CellIndex) -> Bitboard:
    """Return the set of one cell."""
    return 1 << index


def set_of(indices: Iterable[CellIndex]) -> Bitboard:
    """Return the set of these cells."""
    cells = 0
    for index in indices:
        cells |= 1 << index
    return cells


def cells_in(cells: Bitboard) -> tuple[CellIndex, ...]:
    """List a set's cells, row by row from the top left."""
    found = []
    while cells:
        lowest = cells & -cells
        found.append(CellIndex(lowest.bit_length() - 1))
        cells ^= lowest
    return tuple(found)


def nth_in(cells: Bitboard, place: int) -> Bitboard:
    """Return the cell with a place in a set, from 0 at the top left, as a set of its own."""
    for _ in range(place):
        cells &= cells - 1
    return cells & -cells

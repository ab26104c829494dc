"""Cells in rows and columns: their names and numbers, and sets of cells as the bits of one integer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import groupby
from operator import or_
from string import ascii_uppercase
from typing import NewType, TypeAlias

from engines.kernel import BadRequestError, Cell

CellIndex = NewType("CellIndex", int)
"""The number of a cell: row * columns + column, both from 0 at the top left."""

EMPTY = "."
"""The letter of an empty cell, in rows of text."""

Bitboard: TypeAlias = int
"""A set of cells: bit i stands for cell number i."""


class CellGrid:
    """The names of the cells: column letter, then row number from 1 at the top.

    Args:
        columns: the number of cells in a row.
        rows: the number of cells in a column.
        noun: the game's word for a cell.
    """

    def __init__(self, columns: int, rows: int, noun: str = "space") -> None:
        self.names = tuple(Cell(f"{ascii_uppercase[i % columns]}{i // columns + 1}") for i in range(columns * rows))
        self.columns, self._rows, self._noun = columns, rows, noun
        self._index = {name: CellIndex(i) for i, name in enumerate(self.names)}

    def has(self, name: str) -> bool:
        """Return whether a cell has this name."""
        return name in self._index

    def cell_index(self, name: str) -> CellIndex:
        """Return the number of the cell with this printed name.

        Raises:
            BadRequestError: there is no such cell.
        """
        if not self.has(name):
            raise BadRequestError(f"there is no {self._noun} {name[:12]!r}; {self._noun}s are A1 to {self.names[-1]}")
        return self._index[Cell(name)]

    def names_in(self, cells: Bitboard) -> tuple[Cell, ...]:
        """Return the names of a set's cells, row by row from the top left."""
        return tuple(self.names[index] for index in cells_in(cells))

    def neighbours(self, index: CellIndex) -> tuple[CellIndex, ...]:
        """Return the cells that share an edge with a cell: above, right, below, left."""
        row, column = divmod(index, self.columns)
        near = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        inside = ((r, c) for r, c in near if 0 <= r < self._rows and 0 <= c < self.columns)
        return tuple(CellIndex(r * self.columns + c) for r, c in inside)

    def write_rows(self, letters: Sequence[str]) -> str:
        """Write a letter for each cell, rows separated by "/"; a number stands for that many "."."""
        rows = []
        for first in range(0, len(letters), self.columns):
            runs = ((letter, len(list(run))) for letter, run in groupby(letters[first : first + self.columns]))
            rows.append("".join(str(length) if letter == EMPTY else letter * length for letter, length in runs))
        return "/".join(rows)

    def read_rows(self, text: str) -> str:
        """Parse what `write_rows` wrote, as one letter for each cell.

        Raises:
            BadRequestError: these are not the rows of this grid.
        """
        most = self.columns + 1
        rows = [re.sub("[0-9]{1,9}", lambda run: EMPTY * min(int(run[0]), most), row) for row in text.split("/")]
        if len(rows) != self._rows or any(len(row) != self.columns for row in rows):
            raise BadRequestError(f"there must be {self._rows} rows of {self.columns} {self._noun}s, not {text[:40]!r}")
        return "".join(rows)


def bit(index: CellIndex) -> Bitboard:
    """Return the set of one cell."""
    return 1 << index


def set_of(indices: Iterable[CellIndex]) -> Bitboard:
    """Return the set of these cells."""
    cells = 0
    for index in indices:
        cells |= 1 << index
    return cells


def union(sets: Iterable[Bitboard]) -> Bitboard:
    """Return the cells that are in any of these sets."""
    return reduce(or_, sets, 0)


def cells_in(cells: Bitboard) -> tuple[CellIndex, ...]:
    """Return a set's cells, row by row from the top left."""
    found = []
    while cells:
        lowest = cells & -cells
        found.append(CellIndex(lowest.bit_length() - 1))
        cells ^= lowest
    return tuple(found)

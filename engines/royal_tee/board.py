"""The board as data: its spaces and sides, and sets of spaces as the bits of one whole number."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NewType, TypeAlias

from engines.kernel import BadRequestError, Cell

SIZE = 12
"""Columns and rows: a rule of the game, not of the printed copy."""

CellIndex = NewType("CellIndex", int)
"""A space by its number: row * SIZE + column, both from 0 at the top left."""

Bitboard: TypeAlias = int
"""A set of spaces: bit i stands for the space with the number i."""

ALL_SPACES: Bitboard = (1 << SIZE * SIZE) - 1


class Side(StrEnum):
    """A side of the board, in the order in which turns go round: counter-clockwise seen from above."""

    BOTTOM = "bottom"
    RIGHT = "right"
    TOP = "top"
    LEFT = "left"

    @property
    def place(self) -> int:
        """How many sides further round from the bottom."""
        return tuple(Side).index(self)


def _row(index: int) -> int:
    return index // SIZE


def _column(index: int) -> int:
    return index % SIZE


def _neighbours(index: int) -> tuple[CellIndex, ...]:
    near = (n for n in (index - SIZE, index + 1, index + SIZE, index - 1) if 0 <= n < SIZE * SIZE)
    return tuple(CellIndex(n) for n in near if _row(n) == _row(index) or _column(n) == _column(index))


NAMES: tuple[Cell, ...] = tuple(Cell(f"{'ABCDEFGHIJKL'[_column(i)]}{_row(i) + 1}") for i in range(SIZE * SIZE))
"""The printed name of each space, by its number."""

NEIGHBOURS: tuple[tuple[CellIndex, ...], ...] = tuple(_neighbours(i) for i in range(SIZE * SIZE))
"""The spaces one orthogonal step away, by the number of the space."""

_INDEX = {name: CellIndex(i) for i, name in enumerate(NAMES)}


def cell_name(index: CellIndex) -> Cell:
    """Return the printed name of a space."""
    return NAMES[index]


def on_board(name: str) -> bool:
    """Return whether a name is that of a space."""
    return name in _INDEX


def cell_index(name: str) -> CellIndex:
    """Return the number of the space with a printed name.

    Raises:
        BadRequestError: there is no such space.
    """
    if not on_board(name):
        raise BadRequestError(f"there is no space {name[:12]!r}; spaces are A1 to L12")
    return _INDEX[Cell(name)]


def bit(index: CellIndex) -> Bitboard:
    """Return the set of one space."""
    return 1 << index


def set_of(indices: Iterable[CellIndex]) -> Bitboard:
    """Return the set of these spaces."""
    spaces = 0
    for index in indices:
        spaces |= 1 << index
    return spaces


def spaces_in(spaces: Bitboard) -> tuple[CellIndex, ...]:
    """List a set's spaces, row by row from the top left."""
    found = []
    while spaces:
        lowest = spaces & -spaces
        found.append(CellIndex(lowest.bit_length() - 1))
        spaces ^= lowest
    return tuple(found)


def names_in(spaces: Bitboard) -> list[Cell]:
    """List the names of a set's spaces in the order of text, as `sorted` gives it: "A1", "A10", "A2"."""
    return sorted([NAMES[index] for index in spaces_in(spaces)])

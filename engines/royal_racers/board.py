"""The 6 by 6 grid of cards as data: its spaces, quadrants and start spaces, and sets of spaces as bits of a number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NewType, TypeAlias

from engines.kernel import BadRequestError, Cell

SIZE = 6
"""Columns and rows: 36 cards, a rule of the game."""

CellIndex = NewType("CellIndex", int)
"""A space by its number: row * SIZE + column, both from 0 at the top left."""

Bitboard: TypeAlias = int
"""A set of spaces: bit i stands for the space with the number i."""

ALL_CELLS = tuple(CellIndex(i) for i in range(SIZE * SIZE))

ALL_SPACES: Bitboard = (1 << SIZE * SIZE) - 1

NAMES: tuple[Cell, ...] = tuple(Cell(f"{'ABCDEF'[i % SIZE]}{i // SIZE + 1}") for i in ALL_CELLS)
"""The name of each space, by its number."""

_INDEX = {name: CellIndex(i) for i, name in enumerate(NAMES)}


def on_board(name: str) -> bool:
    """Return whether a name is that of a space."""
    return name in _INDEX


def cell_index(name: str) -> CellIndex:
    """Return the number of the space with a name.

    Raises:
        BadRequestError: there is no such space.
    """
    if not on_board(name):
        raise BadRequestError(f"there is no space {name[:12]!r}; spaces are A1 to F6")
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


def cells_in(spaces: Bitboard) -> list[CellIndex]:
    """List a set's spaces, row by row from the top left."""
    found = []
    while spaces:
        lowest = spaces & -spaces
        found.append(CellIndex(lowest.bit_length() - 1))
        spaces ^= lowest
    return found


def nth_in(spaces: Bitboard, place: int) -> Bitboard:
    """Return the space with a place in a set, from 0 at the top left, as a set of its own."""
    for _ in range(place):
        spaces &= spaces - 1
    return spaces & -spaces


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

"""The board as data: nine squares, their names and colours, and the moves of each piece between them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from engines.grid import CellGrid, CellIndex
from engines.kernel import Cell

SIZE = 3
"""Columns and rows: a rule of the game, not of the printed copy."""

SQUARES: tuple[CellIndex, ...] = tuple(CellIndex(i) for i in range(SIZE * SIZE))
MIDDLE = CellIndex(4)

_GRID = CellGrid(SIZE, SIZE, "square")
NAMES = _GRID.names
"""The printed name of each square, by its number."""

on_board, cell_index = _GRID.has, _GRID.cell_index


class Piece(StrEnum):
    """The five pieces by their letters in notation; there is one of each."""

    KING = "K"
    QUEEN = "Q"
    ROOK = "R"
    BISHOP = "B"
    KNIGHT = "N"


class Colouring(StrEnum):
    """The dark squares of a printed copy, the only ones for the bishop (RULES.md 1.3)."""

    DARK_CORNERS = "corners"
    DARK_EDGES = "edges"


Reach = tuple[tuple[CellIndex, tuple[CellIndex, ...]], ...]
"""The squares that a piece reaches from one square of an empty board, each with the squares that it slides over."""

_ROWS_AND_COLUMNS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_DIAGONALS = ((-1, -1), (-1, 1), (1, 1), (1, -1))
_LEAPS = tuple((down, right) for down in (-2, -1, 1, 2) for right in (-2, -1, 1, 2) if abs(down) != abs(right))
_DIRECTIONS = {
    Piece.KING: _ROWS_AND_COLUMNS + _DIAGONALS,
    Piece.QUEEN: _ROWS_AND_COLUMNS + _DIAGONALS,
    Piece.ROOK: _ROWS_AND_COLUMNS,
    Piece.BISHOP: _DIAGONALS,
    Piece.KNIGHT: _LEAPS,
}
_SLIDERS = (Piece.QUEEN, Piece.ROOK, Piece.BISHOP)


def colouring_of(bishop: CellIndex) -> Colouring:
    """Return which squares are dark, by a square of the bishop, which never leaves them."""
    return Colouring.DARK_EDGES if bishop % 2 else Colouring.DARK_CORNERS


def names(*squares: CellIndex) -> tuple[Cell, ...]:
    """Return the names of squares."""
    return tuple(NAMES[square] for square in squares)


def _reach(piece: Piece, start: CellIndex) -> Iterator[tuple[CellIndex, tuple[CellIndex, ...]]]:
    for down, right in _DIRECTIONS[piece]:
        row, column = divmod(start, SIZE)
        over: tuple[CellIndex, ...] = ()
        for _ in range(SIZE - 1 if piece in _SLIDERS else 1):
            row, column = row + down, column + right
            if not (0 <= row < SIZE and 0 <= column < SIZE):
                break
            there = CellIndex(row * SIZE + column)
            yield there, over
            over = (*over, there)


REACH: dict[Piece, tuple[Reach, ...]] = {
    piece: tuple(tuple(_reach(piece, start)) for start in SQUARES) for piece in Piece
}
"""The squares that each piece reaches on an empty board, by its square. A knight's move from or to the middle does not
fit on nine squares, so that its rule (RULES.md 2.5) needs no exception here."""

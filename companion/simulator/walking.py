"""What hands can do with a piece that claims the cells it walks over, whether or not the rules allow it.

The table file says which piece walks (`walks`); nothing here knows more of a game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import TypeAlias

from engines.kernel import Cell, Seat
from vision.board import Board, cell_column_row, cell_name

EMPTY = "empty"

Labels: TypeAlias = Mapping[Cell, str]
"""A placement: the label on every cell."""


def tee(board: Board, seat: Seat) -> str:
    """Give the label of a cell that a seat has claimed."""
    return next(str(label) for name in board.pieces for label in board.labels_of(name) if label.piece == seat)


def royal(board: Board, seat: Seat) -> str:
    """Give the label of a seat's walking piece."""
    return str(board.label_of(board.walkers[0], seat))


def neighbours(cell: Cell, cells: Collection[Cell]) -> list[Cell]:
    """List those of `cells` that are one orthogonal step away."""
    column, row = cell_column_row(cell)
    near = ((column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row))
    return [name for name in (Cell(cell_name(c, r)) for c, r in near if c >= 0 and r >= 0) if name in cells]


def distance(one: Cell, other: Cell) -> int:
    """Count the orthogonal steps from one cell to another."""
    (column, row), (other_column, other_row) = cell_column_row(one), cell_column_row(other)
    return abs(column - other_column) + abs(row - other_row)


def stretch(one: Cell, other: Cell) -> int:
    """Count the columns or the rows between two cells, whichever are more."""
    (column, row), (other_column, other_row) = cell_column_row(one), cell_column_row(other)
    return max(abs(column - other_column), abs(row - other_row))


def random_walk(
    free: Collection[Cell], start: Cell, steps: int, random: Random, goal: Cell | None = None
) -> tuple[Cell, ...] | None:
    """Walk over free cells, straight to a goal first, then to new ones while there are any; None when no step is free.

    The start stands first.
    """
    path = [start]
    for _ in range(steps):
        near = neighbours(path[-1], free)
        if not near:
            return None
        goal = None if goal in path else goal
        fresh = [cell for cell in near if cell not in path] or near
        path.append(random.choice(fresh) if goal is None else min(fresh, key=lambda cell: distance(cell, goal)))
    return tuple(path)


def walked(before: Labels, path: Sequence[Cell], tee_label: str, royal_label: str) -> Labels:
    """Give the table after a piece has claimed a path, its first cell the one that it leaves."""
    return {**before, **dict.fromkeys(path, tee_label), path[-1]: royal_label}

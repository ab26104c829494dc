"""Positions of the Royal Game of Ur as labels on places: the words of the table file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from engines.kernel import Cell, Seat
from engines.royal_ur.board import COUNTERS, HOME, OFF, START, Board
from engines.royal_ur.position import Position
from vision.labels import EMPTY, Label, parse_label

__all__ = ["EMPTY", "counters_of", "label_of", "placement"]


def label_of(seat: Seat, number: int) -> str:
    """Return the label of that many stacked counters of a player."""
    if number <= 0:
        return EMPTY
    return str(Label(seat, height=min(number, COUNTERS)))


def counters_of(label: str) -> tuple[Seat | None, int]:
    """Return whose counters a label means, and how many; None and 0 for an empty place."""
    stack = parse_label(label)
    return (None, 0) if stack.is_empty else (Seat(stack.piece), stack.height)


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every square, and on the places where counters enter.

    Counters at home and those that wait lie anywhere beside the board.
    """
    labels = dict.fromkeys(_places(position.board), EMPTY)
    for place, (seat, lane) in enumerate(zip(position.players, position.lanes, strict=True)):
        for index, number in Counter(lane).items():
            if index not in (OFF, HOME):
                labels[position.board.cell(place, index)] = label_of(seat, number)
    return labels


@lru_cache
def _places(board: Board) -> tuple[Cell, ...]:
    """List the squares row by row, then where counters enter."""
    squares = {cell for way in board.ways for cell in way[START + 1 : HOME]}
    entrances = {way[START] for way in board.ways}
    return (*sorted(squares, key=_row_first), *sorted(entrances, key=_row_first))


def _row_first(cell: Cell) -> tuple[int, str]:
    return int(cell[1:]), cell[0]

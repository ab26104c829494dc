"""A printed copy of the board: the ways of both players, and the signs and values of their squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engines.decode import quote
from engines.kernel import BadRequestError, Cell, Seat

COUNTERS = 7
SQUARES = 14
OFF, START, HOME = -1, 0, SQUARES + 1
"""Indices of a counter off the board, on the start space and at home, besides the squares 1 to 14 of its way."""

DEAREST = 1000
"""Largest value of a square that is accepted: not a rule."""

Way: TypeAlias = tuple[Cell, ...]
"""The cells from S over fourteen squares to home."""


class Sign(StrEnum):
    """The sign on a square."""

    EYES = "eyes"
    CIRCLES = "circles"
    ROSETTE = "rosette"
    GRID = "grid"
    FOUR_FIVES = "four-fives"
    ZIGZAG = "zigzag"


class Square(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A square of a way: its sign and its dots, which are its value."""

    sign: Sign
    value: Annotated[int, Meta(ge=0, le=DEAREST)]


@dataclass(frozen=True, slots=True)
class Board:
    """The board for two players, made by `board_of`.

    Attributes:
        squares: the squares of a way, the first after S at index 0; both ways have the same.
        ways: the cells of each player's way, parallel to the players.
        signs: the sign at each index of a way, None on S and at home.
        shared: whether both ways lead over the square with this index.
    """

    squares: tuple[Square, ...]
    ways: tuple[Way, ...]
    signs: tuple[Sign | None, ...]
    shared: tuple[bool, ...]

    def cell(self, place: int, index: int) -> Cell:
        """Return the cell at an index, 0 to 15, of the way of the player at a place in `players`."""
        return self.ways[place][index]


def _squares(text: str) -> tuple[Square, ...]:
    words = (word.split(":") for word in text.split())
    return tuple(Square(Sign(sign), int(value)) for sign, value in words)


def _way(text: str) -> Way:
    return tuple(Cell(name) for name in text.split())


DEFAULT_SQUARES = _squares(
    "eyes:4 circles:5 eyes:4 rosette:1 grid:12 circles:5 four-fives:20 rosette:1"
    " circles:5 four-fives:20 eyes:4 circles:5 zigzag:5 rosette:1"
)
DEFAULT_WAYS: Mapping[Seat, Way] = {
    Seat("white"): _way("E3 D3 C3 B3 A3 A2 B2 C2 D2 E2 F2 G2 H2 H3 G3 F3"),
    Seat("black"): _way("E1 D1 C1 B1 A1 A2 B2 C2 D2 E2 F2 G2 H2 H1 G1 F1"),
}
"""The board of the shipped table file."""


def board_of(players: Sequence[Seat], ways: Mapping[Seat, Way], squares: tuple[Square, ...]) -> Board:
    """Return the board for two players.

    Raises:
        BadRequestError: a player has no way or too short a one, or the ways meet other than on squares with the same
            index.
    """
    for seat in players:
        if seat not in ways:
            raise BadRequestError(f"unknown colour {quote(seat)}; there are: {', '.join(ways)}")
    chosen = tuple(ways[seat] for seat in players)
    for seat, way in zip(players, chosen, strict=True):
        if len(set(way)) < SQUARES + 2:
            raise BadRequestError(f"{seat}'s path must be {SQUARES + 2} different cells, from S to home")
    shared = tuple(one == other for one, other in zip(*chosen, strict=True))
    indices = {cell: {way.index(cell) for way in chosen} for cell in set(chosen[0]) & set(chosen[1])}
    if crossings := [cell for cell, found in indices.items() if len(found) > 1 or found & {START, HOME}]:
        raise BadRequestError(f"both ways lead over {min(crossings)}, but not as a square with the same number")
    return Board(squares, chosen, (None, *(square.sign for square in squares), None), shared)

"""Positions and actions of the Royal Game of Ur as frozen values, and the set-up (RULES.md, sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engines.decode import check_names, demand
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_ur.board import COUNTERS, DEFAULT_SQUARES, DEFAULT_WAYS, HOME, OFF, SQUARES, Board, Square, board_of
from engines.schema import named_like, read

FAIR_DIE = 0.5

Lane: TypeAlias = tuple[int, ...]
"""The indices of a player's counters in ascending order: -1 off the board, 0 on S, 1 to 14 on the way, 15 home."""

Lanes: TypeAlias = tuple[Lane, Lane]
"""Both players' counters, parallel to the players."""

ALL_HOME: Lane = (HOME,) * COUNTERS


class Await(StrEnum):
    """The expected action."""

    THROW_OFF = "throw-off"
    ROLL = "roll"
    MOVE = "move"
    ENTER = "enter"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Position:
    """A position before a throw or a decision, or the last one. Tuples by player are parallel to `players`.

    Attributes:
        players: both seats, in the order in which they were named.
        turn: whose turn it is; in the throw-off, who throws next; after the end, whose turn ended it.
        awaits: the expected action; None if the game is over.
        decides: the player who decides: `turn`, except in a forfeit and what follows from it.
        dots: the throw that is being used, if it is known; None while a throw is expected.
        lanes: each player's counters.
        board: the printed copy of the board.
        dot_chance: the probability of a die's dot.
        thrown: in the throw-off, the dots of the first throw.
    """

    players: tuple[Seat, ...]
    turn: Seat
    awaits: Await | None
    decides: Seat
    dots: int | None
    lanes: Lanes
    board: Board
    dot_chance: float = FAIR_DIE
    thrown: int | None = None

    def __str__(self) -> str:
        """Return the expected action and the indices of each player's counters as text."""
        state = "over" if self.awaits is None else f"{self.decides}: {self.awaits}"
        thrown = "" if self.dots is None else f" with {self.dots} dots"
        lanes = zip(self.players, self.lanes, strict=True)
        rows = (f"{seat}: " + " ".join("off" if index == OFF else str(index) for index in lane) for seat, lane in lanes)
        return "\n".join([f"Royal Game of Ur, {state}{thrown}", *rows])

    @property
    def over(self) -> bool:
        """Whether a player has all counters home (RULES.md 6.1)."""
        return ALL_HOME in self.lanes

    def place(self, seat: Seat) -> int:
        """Return a player's index in `players` and in all tuples that are parallel to it."""
        return self.players.index(seat)

    def other(self, seat: Seat) -> Seat:
        """Return the opponent."""
        return self.players[1 - self.place(seat)]

    def lane(self, seat: Seat) -> Lane:
        """Return a player's counters."""
        return self.lanes[self.place(seat)]

    def cell(self, index: int) -> Cell:
        """Return the cell at an index, 0 to 15, of the way of the player who decides."""
        return self.board.cell(self.place(self.decides), index)

    def then(
        self, awaits: Await | None, lanes: tuple[Lane, Lane], turn: Seat, decides: Seat, dots: int | None
    ) -> Position:
        """Return a position with the same players and board; several times as fast as `dataclasses.replace`."""
        return Position(self.players, turn, awaits, decides, dots, lanes, self.board, self.dot_chance)


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw of the three dice: how many dots they show."""

    dots: int


@dataclass(frozen=True, slots=True)
class Move:
    """Move a counter from an index of one's way, S (0) to 14, by the count of the throw."""

    start: int


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter a counter on S: with three dots, or by a rosette."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the offer of a rosette."""


Action: TypeAlias = Roll | Move | Enter | Decline


class Copy(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Differences of a printed copy and its dice from the standard ones, in options and positions; None: no difference.

    Attributes:
        squares: the squares of a way.
        paths: the cells of each player's way, from S to home.
        dot_chance: the probability of a die's dot.
    """

    squares: Annotated[tuple[Square, ...], Meta(min_length=SQUARES, max_length=SQUARES)] | None = None
    paths: dict[Seat, tuple[Annotated[Cell, named_like("E3")], ...]] | None = None
    dot_chance: Annotated[float, Meta(ge=0.05, le=0.95)] | None = None

    def board(self, players: Sequence[Seat]) -> Board:
        """Return the board for two players.

        Raises:
            BadRequestError: the paths are not those of a board.
        """
        return board_of(players, self.paths or DEFAULT_WAYS, self.squares or DEFAULT_SQUARES)

    @property
    def chance(self) -> float:
        """The probability of a die's dot, one half by default."""
        return FAIR_DIE if self.dot_chance is None else self.dot_chance


class Options(Copy, kw_only=True, forbid_unknown_fields=True):
    """Options: the printed copy, and whether a throw decides who begins (RULES.md, section 1)."""

    throw_off: bool = False


def set_up(players: Sequence[Seat], options: JsonObject) -> Position:
    """Return the first position: the first player begins, or the throw-off if option `throw_off` is true.

    Raises:
        BadRequestError: these players or `Options` are not possible.
    """
    asked = read(options, Options, '"options"')
    check_players(players)
    return Position(
        players=tuple(players),
        turn=players[0],
        awaits=Await.THROW_OFF if asked.throw_off else Await.ROLL,
        decides=players[0],
        dots=None,
        lanes=((OFF,) * COUNTERS,) * 2,
        board=asked.board(players),
        dot_chance=asked.chance,
    )


def check_players(players: Sequence[Seat]) -> None:
    """Check the players.

    Raises:
        BadRequestError: they are not two different words.
    """
    demand(len(players) == 2, f"royal-ur has 2 players, not {len(players)}")
    check_names(players)

"""Positions and actions of the Royal Game of Ur as frozen values, and the set-up (RULES.md, sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engines.decode import as_flag, check_names, only_keys, quote
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_ur.board import (
    COUNTERS,
    DEFAULT_SQUARES,
    DEFAULT_WAYS,
    HOME,
    OFF,
    Board,
    board_of,
    squares_from_json,
    ways_from_json,
)

FAIR_DIE = 0.5
_LEAST_CHANCE, _MOST_CHANCE = 0.05, 0.95
_OPTIONS = ("squares", "paths", "dot_chance", "throw_off")

Lane: TypeAlias = tuple[int, ...]
"""Where a player's counters are, in rising order: -1 off the board, 0 on S, 1 to 14 on their way, 15 home."""

Lanes: TypeAlias = tuple[Lane, Lane]
"""Both players' counters, parallel to the players."""

ALL_HOME: Lane = (HOME,) * COUNTERS


class Await(StrEnum):
    """What a position waits for."""

    THROW_OFF = "throw-off"
    ROLL = "roll"
    MOVE = "move"
    ENTER = "enter"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Position:
    """A position before a throw or a decision, or the last one. What belongs to a player stands at their place.

    Attributes:
        players: both seats, in the order in which they were named.
        turn: whose turn it is; in the throw-off, who throws next; in a finished game, whose turn ended it.
        awaits: what comes next; None when the game is over.
        decides: who has to decide: `turn`, but for a forfeit and what follows from it.
        dots: the throw that is being used, if it is known; None while a throw is awaited.
        lanes: each player's counters.
        board: what the printed copy shows.
        dot_chance: how probable a die's dot is.
        thrown: in the throw-off, the dots of the one who has thrown.
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
        """Write who is to do what and where each player's counters are: off the board, 0 on S, 1 to 14, 15 home."""
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
        """Return a player's place in `players` and in all that is parallel to it."""
        return self.players.index(seat)

    def other(self, seat: Seat) -> Seat:
        """Return the opponent."""
        return self.players[1 - self.place(seat)]

    def lane(self, seat: Seat) -> Lane:
        """Return a player's counters."""
        return self.lanes[self.place(seat)]

    def then(
        self, awaits: Await | None, lanes: tuple[Lane, Lane], turn: Seat, decides: Seat, dots: int | None
    ) -> Position:
        """Return a position that may follow on the same table; several times as fast as `dataclasses.replace`."""
        return Position(self.players, turn, awaits, decides, dots, lanes, self.board, self.dot_chance)


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw of the three dice: how many dots they show."""

    dots: int


@dataclass(frozen=True, slots=True)
class Move:
    """Moving a counter from an index of one's way, S (0) to 14; how far is the throw's affair."""

    start: int


@dataclass(frozen=True, slots=True)
class Enter:
    """Entering a counter on S: with three dots, or as a rosette offers."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Not taking what a rosette offers."""


Action: TypeAlias = Roll | Move | Enter | Decline


def set_up(players: Sequence[Seat], options: JsonObject) -> Position:
    """Set the game up: the first player begins, or the throw-off does if option `throw_off` is true.

    Options of the printed copy and of the dice: `squares`, `paths`, `dot_chance` (RULES.md, section 1).

    Raises:
        BadRequestError: these players or options are not possible.
    """
    only_keys(options, _OPTIONS, '"options"')
    throw_off = as_flag(options.get("throw_off", False), '"throw_off"')
    return Position(
        players=tuple(players),
        turn=check_players(players)[0],
        awaits=Await.THROW_OFF if throw_off else Await.ROLL,
        decides=players[0],
        dots=None,
        lanes=((OFF,) * COUNTERS,) * 2,
        board=board_from_json(players, options),
        dot_chance=dot_chance_from_json(options),
    )


def check_players(players: Sequence[Seat]) -> Sequence[Seat]:
    """Refuse players that are not two different words.

    Raises:
        BadRequestError: as the sentence says.
    """
    if len(players) != 2:
        raise BadRequestError(f"royal-ur has 2 players, not {len(players)}")
    check_names(players)
    return players


def board_from_json(players: Sequence[Seat], data: JsonObject) -> Board:
    """Read what a printed copy shows differently, in options or a position: "squares", "paths".

    Raises:
        BadRequestError: it is not possible.
    """
    ways = ways_from_json(data["paths"]) if "paths" in data else DEFAULT_WAYS
    squares = squares_from_json(data["squares"]) if "squares" in data else DEFAULT_SQUARES
    return board_of(players, ways, squares)


def dot_chance_from_json(data: JsonObject) -> float:
    """Read the probability of a die's dot, one half if nothing is said.

    Raises:
        BadRequestError: it is none.
    """
    chance: Json = data.get("dot_chance", FAIR_DIE)
    is_number = isinstance(chance, int | float) and not isinstance(chance, bool)
    if not is_number or not _LEAST_CHANCE <= chance <= _MOST_CHANCE:  # type: ignore[operator]  # a number by then
        raise BadRequestError(
            f'"dot_chance" must be a number from {_LEAST_CHANCE} to {_MOST_CHANCE}, not {quote(chance)}'
        )
    return float(chance)  # type: ignore[arg-type]  # a number by then

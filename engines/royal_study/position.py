"""Positions and actions of The Royal Study as frozen values.

A position is a bare puzzle (pieces, cards to meet, level), or a match: a puzzle with the state of a game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from engines.kernel import Cell, Seat
from engines.royal_study.board import Piece
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import Placement, Way, meets, turned, write_placement

FIRST_LEVEL, LAST_LEVEL = 1, 3
MOST_STEPS = 99
"""The largest number that can be called and the largest number of steps of an execution (RULES.md 4.2)."""

QUARTERS = 4


class Side(StrEnum):
    """The side of a printed card that is up; the back shows the same picture, mirrored left to right."""

    FACE = "face"
    BACK = "back"

    @property
    def other(self) -> Side:
        """The other side."""
        return Side.BACK if self is Side.FACE else Side.FACE


@dataclass(frozen=True, slots=True)
class Card:
    """A printed card on the table: its number, the side that is up, its quarter turns clockwise (0 to 3)."""

    number: int
    side: Side
    turns: Annotated[int, Meta(ge=0, le=QUARTERS - 1)]

    def lay(self, face: Placement) -> Placement:
        """Return the visible picture, from the one printed on the face."""
        shown = turned(face, Way.LEFT_RIGHT) if self.side is Side.BACK else face
        return turned(shown, *[Way.CLOCKWISE] * self.turns)

    def turned(self, way: Way) -> Card:
        """Return the card after turning or mirroring it.

        Mirroring reverses the direction of a card's quarter turns, because its back is mirrored left to right.
        """
        side = self.side.other if way.mirrors else self.side
        turns = {
            Way.CLOCKWISE: self.turns + 1,
            Way.COUNTER_CLOCKWISE: self.turns - 1,
            Way.LEFT_RIGHT: -self.turns,
            Way.TOP_BOTTOM: 2 - self.turns,
        }[way]
        return Card(self.number, side, turns % QUARTERS)


@dataclass(frozen=True, slots=True)
class Target:
    """A card to be met: its visible picture, the printed card if it is known, and whether it was met."""

    picture: Placement
    card: Card | None = None
    done: bool = False

    def turned(self, way: Way) -> Target:
        """Return the target after turning or mirroring its card."""
        return Target(turned(self.picture, way), self.card and self.card.turned(way), self.done)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Pieces, the cards that they have to meet, and the level, which decides how cards may be turned."""

    pieces: Placement
    targets: tuple[Target, ...]
    level: int

    def __str__(self) -> str:
        """Return a drawing of the pieces, and of each card that they have to meet at their right."""
        shown = [write_placement(picture).split("/") for picture in (self.pieces, *(t.picture for t in self.targets))]
        cards = "solved" if self.solved else f"{len(self.open_targets)} to meet"
        return "\n".join([f"The Royal Study, level {self.level}, {cards}", *map("   ".join, zip(*shown, strict=True))])

    @property
    def solved(self) -> bool:
        """Whether every card has been met; False without cards."""
        return bool(self.targets) and not self.open_targets

    @property
    def over(self) -> bool:
        """Whether it is solved."""
        return self.solved

    @property
    def open_targets(self) -> tuple[int, ...]:
        """The indices of the cards that were not met yet."""
        return tuple(place for place, target in enumerate(self.targets) if not target.done)

    def marked(self) -> Puzzle:
        """Return the puzzle with all cards marked as met that the pieces meet now (RULES.md 3.3)."""
        targets = [replace(t, done=t.done or meets(self.pieces, t.picture)) for t in self.targets]
        return replace(self, targets=tuple(targets))


class Await(StrEnum):
    """The expected action."""

    START = "start"
    CARD = "card"
    CALL = "call"
    CHALLENGE = "challenge"
    EXECUTE = "execute"
    NEXT = "next"
    NOTHING = "nothing"


_Seconds = Annotated[int, Meta(ge=1, le=3600)]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a match in options and positions (RULES.md, sections 4 to 6), as `set_up.agreed` settles them.

    Attributes:
        bonus: whether two cards are drawn for a round.
        points: the number of points that win the match.
        hourglass_s: time to think about a challenge.
        execution_s: time for an execution; None without a limit.
        together: whether all players solve together, without points; None in options: as a single player does.
        deck: whether the program draws the cards, or they are drawn at the table and entered.
        faces: the picture on each card's face, by its number; None for the shipped cards.
    """

    bonus: bool = False
    points: Annotated[int, Meta(ge=1, le=50)] = 6
    hourglass_s: _Seconds = msgspec.field(default=60, name="hourglass")
    execution_s: _Seconds | None = msgspec.field(default=None, name="execution")
    together: bool | None = None
    deck: Literal["dealt", "table"] = "dealt"
    faces: tuple[str, ...] | None = msgspec.field(default=None, name="cards")

    @property
    def cards(self) -> int:
        """The number of cards that are drawn for a round, 1 or 2."""
        return 2 if self.bonus else 1

    @property
    def dealt(self) -> bool:
        """Whether the program draws the cards."""
        return self.deck == "dealt"

    @property
    def pictures(self) -> tuple[Placement, ...]:
        """The picture on each card's face, by its number."""
        return CARDS if self.faces is None else tuple(Placement(face.replace("/", "")) for face in self.faces)


@dataclass(frozen=True, slots=True)
class Match:
    """A puzzle with the state of a match.

    Attributes:
        puzzle: the puzzle on the table; without pieces while START is expected.
        players: one to eight who play together, or two against each other.
        terms: the terms.
        awaits: the expected action.
        turn: the player who decides; while CALL is expected, who has drawn, though either may call first.
        points: each player's points, parallel to `players`; all 0 when playing together.
        round: the round, from 1.
        caller: the player who has called in this round; None before, and when playing together.
        called: the number that was called.
        used: the number of steps of this execution.
        begun: the puzzle when the execution began; None before.
        deck: the numbers of the cards not drawn yet, the next one first if the program deals.
    """

    puzzle: Puzzle
    players: tuple[Seat, ...]
    terms: Terms
    awaits: Await
    turn: Seat
    points: tuple[int, ...]
    round: int
    deck: tuple[int, ...]
    caller: Seat | None = None
    called: int | None = None
    used: int = 0
    begun: Puzzle | None = None

    def __str__(self) -> str:
        """Return a drawing of the puzzle, and the expected action and points."""
        points = ", ".join(f"{seat} {points}" for seat, points in zip(self.players, self.points, strict=True))
        called = "" if self.called is None else f", {self.caller} called {self.called}"
        return f"{self.puzzle}\nround {self.round}, {self.turn}: {self.awaits}{called} ({points})"

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.awaits is Await.NOTHING

    @property
    def limit(self) -> int:
        """The largest number of steps of the execution: the called number for the caller, one less for a challenger."""
        if self.called is None:
            return MOST_STEPS
        return self.called if self.turn == self.caller else self.called - 1

    def opponent(self, seat: Seat) -> Seat:
        """Return the other of two players."""
        return self.players[1 - self.players.index(seat)]


Position: TypeAlias = Puzzle | Match


def puzzle_of(position: Position) -> Puzzle:
    """Return the puzzle of a position."""
    return position.puzzle if isinstance(position, Match) else position


@dataclass(frozen=True, slots=True)
class Move:
    """Move a piece from one square to another."""

    piece: Piece
    start: Cell
    end: Cell


@dataclass(frozen=True, slots=True)
class Turning:
    """Turn or mirror a card, given by its index among the targets."""

    way: Way
    target: int


Step: TypeAlias = Move | Turning
"""A step of an execution."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A chance action: this card was drawn, with this side and rotation."""

    card: Card


@dataclass(frozen=True, slots=True)
class Call:
    """Call a number of steps."""

    number: int
    by: Seat


class Say(StrEnum):
    """An action without parameters; TIME_UP comes from the clock."""

    CHALLENGE = "challenge"
    DECLINE = "decline"
    TIME_UP = "time-up"
    GIVE_UP = "give-up"
    NEXT = "next"
    AGAIN = "again"
    STOP = "stop"


Action: TypeAlias = Move | Turning | Draw | Call | Say

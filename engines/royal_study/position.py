"""Positions and actions of The Royal Study as frozen values.

A position is either a bare puzzle (pieces, cards to meet, level), which anybody may lay out and solve, or a match: a
puzzle with all that a game around it needs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from engines.kernel import Cell, Seat
from engines.royal_study.board import Piece
from engines.royal_study.placement import Placement, Way, meets, turned, write_placement

FIRST_LEVEL, LAST_LEVEL = 1, 3
MOST_STEPS = 99
"""The largest number that can be named and the most steps that an execution can have (RULES.md 4.2)."""

QUARTERS = 4


class Side(StrEnum):
    """Which side of a printed card is up; its back shows the same picture, mirrored left to right."""

    FACE = "face"
    BACK = "back"

    @property
    def other(self) -> Side:
        """The side that is down."""
        return Side.BACK if self is Side.FACE else Side.FACE


@dataclass(frozen=True, slots=True)
class Card:
    """A printed card as it is: its number, the side that is up, its quarter turns clockwise (0 to 3)."""

    number: int
    side: Side = Side.FACE
    turns: int = 0

    def lay(self, face: Placement) -> Placement:
        """Return the picture that is seen, from the one printed on the face."""
        shown = turned(face, Way.LEFT_RIGHT) if self.side is Side.BACK else face
        return turned(shown, *[Way.CLOCKWISE] * self.turns)

    def turned(self, way: Way) -> Card:
        """Return the card as it is after turning or mirroring it.

        Mirroring a card that is turned leaves it turned the other way round: its back is mirrored left to right.
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
    """A card to be met: the picture as it is now, which card that is, where known, and whether it was met."""

    picture: Placement
    card: Card | None = None
    done: bool = False

    def turned(self, way: Way) -> Target:
        """Return the target after turning or mirroring its card."""
        return Target(turned(self.picture, way), self.card and self.card.turned(way), self.done)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Pieces, the cards that they have to meet, and the level that says what may be done to a card."""

    pieces: Placement
    targets: tuple[Target, ...]
    level: int

    def __str__(self) -> str:
        """Draw the pieces, and beside them each card that they have to meet."""
        shown = [write_placement(picture).split("/") for picture in (self.pieces, *(t.picture for t in self.targets))]
        cards = "solved" if self.solved else f"{len(self.open_targets)} to meet"
        return "\n".join([f"The Royal Study, level {self.level}, {cards}", *map("   ".join, zip(*shown, strict=True))])

    @property
    def solved(self) -> bool:
        """Whether every card has been met; a puzzle without cards has nothing to solve."""
        return bool(self.targets) and not self.open_targets

    @property
    def over(self) -> bool:
        """Whether it is solved: there is no game around it that goes on."""
        return self.solved

    @property
    def open_targets(self) -> tuple[int, ...]:
        """The places of the cards that have not been met yet."""
        return tuple(place for place, target in enumerate(self.targets) if not target.done)

    def marked(self) -> Puzzle:
        """Return the puzzle with those cards marked as met that the pieces meet as they stand (RULES.md 3.3)."""
        targets = [replace(t, done=t.done or meets(self.pieces, t.picture)) for t in self.targets]
        return replace(self, targets=tuple(targets))


class Await(StrEnum):
    """What a match waits for."""

    START = "start"
    CARD = "card"
    CALL = "call"
    CHALLENGE = "challenge"
    EXECUTE = "execute"
    NEXT = "next"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed before the match (RULES.md, sections 4 to 6).

    Attributes:
        cards: how many are drawn for a round, 1 or 2.
        points: how many win the match.
        hourglass_s: how long the other may think about a challenge, in seconds.
        execution_s: how long an execution may take, in seconds; None if it may take any time.
        together: all players solve together, without points.
        dealt: the program knows the deck's order and draws; otherwise cards are drawn at the table and entered.
        pictures: what each card shows on its face, by its number.
    """

    pictures: tuple[Placement, ...]
    cards: int = 1
    points: int = 6
    hourglass_s: int = 60
    execution_s: int | None = None
    together: bool = False
    dealt: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """A puzzle in the middle of a game.

    Attributes:
        puzzle: what is on the table now; no pieces while START is expected.
        players: one to eight who play together, or two against each other.
        terms: what was agreed.
        awaits: what the match waits for.
        turn: who decides; while CALL is expected, who has drawn, though either may be the first to name a number.
        points: each player's, at the player's place in `players`; all 0 when playing together.
        round: 1 for the first.
        caller: who has named a number in this round; None before, and when playing together.
        called: that number.
        used: steps made in this execution.
        begun: the puzzle as it was when the execution could begin; None before.
        deck: numbers of the cards not drawn yet, the next one first if the program deals; else in no order that counts.
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
        """Draw the puzzle, and write who is to do what."""
        points = ", ".join(f"{seat} {points}" for seat, points in zip(self.players, self.points, strict=True))
        called = "" if self.called is None else f", {self.caller} called {self.called}"
        return f"{self.puzzle}\nround {self.round}, {self.turn}: {self.awaits}{called} ({points})"

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.awaits is Await.NOTHING

    @property
    def limit(self) -> int:
        """How many steps the one who executes may make: the caller the number named, a challenger one less."""
        if self.called is None:
            return MOST_STEPS
        return self.called if self.turn == self.caller else self.called - 1

    def opponent(self, seat: Seat) -> Seat:
        """Return the other of two players."""
        return self.players[1 - self.players.index(seat)]


Position: TypeAlias = Puzzle | Match


def puzzle_of(position: Position) -> Puzzle:
    """Return what is on the table."""
    return position.puzzle if isinstance(position, Match) else position


@dataclass(frozen=True, slots=True)
class Move:
    """Moving a piece from one square to another."""

    piece: Piece
    start: Cell
    end: Cell


@dataclass(frozen=True, slots=True)
class Turning:
    """Turning or mirroring one of the cards, given by its place among the targets, from 0."""

    way: Way
    target: int


Step: TypeAlias = Move | Turning
"""What counts as a step of an execution."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: this card came from the holder, and is like this."""

    card: Card


@dataclass(frozen=True, slots=True)
class Call:
    """Naming a number of steps first."""

    number: int
    by: Seat


class Say(StrEnum):
    """What is said or done without anything beside it; TIME_UP comes from the one who has the clock."""

    CHALLENGE = "challenge"
    DECLINE = "decline"
    TIME_UP = "time-up"
    GIVE_UP = "give-up"
    NEXT = "next"
    AGAIN = "again"
    STOP = "stop"


Action: TypeAlias = Move | Turning | Draw | Call | Say

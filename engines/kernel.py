"""The kernel of all engines: their shared vocabulary and the protocol that each game implements.

An engine is pure. Positions and actions are frozen values, chance is passed in as an action, and an action that the
rules forbid returns a value (`Refusal`), never an exception. Only input that is not a position or action at all raises
(`BadRequestError`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Generic, Literal, NewType, Protocol, TypeAlias, TypeVar

Cell = NewType("Cell", str)
"""A cell by its printed name: column letter from the left, row number from the top ("A1")."""

Seat = NewType("Seat", str)
"""A player by the colour or emblem that the table file gives ("red", "suns")."""

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]


def cells(names: Iterable[str]) -> tuple[Cell, ...]:
    """Return cells whose names are plain texts."""
    return tuple(map(Cell, names))


def seats(names: Iterable[str]) -> tuple[Seat, ...]:
    """Return the seats of players whose names are plain texts."""
    return tuple(map(Seat, names))


ToAct: TypeAlias = "Seat | Literal['dice'] | None"
"""Who acts next: a seat, the dice (a throw is expected), or nobody (the game is over)."""


class EngineError(Exception):
    """The base of all exceptions that engines raise."""


class BadRequestError(EngineError, ValueError):
    """An input that is not a position, action or option of this game; the message is one sentence for a person."""


class IllegalActionError(EngineError, ValueError):
    """An action that the rules forbid, where a legal one was required; `refusal` tells why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} (rule {refusal.rule}) {' '.join(refusal.cells)}".rstrip())
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the rules forbid an action: a stable code, the paragraph of the game's RULES.md, the cells concerned."""

    code: str
    rule: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A consequence of an action; events are in order, so that a screen can tell the story.

    `facts` hold JSON values only; `to_json` adds the name: {"event": name, ...}.
    """

    name: str
    facts: JsonObject = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """Return the event in the protocol's form."""
        return {"event": self.name, **self.facts}


PositionT = TypeVar("PositionT")
ActionT = TypeVar("ActionT")
PositionT_co = TypeVar("PositionT_co", covariant=True)
ActionT_co = TypeVar("ActionT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[PositionT]):
    """The position after an action, and the events on the way, in order."""

    position: PositionT
    events: tuple[Event, ...] = ()


def require_legal(outcome: Outcome[PositionT] | Refusal) -> Outcome[PositionT]:
    """Return the outcome of an action that is known to be legal.

    Raises:
        IllegalActionError: the rules forbid it.
    """
    if isinstance(outcome, Refusal):
        raise IllegalActionError(outcome)
    return outcome


def leaders(scores: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Return the seats with the highest score, in their order; several in a tie."""
    return tuple(seat for seat, score in scores.items() if score == max(scores.values()))


class Level(StrEnum):
    """The level of an adviser: for children, for a good evening, or as well as it can."""

    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Advice(Generic[ActionT]):
    """An action that a search proposes: the reason in one code, its supporting numbers, and its value.

    The game's search defines the unit of `value`.
    """

    action: ActionT
    code: str
    numbers: Mapping[str, float]
    value: float


class Game(Protocol[PositionT, ActionT]):
    """One game's rules. Every method is a pure function of its arguments; methods with a body are for programs.

    The JSON forms are those of the public protocol (README, "For other programs").
    """

    @property
    def name(self) -> str:
        """The game's name in commands and JSON, such as "royal-tee"."""
        ...

    @property
    def has_dice(self) -> bool:
        """Whether the rules use dice; drawing a card is chance too, but not a throw."""
        return False

    def new(self, players: Sequence[str], options: JsonObject, seed: int) -> PositionT:
        """Set the game up. `seed` feeds shuffles and layouts; the same arguments give the same position.

        Raises:
            BadRequestError: the players or options are not possible.
        """
        ...

    def to_act(self, position: PositionT, /) -> ToAct:
        """Return the seat whose turn it is, "dice" if chance is next, None if the game is over."""
        ...

    def actions(self, position: PositionT, /) -> Sequence[ActionT]:
        """List the legal actions, one for each distinct outcome; empty if the game is over or dice are expected."""
        ...

    def actions_to_json(self, position: PositionT, /) -> Sequence[JsonObject]:
        """Return the legal actions in the form of the protocol's `actions` answer, with its additional keys."""
        return [self.action_to_json(action) for action in self.actions(position)]

    def play(self, position: PositionT, action: ActionT, /) -> Outcome[PositionT] | Refusal:
        """Apply an action that players can make, or return why the rules forbid it."""
        ...

    def after(self, position: PositionT, action: ActionT) -> Outcome[PositionT]:
        """Apply an action that is known to be legal.

        Raises:
            IllegalActionError: the rules forbid it; its `refusal` is what `play` returns.
        """
        return require_legal(self.play(position, action))

    def is_legal(self, position: PositionT, action: ActionT) -> bool:
        """Return whether the rules allow an action."""
        return isinstance(self.play(position, action), Outcome)

    def any_action(self, position: PositionT, random: Random) -> ActionT:
        """Return a random legal action of the seat to act; uniform unless there are very many."""
        return random.choice(self.actions(position))

    def chance_outcomes(self, position: PositionT) -> Sequence[tuple[ActionT, float]]:  # noqa: ARG002 - of games without chance
        """Return the outcomes of chance with their probabilities, which sum to 1; empty if chance is not next."""
        return ()

    def throw(self, position: PositionT, random: Random) -> ActionT:
        """Return an action of chance, drawn from `chance_outcomes`; chance must be next."""
        outcomes = self.chance_outcomes(position)
        return random.choices([action for action, _p in outcomes], [p for _action, p in outcomes])[0]

    def playout(self, position: PositionT, random: Random) -> PositionT:
        """Play on with random throws and decisions; return the last position of the game."""
        while not self.over(position):
            chance = self.to_act(position) == "dice"
            action = self.throw(position, random) if chance else self.any_action(position, random)
            position = self.after(position, action).position
        return position

    def score(self, position: PositionT, /) -> Mapping[Seat, int]:
        """Return each player's score in a position."""
        ...

    def over(self, position: PositionT) -> bool:
        """Return whether the game has ended."""
        return self.to_act(position) is None

    def winners(self, position: PositionT, /) -> tuple[Seat, ...]:
        """Return the winning seats, in turn order; several in a draw: those with the highest score, or as a game says.

        The result is empty before the end, and after a game without a winner (a puzzle solved together).
        """
        return leaders(self.score(position)) if self.over(position) else ()

    def position_to_json(self, position: PositionT, /) -> JsonObject:
        """Write a position."""
        ...

    def position_from_json(self, data: Json, /) -> PositionT:
        """Parse and validate a position.

        Raises:
            BadRequestError: it is not valid; the message says what, where and what was expected.
        """
        ...

    def action_to_json(self, action: ActionT, /) -> JsonObject:
        """Write an action."""
        ...

    def action_from_json(self, data: Json, /) -> ActionT:
        """Parse an action; `play` decides whether it is legal.

        Raises:
            BadRequestError: it is not valid.
        """
        ...

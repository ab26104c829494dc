"""A game's parts in one `Bundle`, a value whose fields mypy checks against the game's own positions and actions.

A game's package exports it as `BUNDLE` (see `companion.games.discovery`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from companion.core.hypothesis import GameRules
from companion.core.turns import Turns
from companion.core.verdicts import Action, Position
from companion.games.guide import NO_GUIDE, Guide
from companion.games.kit import Kit
from companion.games.line import Reading, TypedLine
from companion.games.simulated import SimulatedGame
from companion.ui.names import Names
from companion.ui.page import Extras
from companion.ui.words import EventWords
from engines.kernel import ActionT, Advice, Event, Game, JsonObject, Level, Outcome, PositionT, Refusal, Seat, ToAct
from vision.board import Board

_PositionT_contra = TypeVar("_PositionT_contra", contravariant=True)


class Notation(Protocol[PositionT, ActionT]):
    """A game's positions and actions in one line of text each; the readers raise `BadRequestError` for other texts."""

    def write_position(self, position: PositionT) -> str:
        """Write a position."""
        ...

    def read_position(self, text: str) -> PositionT:
        """Read what `write_position` wrote."""
        ...

    def write_action(self, action: ActionT) -> str:
        """Write an action."""
        ...

    def read_action(self, text: str) -> ActionT:
        """Read what `write_action` wrote; `Game.play` decides whether it is legal."""
        ...


class Adviser(Protocol[_PositionT_contra, ActionT]):
    """An adviser, which proposes an action; None if no action is expected."""

    def __call__(self, position: _PositionT_contra, /, *, level: Level = ...) -> Advice[ActionT] | None:
        """Propose an action at this adviser's level."""
        ...


@dataclass(frozen=True, slots=True)
class Engine(Generic[PositionT, ActionT]):
    """A game's rules, with the functions that other programs use.

    Attributes:
        game: the rules.
        notation: positions and actions as text.
        advise: proposes an action; None if nobody has to decide.
        turns: what is expected, chosen and thrown.
        recognises: returns whether a position in JSON that names no game is one of this game.
        solve: answers the protocol's `solve` for games that are puzzles, with up to that many other best lines.
        upgrade: rewrites an action in JSON from format 1 of journals and records; None if the format is the same.
        downgrade: rewrites an action in JSON to format 1, for an older program; None if the format is the same.
        positions_changed: whether positions in JSON have more keys than in format 1, so that its fingerprints are void.
        public: writes the part of a position that a player, or anybody (no seat), may see; None if the game hides
            nothing.
        unweighed: the share of an easy computer's decisions that are not weighed, from 0 to 1.
    """

    game: Game[PositionT, ActionT]
    notation: Notation[PositionT, ActionT]
    advise: Adviser[PositionT, ActionT]
    turns: Turns[PositionT, ActionT]
    recognises: Callable[[JsonObject], bool]
    solve: Callable[[PositionT, int], JsonObject] | None = None
    upgrade: Callable[[JsonObject], JsonObject] | None = None
    downgrade: Callable[[JsonObject], JsonObject] | None = None
    positions_changed: bool = False
    public: Callable[[PositionT, Seat | None], JsonObject] | None = None
    unweighed: float = 1 / 3

    def decide(self, position: PositionT, level: Level, random: Random) -> Advice[ActionT] | None:
        """Propose the action of a computer of this level; an easy one does not weigh every decision.

        A decision that was not weighed has the code "unweighed". Hints use `advise`, which always weighs.
        """
        advice = self.advise(position, level=level)
        if advice is None or level is not Level.EASY or random.random() >= self.unweighed:
            return advice
        return Advice(self.game.any_action(position, random), "unweighed", {}, 0.0)


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One player's points and where they come from.

    Attributes:
        seat: the player.
        sentence: the points and what scores them.
        remark: what does not count, or not yet; "" if there is no remark.
    """

    seat: Seat
    sentence: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Speech(Generic[PositionT, ActionT]):
    """One game's sentences, in the user's language; every function takes the players' names last.

    Attributes:
        words: sentences about a table that was seen, and about the engine's events.
        refusal: why the rules forbid an action in a position, and what to do instead.
        hint: an adviser's proposal with its reason.
        prompt: whose turn it is and the expected action; the game is not over.
        explain: how to type the expected action, and what is possible if a list would be too long.
        action_name: an action's name in a list.
        phrases: the words that can be typed, by their meaning, separated by commas.
        read: what a typed line means in a position; None if the game does not know it.
        columns: the letters of the board's columns.
        offered: the actions that can be chosen by number; empty if there are too many.
        seats: the players that can be named.
        score_parts: each player's points with their sources.
        title: the game's name for the players, "" for its name in commands.
        guide: the rules for players; `NO_GUIDE` if the game has none.
        card: the active cards, in lines; None for a game without cards.
        extras: what the screen adds to the labels of a position; None if it adds nothing.
    """

    words: EventWords[ActionT]
    refusal: Callable[[PositionT, ActionT, Refusal, Names], str]
    hint: Callable[[PositionT, Advice[ActionT], Names], str]
    prompt: Callable[[PositionT, Names], str]
    explain: Callable[[PositionT, Names], str]
    action_name: Callable[[PositionT, ActionT, Names], str]
    phrases: Callable[[], Mapping[str, str]]
    read: Callable[[PositionT, TypedLine, Names], Reading[ActionT] | None]
    columns: str
    offered: Callable[[PositionT], Sequence[ActionT]]
    seats: Callable[[PositionT], Sequence[Seat]] = attrgetter("players")
    score_parts: Callable[[PositionT, Names], Iterable[ScorePart]] = lambda _position, _names: ()
    title: Callable[[], str] = lambda: ""
    guide: Callable[[], Guide] = lambda: NO_GUIDE
    card: Callable[[PositionT], Sequence[str]] | None = None
    extras: Callable[[PositionT, Board, Names], Extras] | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One action of a game with its outcome.

    Attributes:
        number: counted from 1.
        by: who was to act.
        action: the action.
        before: the position before it.
        outcome: its outcome, or why the rules forbid it, which only the last one of a record may be.
    """

    number: int
    by: ToAct
    action: Any
    before: Any
    outcome: Outcome[Any] | Refusal

    @property
    def after(self) -> Any:
        """The position after it; a forbidden action changes none."""
        return self.before if isinstance(self.outcome, Refusal) else self.outcome.position

    @property
    def events(self) -> tuple[Event, ...]:
        """Its consequences."""
        return () if isinstance(self.outcome, Refusal) else self.outcome.events


@dataclass(frozen=True, slots=True)
class Curve:
    """A value of every player over the course of a game.

    Attributes:
        title: what it is, for the axis of a plot.
        values: by player, an action's number (0: the beginning) and the value after it.
    """

    title: str
    values: Mapping[Seat, Sequence[tuple[int, float]]]


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game after its end.

    Attributes:
        sentences: about the whole game, one each.
        remarks: about single actions, by their number.
        curve: a curve that shows the course of the game better than the score; None if there is none.
    """

    sentences: tuple[str, ...] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)
    curve: Curve | None = None


Reviewer: TypeAlias = Callable[[Sequence[Turn], Names], Review]
"""Returns a game's review."""


@dataclass(frozen=True, slots=True)
class Feat:
    """A feat that is counted for each player.

    Attributes:
        counted: each player's numbers in a game, in order.
        combine: combines several numbers into one: `sum`, `max` or `min`.
        words: the number in words, such as "2 busts", or with `{number}` in its place.
    """

    counted: Callable[[Sequence[Turn]], Iterable[tuple[Seat, int]]]
    combine: Callable[[Sequence[int]], int]
    words: Callable[[int], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle(Generic[PositionT, ActionT]):
    """All parts of a game.

    Attributes:
        engine: the rules, with the functions that other programs use.
        table: the rules joined with the table.
        speech: the game's sentences and grammar.
        review: returns the review after the end of a game; None if there is none.
        feats: single feats that are counted over all games, for the statistics.
        kit: describes what is printed; None if a printed kit needs only the table file.
        simulated: how simulated players play and cheat; None if a simulated table cannot play the game.
        notations: writes a played game in formats of other programs, by the name of the notation.
    """

    engine: Engine[PositionT, ActionT]
    table: GameRules[PositionT, ActionT]
    speech: Speech[PositionT, ActionT]
    review: Reviewer | None = None
    feats: Sequence[Feat] = ()
    kit: Callable[[], Kit] | None = None
    simulated: SimulatedGame[PositionT, ActionT] | None = None
    notations: Mapping[str, Callable[[Sequence[Turn], Names], str]] = field(default_factory=dict)


AnyBundle: TypeAlias = Bundle[Position, Action]
"""The bundle of any game."""

"""What a game offers: one `Bundle`, a value whose fields mypy checks against the game's own positions and actions.

The package of a game offers it as its `BUNDLE` (see `companion.games.discovery`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from companion.core.hypothesis import GameRules
from companion.core.turns import Turns
from companion.core.verdicts import Action, Position
from companion.games.guide import NO_GUIDE, Guide
from companion.games.kit import Kit
from companion.games.simulated import SimulatedGame
from companion.games.typed import Grammar
from companion.ui.names import Names
from companion.ui.page import Extras
from companion.ui.words import GameWords
from engines.kernel import (
    ActionT,
    Advice,
    Cell,
    Event,
    Game,
    JsonList,
    JsonObject,
    Level,
    PositionT,
    Refusal,
    Seat,
    ToAct,
)
from vision.board import Board

_PositionT_contra = TypeVar("_PositionT_contra", contravariant=True)


class Notation(Protocol[PositionT, ActionT]):
    """A game's positions and actions in one line of text each. What reads raises `BadRequestError` for other texts."""

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
        """Read what `write_action` wrote; whether it is legal is for `Game.play` to say."""
        ...


class Adviser(Protocol[_PositionT_contra, ActionT]):
    """Proposes an action; None if nobody has to decide."""

    def __call__(self, position: _PositionT_contra, /, *, level: Level = ...) -> Advice[ActionT] | None:
        """Propose an action as an adviser of this level does."""
        ...


@dataclass(frozen=True, slots=True)
class Engine(Generic[PositionT, ActionT]):
    """One game's rules, and what other programs may ask as well.

    Attributes:
        game: the rules.
        notation: positions and actions as text.
        advise: proposes an action; None if nobody has to decide.
        turns: what is expected, chosen and thrown.
        recognises: returns whether a position in JSON that names no game is one of this game.
        solve: answers the protocol's `solve` for games that are puzzles, with up to that many other best lines.
        upgrade: rewrites an action in JSON that was written in format 1 of journals and records; None if nothing
            has changed since.
        downgrade: rewrites an action in JSON as format 1 has it, for an older program; None if nothing has changed.
        positions_changed: whether positions in JSON have more keys than in format 1, so that its fingerprints are void.
        public: writes what a player's screen may show of a position, or anybody's (no seat); None if the game hides
            nothing.
        unweighed: how many decisions of an easy computer are not weighed, of 1.
        list_actions: does what `game.actions_to_json` does, for lists so long that they are counted, cut into pages and
            written without being made; None if its lists are short.
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
    list_actions: Callable[[PositionT], JsonList] | None = None
    unweighed: float = 1 / 3

    def decide(self, position: PositionT, level: Level, random: Random) -> Advice[ActionT] | None:
        """Propose what a computer of this level plays; an easy one does not weigh every decision.

        What was not weighed has the code "unweighed". A hint is asked with `advise`, which weighs always.
        """
        advice = self.advise(position, level=level)
        if advice is None or level is not Level.EASY or random.random() >= self.unweighed:
            return advice
        return Advice(self.game.any_action(position, random), "unweighed", {}, 0.0)


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """One thing that scores points.

    Attributes:
        name: what it is, as the players call it: a cell, a number of counters, a race.
        points: what it scores.
        cell: the cell that it is on; None if it is not on a cell.
    """

    name: str
    points: int
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One player's points and where they come from.

    Attributes:
        seat: whose.
        points: how many.
        items: what scores them, one by one; they add up to `points` unless `remark` says otherwise.
        sentence: the same in a sentence.
        remark: what does not count, or not yet; "" if there is nothing to say.
    """

    seat: Seat
    points: int
    items: tuple[ScoreItem, ...]
    sentence: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Speech(Generic[PositionT, ActionT]):
    """One game's sentences, in the user's language; every function takes the players' names last.

    Attributes:
        words: sentences about a table that was seen, and about an action that was played.
        event: one of the engine's events as a sentence.
        refusal: why the rules forbid an action in a position, and what to do instead.
        hint: an adviser's proposal with its reason.
        prompt: whose turn it is and the expected action; the game is not over.
        possible: what is possible in a sentence or two, where a list would be too long.
        action_name: what an action is called in a list.
        grammar: how typed lines are read.
        score_parts: what scores how many points for each player.
        guide: the rules for players; `NO_GUIDE` if the game has none.
        card: the active cards, in lines; None for a game without cards.
        extras: what the screen adds to the labels of a position; None if it adds nothing.
    """

    words: GameWords[ActionT]
    event: Callable[[JsonObject, Names], str]
    refusal: Callable[[PositionT, ActionT, Refusal, Names], str]
    hint: Callable[[PositionT, Advice[ActionT], Names], str]
    prompt: Callable[[PositionT, Names], str]
    possible: Callable[[PositionT, Names], str]
    action_name: Callable[[PositionT, ActionT, Names], str]
    grammar: Grammar[PositionT, ActionT]
    score_parts: Callable[[PositionT, Names], Sequence[ScorePart]] = lambda _position, _names: ()
    guide: Callable[[], Guide] = lambda: NO_GUIDE
    card: Callable[[PositionT], Sequence[str]] | None = None
    extras: Callable[[PositionT, Board, Names], Extras] | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One action of a finished or unfinished game with what came of it.

    Attributes:
        number: counted from 1.
        by: who was to act.
        action: what was played.
        before, after: the positions around it.
        events: what it caused.
    """

    number: int
    by: ToAct
    action: Any
    before: Any
    after: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Something of every player over a game.

    Attributes:
        title: what it is, for the axis of a plot.
        values: by player, an action's number (0: the beginning) and the value after it.
    """

    title: str
    values: Mapping[Seat, Sequence[tuple[int, float]]]


@dataclass(frozen=True, slots=True)
class Review:
    """What is to be said of a game after its end.

    Attributes:
        sentences: about the whole game, one each.
        remarks: about single actions, by their number.
        curve: what shows the course of the game better than the score; None if nothing does.
    """

    sentences: tuple[str, ...] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)
    curve: Curve | None = None


Reviewer: TypeAlias = Callable[[Sequence[Turn], Names], Review]
"""Returns what a game has to say about how it was played."""


@dataclass(frozen=True, slots=True)
class Feat:
    """Something that is counted for a player.

    Attributes:
        counted: the numbers that a game has each player, in order.
        combine: one number of several: `sum`, `max` or `min`.
        words: the number in words, such as "2 busts".
    """

    counted: Callable[[Sequence[Turn]], Iterable[tuple[Seat, int]]]
    combine: Callable[[Sequence[int]], int]
    words: Callable[[int], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle(Generic[PositionT, ActionT]):
    """All that one game offers.

    Attributes:
        engine: the rules, and what other programs may ask as well.
        table: the rules joined with the table.
        speech: what the game says and understands.
        review: what there is to say after the end of a game; None if there is nothing.
        feats: single feats that are counted over all games, for the statistics.
        kit: describes what is printed; None if a printed kit is made of the table file alone.
        simulated: how simulated players play and cheat; None if a simulated table cannot play the game.
        notations: writes a played game as other programs read it, by the name of the notation.
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
"""What whichever game is played offers."""

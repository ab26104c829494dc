"""Every game's rules with what goes beside them: notation, turns, advice, and how its positions are recognised."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from companion.core.verdicts import Action, Position
from companion.games.discovery import Parts
from companion.games.turns import Turns
from engines.kernel import ActionT, Advice, BadRequestError, Game, JsonList, JsonObject, Level, PositionT, Seat

FORMAT = 2
"""The format in which journals and records are written; those of format 1 are converted when they are read."""


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
    """One game's rules, and what other programs may ask beside them.

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
        written_anew: whether positions in JSON have more keys since format 1, so that fingerprints from then are void.
        public: writes what a player's screen may show of a position, or anybody's (no seat); None if the game hides
            nothing.
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
    written_anew: bool = False
    public: Callable[[PositionT, Seat | None], JsonObject] | None = None
    list_actions: Callable[[PositionT], JsonList] | None = None


AnyEngine: TypeAlias = Engine[Position, Action]


ENGINES: Mapping[str, AnyEngine] = Parts("engine", "ENGINE")
"""Every game's rules with what goes beside them, by the game's name."""


def game_of(position: JsonObject) -> str | None:
    """Return the game of a position that names none, None if no game recognises it.

    Raises:
        BadRequestError: several games recognise it.
    """
    claims = [name for name, engine in ENGINES.items() if engine.recognises(position)]
    if len(claims) > 1:
        raise BadRequestError(f'the position lacks "game", and could be one of {", ".join(claims)}')
    return claims[0] if claims else None

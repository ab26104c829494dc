"""What each game's class does alike: it passes on to the modules with the rules, the scoring and the JSON forms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from engines.decode import quote, read_json
from engines.kernel import (
    ActionT,
    BadRequestError,
    Game,
    Json,
    JsonObject,
    Outcome,
    PositionT,
    Refusal,
    Seat,
)


class Ending(Protocol):
    """A position that reports whether it is the last one."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        ...


EndingT = TypeVar("EndingT", bound=Ending)


class RulesModule(Protocol[EndingT, ActionT]):
    """A game's module `rules`."""

    def actions(self, position: EndingT, /) -> Sequence[ActionT]:
        """List the legal actions, one for each distinct outcome."""
        ...

    def play(self, position: EndingT, action: ActionT, /) -> Outcome[EndingT] | Refusal:
        """Apply an action, or return why the rules forbid it."""
        ...


_PositionT_contra = TypeVar("_PositionT_contra", contravariant=True)


class ScoringModule(Protocol[_PositionT_contra]):
    """A game's module `scoring`."""

    def score(self, position: _PositionT_contra, /) -> Mapping[Seat, int]:
        """Return each player's score as the position stands."""
        ...

    def winners(self, position: _PositionT_contra, /) -> tuple[Seat, ...]:
        """Return the seats that have won, in turn order."""
        ...


class CodecModule(Protocol[EndingT, ActionT]):
    """A game's module `codec`; what reads raises `BadRequestError`."""

    def position_to_json(self, position: EndingT, /) -> JsonObject:
        """Write a position."""
        ...

    def position_from_json(self, data: Json, /) -> EndingT:
        """Read and validate a position."""
        ...

    def action_to_json(self, action: ActionT, /) -> JsonObject:
        """Write an action."""
        ...

    def action_from_json(self, data: Json, /) -> ActionT:
        """Read an action."""
        ...


class ModularGame(Game[EndingT, ActionT]):
    """The parts of `engines.kernel.Game` that lie in a game's modules; its class adds `name`, `new` and `to_act`."""

    has_dice = False

    def __init__(
        self,
        rules: RulesModule[EndingT, ActionT],
        scoring: ScoringModule[EndingT],
        codec: CodecModule[EndingT, ActionT],
    ) -> None:
        self._rules, self._scoring, self._codec = rules, scoring, codec

    def actions(self, position: EndingT) -> Sequence[ActionT]:
        """List the legal actions, one for each distinct outcome; empty if the game is over or dice are expected."""
        return self._rules.actions(position)

    def actions_to_json(self, position: EndingT) -> Sequence[JsonObject]:
        """Write the legal actions."""
        return [self._codec.action_to_json(action) for action in self._rules.actions(position)]

    def play(self, position: EndingT, action: ActionT) -> Outcome[EndingT] | Refusal:
        """Apply an action, or return why the rules forbid it."""
        return self._rules.play(position, action)

    def score(self, position: EndingT) -> Mapping[Seat, int]:
        """Return each player's score as the position stands."""
        return self._scoring.score(position)

    def over(self, position: EndingT) -> bool:
        """Return whether the game has ended."""
        return position.over

    def winners(self, position: EndingT) -> tuple[Seat, ...]:
        """Return the seats that have won, in turn order; several share a draw, and there are none before the end."""
        return self._scoring.winners(position)

    def position_to_json(self, position: EndingT) -> JsonObject:
        """Write a position, with all that is hidden."""
        return self._codec.position_to_json(position)

    def position_from_json(self, data: Json) -> EndingT:
        """Read and validate a position."""
        return self._codec.position_from_json(data)

    def action_to_json(self, action: ActionT) -> JsonObject:
        """Write an action."""
        return self._codec.action_to_json(action)

    def action_from_json(self, data: Json) -> ActionT:
        """Read an action; whether it is legal is for `play` to say."""
        return self._codec.action_from_json(data)


class JsonNotation(Generic[PositionT, ActionT]):
    """Positions and actions as JSON in one line each, for a game without a notation of its own.

    Args:
        game: the game, which reads and writes their JSON.
    """

    def __init__(self, game: Game[PositionT, ActionT]) -> None:
        self._game = game

    def write_position(self, position: PositionT) -> str:
        """Write a position."""
        return json.dumps(self._game.position_to_json(position), ensure_ascii=False)

    def read_position(self, text: str) -> PositionT:
        """Read what `write_position` wrote."""
        return self._game.position_from_json(_parse(text, "a position"))

    def write_action(self, action: ActionT) -> str:
        """Write an action."""
        return json.dumps(self._game.action_to_json(action), ensure_ascii=False)

    def read_action(self, text: str) -> ActionT:
        """Read what `write_action` wrote."""
        return self._game.action_from_json(_parse(text, "an action"))


def _parse(text: str, expected: str) -> Json:
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        message = f"expected {expected} in JSON, not {quote(text)}"
        raise BadRequestError(message) from None

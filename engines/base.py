"""The base of each game's class: it joins the functions of the game's modules for rules, scoring and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Protocol, TypeVar

from engines.decode import parse_json
from engines.kernel import (
    ActionT,
    Game,
    Json,
    JsonObject,
    Outcome,
    PositionT,
    Refusal,
    Seat,
)


class Ending(Protocol):
    """A position that knows whether the game is over."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        ...


EndingT = TypeVar("EndingT", bound=Ending)


@dataclass(frozen=True, eq=False)
class ModularGame(Game[EndingT, ActionT]):
    """The parts of `engines.kernel.Game` found in a game's modules; a game's class adds `name`, `new` and `to_act`.

    The fields are the methods of the same names.
    """

    has_dice: ClassVar[bool] = False

    actions: Callable[[EndingT], Sequence[ActionT]] = field()
    play: Callable[[EndingT, ActionT], Outcome[EndingT] | Refusal] = field()
    score: Callable[[EndingT], Mapping[Seat, int]] = field()
    winners: Callable[[EndingT], tuple[Seat, ...]] = field()
    position_to_json: Callable[[EndingT], JsonObject] = field()
    position_from_json: Callable[[Json], EndingT] = field()
    action_to_json: Callable[[ActionT], JsonObject] = field()
    action_from_json: Callable[[Json], ActionT] = field()

    def over(self, position: EndingT) -> bool:
        """Return whether the game has ended."""
        return position.over


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
        return self._game.position_from_json(parse_json(text, "a position"))

    def write_action(self, action: ActionT) -> str:
        """Write an action."""
        return json.dumps(self._game.action_to_json(action), ensure_ascii=False)

    def read_action(self, text: str) -> ActionT:
        """Read what `write_action` wrote."""
        return self._game.action_from_json(parse_json(text, "an action"))

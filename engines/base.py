"""Positions and actions as text for a game without a notation of its own."""

from __future__ import annotations

import json
from typing import Generic

from engines.decode import parse_json
from engines.kernel import ActionT, Game, PositionT


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

"""Royal Tee: claim the most of 12 by 12 spaces by walking over them and by walling others in (RULES.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.kernel import Json, JsonObject, Outcome, Refusal, Seat, ToAct
from engines.royal_tee import codec, rules, scoring
from engines.royal_tee.position import Action, Pass, Position, Walk, set_up

__all__ = ["GAME", "Action", "Pass", "Position", "RoyalTee", "Walk"]


class RoyalTee:
    """The rules of Royal Tee; fulfils `engines.kernel.Game[Position, Action]`."""

    name = codec.NAME
    has_dice = False

    def new(self, players: Sequence[Seat], options: JsonObject, seed: int) -> Position:  # noqa: ARG002 - no chance here
        """Set the game up; the players may be named in any order. Options: see `position.set_up`."""
        return set_up(players, options)

    def to_act(self, position: Position) -> ToAct:
        """Return whose turn it is."""
        return None if position.over else position.turn

    def actions(self, position: Position) -> Sequence[Action]:
        """List one action for each distinct outcome: end and spaces visited, or the pass."""
        return rules.actions(position)

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Write the legal actions, each walk with its end, the spaces visited and how many walks have both."""
        return [codec.choice_to_json(choice) for choice in rules.choices(position)]

    def play(self, position: Position, action: Action) -> Outcome[Position] | Refusal:
        """Apply an action, or report why the rules forbid it."""
        return rules.play(position, action)

    def score(self, position: Position) -> Mapping[Seat, int]:
        """Count each player's spaces."""
        return scoring.score(position)

    def over(self, position: Position) -> bool:
        """Return whether every space is claimed."""
        return position.over

    def winners(self, position: Position) -> tuple[Seat, ...]:
        """Return the seats with the most spaces once the game is over (6.3)."""
        return scoring.winners(position)

    def position_to_json(self, position: Position) -> JsonObject:
        """Write a position."""
        return codec.position_to_json(position)

    def position_from_json(self, data: Json) -> Position:
        """Read and validate a position."""
        return codec.position_from_json(data)

    def action_to_json(self, action: Action) -> JsonObject:
        """Write an action."""
        return codec.action_to_json(action)

    def action_from_json(self, data: Json) -> Action:
        """Read an action."""
        return codec.action_from_json(data)


GAME = RoyalTee()

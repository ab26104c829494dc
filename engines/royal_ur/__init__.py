"""The Royal Game of Ur, twenty squares: race seven counters home over a track that both players share (RULES.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engines.kernel import Json, JsonObject, Outcome, Refusal, Seat, ToAct
from engines.royal_ur import codec, rules, scoring
from engines.royal_ur.playout import play_at_random
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position, Roll, set_up
from engines.royal_ur.tree import DICE

__all__ = ["GAME", "Action", "Decline", "Enter", "Move", "Position", "Roll", "RoyalUr", "play_at_random"]


class RoyalUr:
    """The rules of the Royal Game of Ur; fulfils `engines.kernel.Game[Position, Action]`."""

    name = codec.NAME
    has_dice = True

    def new(self, players: Sequence[Seat], options: JsonObject, seed: int) -> Position:  # noqa: ARG002 - no chance here
        """Set the game up. Options: see `position.set_up`."""
        return set_up(players, options)

    def to_act(self, position: Position) -> ToAct:
        """Return who decides, or that dice are awaited."""
        if position.awaits is None:
            return None
        return "dice" if position.awaits in (Await.ROLL, Await.THROW_OFF) else position.decides

    def actions(self, position: Position) -> Sequence[Action]:
        """List the decisions that are open; no two have the same outcome."""
        return rules.actions(position)

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Write the decisions that are open."""
        return [codec.action_to_json(action) for action in rules.actions(position)]

    def play(self, position: Position, action: Action) -> Outcome[Position] | Refusal:
        """Apply an action, or report why the rules forbid it."""
        return rules.play(position, action)

    def throw(self, position: Position, random: Random) -> Action:
        """Throw the three dice."""
        return Roll(sum(random.random() < position.dot_chance for _ in range(DICE)))

    def score(self, position: Position) -> Mapping[Seat, int]:
        """Return the winner's points and 0 for the loser; 0 for both before the end."""
        return scoring.score(position)

    def over(self, position: Position) -> bool:
        """Return whether a player has all counters home."""
        return position.over

    def winners(self, position: Position) -> tuple[Seat, ...]:
        """Return the seat that has all counters home (6.1); empty before the end."""
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


GAME = RoyalUr()

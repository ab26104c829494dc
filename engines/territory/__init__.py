"""Territory: roll for numbered spaces, dare to roll on, and build the best group of them (RULES.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engines.kernel import Json, JsonObject, Outcome, Refusal, Seat, ToAct
from engines.territory import codec, rules, scoring
from engines.territory.playout import play_at_random
from engines.territory.position import Action, Again, Await, Capture, Place, Position, Roll, Stop
from engines.territory.set_up import set_up

__all__ = ["GAME", "Action", "Again", "Capture", "Place", "Position", "Roll", "Stop", "Territory", "play_at_random"]


class Territory:
    """The rules of Territory; fulfils `engines.kernel.Game[Position, Action]`."""

    name = codec.NAME
    has_dice = True

    def new(self, players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
        """Set the game up; the players are named clockwise. Options: see `set_up.set_up`."""
        return set_up(players, options, seed)

    def to_act(self, position: Position) -> ToAct:
        """Return who decides, or that dice are awaited."""
        match position.awaiting:
            case Await.NOTHING:
                return None
            case Await.ROLL | Await.ROLL_OFF:
                return "dice"
        return position.turn

    def actions(self, position: Position) -> Sequence[Action]:
        """List the legal actions; none while dice are awaited."""
        return rules.actions(position)

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Write the legal actions."""
        return [codec.action_to_json(action) for action in rules.actions(position)]

    def play(self, position: Position, action: Action) -> Outcome[Position] | Refusal:
        """Apply an action, or report why the rules forbid it."""
        return rules.play(position, action)

    def throw(self, position: Position, random: Random) -> Action:
        """Throw the dice that are awaited: two, or one in the roll-off."""
        return Roll(tuple(random.randint(1, 6) for _ in range(1 if position.roll_off else 2)))

    def score(self, position: Position) -> Mapping[Seat, int]:
        """Return the points of each player's best group."""
        return scoring.score(position)

    def over(self, position: Position) -> bool:
        """Return whether the last round is finished."""
        return position.over

    def winners(self, position: Position) -> tuple[Seat, ...]:
        """Return the seats with the highest score once the game is over (8.2)."""
        return scoring.winners(position)

    def position_to_json(self, position: Position) -> JsonObject:
        """Write a position, hidden cards and all; `codec.public` is for screens."""
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


GAME = Territory()

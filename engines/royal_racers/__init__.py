"""Royal Racers: be the first to touch the own flags in order, on cards that turn over on the way (RULES.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engines.kernel import Json, JsonObject, Outcome, Refusal, Seat, ToAct
from engines.royal_racers import codec, rules, scoring
from engines.royal_racers.playout import play_at_random
from engines.royal_racers.position import (
    THROWS,
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Roll,
    Step,
)
from engines.royal_racers.set_up import set_up

__all__ = [
    "GAME",
    "Action",
    "ChooseStart",
    "Deal",
    "Flip",
    "Pass",
    "PlaceFlag",
    "Position",
    "Roll",
    "RoyalRacers",
    "Step",
    "play_at_random",
]


class RoyalRacers:
    """The rules of Royal Racers; fulfils `engines.kernel.Game[Position, Action]`."""

    name = codec.NAME
    has_dice = True

    def new(self, players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
        """Set a race or a campaign up; the seed shuffles the cards. Options: see `set_up.set_up`."""
        return set_up(players, options, seed)

    def to_act(self, position: Position) -> ToAct:
        """Return whose decision is awaited, or the die."""
        if position.phase is Phase.OVER:
            return None
        return "dice" if position.phase is Phase.ROLL else position.turn

    def actions(self, position: Position) -> Sequence[Action]:
        """List the legal actions; none when the die is awaited or all is over."""
        return rules.actions(position)

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Write the legal actions; nothing stands beside them that players may not know."""
        return [codec.action_to_json(action) for action in rules.actions(position)]

    def play(self, position: Position, action: Action) -> Outcome[Position] | Refusal:
        """Apply an action, or report why the rules forbid it."""
        return rules.play(position, action)

    def throw(self, position: Position, random: Random) -> Action:  # noqa: ARG002 - one die, whatever is awaited
        """Throw the die."""
        return Roll(random.choice(THROWS))

    def score(self, position: Position) -> Mapping[Seat, int]:
        """Count each player's flags touched, in a campaign those of all its races."""
        return scoring.score(position)

    def over(self, position: Position) -> bool:
        """Return whether the last race is over."""
        return position.phase is Phase.OVER

    def winners(self, position: Position) -> tuple[Seat, ...]:
        """Return the seats with the largest sum of flags touched once the last race is over (6.3)."""
        return scoring.winners(position)

    def position_to_json(self, position: Position) -> JsonObject:
        """Write a position, with all that is face down."""
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


GAME = RoyalRacers()

"""Royal Racers: be the first to touch your flags in order, on cards that turn over on the way (RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.kernel import Game, JsonObject, ToAct, seats
from engines.royal_racers import codec, rules, scoring
from engines.royal_racers.position import THROWS, Action, Phase, Position, Roll
from engines.royal_racers.set_up import set_up


class RoyalRacers(Game[Position, Action]):
    """The rules of Royal Racers; fulfils `engines.kernel.Game[Position, Action]`."""

    name = codec.NAME
    has_dice = True

    actions = staticmethod(rules.actions)
    play = staticmethod(rules.play)
    score = staticmethod(scoring.score)
    position_to_json = staticmethod(codec.position_to_json)
    position_from_json = staticmethod(codec.position_from_json)
    action_to_json = staticmethod(codec.action_to_json)
    action_from_json = staticmethod(codec.action_from_json)

    def new(self, players: Sequence[str], options: JsonObject, seed: int) -> Position:
        """Set a race or a campaign up; the seed shuffles the cards. Options: see `set_up.set_up`."""
        return set_up(seats(players), options, seed)

    def to_act(self, position: Position) -> ToAct:
        """Return the seat that decides, "dice" if the die is rolled next, None if the race is over."""
        if position.phase is Phase.OVER:
            return None
        return "dice" if position.phase is Phase.ROLL else position.turn

    def chance_outcomes(self, position: Position) -> Sequence[tuple[Action, float]]:
        """Return the die's faces with their probabilities."""
        return [(Roll(face), 1 / len(THROWS)) for face in THROWS] if self.to_act(position) == "dice" else ()

    def throw(self, position: Position, random: Random) -> Action:  # noqa: ARG002 - one die, whatever is expected
        """Throw the die."""
        return Roll(random.choice(THROWS))


GAME = RoyalRacers()

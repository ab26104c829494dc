"""Territory: roll for numbered spaces, risk further rolls, and build the best group of spaces (RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from engines.kernel import Game, JsonObject, ToAct, seats
from engines.territory import codec, rules, scoring
from engines.territory.position import Action, Await, Position, Roll
from engines.territory.set_up import set_up


class Territory(Game[Position, Action]):
    """The rules of Territory; fulfils `engines.kernel.Game[Position, Action]`."""

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
        """Return the first position; the players are named clockwise. Options: see `set_up.set_up`."""
        return set_up(seats(players), options, seed)

    def to_act(self, position: Position) -> ToAct:
        """Return the seat that decides, "dice" if a throw is expected, None if the game is over."""
        match position.awaiting:
            case Await.NOTHING:
                return None
            case Await.ROLL | Await.ROLL_OFF:
                return "dice"
        return position.turn

    def chance_outcomes(self, position: Position) -> Sequence[tuple[Action, float]]:
        """Return the rolls that are expected, with the dice distinguished, and their probabilities."""
        if self.to_act(position) != "dice":
            return ()
        rolls = [*product(range(1, 7), repeat=1 if position.roll_off else 2)]
        return [(Roll(dice), 1 / len(rolls)) for dice in rolls]

    def throw(self, position: Position, random: Random) -> Action:
        """Throw the expected dice: two, or one in the roll-off."""
        return Roll(tuple(random.randint(1, 6) for _ in range(1 if position.roll_off else 2)))


GAME = Territory()

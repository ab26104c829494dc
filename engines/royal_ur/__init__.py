"""The Royal Game of Ur, twenty squares: race seven counters home over a track that both players share (RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.kernel import Game, JsonObject, ToAct, seats
from engines.royal_ur import codec, rules, scoring
from engines.royal_ur.position import Action, Await, Position, Roll, set_up
from engines.royal_ur.rules import DICE, throw_chances


class RoyalUr(Game[Position, Action]):
    """The rules of the Royal Game of Ur; fulfils `engines.kernel.Game[Position, Action]`."""

    name = codec.NAME
    has_dice = True

    actions = staticmethod(rules.actions)
    play = staticmethod(rules.play)
    score = staticmethod(scoring.score)
    winners = staticmethod(scoring.winners)
    position_to_json = staticmethod(codec.position_to_json)
    position_from_json = staticmethod(codec.position_from_json)
    action_to_json = staticmethod(codec.action_to_json)
    action_from_json = staticmethod(codec.action_from_json)

    def new(self, players: Sequence[str], options: JsonObject, seed: int) -> Position:  # noqa: ARG002 - no chance here
        """Return the first position. Options: see `position.set_up`."""
        return set_up(seats(players), options)

    def to_act(self, position: Position) -> ToAct:
        """Return the seat that decides, "dice" if a throw is expected, None if the game is over."""
        if position.awaits is None:
            return None
        return "dice" if position.awaits in (Await.ROLL, Await.THROW_OFF) else position.decides

    def chance_outcomes(self, position: Position) -> Sequence[tuple[Action, float]]:
        """Return the throws, 0 to 3 dots, with their probabilities."""
        if self.to_act(position) != "dice":
            return ()
        return [(Roll(dots), p) for dots, p in enumerate(throw_chances(position.dot_chance))]

    def throw(self, position: Position, random: Random) -> Action:
        """Throw the three dice."""
        return Roll(sum(random.random() < position.dot_chance for _ in range(DICE)))


GAME = RoyalUr()

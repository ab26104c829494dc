"""Royal Tee: claim the most of 12 by 12 spaces by walking over them and by walling others in (RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.kernel import Game, JsonObject, ToAct, seats
from engines.royal_tee import codec, rules, scoring
from engines.royal_tee.position import Action, Pass, Position, set_up


class RoyalTee(Game[Position, Action]):
    """The rules of Royal Tee; fulfils `engines.kernel.Game[Position, Action]`."""

    name = codec.NAME

    actions = staticmethod(rules.actions)
    play = staticmethod(rules.play)
    score = staticmethod(scoring.score)
    position_to_json = staticmethod(codec.position_to_json)
    position_from_json = staticmethod(codec.position_from_json)
    action_to_json = staticmethod(codec.action_to_json)
    action_from_json = staticmethod(codec.action_from_json)

    def new(self, players: Sequence[str], options: JsonObject, seed: int) -> Position:  # noqa: ARG002 - no chance here
        """Set the game up; the players may be named in any order. For options see `position.set_up`."""
        return set_up(seats(players), options)

    def to_act(self, position: Position) -> ToAct:
        """Return the seat to act, None if the game is over."""
        return None if position.over else position.turn

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Write the legal actions, each walk with its end, the spaces visited and the number of such walks."""
        return [codec.choice_to_json(choice) for choice in rules.choices(position)]

    def any_action(self, position: Position, random: Random) -> Action:
        """Return a random walk, step by step: at slider 9 some 80,000 would have to be listed."""
        here, walk = position.royal(position.turn), []
        if not rules.can_walk(position):
            return Pass()
        for _ in range(position.slider):
            here = random.choice(rules.steps_from(position, here))
            walk.append(here)
        return rules.walk_along(walk)


GAME = RoyalTee()

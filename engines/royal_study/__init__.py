"""The Royal Study: bring five pieces to where a card shows them, in no more steps than you called (RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from engines.kernel import Game, JsonObject, ToAct, seats
from engines.royal_study import action_codec, codec, rules, scoring
from engines.royal_study.position import QUARTERS, Action, Await, Card, Draw, Match, Position, Side
from engines.royal_study.set_up import set_up


class RoyalStudy(Game[Position, Action]):
    """The rules of The Royal Study; fulfils `engines.kernel.Game[Position, Action]`.

    A bare puzzle is over once it is solved, but its moves stay legal.
    """

    name = codec.NAME

    actions = staticmethod(rules.actions)
    play = staticmethod(rules.play)
    score = staticmethod(scoring.score)
    winners = staticmethod(scoring.winners)
    position_to_json = staticmethod(codec.position_to_json)
    position_from_json = staticmethod(codec.position_from_json)
    actions_to_json = staticmethod(action_codec.actions_to_json)
    action_to_json = staticmethod(action_codec.action_to_json)
    action_from_json = staticmethod(action_codec.action_from_json)

    def new(self, players: Sequence[str], options: JsonObject, seed: int) -> Position:
        """Return the first position of a match; the seed shuffles the deck. Options: see `set_up.set_up`."""
        return set_up(seats(players), options, seed)

    def to_act(self, position: Position) -> ToAct:
        """Return the seat that decides, "dice" if a card is expected, None after the end and for a puzzle.

        While either player may call first, it is the one who has drawn the card.
        """
        if not isinstance(position, Match) or position.over:
            return None
        return "dice" if position.awaits in (Await.START, Await.CARD) else position.turn

    def chance_outcomes(self, position: Position) -> Sequence[tuple[Action, float]]:
        """Return the cards that may be drawn, on each side and in each orientation, with their probabilities."""
        if not isinstance(position, Match) or self.to_act(position) != "dice":
            return ()
        lying = [*product(position.deck, Side, range(QUARTERS))]
        draws = [Draw(Card(number, side, turns)) for number, side, turns in lying]
        return [(draw, 1 / len(draws)) for draw in draws]

    def over(self, position: Position) -> bool:
        """Return whether the match has ended, or the puzzle is solved."""
        return position.over


GAME = RoyalStudy()

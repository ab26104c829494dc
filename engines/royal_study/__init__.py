"""The Royal Study: bring five pieces to where a card shows them, in as few steps as you have said (RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from engines.base import ModularGame
from engines.kernel import JsonObject, ToAct, seats
from engines.royal_study import codec, rules, scoring
from engines.royal_study.board import Piece
from engines.royal_study.placement import Way
from engines.royal_study.position import (
    Action,
    Await,
    Call,
    Card,
    Draw,
    Match,
    Move,
    Position,
    Puzzle,
    Say,
    Side,
    Target,
    Turning,
)
from engines.royal_study.set_up import set_up

__all__ = [
    "GAME",
    "Action",
    "Call",
    "Card",
    "Draw",
    "Move",
    "Piece",
    "Position",
    "Puzzle",
    "RoyalStudy",
    "Say",
    "Target",
    "Turning",
    "Way",
]


class RoyalStudy(ModularGame[Position, Action]):
    """The rules of The Royal Study; fulfils `engines.kernel.Game[Position, Action]`.

    A bare puzzle has no game around it: once solved it is over, and still lists its moves.
    """

    name = codec.NAME

    def new(self, players: Sequence[str], options: JsonObject, seed: int) -> Position:
        """Set a match up; the seed feeds the deck's order. Options: see `set_up.set_up`."""
        return set_up(seats(players), options, seed)

    def to_act(self, position: Position) -> ToAct:
        """Return who decides; "dice" when a card is expected.

        Either player may name a number first; then the one who has drawn the card is returned.
        """
        if not isinstance(position, Match) or position.over:
            return None
        return "dice" if position.awaits in (Await.START, Await.CARD) else position.turn

    def chance_outcomes(self, position: Position) -> Sequence[tuple[Action, float]]:
        """Return the cards that may be drawn at the table, as each may lie there, with their probabilities."""
        if not isinstance(position, Match) or self.to_act(position) != "dice":
            return ()
        lying = [*product(position.deck, Side, range(4))]
        draws = [Draw(Card(number, side, turns)) for number, side, turns in lying]
        return [(draw, 1 / len(draws)) for draw in draws]

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Write the legal actions; while pieces are moved only their moves."""
        return codec.actions_to_json(position)


GAME = RoyalStudy(
    rules.actions,
    rules.play,
    scoring.score,
    scoring.winners,
    codec.position_to_json,
    codec.position_from_json,
    codec.action_to_json,
    codec.action_from_json,
)

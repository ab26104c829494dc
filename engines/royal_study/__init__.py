"""The Royal Study: bring five pieces to where a card shows them, in no more steps than you called (RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from engines.base import ModularGame
from engines.kernel import JsonObject, ToAct, seats
from engines.royal_study import action_codec, codec, rules, scoring
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

    A bare puzzle is over once it is solved, but its moves stay legal.
    """

    name = codec.NAME

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
        lying = [*product(position.deck, Side, range(4))]
        draws = [Draw(Card(number, side, turns)) for number, side, turns in lying]
        return [(draw, 1 / len(draws)) for draw in draws]

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Return the legal actions as JSON; during an execution only the moves of pieces."""
        return action_codec.actions_to_json(position)


GAME = RoyalStudy(
    rules.actions,
    rules.play,
    scoring.score,
    scoring.winners,
    codec.position_to_json,
    codec.position_from_json,
    action_codec.action_to_json,
    action_codec.action_from_json,
)

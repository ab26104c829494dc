"""The Royal Study: bring five pieces to where a card shows them, in as few steps as you have said (RULES.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.kernel import Json, JsonObject, Outcome, Refusal, Seat, ToAct
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


class RoyalStudy:
    """The rules of The Royal Study; fulfils `engines.kernel.Game[Position, Action]`.

    A bare puzzle is on a table without any game around it: solved it is reported as over, and still lists its moves.
    """

    name = codec.NAME
    has_dice = False

    def new(self, players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
        """Set a match up; the seed feeds the deck's order. Options: see `set_up.set_up`."""
        return set_up(players, options, seed)

    def to_act(self, position: Position) -> ToAct:
        """Return who decides; "dice" when a card is awaited.

        Either player may name a number first; then it is the one who has drawn that is reported.
        """
        if not isinstance(position, Match) or position.over:
            return None
        return "dice" if position.awaits in (Await.START, Await.CARD) else position.turn

    def actions(self, position: Position) -> Sequence[Action]:
        """List the legal actions: numbers and answers, or moves and what may be done to cards."""
        return rules.actions(position)

    def actions_to_json(self, position: Position) -> Sequence[JsonObject]:
        """Write the legal actions; while pieces are moved only their moves."""
        return action_codec.actions_to_json(position)

    def play(self, position: Position, action: Action) -> Outcome[Position] | Refusal:
        """Apply an action, or report why the rules forbid it."""
        return rules.play(position, action)

    def score(self, position: Position) -> Mapping[Seat, int]:
        """Return each player's points."""
        return scoring.score(position)

    def over(self, position: Position) -> bool:
        """Return whether the match has ended, or a bare puzzle is solved."""
        return position.over if isinstance(position, Match) else position.solved

    def winners(self, position: Position) -> tuple[Seat, ...]:
        """Return the seats with the most points of a match that is over (5.4); empty for a puzzle or shared play."""
        return scoring.winners(position)

    def position_to_json(self, position: Position) -> JsonObject:
        """Write a position, the deck's order with it; `codec.public` leaves that out."""
        return codec.position_to_json(position)

    def position_from_json(self, data: Json) -> Position:
        """Read and validate a position."""
        return codec.position_from_json(data)

    def action_to_json(self, action: Action) -> JsonObject:
        """Write an action."""
        return action_codec.action_to_json(action)

    def action_from_json(self, data: Json) -> Action:
        """Read an action."""
        return action_codec.action_from_json(data)


GAME = RoyalStudy()

"""The score of the Royal Game of Ur: what the winner gets for the loser's counters (RULES.md, section 6)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat
from engines.royal_ur.board import OFF, Board
from engines.royal_ur.position import ALL_HOME, Lane, Position

OFF_VALUE, START_VALUE, HOME_VALUE = 25, 10, 0


def lane_value(board: Board, lane: Lane) -> int:
    """Add up what a player's counters would bring the opponent as they lie."""
    values = (START_VALUE, *(square.value for square in board.squares), HOME_VALUE)
    return sum(OFF_VALUE if index == OFF else values[index] for index in lane)


def winner(position: Position) -> Seat | None:
    """Give who has all counters home; None before the end."""
    return next((seat for seat in position.players if position.lane(seat) == ALL_HOME), None)


def score(position: Position) -> Mapping[Seat, int]:
    """Give the winner's points and 0 for the loser; 0 for both before the end."""
    won_by = winner(position)
    return {
        seat: lane_value(position.board, position.lane(position.other(seat))) if seat == won_by else 0
        for seat in position.players
    }

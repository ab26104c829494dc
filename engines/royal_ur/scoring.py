"""The score of the Royal Game of Ur: the winner's points for the loser's counters (RULES.md, section 6)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat
from engines.royal_ur.board import OFF, Board
from engines.royal_ur.position import ALL_HOME, Lane, Position

OFF_VALUE, START_VALUE, HOME_VALUE = 25, 10, 0


def lane_value(board: Board, lane: Lane) -> int:
    """Return the points that a player's counters give the opponent."""
    values = (START_VALUE, *(square.value for square in board.squares), HOME_VALUE)
    return sum(OFF_VALUE if index == OFF else values[index] for index in lane)


def winners(position: Position) -> tuple[Seat, ...]:
    """Return the seat that has all counters home; empty before the end."""
    return tuple(seat for seat in position.players if position.lane(seat) == ALL_HOME)


def score(position: Position) -> Mapping[Seat, int]:
    """Return the winner's points and 0 for the loser; 0 for both before the end."""
    won_by = winners(position)
    return {
        seat: lane_value(position.board, position.lane(position.other(seat))) if seat in won_by else 0
        for seat in position.players
    }

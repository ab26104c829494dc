"""The score of Royal Tee: a space is a point (RULES.md, section 6)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat, leaders
from engines.royal_tee.position import Position


def score(position: Position) -> Mapping[Seat, int]:
    """Return the number of each player's spaces, including the one under the own Royal Tee."""
    return {seat: spaces.bit_count() for seat, spaces in zip(position.players, position.claimed, strict=True)}


def winners(position: Position) -> tuple[Seat, ...]:
    """Return the seats with the most spaces, in turn order, once the game is over; several in a tie."""
    return leaders(score(position)) if position.over else ()

"""The score of Royal Tee: a space is a point (RULES.md, section 6)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat
from engines.royal_tee.position import Position


def score(position: Position) -> Mapping[Seat, int]:
    """Count each player's spaces, the one under the own Royal Tee among them."""
    return {seat: spaces.bit_count() for seat, spaces in zip(position.players, position.claimed, strict=True)}


def leaders(position: Position) -> tuple[Seat, ...]:
    """Give who has the most spaces, in turn order; several in a tie. At the end they are the winners."""
    points = score(position)
    return tuple(seat for seat in position.players if points[seat] == max(points.values()))

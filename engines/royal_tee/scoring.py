"""The score of Royal Tee: a space is a point (RULES.md, section 6)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat
from engines.royal_tee.position import Position


def score(position: Position) -> Mapping[Seat, int]:
    """Return the number of each player's spaces, including the one under the own Royal Tee."""
    return {seat: spaces.bit_count() for seat, spaces in zip(position.players, position.claimed, strict=True)}

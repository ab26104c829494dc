"""The score of Royal Racers: flags touched, and the coins of a campaign (RULES.md, sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat
from engines.royal_racers.position import Position


def score(position: Position) -> Mapping[Seat, int]:
    """Return each player's flags touched in all races, including the present one; the largest sums win (6.3)."""
    races = [*position.coins, position.touched]
    return {seat: sum(race[place] for race in races) for place, seat in enumerate(position.players)}

"""The score of Royal Racers: flags touched, and the coins of a campaign (RULES.md, sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kernel import Seat, leaders
from engines.royal_racers.position import Position


def score(position: Position) -> Mapping[Seat, int]:
    """Return each player's flags touched in all races, including the present one."""
    races = [*position.coins, position.touched]
    return {seat: sum(race[place] for race in races) for place, seat in enumerate(position.players)}


def winners(position: Position) -> tuple[Seat, ...]:
    """Return the seats with the largest sum of flags touched, once the last race is over; equal sums share (6.3)."""
    return leaders(score(position)) if position.over else ()

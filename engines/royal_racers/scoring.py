"""The score of Royal Racers: flags touched, and the coins of a campaign (RULES.md, sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.kernel import Seat
from engines.royal_racers.position import RACE_OVER, Position


def score(position: Position) -> Mapping[Seat, int]:
    """Count each player's flags touched in all races, the one on the table among them."""
    races = [*position.coins, position.touched]
    return {seat: sum(race[place] for race in races) for place, seat in enumerate(position.players)}


def wins(position: Position) -> Mapping[Seat, int]:
    """Count the races that each player has won; one that is still going on is nobody's."""
    ended = [*position.coins, position.touched] if position.phase in RACE_OVER else position.coins
    winners = [seat for race in ended for seat in race_winners(position.players, race)]
    return {seat: winners.count(seat) for seat in position.players}


def race_winners(players: Sequence[Seat], touched: Sequence[int]) -> tuple[Seat, ...]:
    """Give who touched the most flags in a race; several only when the last round ended it (5.4)."""
    return tuple(seat for seat, flags in zip(players, touched, strict=True) if flags == max(touched))


def leaders(position: Position) -> tuple[Seat, ...]:
    """Give who has the most races, among those the most flags (6.3). At the end they are the winners."""
    races, flags = wins(position), score(position)
    best = max((races[seat], flags[seat]) for seat in position.players)
    return tuple(seat for seat in position.players if (races[seat], flags[seat]) == best)

"""Whose turn it is: how a race begins, goes round and ends (RULES.md, sections 2, 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.kernel import Event, Json, Outcome
from engines.royal_racers import scoring
from engines.royal_racers.position import Phase, Position


def begin_race(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """Let the first player roll, once all flags are."""
    first = position.players[0]
    started = replace(position, phase=Phase.ROLL, round=1, turn=first)
    reported = (Event("race-started", {"race": position.race}), Event("turn", {"player": first, "round": 1}))
    return Outcome(started, (*events, *reported))


def end_turn(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """Hand the die on, clockwise; each round is begun by the next player (2.2)."""
    seats = len(position.players)
    place, number = (position.place + 1) % seats, position.round
    if place == (number - 1) % seats:
        if number == position.terms.rounds:
            return end_race(position, [*events, Event("last-round-over", {"round": number})])
        number += 1
        place = (number - 1) % seats
    turn = position.players[place]
    after = replace(position, phase=Phase.ROLL, rolled=None, turn=turn, round=number)
    return Outcome(after, (*events, Event("turn", {"player": turn, "round": number})))


def end_race(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """Return the coins, and await the next race's layout if there is one (6.1, 6.2)."""
    last = position.race == position.terms.races
    ended = replace(position, phase=Phase.OVER if last else Phase.DEAL, rolled=None)
    facts: dict[str, Json] = {
        "race": position.race,
        "winners": list(scoring.race_winners(position.players, position.touched)),
        "coins": dict(zip(position.players, position.touched, strict=True)),
    }
    reported = [*events, Event("race-over", facts)]
    if last:
        reported.append(Event("game-over", {"winners": list(scoring.winners(ended))}))
    return Outcome(ended, tuple(reported))

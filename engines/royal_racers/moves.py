"""The second half of a turn, one step or none and touching flags, and what ends a turn (RULES.md, 2, 4 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.grid import Bitboard, CellIndex, bit
from engines.kernel import Cell, Event, Json, Outcome, Refusal
from engines.royal_racers import scoring
from engines.royal_racers.board import NAMES, NEIGHBOURS, cell_index, names_in, on_board
from engines.royal_racers.position import Phase, Position


def ways_on(here: CellIndex, blocked: Bitboard, avoided: Bitboard) -> Bitboard:
    """Return the spaces that one can step to: avoided ones only if there is no other (4.2, 4.5)."""
    free = NEIGHBOURS[here] & ~blocked
    return free & ~avoided or free


def avoided_by(position: Position, place: int) -> Bitboard:
    """Return the spaces that a player keeps clear of: opponents' flags, in the flag variant."""
    return position.flags_of_others(place) if position.terms.flag_variant else 0


def steps(position: Position) -> Bitboard:
    """Return the spaces that the pawn of `turn` may step to."""
    return ways_on(position.pawn, position.down | position.standing, avoided_by(position, position.place))


def step(position: Position, name: Cell) -> Outcome[Position] | Refusal:
    """Move the own pawn; what it stands on then may be its next flag."""
    if refusal := _refuse_step(position, name):
        return refusal
    place, there = position.place, cell_index(name)
    facts: dict[str, Json] = {"player": position.turn, "from": NAMES[position.pawn], "to": name}
    pawns = tuple(there if seat == place else pawn for seat, pawn in enumerate(position.pawns))
    return _arrive(replace(position, pawns=pawns), [Event("stepped", facts)])


def _refuse_step(position: Position, name: Cell) -> Refusal | None:
    if not on_board(name):
        return Refusal("off-board", "4.1", (name,))
    there = bit(cell_index(name))
    if not NEIGHBOURS[position.pawn] & there:
        return Refusal("not-adjacent", "4.1", (NAMES[position.pawn], name))
    if position.standing & there:
        return Refusal("pawn-there", "4.2", (name,))
    if position.down & there:
        return Refusal("face-down", "4.2", (name,))
    open_to_it = steps(position)
    if not open_to_it & there:
        return Refusal("flag-of-another", "4.5", (name, *names_in(open_to_it)))
    return None


def _arrive(position: Position, events: list[Event]) -> Outcome[Position]:
    """Touch the flag under the pawn if it is the next one; the last one ends the race (5.1, 5.2)."""
    place = position.place
    number = position.touched[place]
    if position.pawns[place] != position.flags[place][number]:
        return end_turn(position, events)
    touched = tuple(flags + (seat == place) for seat, flags in enumerate(position.touched))
    facts: dict[str, Json] = {"player": position.turn, "flag": number + 1, "cell": NAMES[position.pawn]}
    happened = [*events, Event("touched", facts)]
    after = replace(position, touched=touched)
    return end_race(after, happened) if number + 1 == position.terms.flags else end_turn(after, happened)


def stay(position: Position) -> Outcome[Position]:
    """Leave the own pawn where it stands; the event says whether there was a choice (4.3, 4.4)."""
    return end_turn(position, [Event("passed", {"player": position.turn, "forced": not steps(position)})])


def begin_race(position: Position, events: Sequence[Event]) -> Outcome[Position]:
    """Let the first player roll, once all flags are."""
    first = position.players[0]
    started = replace(position, phase=Phase.ROLL, round=1, turn=first)
    happened = (Event("race-started", {"race": position.race}), Event("turn", {"player": first, "round": 1}))
    return Outcome(started, (*events, *happened))


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
    happened = [*events, Event("race-over", facts)]
    if last:
        happened.append(Event("game-over", {"winners": list(scoring.winners(ended))}))
    return Outcome(ended, tuple(happened))

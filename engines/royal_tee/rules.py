"""What an action does, or why it is forbidden. Paragraph numbers are those of RULES.md beside this file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from engines.grid import Bitboard, CellIndex, set_of
from engines.kernel import Cell, Event, Json, Outcome, Refusal, Seat
from engines.royal_tee import scoring
from engines.royal_tee.board import NEIGHBOURS, cell_index, cell_name, names_in, on_board
from engines.royal_tee.enclosure import enclosed
from engines.royal_tee.position import LAST_SLIDER, Action, Pass, Position, Walk
from engines.royal_tee.walks import DistinctWalk, can_walk, distinct_walks, reach, steps_from

__all__ = [
    "Choice",
    "DistinctWalk",
    "actions",
    "after_walk",
    "can_walk",
    "choices",
    "distinct_walks",
    "enclosed_by",
    "play",
    "reach",
    "steps_from",
    "walk_along",
]


Choice: TypeAlias = DistinctWalk | Pass


def choices(position: Position) -> list[Choice]:
    """List what the mover may do: the distinct walks, or the pass; nothing when the game is over."""
    if position.over:
        return []
    if not can_walk(position):
        return [Pass()]
    return [*distinct_walks(position)]


def actions(position: Position) -> list[Action]:
    """List one action for each of the choices."""
    return [choice if isinstance(choice, Pass) else walk_along(choice.example) for choice in choices(position)]


def walk_along(cells: Sequence[CellIndex]) -> Walk:
    """Return the walk over these spaces as an action."""
    return Walk(tuple(cell_name(cell) for cell in cells))


def any_walk(position: Position, random: Random) -> Action:
    """Return a walk of random steps, or the pass if there is no free neighbour."""
    here, walk = position.royal(position.turn), []
    if not steps_from(position, here):
        return Pass()
    for _ in range(position.slider):
        here = random.choice(steps_from(position, here))
        walk.append(here)
    return walk_along(walk)


def play(position: Position, action: Action) -> Outcome[Position] | Refusal:
    """Apply an action, or return why the rules forbid it."""
    if position.over:
        return Refusal("game-over", "6.1")
    if isinstance(action, Pass):
        return _pass(position)
    if refusal := _refuse_walk(position, action):
        return refusal
    walked = [cell_index(name) for name in action.cells]
    return after_walk(position, walked[-1], set_of([position.royal(position.turn), *walked]))


def _pass(position: Position) -> Outcome[Position] | Refusal:
    royal = position.royal(position.turn)
    free = steps_from(position, royal)
    if free:
        return Refusal("must-walk", "2.5", tuple(cell_name(cell) for cell in free))
    return _end_turn(position, [Event("passed", {"player": position.turn})])


def _refuse_walk(position: Position, walk: Walk) -> Refusal | None:
    if len(walk.cells) != position.slider:
        return Refusal("wrong-length", "2.1", walk.cells[-1:])
    here = position.royal(position.turn)
    closed = position.royals_but(position.turn)
    for name in walk.cells:
        if refusal := _refuse_step(here, name, closed):
            return refusal
        here = cell_index(name)
    return None


def _refuse_step(here: CellIndex, name: Cell, closed: Bitboard) -> Refusal | None:
    if not on_board(name):
        return Refusal("off-board", "2.3", (name,))
    there = cell_index(name)
    if there not in NEIGHBOURS[here]:
        return Refusal("not-adjacent", "2.2", (cell_name(here), name))
    if closed >> there & 1:
        return Refusal("onto-royal", "2.4", (name,))
    return None


def after_walk(position: Position, end: CellIndex, visited: Bitboard) -> Outcome[Position]:
    """Return what any walk of the mover with this end and these visited spaces leads to; legality is not looked at.

    `visited` holds the start and the end. A space under another's Royal Tee stays its owner's even if it is in there.
    """
    seat = position.turn
    start = position.royal(seat)
    own = position.claimed[position.place(seat)] | visited & ~position.royals_but(seat)
    bonus = enclosed_by(position, seat, own)
    facts = {"player": seat, "from": cell_name(start), "to": cell_name(end), "visited": names_in(visited)}
    events = [Event("walked", facts)]
    events += _taking("claimed", position, own)
    events += _taking("enclosed", position, bonus)
    royals = tuple(
        end if player == seat else royal for player, royal in zip(position.players, position.royals, strict=True)
    )
    return _end_turn(replace(_give(position, seat, own | bonus), royals=royals), events)


def enclosed_by(position: Position, seat: Seat, own: Bitboard) -> Bitboard:
    """Return the spaces that `own` would enclose for a player: those cut off, but those under others' Royal Tees."""
    return enclosed(own, position.zones[position.place(seat)]) & ~position.royals_but(seat)


def _give(position: Position, seat: Seat, spaces: Bitboard) -> Position:
    """Make these spaces a player's alone."""
    holdings = zip(position.players, position.claimed, strict=True)
    claimed = tuple(held | spaces if player == seat else held & ~spaces for player, held in holdings)
    return replace(position, claimed=claimed)


def _taking(name: str, position: Position, spaces: Bitboard) -> list[Event]:
    """Return which of these spaces are new to the mover, and whose they were; an empty result if there are none."""
    new = spaces & ~position.claimed[position.place(position.turn)]
    if not new:
        return []
    owners = zip(position.players, position.claimed, strict=True)
    taken: dict[str, Json] = {player: names_in(held & new) for player, held in owners if held & new}
    return [Event(name, {"player": position.turn, "cells": names_in(new), "taken": taken})]


def _end_turn(position: Position, events: list[Event]) -> Outcome[Position]:
    if position.over:
        winners = list(scoring.winners(position))
        return Outcome(position, (*events, Event("game-over", {"winners": winners})))
    place = position.place(position.turn) + 1
    if place == len(position.players):
        place = 0
        position, events = _end_round(position, events)
    turn = position.players[place]
    return Outcome(replace(position, turn=turn), (*events, Event("turn", {"player": turn})))


def _end_round(position: Position, events: list[Event]) -> tuple[Position, list[Event]]:
    if position.slider == LAST_SLIDER:
        return position, events
    slider = position.slider + 1
    return replace(position, slider=slider), [*events, Event("slider-moved", {"slider": slider})]

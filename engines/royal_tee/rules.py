"""The rules: what an action does, or why it is forbidden. Paragraph numbers are those of RULES.md in this folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from engines.grid import Bitboard, CellIndex, set_of, union
from engines.kernel import Event, Json, Outcome, Refusal, Seat, leaders
from engines.royal_tee import scoring
from engines.royal_tee.board import ALL_SPACES, NAMES, NEIGHBOURS, SIZE, Side, cell_index, names_in, on_board
from engines.royal_tee.position import LAST_SLIDER, Action, Pass, Position, Walk
from engines.royal_tee.shapes import Rows, of_turn

# ---- enclosed spaces

_LAST = SIZE - 1


def _line(first: int, stride: int) -> Bitboard:
    return set_of(CellIndex(first + stride * k) for k in range(SIZE))


_EDGES = {
    Side.BOTTOM: _line(SIZE * _LAST, 1),
    Side.RIGHT: _line(_LAST, SIZE),
    Side.TOP: _line(0, 1),
    Side.LEFT: _line(0, SIZE),
}
_BESIDE_THE_RING = {zone: union(edge for side, edge in _EDGES.items() if side is not zone) for zone in Side}
_NOT_FIRST_COLUMN = ALL_SPACES & ~_EDGES[Side.LEFT]
_NOT_LAST_COLUMN = ALL_SPACES & ~_EDGES[Side.RIGHT]


def enclosed(own: Bitboard, zone: Side) -> Bitboard:
    """Return the spaces outside `own` that are cut off from the open ring, moving over 8 neighbours outside `own`."""
    passable = ALL_SPACES & ~own
    reached = _BESIDE_THE_RING[zone] & passable
    before = 0
    while reached != before:
        before = reached
        wide = reached | (reached & _NOT_LAST_COLUMN) << 1 | (reached & _NOT_FIRST_COLUMN) >> 1
        reached = (wide | wide << SIZE | wide >> SIZE) & passable
    return passable & ~reached


_ONE, _ROW = np.uint16(1), np.uint16((1 << SIZE) - 1)
_STEPS_A_LOOK = 7
"""The steps by which many sets are flooded before those in which the last one reached nothing new are left out."""


def enclosed_rows(own: Rows, zone: Side) -> Rows:
    """Return what `enclosed` returns for many sets at once, both as rows, (12, n) uint16."""
    passable = ~own & _ROW
    ring = [_BESIDE_THE_RING[zone] >> SIZE * row & int(_ROW) for row in range(SIZE)]
    reached = passable & np.array(ring, np.uint16)[:, None]
    dry, flooded = np.empty_like(passable), np.arange(passable.shape[1])
    while flooded.size:  # the indices of the sets in which the flood may go on
        for _ in range(_STEPS_A_LOOK):
            before, reached = reached, _widen(reached)
            reached &= passable
        going_on = (reached != before).any(axis=0)
        dry[:, flooded] = passable & ~reached
        reached, passable, flooded = reached[:, going_on], passable[:, going_on], flooded[going_on]
    return dry


def _widen(reached: Rows) -> Rows:
    """Return the spaces and their eight neighbours; bits beyond a row are harmless."""
    tall = reached.copy()
    tall[1:] |= reached[:-1]
    tall[:-1] |= reached[1:]
    wide: Rows = tall << _ONE
    wide |= tall
    wide |= tall >> _ONE
    return wide


# ---- walks


@dataclass(frozen=True, slots=True)
class DistinctWalk:
    """All walks with the same end and the same spaces visited (including the start): an example, and their number."""

    example: tuple[CellIndex, ...]
    end: CellIndex
    visited: Bitboard
    walks: int


def steps_from(position: Position, cell: CellIndex) -> tuple[CellIndex, ...]:
    """Return the spaces that the mover's Royal Tee could step on from a space (RULES.md 2.2 and 2.4)."""
    closed = position.royals_but(position.turn)
    return tuple(n for n in NEIGHBOURS[cell] if not closed >> n & 1)


def can_walk(position: Position) -> bool:
    """Return whether the mover has a free neighbour, which allows any number of steps back and forth."""
    return bool(steps_from(position, position.royal(position.turn)))


def distinct_walks(position: Position) -> list[DistinctWalk]:
    """Return the mover's walks of the slider's length, one entry for each end and set of visited spaces."""
    fitting = of_turn(position)
    shapes, visited, (walks, places) = fitting.shapes, fitting.sets(), fitting.walks()
    examples = fitting.cells(shapes.examples[:, walks]).tolist()
    return [
        DistinctWalk(tuple(example), example[-1], visited[place], number)
        for example, place, number in zip(examples, places.tolist(), shapes.walks[walks].tolist(), strict=True)
    ]


# ---- what a turn does


Choice: TypeAlias = DistinctWalk | Pass


def choices(position: Position) -> list[Choice]:
    """Return the mover's choices: the distinct walks, or the pass; empty if the game is over."""
    if position.over:
        return []
    if not can_walk(position):
        return [Pass()]
    return [*distinct_walks(position)]


def actions(position: Position) -> list[Action]:
    """Return one action for each of the choices."""
    return [choice if isinstance(choice, Pass) else walk_along(choice.example) for choice in choices(position)]


def walk_along(cells: Sequence[CellIndex]) -> Walk:
    """Return the walk over these spaces as an action."""
    return Walk(tuple(NAMES[cell] for cell in cells))


def play(position: Position, action: Action) -> Outcome[Position] | Refusal:
    """Apply an action, or return why the rules forbid it."""
    if position.over:
        return Refusal("game-over", "6.1")
    if isinstance(action, Pass):
        royal = position.royal(position.turn)
        free = steps_from(position, royal)
        if free:
            return Refusal("must-walk", "2.5", tuple(NAMES[cell] for cell in free))
        return _end_turn(position, [Event("passed", {"player": position.turn})])
    if refusal := _refuse_walk(position, action):
        return refusal
    walked = [cell_index(name) for name in action.cells]
    return after_walk(position, walked[-1], set_of([position.royal(position.turn), *walked]))


def _refuse_walk(position: Position, walk: Walk) -> Refusal | None:
    if len(walk.cells) != position.slider:
        return Refusal("wrong-length", "2.1", walk.cells[-1:])
    here = position.royal(position.turn)
    closed = position.royals_but(position.turn)
    for name in walk.cells:
        if not on_board(name):
            return Refusal("off-board", "2.3", (name,))
        there = cell_index(name)
        if there not in NEIGHBOURS[here]:
            return Refusal("not-adjacent", "2.2", (NAMES[here], name))
        if closed >> there & 1:
            return Refusal("onto-royal", "2.4", (name,))
        here = cell_index(name)
    return None


def after_walk(position: Position, end: CellIndex, visited: Bitboard) -> Outcome[Position]:
    """Return the outcome of any walk of the mover with this end and these visited spaces, without checking legality.

    `visited` includes the start and the end. A space under another player's Royal Tee remains its owner's even if
    visited.
    """
    seat = position.turn
    start = position.royal(seat)
    own = position.claimed[position.place(seat)] | visited & ~position.royals_but(seat)
    bonus = enclosed_by(position, seat, own)
    facts = {"player": seat, "from": NAMES[start], "to": NAMES[end], "visited": names_in(visited)}
    events = [Event("walked", facts)]
    events += _taking("claimed", position, own)
    events += _taking("enclosed", position, bonus)
    royals = tuple(
        end if player == seat else royal for player, royal in zip(position.players, position.royals, strict=True)
    )
    spaces = own | bonus  # the mover's alone from now on
    holdings = zip(position.players, position.claimed, strict=True)
    claimed = tuple(held | spaces if player == seat else held & ~spaces for player, held in holdings)
    return _end_turn(replace(position, claimed=claimed, royals=royals), events)


def enclosed_by(position: Position, seat: Seat, own: Bitboard) -> Bitboard:
    """Return the spaces that `own` would enclose for a player, without those under others' Royal Tees."""
    return enclosed(own, position.zones[position.place(seat)]) & ~position.royals_but(seat)


def _taking(name: str, position: Position, spaces: Bitboard) -> list[Event]:
    """Return an event with the spaces that are new to the mover and their former owners; empty if there are none."""
    new = spaces & ~position.claimed[position.place(position.turn)]
    if not new:
        return []
    owners = zip(position.players, position.claimed, strict=True)
    taken: dict[str, Json] = {player: names_in(held & new) for player, held in owners if held & new}
    return [Event(name, {"player": position.turn, "cells": names_in(new), "taken": taken})]


def _end_turn(position: Position, events: list[Event]) -> Outcome[Position]:
    if position.over:
        winners = list(leaders(scoring.score(position)))
        return Outcome(position, (*events, Event("game-over", {"winners": winners})))
    place = position.place(position.turn) + 1
    if place == len(position.players):
        place = 0
        if position.slider != LAST_SLIDER:
            position = replace(position, slider=position.slider + 1)
            events = [*events, Event("slider-moved", {"slider": position.slider})]
    turn = position.players[place]
    return Outcome(replace(position, turn=turn), (*events, Event("turn", {"player": turn})))

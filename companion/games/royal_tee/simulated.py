"""Simulated players of Royal Tee: honest walks that gain much, cheats and slips."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import TypeAlias

from companion.games.royal_tee.table import owner, placement, royal_label
from companion.games.simulated import Labels, Opportunity, SimulatedGame, misplays
from companion.locale import _
from engines.grid import Bitboard, CellIndex, bit, cells_in, set_of
from engines.kernel import Cell, Outcome
from engines.royal_tee import GAME
from engines.royal_tee.board import NAMES, NEIGHBOURS, cell_index, distance
from engines.royal_tee.position import FIRST_SLIDER, Action, Pass, Position, Walk
from engines.royal_tee.rules import after_walk, can_walk, steps_from, walk_along
from vision.labels import EMPTY

_CONSIDERED = 60
"""How many random walks are tried: the best of them is nearly the best of all, which would take too long to list."""

_IN_A_ROW = 2
"""This many walks in turn are looked for that may have left a table."""

_Chance: TypeAlias = Opportunity[Position, Action]


# ---- honest walks


def _decide(position: Position, random: Random) -> Action:
    """Return the best of some random walks; half of them go to a free space, so that games end sooner."""
    if not can_walk(position):
        return Pass()
    empty = [cell_index(cell) for cell, label in placement(position).items() if label == EMPTY]
    walks = set[tuple[CellIndex, ...]]()
    for number in range(_CONSIDERED):
        # straight to a goal first, then at random, to spaces not visited before if possible
        goal = random.choice(empty) if empty and number % 2 else None
        path = [position.royal(position.turn)]
        for _step in range(position.slider):
            near = steps_from(position, path[-1])
            goal = None if goal in path else goal
            fresh = [cell for cell in near if cell not in path] or list(near)
            path.append(random.choice(fresh) if goal is None else min(fresh, key=partial(distance, goal)))
        walks.add(tuple(path[1:]))
    return max(map(walk_along, walks), key=lambda walk: _worth(position, walk, random))


def _worth(position: Position, walk: Walk, random: Random) -> float:
    """Return a walk's value: own spaces, twice all claimed ones, less the way to the nearest free one, and chance."""
    outcome = GAME.play(position, walk)
    if not isinstance(outcome, Outcome):
        return float("-inf")
    score, seat = GAME.score(outcome.position), position.turn
    here = outcome.position.royal(seat)
    empty = (cell_index(cell) for cell, label in placement(outcome.position).items() if label == EMPTY)
    way = min((distance(here, cell) for cell in empty), default=0)
    return score[seat] + 2 * sum(score.values()) - way + random.random()


# ---- what is not a cheat


def _allows(position: Position, left: Labels) -> bool:
    """Return whether one walk leads to such a table, or some in turn, with their bonus tees placed or not."""
    return _leads_to(position, left, {}, _IN_A_ROW)


def _leads_to(position: Position, left: Labels, missing: Mapping[Cell, Collection[str]], walks: int) -> bool:
    """Return whether at most that many walks in turn lead to a table.

    Each walk but the last changes the table, and every space that it takes looks different from before.

    Args:
        position: before them.
        left: the table.
        missing: the labels that may still be on spaces whose bonus tees are not placed.
        walks: how many.
    """
    seat, before = position.turn, placement(position)
    turns = position.players * 2
    later = turns[position.place(seat) + 1 :][: walks - 1]
    over = set_of(
        cell_index(cell)
        for cell, label in left.items()
        if owner(label) == seat or (owner(label) in later and owner(label) != owner(before[cell]))
    )
    for end, taken in _walks_over(position, over):
        after = after_walk(position, end, taken).position
        should = placement(after)
        bonus = cells_in(after.claimed[position.place(seat)] & ~position.claimed[position.place(seat)] & ~taken)
        unplaced = {cell: labels for cell, labels in missing.items() if not taken & bit(cell_index(cell))}
        unplaced |= {(cell := NAMES[index]): {before[cell], *unplaced.get(cell, ())} for index in bonus}
        wrong = [cell for cell in left if left[cell] != should[cell] and left[cell] not in unplaced.get(cell, ())]
        if not wrong:
            return True
        goes_on = should != before and not after.over and all(owner(left[cell]) in later for cell in wrong)
        if goes_on and _leads_to(after, left, unplaced, walks - 1):
            return True
    return False


def _walks_over(position: Position, over: Bitboard) -> set[tuple[CellIndex, Bitboard]]:
    """Return the ends of the walks over these spaces alone, each with the spaces that it takes by stepping on them."""
    seat = position.turn
    new, open_to = ~position.claimed[position.place(seat)], over & ~position.royals_but(seat)
    reached = {(position.royal(seat), 0)}
    for _step in range(position.slider):
        reached = {
            (near, taken | bit(near) & new)
            for cell, taken in reached
            for near in NEIGHBOURS[cell]
            if bit(near) & open_to
        }
    return reached


# ---- cheats


def _other_slider(steps: int) -> Callable[[Position, Random], Position | None]:
    """Return the belief that the slider shows that many steps more."""
    return lambda position, _random: (
        replace(position, slider=position.slider + steps) if position.slider + steps >= FIRST_SLIDER else None
    )


def _other_turn(position: Position, random: Random) -> Position:
    return replace(position, turn=random.choice([seat for seat in position.players if seat != position.turn]))


# ---- slips


def _forgets_bonus(chance: _Chance) -> Labels | None:
    """Claim the spaces of a walk without those that it encloses."""
    if not isinstance(chance.action, Walk):
        return None
    seat, path = chance.seat, chance.action.cells
    start = NAMES[chance.position.royal(seat)]
    return chance.instead({**dict.fromkeys((start, *path), str(seat)), path[-1]: royal_label(seat)})


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    named={
        "step-too-many": misplays(GAME, placement, _other_slider(1)),
        "step-too-few": misplays(GAME, placement, _other_slider(-1)),
        "out-of-turn": misplays(GAME, placement, _other_turn),
    },
    slips={"forgets-bonus": _forgets_bonus},
    captions=lambda: {
        "step-too-many": _("{player} cheated: one step too many"),
        "step-too-few": _("{player} slipped: one step too few"),
        "out-of-turn": _("{player} cheated: it was not their turn"),
        "forgets-bonus": _("{player} forgot the bonus tees"),
    },
    later=0.1,
)

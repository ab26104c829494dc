"""Simulated players of Royal Tee: honest walks that gain much, cheats and slips."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

from companion.games.royal_tee.table import is_royal, owner, placement, royal_label
from companion.games.simulated import Labels, Opportunity, SimulatedGame
from companion.locale import _
from engines.grid import Bitboard, CellIndex, bit, cells_in, set_of
from engines.kernel import Cell, Outcome, Seat
from engines.royal_tee import GAME
from engines.royal_tee.board import NEIGHBOURS, cell_index, cell_name
from engines.royal_tee.position import Action, Pass, Position, Walk
from engines.royal_tee.rules import after_walk, can_walk, steps_from, walk_along
from vision.labels import EMPTY

_CONSIDERED = 60
"""How many random walks are tried: the best of them is nearly the best of all, which would take too long to list."""

_LONGEST_SEARCH = 6

_IN_A_ROW = 2
"""This many walks in turn are looked for that may have left a table."""

_Chance: TypeAlias = Opportunity[Position, Action]


# ---- honest walks


def _decide(position: Position, random: Random) -> Action:
    """Return the best of some random walks; half of them go to a free space, so that games end sooner."""
    if not can_walk(position):
        return Pass()
    empty = [cell_index(cell) for cell, label in placement(position).items() if label == EMPTY]
    goals = (random.choice(empty) if empty and number % 2 else None for number in range(_CONSIDERED))
    walks = [_random_walk(position, position.slider, random, goal) for goal in goals]
    return max(map(walk_along, set(walks)), key=lambda walk: _worth(position, walk, random))


def _random_walk(
    position: Position, steps: int, random: Random, goal: CellIndex | None = None
) -> tuple[CellIndex, ...]:
    """Return a walk: straight to a goal first, then at random, to spaces not visited before if possible."""
    path = [position.royal(position.turn)]
    for _step in range(steps):
        near = steps_from(position, path[-1])
        goal = None if goal in path else goal
        fresh = [cell for cell in near if cell not in path] or list(near)
        path.append(random.choice(fresh) if goal is None else min(fresh, key=lambda cell: _distance(cell, goal)))
    return tuple(path[1:])


def _distance(one: CellIndex, other: CellIndex) -> int:
    (row, column), (there, across) = divmod(one, 12), divmod(other, 12)
    return abs(row - there) + abs(column - across)


def _worth(position: Position, walk: Walk, random: Random) -> float:
    """Return a walk's value: own spaces, twice all claimed ones, less the way to the nearest free one, and chance."""
    outcome = GAME.play(position, walk)
    if not isinstance(outcome, Outcome):
        return float("-inf")
    score, seat = GAME.score(outcome.position), position.turn
    here = outcome.position.royal(seat)
    empty = (cell_index(cell) for cell, label in placement(outcome.position).items() if label == EMPTY)
    way = min((_distance(here, cell) for cell in empty), default=0)
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
        unplaced |= {(cell := cell_name(index)): {before[cell], *unplaced.get(cell, ())} for index in bonus}
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


def _path(chance: _Chance) -> tuple[Cell, ...]:
    """Return the honest walk with the space where it begins; empty if there is none."""
    if not isinstance(chance.action, Walk):
        return ()
    return (cell_name(chance.position.royal(chance.seat)), *chance.action.cells)


def _after_path(table: Labels, path: Sequence[Cell], seat: Seat) -> Labels:
    """Return the table after a Royal Tee has claimed a path, which begins with its old space."""
    return {**table, **dict.fromkeys(path, str(seat)), path[-1]: royal_label(seat)}


def _beside(cell: Cell, cells: Collection[Cell]) -> list[Cell]:
    return [near for index in NEIGHBOURS[cell_index(cell)] if (near := cell_name(index)) in cells]


def _free_beside(chance: _Chance, cell: Cell) -> list[Cell]:
    """Return the spaces next to one without another Royal Tee, in random order."""
    own = royal_label(chance.seat)
    free = [
        near for near in _beside(cell, chance.before) if not is_royal(chance.before[near]) or chance.before[near] == own
    ]
    return chance.random.sample(free, len(free))


def _others(chance: _Chance) -> list[Seat]:
    return [seat for seat in chance.position.players if seat != chance.seat]


def _step_too_many(chance: _Chance) -> Labels | None:
    path = _path(chance)
    further = _free_beside(chance, path[-1]) if path else []
    return _after_path(chance.before, (*path, further[0]), chance.seat) if further else None


def _step_too_few(chance: _Chance) -> Labels | None:
    path = _path(chance)
    return _after_path(chance.before, path[:-1], chance.seat) if len(path) > 2 else None


def _forgets_tee(chance: _Chance) -> Labels | None:
    path, before = _path(chance), chance.before
    missed = [cell for cell in path[1:-1] if before[cell] != chance.seat and cell != path[-1]]
    if not missed:
        return None
    cell = chance.random.choice(missed)
    return {**_after_path(before, path, chance.seat), cell: before[cell]}


def _takes_tee(chance: _Chance) -> Labels | None:
    others = [str(seat) for seat in _others(chance)]
    theirs = chance.untouched(lambda label: label in others)
    return next((chance.changed({cell: str(chance.seat)}) for cell in theirs), None)


def _wrong_colour(chance: _Chance) -> Labels | None:
    path, others = _path(chance), _others(chance)
    cells = [cell for cell in path[:-1] if cell != path[-1]]
    return chance.changed({chance.random.choice(cells): str(chance.random.choice(others))}) if cells else None


def _jumps(chance: _Chance) -> Labels | None:
    """Jump two spaces from the last step but one, over anything between."""
    path = _path(chance)[:-1]
    if not path:
        return None
    beside = {*_beside(path[-1], chance.before), path[-1]}
    far = {cell for near in _free_beside(chance, path[-1]) for cell in _free_beside(chance, near)} - beside
    return _after_path(chance.before, (*path, chance.random.choice(sorted(far))), chance.seat) if far else None


def _through_royal(chance: _Chance) -> Labels | None:
    """Walk as many steps as allowed, one of them onto the space of another Royal Tee."""
    before, path = chance.before, _path(chance)
    standing = {cell: label for cell, label in before.items() if is_royal(label) and owner(label) != chance.seat}
    walks = [walk for walk in _walks(path, before) if standing.keys() & set(walk) and walk[-1] not in standing]
    if not walks:
        return None
    longest = max(walks, key=lambda walk: _distance(cell_index(walk[0]), cell_index(walk[-1])))
    return {**_after_path(before, longest, chance.seat), **standing}


def _walks(path: Sequence[Cell], before: Labels) -> Iterator[tuple[Cell, ...]]:
    """Yield the walks of this length that visit no space twice; none if it is too long to list them."""
    paths: list[tuple[Cell, ...]] = [tuple(path[:1])] if path and len(path) <= _LONGEST_SEARCH + 1 else []
    for _step in path[1:]:
        paths = [(*walk, near) for walk in paths for near in _beside(walk[-1], before) if near not in walk]
    yield from paths


def _false_enclosure(chance: _Chance) -> Labels | None:
    """Fill three empty spaces next to the walk as if they were enclosed."""
    empty = set(chance.untouched(lambda label: label == EMPTY))
    beside = {cell for step in _path(chance) for cell in _beside(step, chance.before) if cell in empty}
    if len(beside) < 3:
        return None
    return chance.changed(dict.fromkeys(chance.random.sample(sorted(beside), 3), str(chance.seat)))


def _out_of_turn(chance: _Chance) -> Labels | None:
    """Walk with the Royal Tee of another player."""
    seat = chance.random.choice(_others(chance))
    data = {**GAME.position_to_json(chance.position), "turn": str(seat)}
    position = GAME.position_from_json(data)
    if not can_walk(position):
        return None
    walk = walk_along(_random_walk(position, position.slider, chance.random))
    outcome = GAME.play(position, walk)
    return placement(outcome.position) if isinstance(outcome, Outcome) else None


# ---- slips


def _forgets_bonus(chance: _Chance) -> Labels | None:
    path = _path(chance)
    return _after_path(chance.before, path, chance.seat) if path else None


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    named={
        "step-too-many": _step_too_many,
        "step-too-few": _step_too_few,
        "forgets-tee": _forgets_tee,
        "takes-tee": _takes_tee,
        "through-royal": _through_royal,
        "jumps": _jumps,
        "wrong-colour": _wrong_colour,
        "out-of-turn": _out_of_turn,
        "false-enclosure": _false_enclosure,
    },
    slips={"forgets-bonus": _forgets_bonus},
    captions=lambda: {
        "step-too-many": _("{player} cheated: one step too many"),
        "step-too-few": _("{player} slipped: one step too few"),
        "forgets-tee": _("{player} slipped: a tee on the way was forgotten"),
        "takes-tee": _("{player} cheated: another player's tee became an own one"),
        "through-royal": _("{player} cheated: walked through another player's piece"),
        "jumps": _("{player} cheated: jumped over a space"),
        "wrong-colour": _("{player} slipped: a tee of the wrong colour"),
        "out-of-turn": _("{player} cheated: it was not their turn"),
        "false-enclosure": _("{player} cheated: filled what was not enclosed"),
        "forgets-bonus": _("{player} forgot the bonus tees"),
    },
    later=0.1,
)

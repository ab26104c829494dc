"""How simulated players play the Royal Game of Ur: what they move, and how they cheat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

from companion.games.royal_ur.table import counters_of, label_of, placement
from companion.games.simulated import Labels, Opportunity, SimulatedGame, tables_after
from companion.locale import _
from engines.kernel import Cell, Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import HOME, START
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position
from engines.royal_ur.rules import count_of
from vision.labels import EMPTY

__all__ = ["SIMULATED"]

_DECLINES = 0.3
_CHAIN = 3

_Chance: TypeAlias = Opportunity[Position, Action]


def _decide(position: Position, random: Random) -> Action:
    """Enter counters mostly, and move those that are far on their way rather than others."""
    actions = GAME.actions(position)
    if Decline() in actions and random.random() < _DECLINES:
        return Decline()
    return max(actions, key=lambda action: _worth(action) + 8 * random.random())


def _worth(action: Action) -> float:
    match action:
        case Enter():
            return 6.0
        case Move(start):
            return float(start)
    return -10.0


def _allows(position: Position, left: Labels) -> bool:
    """Return whether legal actions leave such a table, a counter that was hit lying under the other or not."""
    before = placement(position)
    return any(
        all(_alike(before[cell], label, left[cell]) for cell, label in table.items())
        for table in tables_after(GAME, position, placement, _CHAIN)
    )


def _alike(before: str, after: str, seen: str) -> bool:
    if after == seen:
        return True
    was, (owner, number) = counters_of(before), counters_of(after)
    hit = was[0] is not None and was[0] != owner
    return hit and seen in (before, label_of(owner, was[1] + number) if owner else before)


# ---- cheats


def _lying(chance: _Chance, seat: Seat) -> list[Cell]:
    cells = [cell for cell, label in chance.before.items() if counters_of(label)[0] == seat]
    return chance.random.sample(cells, len(cells))


def _way(chance: _Chance, seat: Seat) -> tuple[Cell, ...]:
    return chance.position.board.ways[chance.position.place(seat)]


def _decider(chance: _Chance) -> Seat:
    return chance.position.decides


def _shifted(table: Labels, seat: Seat, start: Cell | None, end: Cell | None) -> Labels:
    """Return a table with one of a seat's counters somewhere else; None is off the board."""
    after = dict(table)
    if start is not None:
        after[start] = label_of(seat, counters_of(after[start])[1] - 1)
    if end is not None:
        owner, number = counters_of(after[end])
        after[end] = label_of(seat, number + 1 if owner == seat else 1)
    return after


def _strides(chance: _Chance, seat: Seat) -> Iterator[tuple[Cell, Cell, int]]:
    """List where a seat's counters are, other squares of their way, and how far these are."""
    way = _way(chance, seat)
    for start in _lying(chance, seat):
        here = way.index(start)
        for there in chance.random.sample(range(START, HOME), HOME):
            if there != here:
                yield start, way[there], there - here


def _moved_by(chance: _Chance, seat: Seat, least: int, most: int, *, onto_other: bool | None = None) -> Labels | None:
    for start, end, stride in _strides(chance, seat):
        owner = counters_of(chance.before[end])[0]
        hits = owner not in (None, seat)
        if least <= stride <= most and onto_other in (None, hits):
            return _shifted(chance.before, seat, start, end)
    return None


def _too_far(chance: _Chance) -> Labels | None:
    if chance.position.awaits is not Await.MOVE:
        return None
    count = count_of(chance.position)
    return _moved_by(chance, _decider(chance), count + 1, count + 3, onto_other=False)


def _backwards(chance: _Chance) -> Labels | None:
    return _moved_by(chance, _decider(chance), -6, -1, onto_other=False)


def _before_the_throw(chance: _Chance) -> Labels | None:
    return _moved_by(chance, _decider(chance), 1, 5) if chance.position.awaits is Await.ROLL else None


def _false_hit(chance: _Chance) -> Labels | None:
    return _moved_by(chance, _decider(chance), 1, 9, onto_other=True)


def _out_of_turn(chance: _Chance) -> Labels | None:
    if chance.position.awaits is not Await.MOVE:
        return None
    return _moved_by(chance, chance.position.other(_decider(chance)), 1, 5)


def _taken_off(chance: _Chance) -> Labels | None:
    """Take a single counter of the other player off."""
    seat = chance.position.other(_decider(chance))
    single = (cell for cell in _lying(chance, seat) if counters_of(chance.before[cell])[1] == 1)
    return next((_shifted(chance.before, seat, cell, None) for cell in single), None)


def _stack_lowered(chance: _Chance) -> Labels | None:
    """Take one counter off a stack of the other player's, or else off an own one."""
    seats = (chance.position.other(_decider(chance)), _decider(chance))
    stacks = ((seat, cell) for seat in seats for cell in _lying(chance, seat))
    high = ((seat, cell) for seat, cell in stacks if counters_of(chance.before[cell])[1] > 1)
    return next((_shifted(chance.before, seat, cell, None) for seat, cell in high), None)


def _one_too_many(chance: _Chance) -> Labels | None:
    free = chance.untouched(lambda label: label == EMPTY)
    own = [cell for cell in free if cell in _way(chance, chance.seat)[START + 1 : HOME]]
    return _shifted(chance.after, chance.seat, None, own[0]) if own and chance.action else None


def _second_counter(chance: _Chance) -> Labels | None:
    """Move as the dots allow, and take another counter back to where counters enter."""
    seat = _decider(chance)
    start = _way(chance, seat)[START]
    rest = [c for c in _lying(chance, seat) if c != start and counters_of(chance.after[c])[0] == seat]
    return _shifted(chance.after, seat, rest[0], start) if rest and isinstance(chance.action, Move) else None


# ---- slips


def _hit_left(chance: _Chance) -> Labels | None:
    """Hit a counter, and leave it under the own one."""
    for cell, label in chance.after.items():
        (was, number), (owner, _one) = counters_of(chance.before[cell]), counters_of(label)
        if was is not None and owner not in (None, was):
            return chance.changed({cell: label_of(owner, number + 1)})
    return None


def _captions() -> Mapping[str, str]:
    return {
        "too-far": _("{player} cheated: moved too far"),
        "backwards": _("{player} cheated: moved backwards"),
        "before-the-throw": _("{player} cheated: moved before the throw"),
        "false-hit": _("{player} cheated: hit a counter that was out of reach"),
        "out-of-turn": _("{player} cheated: moved the other player's counter"),
        "taken-off": _("{player} cheated: took a counter of the other player off"),
        "stack-lowered": _("{player} cheated: took a counter off a stack"),
        "one-too-many": _("{player} cheated: put one more counter on the board"),
        "second-counter": _("{player} cheated: took a second counter back"),
        "hit-left": _("{player} left the hit counter under the own one"),
    }


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    cheats={
        "too-far": _too_far,
        "backwards": _backwards,
        "before-the-throw": _before_the_throw,
        "false-hit": _false_hit,
        "out-of-turn": _out_of_turn,
        "taken-off": _taken_off,
        "stack-lowered": _stack_lowered,
        "one-too-many": _one_too_many,
        "second-counter": _second_counter,
    },
    slips={"hit-left": _hit_left},
    captions=_captions,
    options=({"throw_off": True},),
)
"""How simulated players play it."""

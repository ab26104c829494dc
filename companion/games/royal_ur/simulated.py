"""Simulated players of the Royal Game of Ur: their decisions, cheats and slips."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from companion.games.royal_ur.table import counters_of, label_of, placement
from companion.games.simulated import Labels, Opportunity, SimulatedGame, tables_after
from companion.locale import _
from engines.kernel import Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import HOME, START
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position
from engines.royal_ur.rules import count_of

_DECLINES = 0.3
_CHAIN = 3

_Chance: TypeAlias = Opportunity[Position, Action]


def _decide(position: Position, random: Random) -> Action:
    """Return an action: preferably entering a counter, or moving one that is far on its way."""
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
    """Return whether legal actions lead to such a table, whether or not a counter that was hit is still there."""
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


def _move_by(chance: _Chance, seat: Seat, least: int, most: int, *, onto_other: bool | None = None) -> Labels | None:
    """Return the table after one of a seat's counters goes `least` to `most` squares on; None if none can.

    `onto_other`: whether it must (True) or must not (False) replace another player's counters.
    """
    way = chance.position.board.ways[chance.position.place(seat)]
    starts = [cell for cell, label in chance.before.items() if counters_of(label)[0] == seat]
    for start in chance.random.sample(starts, len(starts)):
        here, number = way.index(start), counters_of(chance.before[start])[1]
        for there in chance.random.sample(range(START, HOME), HOME):
            owner, others = counters_of(chance.before[way[there]])
            if least <= there - here <= most and onto_other in (None, owner not in (None, seat)):
                end = label_of(seat, others + 1 if owner == seat else 1)
                return chance.instead({start: label_of(seat, number - 1), way[there]: end})
    return None


def _too_far(chance: _Chance) -> Labels | None:
    if chance.position.awaits is not Await.MOVE:
        return None
    count = count_of(chance.position)
    return _move_by(chance, chance.position.decides, count + 1, count + 3, onto_other=False)


def _false_hit(chance: _Chance) -> Labels | None:
    return _move_by(chance, chance.position.decides, 1, 9, onto_other=True)


def _out_of_turn(chance: _Chance) -> Labels | None:
    if chance.position.awaits is not Await.MOVE:
        return None
    return _move_by(chance, chance.position.other(chance.position.decides), 1, 5)


# ---- slips


def _hit_left(chance: _Chance) -> Labels | None:
    """Hit a counter, and leave it under the moved one."""
    for cell, label in chance.after.items():
        (was, number), (owner, _one) = counters_of(chance.before[cell]), counters_of(label)
        if was is not None and owner not in (None, was):
            return chance.changed({cell: label_of(owner, number + 1)})
    return None


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    named={
        "too-far": _too_far,
        "false-hit": _false_hit,
        "out-of-turn": _out_of_turn,
    },
    slips={"hit-left": _hit_left},
    captions=lambda: {
        "too-far": _("{player} cheated: moved too far"),
        "false-hit": _("{player} cheated: hit a counter that was out of reach"),
        "out-of-turn": _("{player} cheated: moved the other player's counter"),
        "hit-left": _("{player} left the hit counter under the own one"),
    },
    options=({"throw_off": True},),
)

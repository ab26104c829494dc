"""Simulated players of the Royal Game of Ur: their decisions, cheats and slips."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeAlias

from companion.games.royal_ur.table import counters_of, label_of, placement
from companion.games.simulated import Labels, Opportunity, SimulatedGame, misplays, tables_after
from companion.locale import _
from engines.kernel import Cell
from engines.royal_ur import GAME
from engines.royal_ur.position import Action, Await, Decline, Enter, Move, Position
from engines.royal_ur.rules import COUNT_OF_DOTS

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

    def is_left(cell: Cell, after: str) -> bool:
        if after == left[cell]:
            return True
        was, (owner, number) = counters_of(before[cell]), counters_of(after)
        hit = was[0] is not None and was[0] != owner
        return hit and left[cell] in (before[cell], label_of(owner, was[1] + number) if owner else before[cell])

    tables = tables_after(GAME, position, placement, _CHAIN)
    return any(all(is_left(cell, label) for cell, label in table.items()) for table in tables)


# ---- cheats


def _other_throw(position: Position, random: Random) -> Position | None:
    """Return the belief that the dice show another number, by which some counter can move or enter."""
    thrown = (replace(position, dots=dots) for dots in COUNT_OF_DOTS if dots != position.dots)
    possible = [other for other in thrown if position.awaits is Await.MOVE and GAME.actions(other)]
    return random.choice(possible) if possible else None


def _other_turn(position: Position, _random: Random) -> Position | None:
    seat = position.other(position.decides)
    other = replace(position, turn=seat, decides=seat)
    return other if position.awaits is Await.MOVE and GAME.actions(other) else None


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
        "other-throw": misplays(GAME, placement, _other_throw),
        "out-of-turn": misplays(GAME, placement, _other_turn),
    },
    slips={"hit-left": _hit_left},
    captions=lambda: {
        "other-throw": _("{player} cheated: moved as another throw would allow"),
        "out-of-turn": _("{player} cheated: moved the other player's counter"),
        "hit-left": _("{player} left the hit counter under the own one"),
    },
    options=({"throw_off": True},),
)

"""Simulated players of Territory: their decisions, cheats and slips."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeAlias

from companion.games.simulated import Labels, Opportunity, SimulatedGame, misplays, tables_after
from companion.games.territory.table import WHITE, placement
from companion.locale import _
from engines.territory import GAME
from engines.territory.position import Action, Again, Await, Capture, Place, Position, Stop
from engines.territory.scoring import POINTS

_STOPS = 0.3
_CAPTURES = 0.35
_CHAIN = 3

_Chance: TypeAlias = Opportunity[Position, Action]


def _decide(position: Position, random: Random) -> Action:
    """Return a random action: sometimes stopping, mostly placing, sometimes capturing."""
    if position.awaiting is Await.CHOOSE:
        return Stop() if random.random() < _STOPS else Again()
    actions = GAME.actions(position)
    captures = [action for action in actions if isinstance(action, Capture)]
    places = [action for action in actions if isinstance(action, Place)]
    takes = captures and (not places or random.random() < _CAPTURES)
    return random.choice(captures) if takes else random.choice(places)


def _allows(position: Position, left: Labels) -> bool:
    """Return whether legal actions lead to such a table, whether or not white pieces were exchanged."""
    exchanged = {str(position.turn), WHITE}
    return any(
        all(label == left[cell] or {label, left[cell]} == exchanged for cell, label in table.items())
        for table in tables_after(GAME, position, placement, _CHAIN)
    )


# ---- cheats


def _other_number(position: Position, random: Random) -> Position | None:
    """Return the belief that the dice show another number, of which a space can be taken."""
    if position.awaiting is not Await.PLACE:
        return None
    *earlier, rolled = position.rolled
    numbers = (replace(position, rolled=(*earlier, number)) for number in POINTS if number != rolled)
    possible = [other for other in numbers if GAME.actions(other)]
    return random.choice(possible) if possible else None


# ---- slips


def _exchanges_later(chance: _Chance) -> Labels | None:
    """Capture, and leave the white pieces although the turn has ended."""
    if not isinstance(chance.action, Capture):
        return None
    return chance.instead({chance.action.cell: chance.after[chance.action.cell]})


def _exchanges_one(chance: _Chance) -> Labels | None:
    """Stop, and exchange only one of the white pieces."""
    changed = [cell for cell, label in chance.after.items() if chance.before[cell] != label]
    return chance.instead({changed[0]: chance.after[changed[0]]}) if isinstance(chance.action, Stop) else None


SIMULATED: SimulatedGame[Position, Action] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    named={"other-number": misplays(GAME, placement, _other_number)},
    slips={"exchanges-later": _exchanges_later, "exchanges-one": _exchanges_one},
    captions=lambda: {
        "other-number": _("{player} cheated: a space of another number"),
        "exchanges-later": _("{player} forgot to exchange the white pieces"),
        "exchanges-one": _("{player} exchanged only one of the white pieces"),
    },
    later=0.1,
    options=({"roll_off": True}, {"roll_off": True, "rounds": 4}),
)

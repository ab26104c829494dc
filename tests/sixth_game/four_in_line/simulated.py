"""How simulated players play Four in Line: where they put discs, and how they cheat and slip."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from companion.games.simulated import Labels, Opportunity, SimulatedGame, tables_after

from .rules import GAME, Place, Position
from .speech import _
from .table import EMPTY, placement

__all__ = ["SIMULATED"]

_Chance: TypeAlias = Opportunity[Position, Place]


def _decide(position: Position, random: Random) -> Place:
    return random.choice(GAME.actions(position))


def _allows(position: Position, left: Labels) -> bool:
    return any(table == left for table in tables_after(GAME, position, placement, 2))


# ---- cheats


def _disc_onto_a_disc(chance: _Chance) -> Labels | None:
    """Put a disc in another's place and that other one on an empty space."""
    rivals = chance.untouched(lambda label: label not in (EMPTY, chance.seat))
    free = chance.untouched(lambda label: label == EMPTY)
    moved = rivals and free
    return chance.instead({rivals[0]: chance.seat, free[0]: chance.before[rivals[0]]}) if moved else None


SIMULATED: SimulatedGame[Position, Place] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    named={"disc-onto-a-disc": _disc_onto_a_disc},
    captions=lambda: {"disc-onto-a-disc": _("{player} takes the place of a disc")},
)

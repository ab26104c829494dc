"""How simulated players play Four in Line: where they put discs, and how they cheat and slip."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from companion.games.simulated import Labels, Opportunity, SimulatedGame, tables_after
from engines.kernel import Cell

from .rules import GAME, Place, Position
from .speech import _
from .table import EMPTY, placement

__all__ = ["SIMULATED"]

_Chance: TypeAlias = Opportunity[Position, Place]


def _decide(position: Position, random: Random) -> Place:
    return random.choice(GAME.actions(position))


def _allows(position: Position, left: Labels) -> bool:
    return any(table == left for table in tables_after(GAME, position, placement, 1))


# ---- cheats


def _empty(chance: _Chance) -> list[Cell]:
    return chance.untouched(lambda label: label == EMPTY)


def _discs(chance: _Chance) -> list[Cell]:
    return chance.untouched(lambda label: label != EMPTY)


def _two_discs(chance: _Chance) -> Labels | None:
    return next((chance.changed({cell: chance.seat}) for cell in _empty(chance)), None)


def _disc_removed(chance: _Chance) -> Labels | None:
    return next((chance.changed({cell: EMPTY}) for cell in _discs(chance)), None)


def _disc_moved(chance: _Chance) -> Labels | None:
    discs, free = _discs(chance), _empty(chance)
    return chance.instead({discs[0]: EMPTY, free[0]: chance.before[discs[0]]}) if discs and free else None


def _colour_changed(chance: _Chance) -> Labels | None:
    others = [cell for cell in _discs(chance) if chance.before[cell] != chance.seat]
    return chance.instead({others[0]: chance.seat}) if others else None


def _rivals_disc(chance: _Chance) -> Labels | None:
    [rival] = [player for player in chance.position.players if player != chance.seat]
    return next((chance.instead({cell: rival}) for cell in _empty(chance)), None)


def _disc_onto_a_disc(chance: _Chance) -> Labels | None:
    """Put a disc in another's place and that other one on an empty space."""
    rivals, free = [cell for cell in _discs(chance) if chance.before[cell] != chance.seat], _empty(chance)
    moved = rivals and free
    return chance.instead({rivals[0]: chance.seat, free[0]: chance.before[rivals[0]]}) if moved else None


def _captions() -> Mapping[str, str]:
    return {
        "two-discs": _("{player} puts two discs down"),
        "disc-removed": _("{player} takes a disc off"),
        "disc-moved": _("{player} moves a disc"),
        "colour-changed": _("{player} changes the colour of a disc"),
        "rivals-disc": _("{player} puts down a disc of the rival"),
        "disc-onto-a-disc": _("{player} takes the place of a disc"),
    }


SIMULATED: SimulatedGame[Position, Place] = SimulatedGame(
    decide=_decide,
    allows=_allows,
    cheats={
        "two-discs": _two_discs,
        "disc-removed": _disc_removed,
        "disc-moved": _disc_moved,
        "colour-changed": _colour_changed,
        "rivals-disc": _rivals_disc,
        "disc-onto-a-disc": _disc_onto_a_disc,
    },
    captions=_captions,
)

"""The Royal Game of Ur's rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.royal_ur.turns import TURNS
from engines.kernel import Advice, Level
from engines.royal_ur import GAME, notation, search
from engines.royal_ur.position import Action, Position

__all__ = ["ENGINE"]


def _advise(position: Position, *, level: Level = Level.STRONG) -> Advice[Action] | None:
    """Propose a decision; empty if none is expected, which the search itself refuses."""
    return search.advise(position, level=level) if GAME.actions(position) else None


ENGINE = Engine(GAME, notation, _advise, TURNS, recognises=lambda position: "counters" in position)

"""Four in Line's rules with what goes beside them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.verdicts import Prompt
from companion.games.engines import Engine
from companion.games.turns import Turns, acting
from engines.kernel import Advice, Cell, JsonObject, Level

from . import notation
from .rules import CELLS, GAME, Place, Position

__all__ = ["ENGINE", "TURNS"]


def advise(position: Position, *, level: Level = Level.STRONG) -> Advice[Place] | None:  # noqa: ARG001 - one level
    """Propose the space with which the mover's longest line grows most, the first of several."""
    legal = GAME.actions(position)
    if not legal:
        return None
    best = max(legal, key=lambda action: _line_after(position, action))
    length = _line_after(position, best)
    return Advice(best, "longest-line", {"length": length}, length)


def _line_after(position: Position, action: Place) -> int:
    discs = tuple(position.turn if cell == action.cell else position.on(cell) for cell in CELLS)
    return Position(position.players, position.turn, discs).longest(position.turn)


def _prompt(position: Position) -> Prompt[Place]:
    return Prompt(acting(GAME, position), "place")


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject:
    return {**data, "discs": {str(cell): label for cell, label in labels.items() if label != "empty"}}


TURNS: Turns[Position, Place] = Turns(_prompt, adopt=_adopt)

ENGINE: Engine[Position, Place] = Engine(
    GAME,
    notation,
    advise,
    TURNS,
    recognises=lambda position: "discs" in position,
)

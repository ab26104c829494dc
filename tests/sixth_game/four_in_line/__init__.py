"""Four in Line: discs are put on a five by five board, one a turn; four of a colour in a line win (RULES.md)."""

from __future__ import annotations

from companion.games.bundle import Bundle, Engine
from engines.base import JsonNotation

from .rules import GAME, Place, Position
from .simulated import SIMULATED
from .speech import SPEECH
from .table import TABLE, TURNS, advise

__all__ = ["BUNDLE"]

BUNDLE: Bundle[Position, Place] = Bundle(
    engine=Engine(GAME, JsonNotation(GAME), advise, TURNS, recognises=lambda position: "discs" in position),
    table=TABLE,
    speech=SPEECH,
    simulated=SIMULATED,
)

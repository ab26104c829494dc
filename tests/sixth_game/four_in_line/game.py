"""Four in Line: all that the game offers, in one value."""

from __future__ import annotations

from companion.games.bundle import Bundle, Engine

from . import notation
from .rules import GAME, Place, Position
from .simulated import SIMULATED
from .speech import SPEECH
from .table import TABLE, TURNS, advise

__all__ = ["BUNDLE"]

BUNDLE: Bundle[Position, Place] = Bundle(
    engine=Engine(GAME, notation, advise, TURNS, recognises=lambda position: "discs" in position),
    table=TABLE,
    speech=SPEECH,
    simulated=SIMULATED,
)

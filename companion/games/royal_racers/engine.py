"""Royal Racers' rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.royal_racers.turns import TURNS
from engines.kernel import JsonObject
from engines.royal_racers import GAME, notation
from engines.royal_racers.codec import public
from engines.royal_racers.search import advise


def _recognises(position: JsonObject) -> bool:
    """Return whether a position in JSON has the key that only this game's positions have."""
    return "pawns" in position


ENGINE = Engine(GAME, notation, advise, TURNS, recognises=_recognises, written_anew=True, public=public)

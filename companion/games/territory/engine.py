"""Territory's rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.territory.turns import TURNS
from engines.kernel import JsonObject
from engines.territory import GAME, notation
from engines.territory.codec import public
from engines.territory.search import advise


def _recognises(position: JsonObject) -> bool:
    """Return whether a position in JSON has the key that only this game's positions have."""
    return "owners" in position


ENGINE = Engine(GAME, notation, advise, TURNS, recognises=_recognises, public=public)

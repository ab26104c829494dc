"""Royal Tee's rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.royal_tee.turns import TURNS
from engines.kernel import JsonObject
from engines.royal_tee import GAME, notation
from engines.royal_tee.listing import ChoiceList
from engines.royal_tee.search import advise


def _recognises(position: JsonObject) -> bool:
    """Return whether a position in JSON has the key that only this game's positions have."""
    return "royals" in position


ENGINE = Engine(GAME, notation, advise, TURNS, recognises=_recognises, list_actions=ChoiceList)

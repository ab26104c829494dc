"""The Royal Study's rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.royal_study.turns import TURNS
from engines.kernel import JsonObject
from engines.royal_study import GAME, notation
from engines.royal_study.action_codec import upgrade_action
from engines.royal_study.codec import public
from engines.royal_study.search import advise, solve


def _recognises(position: JsonObject) -> bool:
    """Return whether a position in JSON has the key that only this game's positions have."""
    return "pieces" in position


ENGINE = Engine(
    GAME,
    notation,
    advise,
    TURNS,
    recognises=_recognises,
    solve=solve,
    upgrade=upgrade_action,
    downgrade=upgrade_action,
    public=public,
)

"""The Royal Study's rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.royal_study.turns import TURNS
from engines.royal_study import GAME, notation
from engines.royal_study.action_codec import upgrade_action
from engines.royal_study.codec import public
from engines.royal_study.search import advise, solve

ENGINE = Engine(
    GAME,
    notation,
    advise,
    TURNS,
    recognises=lambda position: "pieces" in position,
    solve=solve,
    upgrade=upgrade_action,
    downgrade=upgrade_action,
    public=public,
)

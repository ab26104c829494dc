"""Territory's rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.territory.turns import TURNS
from engines.territory import GAME, notation
from engines.territory.codec import public
from engines.territory.search import advise

ENGINE = Engine(GAME, notation, advise, TURNS, recognises=lambda position: "owners" in position, public=public)

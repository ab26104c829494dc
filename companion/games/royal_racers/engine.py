"""Royal Racers' rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.royal_racers.turns import TURNS
from engines.royal_racers import GAME, notation
from engines.royal_racers.codec import public
from engines.royal_racers.search import advise

ENGINE = Engine(
    GAME, notation, advise, TURNS, recognises=lambda position: "pawns" in position, written_anew=True, public=public
)

"""Royal Tee's rules with what goes beside them."""

from __future__ import annotations

from companion.games.engines import Engine
from companion.games.royal_tee.turns import TURNS
from engines.royal_tee import GAME, notation
from engines.royal_tee.listing import ChoiceList
from engines.royal_tee.search import advise

ENGINE = Engine(
    GAME, notation, advise, TURNS, recognises=lambda position: "royals" in position, list_actions=ChoiceList
)

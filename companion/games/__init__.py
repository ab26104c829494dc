"""The one explicit list of games. Everything else asks here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.lazy import Lazy

if TYPE_CHECKING:
    from companion.games.adaptor import Adaptor

GAMES: Mapping[str, Adaptor] = Lazy(
    {
        "royal-tee": "companion.games.royal_tee.adaptor",
        "territory": "companion.games.territory.adaptor",
        "royal-study": "companion.games.royal_study.adaptor",
        "royal-racers": "companion.games.royal_racers.adaptor",
        "royal-ur": "companion.games.royal_ur.adaptor",
    },
    "ADAPTOR",
)

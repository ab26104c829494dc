"""The one explicit list of games. Everything else asks here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.lazy import Lazy

if TYPE_CHECKING:
    from companion.games.adaptor import Adaptor

GAMES: Mapping[str, Adaptor] = Lazy({"royal-tee": "companion.games.royal_tee.adaptor"}, "ADAPTOR")

"""The games: rules joined with tables. Nothing here knows one of them by name; each is a package (see `discovery`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.discovery import Parts

if TYPE_CHECKING:
    from companion.games.adaptor import Adaptor

GAMES: Mapping[str, Adaptor] = Parts("adaptor", "ADAPTOR")
"""Every game's rules joined with its table, by the game's name."""

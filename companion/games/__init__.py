"""The games: rules joined with tables. No module here knows a game by name; each is a package (see `discovery`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.discovery import Parts

if TYPE_CHECKING:
    from companion.core.hypothesis import Rules
    from companion.core.verdicts import Action, Position
    from companion.games.simulated import SimulatedGame

GAMES: Mapping[str, Rules] = Parts(lambda bundle: bundle.table)
"""Every game's rules joined with its table, by the game's name."""

SIMULATED: Mapping[str, SimulatedGame[Position, Action]] = Parts(lambda bundle: bundle.simulated)
"""How simulated players play, for every game that supports it, by the game's name."""

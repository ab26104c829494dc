"""The kits of all games, each found by its folder and loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.games.discovery import Parts
from companion.games.kit import Kit

_KITS: Mapping[str, Callable[[], Kit]] = Parts("printing", "kit")


def games_with_kits() -> tuple[str, ...]:
    """Return the names of the games that have something to print, sorted."""
    return tuple(sorted(_KITS))


def kit_of(game: str) -> Kit:
    """Return a game's kit, its texts in the language of the moment.

    Raises:
        KeyError: the game has none.
    """
    return _KITS[game]()

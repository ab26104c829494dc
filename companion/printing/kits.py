"""The kits of all games, each found by its folder and loaded when it is asked for."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import companion.games
from companion.games.kit import Kit

_MODULE = "printing"


@cache
def games_with_kits() -> tuple[str, ...]:
    """Return the names of the games that have something to print, sorted."""
    folders = [module.name for module in pkgutil.iter_modules(companion.games.__path__) if module.ispkg]
    having = [folder for folder in folders if find_spec(f"companion.games.{folder}.{_MODULE}")]
    return tuple(sorted(folder.replace("_", "-") for folder in having))


def kit_of(game: str) -> Kit:
    """Return a game's kit, its texts in the language of the moment.

    Raises:
        KeyError: the game has none.
    """
    if game not in games_with_kits():
        raise KeyError(game)
    module = import_module(f"companion.games.{game.replace('-', '_')}.{_MODULE}")
    kit: Kit = module.kit()
    return kit

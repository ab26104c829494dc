"""The one explicit list of games. Everything else asks here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.adaptor import Adaptor

_MODULES = {
    "royal-tee": "companion.games.royal_tee.adaptor",
}


@cache
def _adaptor(module: str) -> Adaptor:
    adaptor: Adaptor = import_module(module).ADAPTOR
    return adaptor


class _Games(Mapping[str, "Adaptor"]):
    """The games by name; a game is imported when it is asked for, so that `--version` and `--help` stay quick."""

    def __getitem__(self, name: str) -> Adaptor:
        return _adaptor(_MODULES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


GAMES: Mapping[str, Adaptor] = _Games()

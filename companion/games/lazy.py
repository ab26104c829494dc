"""A list of games whose entries are imported when they are asked for, so that nothing waits for the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

ItemT = TypeVar("ItemT")


class Lazy(Mapping[str, ItemT]):
    """What the modules of games offer, by the game's name; `--version` and `--help` import none of them.

    Args:
        modules: a module for each game.
        attribute: what each of them offers.
    """

    def __init__(self, modules: Mapping[str, str], attribute: str) -> None:
        self._modules, self._attribute = modules, attribute

    def __getitem__(self, name: str) -> ItemT:
        offered: Any = getattr(import_module(self._modules[name]), self._attribute)
        item: ItemT = offered
        return item

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

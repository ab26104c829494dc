"""The games, discovered: built-in ones by their folder here, others by the entry-point group `companion.games`.

A game is a package whose modules offer its parts: `engine.ENGINE` (rules, notation, turns), `adaptor.ADAPTOR` (the
rules joined with a table), `speech.SPEECH` (sentences), and, where it has them, `printing.kit` and `simulated`. A part
is imported when it is asked for, so that nothing waits for the others. The entry point's name is the game's name in
commands, its value the package; a file `board.toml` in the package is its table.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

GROUP = "companion.games"
"""The entry-point group in which an installed package names its game."""

_TABLE = "board.toml"

PartT = TypeVar("PartT")


class Parts(Mapping[str, PartT]):
    """One part of every game that has it, by the game's name; it is imported when it is asked for.

    Args:
        module: the module of a game's package that offers the part.
        attribute: the name under which it does.
    """

    def __init__(self, module: str, attribute: str) -> None:
        self._module, self._attribute = module, attribute

    def __getitem__(self, game: str) -> PartT:
        if game not in self:
            raise KeyError(game)
        module = import_module(f"{packages()[game]}.{self._module}")
        part: PartT = getattr(module, self._attribute)
        return part

    def __contains__(self, game: object) -> bool:
        return game in packages() and find_spec(f"{packages()[str(game)]}.{self._module}") is not None

    def __iter__(self) -> Iterator[str]:
        return (game for game in packages() if game in self)

    def __len__(self) -> int:
        return sum(1 for _game in self)


_NEEDED = (("engine", "ENGINE"), ("adaptor", "ADAPTOR"), ("speech", "SPEECH"))
"""The modules that a game must have, and what each of them offers."""


def packages() -> Mapping[str, str]:
    """Return the package of every game that works by the game's name, built-in ones first."""
    return _all_games()[0]


def broken() -> Mapping[str, str]:
    """Return why an installed game is left out, by the name of its package: one of other people, it stops nothing."""
    return _all_games()[1]


def register_tables() -> None:
    """Make the tables of games of other packages known, so that pictures of them are recognised."""
    _all_games()


@cache
def _all_games() -> tuple[Mapping[str, str], Mapping[str, str]]:
    found, failed = dict(_built_in()), dict[str, str]()
    for name, package in _installed():
        if name in found:
            failed[package] = f"{found[name]} has a game {name}, too"
            continue
        try:
            _try_out(package)
        except (Exception, SystemExit) as error:  # another people's program may raise what it likes
            failed[package] = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            found[name] = package
    return found, failed


def _try_out(package: str) -> None:
    """Import what a game must have, and make its table known; raises whatever the package raises."""
    for module, attribute in _NEEDED:
        getattr(import_module(f"{package}.{module}"), attribute)
    file = Path(str(resources.files(package).joinpath(_TABLE)))
    if file.is_file():
        from vision.board import register  # noqa: PLC0415 - only if another package has a table

        register(file)


def _built_in() -> Iterator[tuple[str, str]]:
    folder = [str(Path(__file__).parent)]
    for module in pkgutil.iter_modules(folder):
        if module.ispkg:
            yield module.name.replace("_", "-"), f"{__package__}.{module.name}"


def _installed() -> Iterator[tuple[str, str]]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - a tenth of a second that --version need not wait for

    for point in entry_points(group=GROUP):
        yield point.name, point.value

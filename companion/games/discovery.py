"""The discovery of games: built-in ones by their folder here, others by the entry-point group `companion.games`.

A game is a package that exports all its parts as one value, `BUNDLE`; it is imported when the game is first used. The
entry point's name is the game's name in commands, its value the package; a file `board.toml` in the package is its
table.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from companion.games.bundle import AnyBundle

GROUP = "companion.games"
"""The entry-point group in which an installed package names its game."""

_NAME, _TABLE = "BUNDLE", "board.toml"

PartT = TypeVar("PartT")


class Parts(Mapping[str, PartT]):
    """One part of every game that has it, by the game's name; a game is imported on first use.

    Args:
        part: returns the part of a game's bundle, None if it has none.
    """

    def __init__(self, part: Callable[[AnyBundle], PartT | None]) -> None:
        self._part = part

    def __getitem__(self, game: str) -> PartT:
        if game not in packages() or (part := self._part(bundle_of(game))) is None:
            raise KeyError(game)
        return part

    def __contains__(self, game: object) -> bool:
        return isinstance(game, str) and game in packages() and self._part(bundle_of(game)) is not None

    def __iter__(self) -> Iterator[str]:
        return (game for game in packages() if game in self)

    def __len__(self) -> int:
        return sum(1 for _game in self)


@cache
def bundle_of(game: str) -> AnyBundle:
    """Return the bundle of a game.

    Raises:
        KeyError: there is no such game.
    """
    return _bundle(packages()[game])


def packages() -> Mapping[str, str]:
    """Return the package of every working game by the game's name, built-in ones first."""
    return _all_games()[0]


def broken() -> Mapping[str, str]:
    """Return why each installed third-party game is left out, by the name of its package; the others still work."""
    return _all_games()[1]


@cache
def _all_games() -> tuple[Mapping[str, str], Mapping[str, str]]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - a tenth of a second that --version need not wait for

    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    found = {module.name.replace("_", "-"): f"{__package__}.{module.name}" for module in modules if module.ispkg}
    failed = dict[str, str]()
    for point in entry_points(group=GROUP):
        name, package = point.name, point.value
        if name in found:
            failed[package] = f"{found[name]} has a game {name}, too"
            continue
        try:
            # import the game and register its table
            _bundle(package)
            file = Path(str(resources.files(package).joinpath(_TABLE)))
            if file.is_file():
                from vision.board import register  # noqa: PLC0415 - only if another package has a table

                register(file)
        except (Exception, SystemExit) as error:  # a third party's package may raise anything
            failed[package] = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            found[name] = package
    return found, failed


def _bundle(package: str) -> AnyBundle:
    """Import a package's bundle; raises anything that the package raises."""
    from companion.games.bundle import Bundle  # noqa: PLC0415 - who asks for the games' names alone does not wait

    bundle = vars(import_module(package)).get(_NAME)
    if bundle is None:
        message = f"{package} has no {_NAME}"
        raise TypeError(message)
    if not isinstance(bundle, Bundle):
        message = f"{package}.{_NAME} is a {type(bundle).__name__}, not a {Bundle.__module__}.{Bundle.__name__}"
        raise TypeError(message)
    return bundle

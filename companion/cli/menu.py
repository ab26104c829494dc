"""What people can do, as a numbered list on a terminal: go on with a game, begin one, look back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.app.output import say
from companion.cli.exits import DONE
from companion.locale import _

__all__ = ["menu"]


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One line of the menu: what it says, and the command that it runs."""

    words: str
    command: tuple[str, ...]


def menu(run: Callable[[Sequence[str]], int], read_line: Callable[[], str] | None = None) -> int:
    """Show the menu until people leave it; `run` runs a command, and the exit code of the last is returned."""
    from companion.app.lines import read_line as line_of_terminal

    read_line = read_line or line_of_terminal
    code, above = DONE, ""
    while True:
        items = list(_items())
        say(above + _("What would you like to do?"))
        say(*(f"{number:>3}  {item.words}" for number, item in enumerate(items, 1)))
        say(_("Type a number, or nothing to leave."))
        chosen = _chosen(items, read_line)
        if chosen is None:
            return code
        code, above = _code(run, chosen.command), "\n"


def _chosen(items: Sequence[MenuItem], read_line: Callable[[], str]) -> MenuItem | None:
    """Return what the user chooses; None if they leave."""
    from companion.app.lines import is_quit

    while line := read_line().strip():
        if line.isdecimal() and 1 <= int(line) <= len(items):
            return items[int(line) - 1]
        if is_quit(line):
            return None
        say(_("Choose a number from 1 to {last}.").format(last=len(items)))
    return None


def _items() -> Iterator[MenuItem]:
    from companion.games.discovery import packages

    path, camera = _journal(), _camera()
    if camera:
        yield MenuItem(_("What is on the table now?"), ("play", "--camera", camera))
    yield from _unfinished(path)
    for game in packages():
        yield MenuItem(_("New game: {title}").format(title=_title(game)), ("play", game, *_how_played()))
    if path.exists():
        yield MenuItem(_("The games that were played"), ("games", "list"))
        yield MenuItem(_("Wins and points"), ("games", "statistics"))
        yield MenuItem(_("The last evening"), ("games", "evening"))
        yield MenuItem(_("A report of the last game"), ("report",))
    seen = ("test", "--camera", camera) if camera and camera != "simulated" else ("list",)
    yield MenuItem(_("The camera"), ("camera", *seen))
    yield MenuItem(_("Settings"), ("settings",))
    yield MenuItem(_("Is everything in order?"), ("doctor",))
    yield MenuItem(_("Help"), ("--help",))


def _unfinished(path: Path) -> Iterator[MenuItem]:
    """Return the games that people can go on with, the latest first."""
    from companion.app.history import MOST_UNFINISHED, game_line, unfinished_games
    from companion.cli.journal import existing

    if not path.exists():
        return
    with existing(path) as journal:
        games = unfinished_games(journal.games(), None)
    for recorded in games[:MOST_UNFINISHED]:
        words = _("Go on: {game}").format(game=game_line(recorded).strip())
        yield MenuItem(words, ("play", "--number", str(recorded.number)))
    if len(games) > MOST_UNFINISHED:
        yield MenuItem(_("Go on: an earlier game"), ("games", "resume"))


def _how_played() -> tuple[str, ...]:
    """Return how a game is played where the settings name no camera: people type what they do."""
    from companion.shell.settings import find_settings

    return () if find_settings(os.environ).settings.camera else ("--camera", "none")


def _camera() -> str:
    """Return the camera of the settings, or else the first one that there is; "" where people type or none is found."""
    from companion.cli.camera import first_camera
    from companion.shell.settings import find_settings

    wished = find_settings(os.environ).settings.camera or first_camera()
    return "" if wished == "none" else wished


def _journal() -> Path:
    from companion.shell.journal import default_path
    from companion.shell.settings import find_settings

    return default_path(os.environ, find_settings(os.environ).settings.data)


def _title(game: str) -> str:
    from companion.app.history import title_of

    return title_of(game)


def _code(run: Callable[[Sequence[str]], int], command: Sequence[str]) -> int:
    """Run a command as from the shell; help ends with an exception of argparse."""
    try:
        return run(command)
    except SystemExit as left:
        return int(left.code or DONE)

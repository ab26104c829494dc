"""A numbered list on a terminal of what users can do: resume a game, begin one, print one, look back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.app.diagnostics import lacking_of
from companion.app.history import MOST_UNFINISHED, game_line, unfinished_games
from companion.app.lines import is_quit, read_line
from companion.app.output import hanging, terminal_room, write_text
from companion.cli.exits import DONE
from companion.cli.journal import existing, journal_path
from companion.games.discovery import packages
from companion.games.speech import title_of
from companion.locale import _
from companion.shell.devices import connected_cameras
from companion.shell.settings import find_settings
from companion.ui.names import level_names

_LINES_KEPT = 2
"""Lines of a terminal that are kept free for the question below a page and the one above it."""

_HELP = ("--help",)


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One line of the menu.

    Attributes:
        words: its text.
        command: the command that it runs; empty if it leads to other lines.
        below: the lines that it leads to.
    """

    words: str
    command: tuple[str, ...] = ()
    below: Sequence[MenuItem] = ()


def menu(
    run: Callable[[Sequence[str]], int], read_line: Callable[[], str] = read_line, help_text: Callable[[], str] = str
) -> int:
    """Show the menu until users leave it; return the exit code of the last command, each of which `run` runs."""
    code, above = DONE, ""
    while True:
        question = above + _("What would you like to do?")
        chosen = _ask(question, _("Type a number, or nothing to leave."), list(_items()), read_line)
        if chosen is None:
            return code
        while chosen is not None and chosen.below:
            chosen = _ask(chosen.words, _("Type a number, or nothing to go back."), chosen.below, read_line)
        if chosen is not None:
            code = _help(help_text(), read_line) if chosen.command == _HELP else run(chosen.command)
        above = "\n"


def _ask(question: str, answer: str, items: Sequence[MenuItem], read_line: Callable[[], str]) -> MenuItem | None:
    """Show a list and return the chosen entry, or None if the user leaves it."""
    write_text(question)
    write_text(*(hanging(f"{number:>3}  ", item.words) for number, item in enumerate(items, 1)))
    write_text(answer)
    while line := read_line().strip():
        if line.isdecimal() and 1 <= int(line) <= len(items):
            return items[int(line) - 1]
        if is_quit(line):
            return None
        write_text(_("Choose a number from 1 to {last}.").format(last=len(items)))
    return None


def _items() -> Iterator[MenuItem]:
    path, set_up = journal_path(None), find_settings(os.environ).settings.camera
    camera = set_up or next((word for word, _name in connected_cameras()), "none")
    how = () if set_up else ("--camera", "none")  # if the settings name no camera, users type what they do
    titles = {game: title_of(game) for game in packages()}
    if camera != "none":
        yield MenuItem(_("What is on the table now?"), ("play", "--camera", camera))
    if path.exists():  # games that can be resumed, the latest first
        with existing(path) as journal:
            games = unfinished_games(journal.games(), None)
        for recorded in games[:MOST_UNFINISHED]:
            words = _("Go on: {game}").format(game=game_line(recorded).strip())
            yield MenuItem(words, ("play", "--number", str(recorded.number)))
        if len(games) > MOST_UNFINISHED:
            yield MenuItem(_("Go on: an earlier game"), ("games", "resume"))
    for game, title in titles.items():
        yield MenuItem(_("New game: {title}").format(title=title), ("play", game, *how))
    against = {
        game: [MenuItem(name, ("play", game, "--against", level.value, *how)) for level, name in level_names().items()]
        for game in titles
    }
    yield MenuItem(
        _("Play against the computer"), below=[MenuItem(titles[game], below=levels) for game, levels in against.items()]
    )
    if not lacking_of("web"):
        yield MenuItem(_("Play from phones: a code to scan"), ("play", "--listen", "0.0.0.0"))  # noqa: S104 - at each address
    kits = [MenuItem(title, ("print", "kit", game)) for game, title in titles.items()]
    yield MenuItem(_("Print a game"), below=[*kits, MenuItem(_("All that there is to print"), ("print", "--list"))])
    yield MenuItem(_("Watch the companion play by itself"), ("demo", "--fast"))
    if path.exists():
        looks = (
            MenuItem(_("The games that were played"), ("games", "list")),
            MenuItem(_("Wins and points"), ("games", "statistics")),
            MenuItem(_("The last evening"), ("games", "evening")),
            MenuItem(_("A report of the last game"), ("report",)),
        )
        yield MenuItem(_("Look back: games, wins, a report"), below=looks)
    cameras = [MenuItem(_("Which cameras there are, and how a phone becomes one"), ("camera", "list"))]
    if camera not in ("none", "simulated"):
        cameras.insert(0, MenuItem(_("How well does it see the table?"), ("camera", "test", "--camera", camera)))
    yield MenuItem(_("The camera"), below=cameras)
    yield MenuItem(_("Settings"), ("settings",))
    yield MenuItem(_("Is everything in order?"), ("doctor",))
    yield MenuItem(_("Help"), _HELP)


def _help(text: str, read_line: Callable[[], str]) -> int:
    """Show the help a terminal's page at a time, until its end or until the user types a word."""
    lines = text.splitlines()
    height = max(4, terminal_room().lines - _LINES_KEPT)
    for first in range(0, len(lines), height):
        write_text(*lines[first : first + height])
        if first + height < len(lines):
            write_text(_("Press Enter to read on, or type a word to go back."))
            if read_line().strip():
                break
    return DONE

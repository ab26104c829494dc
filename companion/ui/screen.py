"""The screen beside the table: a full terminal redrawn on change, or plain lines where there is no terminal.

Both take a `Page`, whole and already in words; one thread calls them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console
from rich.live import Live

from companion.locale import _
from companion.ui.layout import PageView
from companion.ui.page import Page
from vision.board import Board


class Screen(Protocol):
    """Something that pages can be shown on."""

    def show(self, page: Page) -> None:
        """Show a page instead of the last one."""
        ...


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same on all pages: the table, the names of the devices, the keys' help."""

    board: Board
    devices: str
    keys: str


@contextmanager
def open_screen(console: Console, setting: Setting, *, plain: bool = False) -> Iterator[Screen]:
    """Return the full screen on a terminal, left as it was found afterwards, and plain lines anywhere else.

    A terminal that calls itself dumb cannot be redrawn: it gets plain lines.
    """
    if plain or not console.is_terminal or console.is_dumb_terminal:
        yield PlainScreen(console)
        return
    with Live(console=console, screen=True, auto_refresh=False) as live:
        yield FullScreen(live, setting)


class FullScreen:
    """The whole terminal."""

    def __init__(self, live: Live, setting: Setting) -> None:
        self._live = live
        self._setting = setting
        self._shown: tuple[Page, object] | None = None

    def show(self, page: Page) -> None:
        """Draw the page unless it is already on the screen; a terminal of a new size is drawn anew."""
        now = (page, self._live.console.size)
        if now != self._shown:
            self._shown = now
            setting = self._setting
            self._live.update(PageView(page, setting.board, setting.devices, setting.keys), refresh=True)


class PlainScreen:
    """A line for every new sentence and every new state of the score: for pipes, logs and screen readers."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: tuple[str, ...] = ()

    def show(self, page: Page) -> None:
        """Write what the last page did not say."""
        lines = plain_lines(page)
        for line in lines:
            if line not in self._last:
                self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        self._last = lines


def plain_lines(page: Page) -> tuple[str, ...]:
    """Return the sentences of a page, without its board and its clock."""
    lines = (page.message, *page.notes, *page.extras.facts, score_line(page), page.turn, _choice_line(page))
    return tuple(line for line in lines if line)


def score_line(page: Page) -> str:
    """Return the players with their points."""
    return ", ".join(f"{page.names.get(seat, seat)} {points}" for seat, points in page.scores.items())


def _choice_line(page: Page) -> str:
    if page.shown is None or not page.choices:
        return ""
    return _("DONE: {choice}").format(choice=page.choices[page.shown])

"""The screen next to the table: a full terminal redrawn on change, or plain lines without a terminal.

Both are given a complete `Page` of text; one thread calls them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol

from rich.console import Console
from rich.live import Live

from companion.locale import _
from companion.ui.board_text import board_text
from companion.ui.layout import PageView, in_columns
from companion.ui.page import ExtraDrawing, Page, clock_notice, clock_words
from companion.ui.words import something_moves
from vision.board import Board


class Screen(Protocol):
    """A screen that shows pages."""

    def show(self, page: Page) -> None:
        """Replace the last page by this one."""
        ...


@dataclass(frozen=True, slots=True)
class ScreenSetting:
    """The table and the device names, the same on all pages; `panel` is None for a keyboard.

    `asks`: whether players ask questions with the digits of that keyboard.
    """

    board: Board
    camera: str
    panel: str | None
    asks: bool = False

    @property
    def devices(self) -> str:
        """The names of the devices, in the current language."""
        return _("camera: {camera} · panel: {panel}").format(camera=self.camera, panel=self.panel or _("desk"))

    @property
    def keys(self) -> str:
        """What the keys do, in the current language."""
        if self.panel is not None:
            return _("MODE held down: pause  ctrl-c ends")
        if self.asks:
            return _("d done  b back  m mode  r roll  p pause  a again  0-9 ask  / type  ctrl-c ends")
        return _("d done  b back  m mode  r roll  p pause  a again  0-9 count  / type  ctrl-c ends")


@contextmanager
def open_screen(console: Console, setting: ScreenSetting, *, plain: bool = False) -> Iterator[Screen]:
    """Open the full screen on a terminal, restored afterwards, and plain lines anywhere else.

    A "dumb" terminal cannot be redrawn: it gets plain lines.
    """
    if plain or not console.is_terminal or console.is_dumb_terminal:
        yield PlainScreen(console, setting.board if console.is_terminal else None)
        return
    with Live(console=console, screen=True, auto_refresh=False) as live:
        yield FullScreen(live, setting)


class FullScreen:
    """A screen that fills the terminal."""

    def __init__(self, live: Live, setting: ScreenSetting) -> None:
        self._live = live
        self._setting = setting
        self._shown: tuple[Page, object] | None = None

    def show(self, page: Page) -> None:
        """Draw the page unless it is already shown; redraw it if the terminal has another size."""
        now = (page, self._live.console.size)
        if now != self._shown:
            self._shown = now
            setting = self._setting
            self._live.update(PageView(page, setting.board, setting.devices, setting.keys), refresh=True)


class PlainScreen:
    """A screen of lines, one for every new sentence and score: for pipes, logs and screen readers.

    Doubts, tasks and waits may come and go with every look at the table: such a line is written once, and again only if
    it was gone after somebody acted. The table, if a board is given, is drawn whenever the expected action changes.
    """

    def __init__(self, console: Console, board: Board | None = None) -> None:
        self._console, self._board = console, board
        self._labels: Mapping[str, str] = {}
        self._standing: tuple[str, ...] = ()
        self._remaining_s: int | None = None
        self._message = ""
        self._answer: tuple[str, ...] = ()
        self._said: set[str] = set()
        self._drawn: tuple[ExtraDrawing, ...] = ()
        self._touched = False

    def show(self, page: Page) -> None:
        """Write what is new."""
        self._touched |= page.activity == something_moves()
        score = ", ".join(f"{page.names.get(seat, seat)} {points}" for seat, points in page.scores.items())
        plays = page.shown is not None and page.choices
        choice = _("DONE: {choice}").format(choice=page.choices[page.shown or 0]) if plays else ""
        standing = (score, page.turn, choice)
        if standing[:2] != self._standing[:2]:
            self._said &= set(_passing_lines(page))
        self._say_answer(page)
        self._say_message(page.message)
        for line in _passing_lines(page):
            if line not in self._said:
                self._said.add(line)
                self._print(line)
        self._draw(page.extras.drawings)
        awaited = standing[1:2] != self._standing[1:2]
        if awaited:
            self._draw_board(page)
        for line, last in zip_longest(standing, self._standing):
            if line != last:
                self._print(line)
        if awaited and self._board is not None:
            self._print("\n".join(in_columns(page.possible, self._console.width)))
        self._print(clock_words(page.remaining_s) if awaited else clock_notice(self._remaining_s, page.remaining_s))
        self._standing, self._remaining_s = standing, page.remaining_s

    def _draw_board(self, page: Page) -> None:
        """Draw the table if its labels have changed since it was drawn."""
        if self._board is not None and page.labels != self._labels:
            self._labels = page.labels
            self._console.print(board_text(self._board, page.labels, page.marks, page.extras.look()))

    def _say_answer(self, page: Page) -> None:
        """Write the answer to a typed line, with the time that is left; the same answer again after another line."""
        if page.answer != self._answer:
            self._answer = page.answer
            for line in (*page.answer, clock_words(page.remaining_s)):
                self._print(line)

    def _say_message(self, message: str) -> None:
        """Write what was understood; the same message again only if somebody has touched the table in between."""
        if message != self._message and (self._touched or message not in self._said):
            self._print(message)
            self._touched = False
            self._said.add(message)
        self._message = message

    def _draw(self, drawings: tuple[ExtraDrawing, ...]) -> None:
        """Write the cards that are new."""
        for drawing in drawings:
            if drawing not in self._drawn:
                self._print("\n".join((drawing.title, *drawing.rows)))
        self._drawn = drawings

    def _print(self, line: str) -> None:
        if line:
            self._console.print(line, markup=False, highlight=False, soft_wrap=not self._console.is_terminal)


def _passing_lines(page: Page) -> tuple[str, ...]:
    """Return the sentences of a page that may come and go."""
    return tuple(line for line in (*page.notes, *page.extras.facts) if line)

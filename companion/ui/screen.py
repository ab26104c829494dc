"""The screen beside the table: a full terminal redrawn on change, or plain lines where there is no terminal.

Both take a `Page`, whole and already in words; one thread calls them. At 80 by 24 everything fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from companion.locale import _
from companion.ui.board_text import DOUBT, TO_PLACE, WRONG, Marks, board_text, letter
from companion.ui.names import points, seat_name
from vision.board import Board

SLIDER_STEPS = 9


@dataclass(frozen=True, slots=True)
class Page:
    """What there is to see: the labels of the cells and their marks, and sentences for everything else.

    `activity` is what the companion is doing at the moment; `notes` are told below the message.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)
    turn: str = ""
    activity: str = ""
    slider: int | None = None
    message: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    lamps: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


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
def open_screen(console: Console, setting: Setting) -> Iterator[Screen]:
    """Give the full screen on a terminal, left as it was found afterwards, and plain lines anywhere else.

    A terminal that calls itself dumb cannot be redrawn: it gets plain lines.
    """
    if not console.is_terminal or console.is_dumb_terminal:
        yield PlainScreen(console)
        return
    with Live(console=console, screen=True, auto_refresh=False) as live:
        yield FullScreen(live, setting)


class FullScreen:
    """The whole terminal."""

    def __init__(self, live: Live, setting: Setting) -> None:
        self._live = live
        self._setting = setting
        self._shown: Page | None = None

    def show(self, page: Page) -> None:
        """Draw the page unless it is what stands there already."""
        if page != self._shown:
            self._shown = page
            self._live.update(lay_out(page, self._setting), refresh=True)


class PlainScreen:
    """A line for every new message and every new state of the score: for pipes, logs and screen readers."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: tuple[str, ...] = ()

    def show(self, page: Page) -> None:
        """Write what the last page did not say."""
        lines = tuple(line for line in (page.message, *page.notes, _score_line(page), page.turn) if line)
        for line in lines:
            if line not in self._last:
                self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        self._last = lines


def lay_out(page: Page, setting: Setting) -> RenderableType:
    """Lay a page out over the terminal."""
    layout = Layout()
    layout.split_column(
        Layout(_title(setting), name="title", size=1),
        Layout(name="table", size=setting.board.grid.rows + 3),
        Layout(_message(page), name="message", minimum_size=4),
        Layout(Text(setting.keys, style="dim", justify="center", overflow="ellipsis"), name="keys", size=1),
    )
    layout["table"].split_row(
        Layout(_table(page, setting.board), name="board", size=3 * setting.board.grid.columns + 6),
        Layout(_standing(page, setting.board), name="standing"),
    )
    return layout


def _title(setting: Setting) -> RenderableType:
    grid = Table.grid(expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True, overflow="ellipsis")
    grid.add_row(Text(f" {setting.board.title}", style="bold"), Text(f"{setting.devices} ", style="dim"))
    return grid


def _table(page: Page, board: Board) -> RenderableType:
    return Panel(board_text(board, page.labels, page.marks), padding=(0, 0), border_style="dim")


def _standing(page: Page, board: Board) -> RenderableType:
    """Whose turn, slider, scores and lamps, and what the signs on the board mean."""
    lines: list[RenderableType] = [Text(page.turn, style="bold"), Text(page.activity, style="dim"), Text()]
    if page.slider is not None:
        lines += [_slider(page.slider), Text()]
    lines += [_seats(page, board), Text(), Text(_legend(), style="dim")]
    return Panel(Group(*lines), padding=(0, 1), border_style="dim")


def _legend() -> str:
    signs = ((WRONG, _("put right")), (TO_PLACE, _("still to place")), (DOUBT, _("not sure")))
    return "\n".join(f"{sign} {word}" for sign, word in signs)


def _slider(value: int) -> Text:
    """Nine steps, filled up to the value."""
    text = Text(_("Slider")).append(" ")
    text.append("■" * value, style="bold")
    text.append("□" * (SLIDER_STEPS - value), style="dim")
    return text.append(f" {value}")


def _seats(page: Page, board: Board) -> Table:
    """A row a player: the letter on the board, the name, the score, what the lamp says."""
    table = Table.grid(padding=(0, 1))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="dim", overflow="fold")
    for seat in dict.fromkeys((*page.scores, *page.lamps)):
        score, lamp = str(page.scores.get(seat, "")), page.lamps.get(seat, "")
        table.add_row(letter(board, seat), seat_name(seat), score, lamp)
    return table


def _message(page: Page) -> RenderableType:
    text = Text(page.message, style="bold")
    for note in page.notes:
        text.append(f"\n{note}", style="none")
    return Panel(text, padding=(0, 1), border_style="dim")


def _score_line(page: Page) -> str:
    return points(page.scores)

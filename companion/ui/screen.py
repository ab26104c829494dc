"""The screen beside the table: a full terminal redrawn on change, or plain lines where there is no terminal.

Both take a `View`, whole and already in words; one thread calls them. At 80 by 24 everything fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from companion.locale import _
from companion.ui.board_text import Marks, board_text
from vision.board import Board

SLIDER_STEPS = 9


@dataclass(frozen=True, slots=True)
class View:
    """What there is to see: the labels of the cells and their marks, and sentences for everything else."""

    labels: Mapping[str, str] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)
    turn: str = ""
    slider: int | None = None
    message: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    lamps: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Screen(Protocol):
    """Something that views can be shown on, for as long as it is entered."""

    def __enter__(self) -> Self:
        """Take the terminal."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the terminal back."""
        ...

    def show(self, view: View) -> None:
        """Show a view instead of the last one."""
        ...


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays the same around all views: the table, the names of the devices, the keys' help."""

    board: Board
    devices: str
    keys: str


def open_screen(console: Console, frame: Frame) -> Screen:
    """Give the full screen on a terminal and plain lines anywhere else."""
    return FullScreen(console, frame) if console.is_terminal else PlainScreen(console)


class FullScreen:
    """The whole terminal, left as it was found afterwards."""

    def __init__(self, console: Console, frame: Frame) -> None:
        self._frame = frame
        self._shown: View | None = None
        self._live = Live(console=console, screen=True, auto_refresh=False)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, view: View) -> None:
        """Draw the view unless it is what stands there already."""
        if view != self._shown:
            self._shown = view
            self._live.update(page(view, self._frame), refresh=True)


class PlainScreen:
    """A line for every new message and every new state of the score: for pipes, logs and screen readers."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._last = ()

    def show(self, view: View) -> None:
        """Write what the last view did not say."""
        lines = tuple(line for line in (view.message, *view.notes, _score_line(view), view.turn) if line)
        for line in lines:
            if line not in self._last:
                self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        self._last = lines


def page(view: View, frame: Frame) -> RenderableType:
    """Lay a view out over the terminal."""
    layout = Layout()
    layout.split_column(
        Layout(_title(frame), name="title", size=1),
        Layout(name="table", size=frame.board.grid.rows + 3),
        Layout(_message(view), name="message", minimum_size=4),
        Layout(Text(frame.keys, style="dim", justify="center", overflow="ellipsis"), name="keys", size=2),
    )
    layout["table"].split_row(
        Layout(_table(view, frame.board), name="board", size=3 * frame.board.grid.columns + 6),
        Layout(_standing(view), name="standing"),
    )
    return layout


def _title(frame: Frame) -> RenderableType:
    grid = Table.grid(expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True, overflow="ellipsis")
    grid.add_row(Text(f" {frame.board.title}", style="bold"), Text(f"{frame.devices} ", style="dim"))
    return grid


def _table(view: View, board: Board) -> RenderableType:
    return Panel(board_text(board, view.labels, view.marks), padding=(0, 0), border_style="dim")


def _standing(view: View) -> RenderableType:
    """Whose turn, slider, scores and lamps."""
    lines: list[RenderableType] = [Text(view.turn, style="bold"), Text()]
    if view.slider is not None:
        lines += [_slider(view.slider), Text()]
    lines.append(_seats(view))
    return Panel(Group(*lines), padding=(0, 1), border_style="dim")


def _slider(value: int) -> Text:
    """Nine steps, filled up to the value."""
    text = Text(_("Slider") + " ")
    text.append("■" * value, style="bold")
    text.append("□" * (SLIDER_STEPS - value), style="dim")
    return text.append(f" {value}")


def _seats(view: View) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="dim", overflow="fold")
    for seat in dict.fromkeys((*view.scores, *view.lamps)):
        table.add_row(seat, str(view.scores.get(seat, "")), view.lamps.get(seat, ""))
    return table


def _message(view: View) -> RenderableType:
    text = Text(view.message, style="bold")
    for note in view.notes:
        text.append(f"\n{note}", style="none")
    return Panel(text, padding=(0, 1), border_style="dim")


def _score_line(view: View) -> str:
    return ", ".join(f"{seat} {score}" for seat, score in view.scores.items())

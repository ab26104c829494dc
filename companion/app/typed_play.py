"""Typing as a front of the one loop: lines become events, views become lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic_ns
from typing import TYPE_CHECKING

from companion.app.lines import LineReader
from companion.app.output import say
from companion.app.typed_commands import TypedCommands
from companion.app.typed_display import TypedDisplay
from companion.core.messages import Event
from companion.games.engines import AnyEngine
from companion.shell.effects import Display
from companion.shell.loop import Inbox

if TYPE_CHECKING:
    from rich.console import RenderableType


class TypedPlay(TypedCommands):
    """People type what they do, line by line; fulfils `companion.shell.session.Front`.

    Args:
        lines: what they type.
        now_ns: the loop's clock.
    """

    def __init__(self, lines: Iterator[str], *, now_ns: Callable[[], int] = monotonic_ns) -> None:
        super().__init__(now_ns)
        self._lines = lines
        self._reader: LineReader | None = None
        self._display: TypedDisplay | None = None

    def source(self, inbox: Inbox) -> LineReader:
        """Return what puts typed lines into an inbox; the same reader serves one game after the other."""
        if self._reader is None:
            self._reader = LineReader(self._lines, inbox)
        else:
            self._reader.attach(inbox)
        return self._reader

    def display(self, engine: AnyEngine) -> Display:
        """Return what writes views as lines."""
        self._display, self.wish = TypedDisplay(engine), ""
        return self._display

    def _answered(self, *parts: RenderableType) -> Sequence[Event]:
        lines = say(*parts)
        if self._display is not None:
            self._display.note(lines + 1)
        return ()

    def _left(self) -> None:
        if self._display is not None:
            self._display.silent = True

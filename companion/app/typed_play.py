"""Typing: as the front of a game without a camera, and as lines now and then beside one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from companion.app.lines import LineReader, is_quit
from companion.app.output import say
from companion.app.typed_commands import TypedCommands, saved
from companion.app.typed_display import TypedDisplay, ending_words
from companion.core.choices import END
from companion.core.messages import ChoiceMade, Event
from companion.core.view import View
from companion.games.engines import AnyEngine
from companion.shell.effects import Display
from companion.shell.loop import Inbox, LineTyped

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.shell.session import Session


class TypedPlay(TypedCommands):
    """The players type what they do, line by line; fulfils `companion.shell.session.Front`.

    Args:
        lines: what they type.
        now_ns: the loop's clock.
        plain: write whole lines only, and none again in place.
    """

    def __init__(self, lines: Iterator[str], *, now_ns: Callable[[], int] = monotonic_ns, plain: bool = False) -> None:
        super().__init__(now_ns)
        self._lines, self._plain = lines, plain
        self._reader: LineReader | None = None
        self._display: TypedDisplay | None = None

    def source(self, inbox: Inbox) -> LineReader:
        """Return what puts typed lines into an inbox; the same reader serves one game after the other."""
        if self._reader is None:
            self._reader = LineReader(self._lines, inbox)
        else:
            self._reader.attach(inbox)
        return self._reader

    def display(self, engine: AnyEngine, notices: Sequence[str] = ()) -> Display:
        """Return what writes views as lines, after the journal's notices."""
        self._display, self.wish = TypedDisplay(engine, plain=self._plain, notices=notices), ""
        return self._display

    def interpret(self, view: View, line: LineTyped) -> Sequence[Event]:
        """Return the events that a line means; what it only asks is answered at once."""
        if self._display is not None:
            self._display.typed()
        return super().interpret(view, line)

    def _answered(self, *parts: RenderableType) -> Sequence[Event]:
        if self._display is None:
            say(*parts)
        else:
            self._display.answer(*parts)
        return ()

    def _left(self) -> None:
        if self._display is not None:
            self._display.silent = True


def run_typed(session: Session) -> None:
    """Let the players play; if they interrupt it, the game is kept, and they are told how to resume it."""
    try:
        session.run()
    except KeyboardInterrupt:
        if session.view is not None:
            say("", *ending_words(session.view, resumable=session.resumable))
        raise


class TypedBeside(TypedCommands):
    """The players type a line now and then; the line and its answer stand on the screen until somebody acts.

    Fulfils `companion.shell.session.TypedLines`.
    """

    def __init__(self, *, now_ns: Callable[[], int] = monotonic_ns) -> None:
        super().__init__(now_ns)
        self._begun: str | None = None
        self._answer: tuple[str, ...] = ()
        self._asked_in: Any = None

    def interpret(self, view: View, line: LineTyped) -> Sequence[Event]:
        """Return the events that a line means; one that is still being typed is only shown."""
        self._answer, self._begun = (), None if line.is_whole else line.text
        if not line.is_whole:
            return ()
        self._asked_in = view.position
        return self._quit(view) if is_quit(line.text) else super().interpret(view, line)

    def typed(self) -> str | None:
        """Return the line that is being typed, None if no line is."""
        return self._begun

    def answer(self, view: View) -> Sequence[str]:
        """Return the answer to the last line; nothing once the game has gone on."""
        return self._answer if view.position == self._asked_in else ()

    def _answered(self, *parts: RenderableType) -> Sequence[Event]:
        self._answer = tuple(str(part) for part in parts)
        return ()

    def _left(self) -> None:
        self._answer = ()

    def _quit(self, view: View) -> Sequence[Event]:
        """Return what ends the evening; a game that is not over is kept."""
        codes = [choice.code for choice in view.choices]
        at_ns = self._now_ns()
        return [ChoiceMade(codes.index(END), at_ns)] if END in codes else saved(view, at_ns)

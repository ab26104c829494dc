"""Typed lines beside a camera: what is typed, and what is answered, stand on the screen until somebody acts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from companion.app.lines import is_quit
from companion.app.typed_commands import TypedCommands, saved
from companion.core.choices import END
from companion.core.messages import ChoiceMade, Event
from companion.core.view import View
from companion.shell.loop import LineTyped

if TYPE_CHECKING:
    from rich.console import RenderableType


class TypedBeside(TypedCommands):
    """People type a line now and then; fulfils `companion.shell.session.TypedLines`."""

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
        """Return the line that is being typed, None where none is."""
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

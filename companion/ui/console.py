"""The console for all output to players: printable text only, and no line breaks within French punctuation.

File names, table titles, record headers and players' names come from outside. A control character in them could move
the cursor, change colours or trigger a terminal function, so each is shown as "?".

French has a space before ; : ? ! and %, and inside its quotes; no line is broken there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import IO, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from companion.locale import freed, held

_KEPT = "\n"
_SPACES = "Zs"
"""The Unicode category of spaces; Python does not count no-break spaces, which French needs, as printable."""


def printable(text: str) -> str:
    """Return a text with "?" for every character that is not printable, a space or a line break."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT or unicodedata.category(c) == _SPACES else "?" for c in text)


class SafeConsole(Console):
    """A rich console that shows printable text only and raises `BrokenPipeError` when its reader has gone.

    It writes to standard output if no `file` is given; `terminal` is False for plain lines even on a terminal.
    """

    def __init__(self, file: IO[str] | None = None, *, terminal: bool | None = None) -> None:
        super().__init__(file=file, force_terminal=terminal, highlight=False, markup=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield rich's segments; rich's own control sequences stay, those of the text are replaced."""
        # French spaces are held together in texts; of anything else the texts are rendered one by one
        if isinstance(renderable, Text) and held(renderable.plain) != renderable.plain:
            renderable = renderable.copy()
            renderable.plain = held(renderable.plain)
        elif isinstance(renderable, str):
            renderable = held(renderable)
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(freed(segment.text)), segment.style)

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError; rich would end the program with exit code 1."""
        raise BrokenPipeError

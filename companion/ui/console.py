"""The console that everything for the players goes through: printable text only, no line that begins with a French "?".

Names of files, titles of tables, headers of records and players' names come from outside. A control character among
them could move the cursor, change colours or set off a key in the terminal, so each is shown as "?".

French has a space before ; : ? ! and %, and inside of its quotes; no line is broken there.
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
"""The Unicode category of spaces; those that do not break are not "printable" to Python, and French needs them."""


def printable(text: str) -> str:
    """Return a text with "?" in place of every character that is neither printable nor a space nor a line's end."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT or unicodedata.category(c) == _SPACES else "?" for c in text)


class SafeConsole(Console):
    """A rich console that shows printable text only and raises `BrokenPipeError` when its reader has gone.

    Args:
        file: where it writes; standard output unless given.
        terminal: False for plain lines even on a terminal; None to look.
    """

    def __init__(self, file: IO[str] | None = None, *, terminal: bool | None = None) -> None:
        super().__init__(file=file, force_terminal=terminal, highlight=False, markup=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Return what rich makes of something; its own control sequences stay, those of the text do not."""
        for segment in super().render(_held_together(renderable), options):
            yield segment if segment.control else Segment(printable(freed(segment.text)), segment.style)

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError, where rich would end the program with exit code 1."""
        raise BrokenPipeError


def _held_together(renderable: RenderableType) -> RenderableType:
    """Return a text with its French spaces held; anything else as it is: its texts come by themselves."""
    if isinstance(renderable, Text) and held(renderable.plain) != renderable.plain:
        text = renderable.copy()
        text.plain = held(text.plain)
        return text
    return held(renderable) if isinstance(renderable, str) else renderable

"""The console that everything for people goes through: printable text only, and a closed pipe is an exception.

Names of files, titles of tables, headers of records and players' names come from outside. A control character among
them could move the cursor, change colours or set off a key in the terminal, so each is shown as "?".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import IO, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

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
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError, where rich would end the program with exit code 1."""
        raise BrokenPipeError

"""The running clock in front of what the players type: rewritten in place where the terminal can, a line elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from rich.cells import cell_len

from companion.app.output import flush, write
from companion.ui.page import clock_words

_SAVE, _RESTORE = "\0337", "\0338"
"""Cursor position, as every terminal since the VT100 keeps it."""

_CLEAR = "\r\033[K"
_DUMB = ("", "dumb", "unknown")


def can_rewrite() -> bool:
    """Return whether the players type on a terminal whose lines can be written again in place."""
    both = sys.stdin.isatty() and sys.stdout.isatty()
    return both and os.environ.get("TERM", "").lower() not in _DUMB


class ClockPrompt:
    """Keeps the time that is left in front of the line that is being typed; what is typed there stays.

    The cursor is behind the prompt as long as nobody ends the line, and goes back to where it was after each second.

    Args:
        live: whether lines can be rewritten; otherwise nothing is written.
        write: writes to the terminal.
    """

    def __init__(self, *, live: bool, write: Callable[[str], None] = write) -> None:
        self.live = live
        self._write = write
        self._width = 0
        self._shown = ""

    def typed(self) -> None:
        """Note that the players have ended the line; what a late second wrote on the next one is removed."""
        if self._width:
            self._put(_CLEAR)
        self._width, self._shown = 0, ""

    def leave(self) -> int:
        """Begin a new line for what others write; return how many lines that took."""
        begun = self._width > 0
        if begun:
            self._put("\n")
        self._width, self._shown = 0, ""
        return int(begun)

    def show(self, remaining_s: int | None) -> None:
        """Write the time that is left where it is not there yet; nothing where no clock runs."""
        words = clock_words(remaining_s)
        if not self.live or not words or words == self._shown:
            return
        prompt = f"{words} > "
        if self._width:
            self._put(f"{_SAVE}\r{prompt}{' ' * (self._width - cell_len(prompt))}{_RESTORE}")
        else:
            self._put(prompt)
            self._width = cell_len(prompt)
        self._shown = words

    def _put(self, text: str) -> None:
        self._write(text)
        flush()

"""A thread that reads what users type, one line at a time, for one game after the other."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

from companion.games.commands import command_words
from companion.games.line import in_both_languages, plain
from companion.locale import _
from companion.shell.errors import SetUpError
from companion.shell.loop import Inbox, LineTyped, Message, StopLoop

_QUIT = "quit"

MOST_LETTERS = 1000
"""Of a line: a device that never ends one would fill the memory, and Python refuses numbers of 5,000 digits."""

MOST_DROPPED = 10_000_000
"""Letters or bytes of a line that are read on and dropped; a device such as /dev/zero never ends its line."""


def read_line() -> str:
    """Return the next line of standard input, "" at its end; what exceeds MOST_LETTERS is dropped.

    Raises:
        SetUpError: the line does not end within MOST_DROPPED more.
    """
    line = part = sys.stdin.readline(MOST_LETTERS)
    dropped = 0
    while len(part) == MOST_LETTERS and not part.endswith("\n"):
        part = sys.stdin.readline(MOST_LETTERS)
        dropped += len(part)
        check_dropped(dropped)
    return line


def check_dropped(count: int) -> None:
    """Raise SetUpError if this much of one line was dropped already."""
    if count > MOST_DROPPED:
        raise SetUpError(_("standard input has a line that does not end"))


def is_quit(line: str) -> bool:
    """Return whether a line ends the evening, in the user's language or in English."""
    return in_both_languages(command_words).get(plain(line)) == _QUIT


class LineReader:
    """Puts one line into the inbox at a time, the next when the loop is done with the last; a `StopLoop` at the end."""

    def __init__(self, lines: Iterator[str], inbox: Inbox) -> None:
        self._lines, self._inbox = lines, inbox
        self._wanted = threading.Semaphore(1)
        self._stopped = False
        self._thread: threading.Thread | None = None

    def attach(self, inbox: Inbox) -> None:
        """Put what is read from now on into another inbox, also the line that is being waited for."""
        self._inbox = inbox

    def start(self) -> None:
        """Start reading, or continue."""
        self._stopped = False
        if self._thread is not None and self._thread.is_alive():
            self._wanted = threading.Semaphore(0)
            return
        self._wanted = threading.Semaphore(1)
        self._thread = threading.Thread(target=self._run, name="lines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Read no further line; the one that is being waited for is dropped."""
        self._stopped = True
        self._wanted.release()

    def handled(self, message: Message) -> None:
        """Let the next line be read once the loop is done with the last."""
        if isinstance(message, LineTyped):
            self._wanted.release()

    def _run(self) -> None:
        try:
            while self._wanted.acquire() and not self._stopped:
                line = next(self._lines, _QUIT).strip()
                if is_quit(line):
                    self._inbox.put(StopLoop())
                    return
                self._inbox.put(LineTyped(line))
        except Exception as error:  # a thread must not die silently: the loop raises it
            self._inbox.put(StopLoop(error))

"""The keyboard as a panel: keys for buttons, digits for the slider; lamps and bar are values that a screen draws.

After a slash the keys are letters of a line, until Enter or Escape. With `asks`, digits and signs are instead the keys
of a pad for questions.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from types import MappingProxyType
from typing import IO, Any

from engines.sentence import Sentence
from hardware import panel
from hardware.errors import PanelError
from hardware.panel import Button, ButtonPressed, KeyPressed, LineTyped, PanelInput, SliderMoved

KEYS: Mapping[str, Button] = MappingProxyType({"r": Button.ROLL, "d": Button.DONE, "b": Button.BACK, "m": Button.MODE})
HELD_KEYS: Mapping[str, Button] = MappingProxyType({"p": Button.MODE, "a": Button.BACK})
"""Keys that stand for holding a button: p pauses, a plays again."""

_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
"""The sequences that arrow and function keys send, which are ignored."""


LINE_KEY = "/"
_ENTER, _ERASE, _DROP = "\r\n", "\b\x7f", "\x15\x1b"
_MOST_KEYS_A_SECOND = 100
"""Limit on average: a held key is sent 30 times a second, but an endless pipe would fill the memory."""

_LONGEST = 200
"""Largest number of letters in a line."""


PAD_KEYS: Mapping[str, str] = MappingProxyType(
    {**{key: key for key in "0123456789.+-*"}, ",": ".", "\r": "enter", "\n": "enter"}
)
"""Keys of the pad for questions."""


class KeyReader:
    """Translates typed characters to buttons, steps of the slider, and lines that begin with a slash.

    If it `asks`, digits and signs are keys of a pad for questions, not steps of the slider.
    """

    def __init__(self, *, asks: bool = False) -> None:
        self._asks = asks
        self._line: str | None = None

    def read(self, keys: str, at_ns: int) -> list[PanelInput]:
        """Return the inputs of some characters, without those that have no meaning."""
        dropped = self._line is not None and keys == "\x1b"
        typed = keys if dropped else _ESCAPE_SEQUENCE.sub("", keys)
        found = (self._read_one(key, at_ns) for key in typed)
        return [heard for heard in found if heard is not None]

    def _read_one(self, key: str, at_ns: int) -> PanelInput | None:
        if self._line is None and key != LINE_KEY:
            if self._asks and key in PAD_KEYS:
                return KeyPressed(PAD_KEYS[key], at_ns)
            if (letter := key.lower()) in KEYS:
                return ButtonPressed(KEYS[letter], at_ns)
            if letter in HELD_KEYS:
                return ButtonPressed(HELD_KEYS[letter], at_ns, held=True)
            return SliderMoved(int(key), at_ns) if key.isascii() and key.isdecimal() else None
        # the line after another key, and whether it is complete
        line, is_whole = self._line, False
        if line is None:  # its slash
            line = ""
        elif key in _ENTER:
            line, is_whole = line.strip(), True
        elif key in _DROP or (key in _ERASE and not line):
            line, is_whole = "", True
        elif key in _ERASE:
            line = line[:-1]
        elif key.isprintable():
            line = (line + key)[:_LONGEST]
        self._line = None if is_whole else line
        return LineTyped(line, is_whole, at_ns)


class DeskPanel(panel.Panel):
    """A `Panel` on a terminal: single keys, without Enter; `close` restores the terminal.

    Args:
        enqueue: receives the inputs; called from the reader's thread.
        keys: the source of keys, of which only the file descriptor is read; None: standard input.

    Attributes:
        asks: whether digits and signs are keys of a pad for questions.
        is_terminal: False if the keys come from a pipe or file, which is read to its end.

    Raises:
        PanelError: no input can be read key by key.
    """

    def __init__(
        self,
        enqueue: panel.Enqueue,
        *,
        keys: IO[Any] | None = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        asks: bool = False,
    ) -> None:
        super().__init__(lamps=4)
        self._deliver, self.asks = panel.guarded(enqueue), asks
        self._clock_ns = clock_ns
        try:
            self._keys_fd = (keys if keys is not None else sys.stdin).fileno()
        except (AttributeError, OSError, ValueError) as error:  # a program without standard input has None
            message = Sentence(
                "the keyboard desk needs a standard input that can be read key by key, and there is none"
            )
            raise PanelError(message) from error
        self.is_terminal = os.isatty(self._keys_fd)
        self._stop_fd, self._stopper_fd = os.pipe()
        self._keys, self._decoder = KeyReader(asks=asks), codecs.getincrementaldecoder("utf-8")("ignore")
        self._reader = threading.Thread(target=self._read, name="desk", daemon=True)
        with ExitStack() as opening:
            opening.callback(os.close, self._stop_fd)
            opening.callback(self._stop)
            if self.is_terminal:
                # each key is delivered at once without echo; Ctrl-C keeps its meaning, and Ctrl-Z has none: the shell
                # that continues a stopped program restores echo and lines
                before = termios.tcgetattr(self._keys_fd)
                opening.enter_context(suppress(termios.error))
                opening.callback(termios.tcsetattr, self._keys_fd, termios.TCSADRAIN, before)
                tty.setcbreak(self._keys_fd, termios.TCSADRAIN)
                modes = termios.tcgetattr(self._keys_fd)
                modes[6][termios.VSUSP] = bytes([os.fpathconf(self._keys_fd, "PC_VDISABLE")])
                termios.tcsetattr(self._keys_fd, termios.TCSADRAIN, modes)
            self._reader.start()
            self._devices = opening.pop_all()

    def _read(self) -> None:
        while True:
            ready, _, _ = select.select([self._keys_fd, self._stop_fd], [], [])
            typed = b""
            with suppress(OSError):  # a terminal that hung up
                typed = b"" if self._stop_fd in ready else os.read(self._keys_fd, 1024)
            if not typed:
                return
            for heard in self._keys.read(self._decoder.decode(typed), self._clock_ns()):
                self._deliver(heard)
            select.select([self._stop_fd], [], [], len(typed) / _MOST_KEYS_A_SECOND)

    def _stop(self) -> None:
        """End the reader: its pipe becomes readable when this end closes."""
        os.close(self._stopper_fd)
        if self._reader.ident is not None:
            self._reader.join()

    def close(self) -> None:
        """End the reader and restore the terminal."""
        self._devices.close()

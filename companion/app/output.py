"""The output of commands: JSON lines on standard output, one-sentence errors on standard error."""

from __future__ import annotations

import codecs
import json
import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

from companion.locale import _, freed, held
from companion.shell.errors import os_reason

if TYPE_CHECKING:
    from rich.console import RenderableType


class OutputError(Exception):
    """Standard output cannot be written; the message is one sentence."""


def write_json(answer: Mapping[str, Any]) -> None:
    """Write an object as one line, at once: a program may be waiting for it."""
    write_line(json.dumps(answer))


def write_line(line: str) -> None:
    """Write a line at once."""
    write(line + "\n")
    flush()


def write_text(*parts: RenderableType) -> int:
    """Write sentences and drawings for a person at once, without markup; return the number of lines.

    Lines are wrapped on a terminal, but not in a file or a pipe.
    """
    from companion.ui.console import SafeConsole

    console = SafeConsole()
    console.width = console.width if sys.stdout.isatty() else _ENDLESS.columns
    with _complaints(), console.capture() as written:
        for part in parts:
            console.print(part, soft_wrap=not sys.stdout.isatty())
    write(written.get())
    flush()
    return written.get().count("\n")


_ENDLESS = os.terminal_size((10_000, 10_000))


def terminal_room() -> os.terminal_size:
    """Return the terminal's columns and lines; practically unlimited if standard output is not a terminal."""
    return get_terminal_size() if sys.stdout.isatty() else _ENDLESS


def is_encodable(text: str, encoding: str = "") -> bool:
    """Return whether a character set, standard output's if none is given, has every letter of a text."""
    try:
        text.encode(encoding or sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


LETTERS_IN_PLACE = "companion-letters"
"""The name of the error handler that replaces letters that a terminal lacks."""

_IN_PLACE = {
    **dict.fromkeys("«»„“”", '"'),
    "·": ".",
    "▶": ">",
    "■": "#",
    "\u2019": "'",
    "ß": "ss",
    "œ": "oe",
    "♣": "c",
    "♦": "d",
    "♥": "h",
    "♠": "s",
}


def _in_place(error: UnicodeError) -> tuple[str, int]:
    """Return replacements for letters that cannot be encoded, and where to resume, as `codecs.register_error` asks.

    Raises:
        UnicodeError: the error is one of decoding.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_like, error.object[error.start : error.end])), error.end


def _like(letter: str) -> str:
    """Return ASCII for a letter: without accent, lines for box drawings, "?" if nothing is similar."""
    bare = unicodedata.normalize("NFKD", letter)[0]
    line = unicodedata.name(letter, "").partition("BOX DRAWINGS ")[2]
    drawn = "+" if " AND " in line else "|" if "VERTICAL" in line else "-"
    return _IN_PLACE.get(letter) or (drawn if line else bare if bare.isascii() else "?")


codecs.register_error(LETTERS_IN_PLACE, _in_place)

OLDER_LETTERS = "companion-latin-1"
"""The name of the error handler that decodes invalid UTF-8 as Latin-1, in which older systems type names."""


def _latin_1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - it is registered for decoding
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(OLDER_LETTERS, _latin_1)


def as_typed(word: str) -> str:
    """Return a word of the command line, in which Python keeps invalid UTF-8 as lone surrogates."""
    return os.fsencode(word).decode("utf-8", OLDER_LETTERS)


def hanging(head: str, text: str) -> str:
    """Return a text after its heading; on a terminal further lines are indented to the first word.

    Where the heading takes more than half of the width, the text begins below it.
    """
    width, above = terminal_room().columns, ""
    if len(head) > width // 2:
        above, head = f"{head.rstrip()}\n", "    "
    text = fill(held(text), width, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False)
    return above + freed(text)


def write_plain(text: str) -> None:
    """Write a text, such as a record or an example file, without control characters."""
    from companion.ui.console import printable

    write(printable(text))


def write(text: str) -> None:
    """Write to standard output.

    Raises:
        BrokenPipeError: its reader has closed the pipe.
        OutputError: it cannot be written, for example on a full disk.
    """
    with _complaints():
        sys.stdout.write(text)


def flush() -> None:
    """Flush standard output; raise the same as `write`."""
    with _complaints():
        sys.stdout.flush()


@contextmanager
def _complaints() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(_("standard output cannot be written: {reason}").format(reason=os_reason(error))) from error


def complain(sentence: str) -> None:
    """Write an error as one line to standard error, if there is one; wrapped on a terminal."""
    # one line without control characters, which a file's name may contain
    line = "companion: " + "".join(c if c.isprintable() else "?" for c in " ".join(sentence.split()))
    with suppress(OSError):
        if sys.stderr.isatty():
            line = freed(fill(held(line), get_terminal_size().columns, break_on_hyphens=False))
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

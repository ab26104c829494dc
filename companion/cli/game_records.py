"""Files with a game's record, for the commands that read them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.parser import UsageError
from companion.locale import _

if TYPE_CHECKING:
    from companion.games.record import GameRecord

_LARGEST_FILE = 1_000_000
"""Bytes; a game of a thousand actions has some twenty thousand."""


@contextmanager
def complaints_about(path: Path) -> Iterator[None]:
    """Put the file's name before what is wrong with its record."""
    from companion.games.record import RecordError

    try:
        yield
    except RecordError as error:
        raise UsageError(_("{file}, {complaint}").format(file=path, complaint=error)) from error


def load_record(path: Path) -> GameRecord:
    """Read a record from a file.

    Raises:
        RecordError: there is none in it.
        UsageError: it is too large, or no text.
        OSError: it cannot be read.
    """
    from companion.games.record import read_record
    from vision.file_access import FileTooLargeError, read_regular

    try:
        text = read_regular(path, _LARGEST_FILE).decode("utf-8-sig")
    except FileTooLargeError as error:
        raise UsageError(_("{file}: too large for a game's record").format(file=path)) from error
    except UnicodeDecodeError as error:
        raise UsageError(_("{file}: expected a game's record as UTF-8 text").format(file=path)) from error
    return read_record(text)

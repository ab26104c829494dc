"""The journal and records, opened for the commands that read and write them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.app.output import complain
from companion.cli.parser import UsageError
from companion.games.record import GameRecord, RecordError, read_record
from companion.locale import _
from companion.shell.clock import Clock
from companion.shell.errors import UnpreparedJournalError
from companion.shell.journal import Journal, JournalReader, default_path
from companion.shell.settings import find_settings
from vision.file_access import FileTooLargeError, read_regular


def journal_path(given: Path | None) -> Path:
    """Return the journal's path: the one given on the command line, else that of the settings."""
    return given or default_path(os.environ, find_settings(os.environ).settings.data)


@contextmanager
def opened(path: Path) -> Iterator[Journal]:
    """Open a journal to write to it; repairs are reported on standard error."""
    with closing(Journal(path, Clock())) as journal:
        for notice in journal.take_notices():
            complain(notice)
        yield journal


@contextmanager
def existing(path: Path) -> Iterator[JournalReader]:
    """Open a journal to read from it, also while a game is being played.

    Raises:
        UsageError: there is no journal.
    """
    refuse_missing(path)
    try:
        reader = JournalReader(path)
    except UnpreparedJournalError:
        with opened(path):  # that brings it to today's version, and undoes what was half written
            pass
        reader = JournalReader(path)
    with closing(reader):
        yield reader


def refuse_missing(path: Path) -> None:
    """Raise UsageError if there is no journal."""
    if not path.exists():
        raise UsageError(_("{path}: there is no journal yet; the first game begins one").format(path=path))


# ---- files with a game's record


_LARGEST_FILE = 1_000_000
"""Bytes; a record of a thousand actions has some twenty thousand."""


@contextmanager
def complaints_about(path: Path) -> Iterator[None]:
    """Raise a `RecordError` of the block as a UsageError that names the file."""
    try:
        yield
    except RecordError as error:
        raise UsageError(_("{file}, {complaint}").format(file=path, complaint=error)) from error


def load_record(path: Path) -> GameRecord:
    """Read a record from a file.

    Raises:
        RecordError: the file has no valid record.
        UsageError: the file is too large, or not UTF-8 text.
        OSError: the file cannot be read.
    """
    try:
        text = read_regular(path, _LARGEST_FILE).decode("utf-8-sig")
    except FileTooLargeError as error:
        raise UsageError(_("{file}: too large for a game's record").format(file=path)) from error
    except UnicodeDecodeError as error:
        raise UsageError(_("{file}: expected a game's record as UTF-8 text").format(file=path)) from error
    return read_record(text)

"""Files read with a limit and written whole: what every loader and every command uses.

A loader reads regular files only: a pipe could wait for ever, and a device such as /dev/zero never ends. The empty
device /dev/null counts as an empty file. A file is replaced at once and durably: after a power cut there is the old
content or the new one, never half of it.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engines.sentence import Sentence, about

NOT_REGULAR = Sentence("not a regular file")
"""The message of an `OSError` with `EINVAL` about a pipe, a device or a socket."""


class FileTooLargeError(OSError):
    """A file that is larger than its reader allows."""


def read_regular(path: Path, most_bytes: int) -> bytes:
    """Return the content of a regular file.

    Raises:
        FileTooLargeError: it is larger than `most_bytes`.
        OSError: it cannot be read, or is not a regular file (`EISDIR`, `EINVAL`).
    """
    try:
        _check_kind(path, path.stat())  # before opening: to open a device may set something off
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            _check_kind(path, os.fstat(file.fileno()))
            content = file.read(most_bytes + 1)
    except ValueError as error:  # a NUL in the path
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from error
    if len(content) > most_bytes:
        raise FileTooLargeError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


def toml_problem(file: str, error: Exception) -> Sentence:
    """Return the sentence about a file that could not be read, or whose text is not TOML, by what was raised."""
    match error:
        case OSError():
            reason = Sentence(error.strerror or os.strerror(error.errno or 0))
        case UnicodeDecodeError():
            reason = Sentence("it is not UTF-8 text")
        case RecursionError():
            reason = Sentence("its lists or tables are nested too deeply")
        case tomllib.TOMLDecodeError() if place := re.search(r"at line (\d+), column (\d+)", str(error)):
            # only the place is taken from tomllib, whose own words are English
            found = Sentence("not a TOML file: line {line}, column {column} cannot be read, or repeats a key")
            reason = found.format(line=place[1], column=place[2])
        case tomllib.TOMLDecodeError():
            reason = Sentence("not a TOML file: its end cannot be read; is a bracket or a quotation mark not closed?")
        case _:  # Python's own, for a number of more than 4,300 digits
            reason = Sentence("not a TOML file: a number in it has too many digits")
    return about(file, reason)


def check_regular(path: Path) -> None:
    """Raise OSError (`EISDIR`, `EINVAL`) if a path leads to a folder, a pipe, a device or a socket; there may be none.

    For files that a library opens: opening a pipe can wait for ever, in a call that no signal ends.
    """
    with suppress(FileNotFoundError):
        status = path.stat()
        if _is_empty_device(status):
            raise OSError(errno.EINVAL, NOT_REGULAR, str(path))
        _check_kind(path, status)


def _check_kind(path: Path, status: os.stat_result) -> None:
    """Raise OSError unless a path leads to a regular file or to the empty device."""
    if stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode) and not _is_empty_device(status):
        raise OSError(errno.EINVAL, NOT_REGULAR, str(path))


def _is_empty_device(status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == Path(os.devnull).stat().st_rdev


def write_atomically(path: Path, content: bytes | str, *, private: bool = False) -> None:
    """Replace a file's content at once and durably; text is written as UTF-8.

    Args:
        path: the file; its folder exists.
        content: all of it.
        private: only the owner may read it (mode 0600); otherwise the umask decides, or the mode that the file has.

    Raises:
        OSError: it cannot be written; the old content stays.
    """
    with replaced(path, private=private) as passing:
        passing.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def replaced(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Return a file to write to, of the same ending, that takes the place of `path` at once and durably at the end.

    A link stays a link and what is not a regular file, such as /dev/stdout, is written to directly.

    Raises:
        OSError: it cannot be written, or is a pipe that nobody reads (`EINVAL`); the old content stays.
    """
    target = Path(os.path.realpath(path))
    special = path.exists() and not path.is_file()
    passing = target.with_name(f".{secrets.token_hex(4)}-{target.name[-200:]}")
    try:
        if special:
            with _read_by_somebody(path):
                yield path
            return
        os.close(os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666))
        if target.exists() and not private:
            passing.chmod(stat.S_IMODE(target.stat().st_mode))
        yield passing
        with passing.open("rb+") as file:
            os.fsync(file.fileno())
        passing.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):
            passing.unlink()


@contextmanager
def _read_by_somebody(path: Path) -> Iterator[None]:
    """Raise OSError (`EINVAL`) for a pipe that nobody reads: opening it would wait without end."""
    if not path.is_fifo():
        yield
        return
    try:
        pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        raise OSError(errno.EINVAL, NOT_REGULAR, str(path)) from error
    try:
        yield
    finally:
        os.close(pipe)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can; a new name is durable only after that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

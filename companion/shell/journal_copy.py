"""The journal's verified copy, and whether the journal is damaged.

A copy of the whole journal, compressed (gzip brings a checksum), is kept beside it: made at the start and at the end
of each game, with SQLite's backup API, and kept only if SQLite finds nothing wrong with it. Entries are only ever
added, so every row of the copy must be in the journal a journal where one is missing or another, or that SQLite
cannot read, is damaged. `journal_recovery` puts it together again.
"""

from __future__ import annotations

import glob
import gzip
import io
import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path

from companion.shell.entries import entry_from_json
from companion.shell.journal_schema import SCHEMA_VERSION, Connection, copy_place, is_version
from companion.shell.journal_wal import log_of, with_log
from vision.file_access import read_regular, write_atomically

_MOST_BYTES = 500_000_000
_MOST_COPY_BYTES = 64_000_000
"""Of a copy when it is inflated: it is held in memory up to three times, and a program may take 250 MB."""

_OTHERS = 0o077
"""The bits of a file's mode that let the group and everybody in: a journal has users' names."""

_LEVEL = 1
"""Of compression: journals are text that shrinks to a tenth whatever the level, and users wait."""

WAL_VERSIONS = slice(18, 20)
"""Two bytes of a database's header that say whether it has a write-ahead log; one in memory has none."""

_NOT_DAMAGE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
"""What SQLite reports about the machine or another program rather than about the file's content."""

_LACKS_ROWS = """
SELECT EXISTS (SELECT * FROM copy.actions EXCEPT SELECT * FROM main.actions)
    OR EXISTS (SELECT * FROM copy.games JOIN main.games AS now USING (id)
               WHERE copy.games.finished IS NOT NULL
               AND (now.finished IS NOT copy.games.finished OR now.scores IS NOT copy.games.scores)
               AND (SELECT count(*) FROM main.actions WHERE game = id)
                 = (SELECT count(*) FROM copy.actions WHERE game = id))
    OR EXISTS (SELECT {unchanging} FROM copy.games EXCEPT SELECT {unchanging} FROM main.games)
"""
_JSON = ("opening", "scores", "headers")


def make_private(path: Path) -> None:
    """Begin an empty journal if there is none, and let only the owner read it and all that is kept beside it.

    Files of another owner stay as they are. SQLite gives its files beside the journal the mode that this one has.
    """
    with suppress(OSError):  # SQLite explains why a journal cannot be begun
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    name, stem = glob.escape(path.name), glob.escape(path.stem)
    beside = (f"{name}-*", f"{name}.lock", f"{name}.copy.gz", f"{name}.version-*.gz", f"{stem}.damaged-*")
    for file in (path, *chain.from_iterable(map(path.parent.glob, beside))):
        with suppress(OSError):
            if stat.S_IMODE(file.stat().st_mode) & _OTHERS:
                file.chmod(stat.S_IMODE(file.stat().st_mode) & ~_OTHERS)


def keep_copy(connection: Connection, place: Path, kept: bytes | None = None) -> bool:
    """Keep a copy of a journal, and return whether it is good; a copy with a fault does not replace a good one.

    Args:
        connection: the journal.
        place: where the copy is kept.
        kept: the digest of the content of the copy that is there; it is not written again if nothing has changed.

    Raises:
        OSError: it cannot be written.
    """
    (pages,), (page_bytes,) = (connection.execute(f"PRAGMA {of}").fetchone() for of in ("page_count", "page_size"))
    if pages * page_bytes > _MOST_COPY_BYTES:
        return False
    with closing(sqlite3.connect(":memory:")) as copy:
        connection.backup(copy)
        if not _is_whole(copy):
            return False
        content = copy.serialize()
    pieces = (content[: WAL_VERSIONS.start], b"\1\1", memoryview(content)[WAL_VERSIONS.stop :])
    if kept is None or digest_of(*pieces) != kept:
        write_atomically(place, _compressed(pieces), private=True)
    return True


def copy_as_it_is(path: Path, place: Path) -> None:
    """Copy a journal that may be open, for its owner only; nothing if there is none.

    Raises:
        OSError: the copy cannot be written.
        sqlite3.Error: the journal cannot be read.
    """
    if not path.is_file():
        return
    with (
        closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as journal,
        closing(sqlite3.connect(place)) as copy,
    ):
        journal.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    make_private(place)


def digest_of(*pieces: bytes | memoryview) -> bytes:
    """Return the digest by which a copy's content is known without being held; `pieces` are one after the other."""
    digest = sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


def _compressed(pieces: Iterable[bytes | memoryview]) -> bytes:
    written = io.BytesIO()
    with gzip.GzipFile(fileobj=written, mode="wb", compresslevel=_LEVEL) as file:
        for piece in pieces:
            file.write(piece)
    return written.getvalue()


def read_copy(place: Path) -> bytes | None:
    """Return a journal's copy as a database's content; None if there is no good one."""
    try:
        with gzip.open(io.BytesIO(read_regular(place, _MOST_COPY_BYTES))) as file:
            content = file.read(_MOST_COPY_BYTES + 1)
        if not 0 < len(content) <= _MOST_COPY_BYTES:
            return None
        with closing(sqlite3.connect(":memory:")) as copy:
            copy.deserialize(content)
            return content if _is_whole(copy) and table_count(copy) else None
    except (OSError, EOFError, zlib.error, sqlite3.Error):  # gzip's own error is an OSError
        return None


def content_instead(path: Path, code: int) -> bytes | None:
    """Return what can be read of a journal that SQLite cannot read now, by SQLite's error code; None if nothing can.

    Where the one who plays lets nobody read meanwhile, that is the copy. On a disk that takes nothing, where SQLite
    cannot make its file beside the journal, it is the journal with its log.

    Raises:
        OSError: it cannot be read.
    """
    if code & 0xFF == sqlite3.SQLITE_BUSY:
        return read_copy(copy_place(path))
    if code & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        return None
    log = log_of(path)  # first: if another program moves it into the journal meanwhile, both have the same pages
    content = bytearray(with_log(read_regular(path, _MOST_BYTES), log))
    content[WAL_VERSIONS] = b"\1\1"
    return bytes(content)


def is_damaged(connection: Connection, copy: bytes | None) -> bool:
    """Return whether a journal is damaged: not whole, with invalid entries, or without rows of its copy.

    Raises:
        sqlite3.Error: the machine or another program is in the way.
    """
    try:
        return not _is_whole(connection) or _has_wrong_content(connection, copy)
    except ValueError:
        return True
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _NOT_DAMAGE:
            raise
        return True


def _is_whole(connection: Connection) -> bool:
    return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))


def _has_wrong_content(connection: Connection, copy: bytes | None) -> bool:
    with _attached(connection, copy):
        version, copied = schema_version(connection, "main"), schema_version(connection, "copy")
        if version == 0 or version > SCHEMA_VERSION:
            return 0 < copied <= SCHEMA_VERSION  # else it is empty, another program's, or a newer one's
        if not is_version(connection, version):
            return True
        for _game, _number, entry, *_rest in connection.execute("SELECT * FROM main.actions"):
            entry_from_json(json.loads(entry))
        games = connection.execute("SELECT * FROM main.games")
        columns = [name for name, *_none in games.description]
        for row in games:
            _check_json({name: text for name, text in zip(columns, row, strict=True) if name in _JSON})
        unchanging = ", ".join(column for column in columns if column not in {"finished", "scores", "misplayed"})
        lacks_rows = _LACKS_ROWS.format(unchanging=unchanging)
        return version == copied and bool(connection.execute(lacks_rows).fetchone()[0])


def _check_json(texts: Mapping[str, str | None]) -> None:
    """Raise ValueError if one of the texts is no JSON."""
    for text in texts.values():
        if text is not None:
            json.loads(text)


@contextmanager
def _attached(connection: Connection, copy: bytes | None) -> Iterator[None]:
    """Attach the copy as database "copy" next to the journal's "main"; an empty one if there is none."""
    connection.execute("ATTACH ':memory:' AS copy")
    try:
        if copy is not None:
            connection.deserialize(copy, name="copy")
        yield
    finally:
        connection.execute("DETACH copy")


def schema_version(connection: Connection, database: str = "main") -> int:
    """Return the version that a database says it has."""
    (version,) = connection.execute(f"PRAGMA {database}.user_version").fetchone()
    return int(version)


def table_count(connection: Connection) -> int:
    """Return how many tables and indexes there are."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return int(tables)

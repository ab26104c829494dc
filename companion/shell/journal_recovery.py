"""Recovery of a damaged journal from its verified copy and from what can still be read of newer games.

The damaged file, with the write-ahead log that an earlier version may have left, is kept under a name with the time in
it.
"""

from __future__ import annotations

import glob
import gzip
import io
import json
import os
import shutil
import sqlite3
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from companion.locale import _, ngettext
from companion.shell import journal_schema
from companion.shell.journal_schema import (
    SCHEMA_VERSION,
    Connection,
    entry_from_json,
    is_version,
    open_to_read,
    schema_version,
)
from vision.file_access import read_regular, sync_folder, write_atomically

_ODD = "\ufffd"
_NO_TIME = "1970-01-01T00:00:00+00:00"
"""Replaces an unreadable time."""

_BEYOND = 50
"""How many game numbers are tried beyond the last known one if the list of games is unreadable."""

Row: TypeAlias = tuple[Any, ...]
ValueT = TypeVar("ValueT")


def recover(path: Path, copy: bytes | None, now: datetime) -> list[str]:
    """Recover a damaged journal from its copy and from what can still be read; return the notices for users.

    Raises:
        OSError, sqlite3.Error: it cannot be written; the damaged journal stays where it is.
    """
    aside = _keep_aside(path, now)
    built = path.with_name(f"{path.name}.recovered")
    # 1. The new journal begins as the copy, or with empty tables, in the damaged journal's version.
    built.unlink(missing_ok=True)
    built.touch(mode=0o600)
    built.write_bytes(copy or b"")
    with closing(sqlite3.connect(built, isolation_level=None)) as new, closing(open_to_read(aside)) as damaged:
        if copy is None:
            journal_schema.lay_out(new)
        version = _attempt(lambda: schema_version(damaged)) or 0
        if _attempt(lambda: is_version(damaged, version)):
            journal_schema.migrate(new, schema_version(new), version)
        # 2. What can still be read of newer games is added.
        cut = _rescue(damaged, new)
        known = {number for (number,) in new.execute("SELECT id FROM games")}
        listed = _attempt(lambda: {number for (number,) in damaged.execute("SELECT id FROM games")}) or set()
    # 3. Once it is on the disk it replaces the damaged one.
    with built.open("rb") as file:
        os.fsync(file.fileno())
    for log in ("-wal", "-shm", "-journal"):  # the damaged journal's logs would be applied to the new one
        path.with_name(path.name + log).unlink(missing_ok=True)
    built.replace(path)
    sync_folder(path.parent)
    recovered = ngettext(
        "The journal was damaged. {count} game was recovered; the damaged file is kept as {path}.",
        "The journal was damaged. {count} games were recovered; the damaged file is kept as {path}.",
        len(known),
    )
    cut_short = _("Of game {number} the last moves could not be recovered.")
    lost = _("Game {number} could not be recovered.")
    return [
        recovered.format(count=len(known), path=aside),
        *(cut_short.format(number=number) for number in sorted(cut & known)),
        *(lost.format(number=number) for number in sorted(listed - known)),
    ]


def _keep_aside(path: Path, now: datetime) -> Path:
    """Copy the damaged file and its write-ahead log, if it has one; return the copy's path."""
    stem, number = f"{path.stem}.damaged-{now:%Y%m%d-%H%M%S}", 1
    aside = path.with_name(stem + path.suffix)
    while aside.exists():
        number += 1
        aside = path.with_name(f"{stem}-{number}{path.suffix}")
    aside.touch(mode=0o600)
    with suppress(FileNotFoundError):
        shutil.copyfile(path, aside)
    if (log := path.with_name(f"{path.name}-wal")).exists():
        aside_log = aside.with_name(f"{aside.name}-wal")
        aside_log.touch(mode=0o600)
        shutil.copyfile(log, aside_log)
    return aside


def _rescue(damaged: Connection, new: Connection) -> set[int]:
    """Insert every readable game and entry that is missing; return the games that were cut short.

    Invalid UTF-8 is read as U+FFFD: each column decides whether it matters.
    """
    damaged.text_factory = lambda content: content.decode("utf-8", "replace")
    known = [number for (number,) in new.execute("SELECT id FROM games")]
    listed = _attempt(lambda: [number for (number,) in damaged.execute("SELECT id FROM games")])
    numbers = range(1, max(known, default=0) + _BEYOND + 1) if listed is None else sorted({*known, *listed})
    cut = set()
    for number in numbers:
        game = _game(damaged, number) or _game(new, number)
        if game is not None and not _enter(damaged, new, game):
            cut.add(number)
    return cut


def _game(connection: Connection, number: int) -> Row | None:
    """Return a game's row with unreadable columns replaced; None if its name or opening is unreadable."""
    game = _readable(connection, "SELECT * FROM games WHERE id = ?", number)
    if game is None or not _is_json(game[2]) or _ODD in game[1] + game[2]:
        return None
    (number, name, opening, started), ending, headers, rest = game[:4], game[4:6], game[6:7], game[7:]
    begun = _NO_TIME if _ODD in started else started
    return (number, name, opening, begun, *ending, *(t if t is None or _is_json(t) else None for t in headers), *rest)


def _enter(damaged: Connection, new: Connection, game: Row) -> bool:
    """Insert a game, or its missing entries; return whether it is complete."""
    number, _name, _opening, _started, finished, scores, *headers = game
    with new:
        new.execute("BEGIN IMMEDIATE")
        _insert(new, "INSERT OR IGNORE INTO games", (*game[:4], None, None, *headers))
        (known,) = new.execute("SELECT count(*) FROM actions WHERE game = ?", (number,)).fetchone()
        entries = list(_entries(damaged, number, known))
        for entry in entries:
            _insert(new, "INSERT INTO actions", entry)
        last_of = "SELECT coalesce(max(number), 0) FROM actions WHERE game = ?"
        last = _attempt(lambda: damaged.execute(last_of, (number,)).fetchone()[0])
        complete = bool(last == known + len(entries))
        if complete and finished is not None and _is_json(scores):
            update = "UPDATE games SET finished = ?, scores = ? WHERE id = ? AND finished IS NULL"
            new.execute(update, (finished, scores, number))
        (ended,) = new.execute("SELECT finished IS NOT NULL FROM games WHERE id = ?", (number,)).fetchone()
    return complete or bool(ended)


def _insert(new: Connection, into: str, row: Row) -> None:
    new.execute(f"{into} VALUES ({', '.join('?' * len(row))})", row)


def _entries(damaged: Connection, game: int, known: int) -> Iterator[Row]:
    """Yield the entries after the known ones, up to the first unreadable one."""
    while True:
        known += 1
        row = _readable(damaged, "SELECT * FROM actions WHERE game = ? AND number = ?", game, known)
        data = None if row is None else _attempt(partial(json.loads, row[2]))
        if row is None or data is None or _attempt(partial(entry_from_json, data)) is None:
            return
        if _ODD in json.dumps({**data, "names": None}, ensure_ascii=False):  # in names damaged letters are accepted
            return
        *known_by, entry, position, accepted = row
        yield (*known_by, entry, "" if _ODD in position else position, "" if _ODD in accepted else accepted)


def _readable(damaged: Connection, query: str, *numbers: int) -> Row | None:
    return _attempt(lambda: damaged.execute(query, numbers).fetchone())


def _is_json(text: object) -> bool:
    return _attempt(lambda: json.loads(str(text))) is not None


def _attempt(read: Callable[[], ValueT]) -> ValueT | None:
    """Return the result of a read; None if it fails because of damage."""
    try:
        return read()
    except (sqlite3.Error, ValueError, TypeError):
        return None


# ---- the journal's verified copy, and the detection of damage
#
# A compressed copy of the whole journal (gzip adds a checksum) is kept next to it: made at the start and at the end of
# each game, with SQLite's backup API, and kept only if SQLite finds it intact. Entries are only ever added, so every
# row of the copy must be in the journal. A journal in which one is missing or different, or that SQLite cannot read, is
# damaged, and is recovered.


_MOST_COPY_BYTES = 64_000_000
"""Of a copy when it is inflated: it is held in memory up to three times, and a program may use 250 MB."""

_OTHERS = 0o077
"""The bits of a file's mode that give access to group and others: a journal contains names."""

_LEVEL = 1
"""Of compression: journals shrink to a tenth at any level, and users wait."""

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
"""Errors of the machine or of another program, not of the file's content."""

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
    """Create an empty journal if there is none, and restrict it and the files next to it to the owner.

    Files of another owner stay as they are. SQLite gives its own files next to the journal the same mode.
    """
    with suppress(OSError):  # SQLite explains why a journal cannot be created
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    name, stem = glob.escape(path.name), glob.escape(path.stem)
    beside = (f"{name}-*", f"{name}.lock", f"{name}.copy.gz", f"{name}.version-*.gz", f"{stem}.damaged-*")
    for file in (path, *chain.from_iterable(map(path.parent.glob, beside))):
        with suppress(OSError):
            if stat.S_IMODE(file.stat().st_mode) & _OTHERS:
                file.chmod(stat.S_IMODE(file.stat().st_mode) & ~_OTHERS)


def keep_copy(connection: Connection, place: Path, kept: bytes | None = None) -> bool:
    """Write a copy of a journal, and return whether it is intact; a damaged copy does not replace an intact one.

    `kept` is the digest of the existing copy's content; if it is the same, nothing is written.

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
    if kept is None or digest_of(content) != kept:
        write_atomically(place, gzip.compress(content, _LEVEL), private=True)
    return True


def copy_as_it_is(path: Path, place: Path) -> None:
    """Copy a journal that may be open, for its owner only; do nothing if there is none.

    Raises:
        OSError: the copy cannot be written.
        sqlite3.Error: the journal cannot be read.
    """
    if not path.is_file():
        return
    with closing(open_to_read(path)) as journal, closing(sqlite3.connect(place)) as copy:
        journal.backup(copy)
    make_private(place)


def digest_of(content: bytes) -> bytes:
    """Return the digest of a copy's content."""
    return sha256(content).digest()


def read_copy(place: Path) -> bytes | None:
    """Return the database in a journal's copy; None if there is no intact copy."""
    try:
        with gzip.open(io.BytesIO(read_regular(place, _MOST_COPY_BYTES))) as file:
            content = file.read(_MOST_COPY_BYTES + 1)
        if not 0 < len(content) <= _MOST_COPY_BYTES:
            return None
        with closing(sqlite3.connect(":memory:")) as copy:
            copy.deserialize(content)
            return content if _is_whole(copy) and journal_schema.table_count(copy) else None
    except (OSError, EOFError, zlib.error, sqlite3.Error):  # gzip's own error is an OSError
        return None


def is_damaged(connection: Connection, copy: bytes | None) -> bool:
    """Return whether a journal is damaged: not intact, with invalid entries, or without rows of its copy.

    Raises:
        sqlite3.Error: the machine or another program prevents reading.
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
    connection.execute("ATTACH ':memory:' AS copy")  # next to the journal's "main"; empty if there is no copy
    try:
        if copy is not None:
            connection.deserialize(copy, name="copy")
        version, copied = schema_version(connection, "main"), schema_version(connection, "copy")
        if version == 0 or version > SCHEMA_VERSION:
            return 0 < copied <= SCHEMA_VERSION  # otherwise it is empty, another program's, or a newer one's
        if not is_version(connection, version):
            return True
        for _game, _number, entry, *_rest in connection.execute("SELECT * FROM main.actions"):
            entry_from_json(json.loads(entry))
        games = connection.execute("SELECT * FROM main.games")
        columns = [name for name, *_none in games.description]
        for row in games:
            for name, text in zip(columns, row, strict=True):
                if name in _JSON and text is not None:
                    json.loads(text)
        unchanging = ", ".join(column for column in columns if column not in {"finished", "scores", "misplayed"})
        lacks_rows = _LACKS_ROWS.format(unchanging=unchanging)
        return version == copied and bool(connection.execute(lacks_rows).fetchone()[0])
    finally:
        connection.execute("DETACH copy")

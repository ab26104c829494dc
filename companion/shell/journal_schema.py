"""The journal's tables and entries, with migrations up, and down for an older program.

Every version has one `Migration` from the version before. A new version adds one here and raises `SCHEMA_VERSION`; the
tests go up and down through all of them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from companion.core import entries
from companion.core.entries import Entry
from companion.core.verdicts import ActionSource, Mode, PendingPlacement
from companion.games.engines import ENGINES
from companion.locale import _
from companion.shell.errors import JournalError
from engines.kernel import Cell, Json, JsonObject, Level, Seat

SCHEMA_VERSION = 4

_TABLES = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        opening TEXT NOT NULL,
        started TEXT NOT NULL,
        finished TEXT,
        scores TEXT,
        headers TEXT,
        misplayed INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    """
    CREATE TABLE actions (
        game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        entry TEXT NOT NULL,
        position TEXT NOT NULL,
        accepted TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID
    """,
)

_ENTRIES_OF_GAME = """
SELECT actions.game, number, entry FROM actions JOIN games ON games.id = actions.game WHERE games.game = ?
"""

_FORGET_FINGERPRINTS = "UPDATE actions SET position = '' WHERE game IN (SELECT id FROM games WHERE game = ?)"

PATIENCE_S = 5.0
"""How long to wait for another program's short lock, such as that of one that lists games."""

Connection: TypeAlias = sqlite3.Connection


@dataclass(frozen=True, slots=True)
class Migration:
    """The changes from a version to the next one, and back."""

    up: Callable[[Connection], object]
    down: Callable[[Connection], object]


def open_to_read(path: Path) -> Connection:
    """Open a journal to read from it; another program may write at the same time."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S, isolation_level=None)


def schema_version(connection: Connection, database: str = "main") -> int:
    """Return the version number stored in a database."""
    (version,) = connection.execute(f"PRAGMA {database}.user_version").fetchone()
    return int(version)


def table_count(connection: Connection) -> int:
    """Return the number of tables and indexes."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return int(tables)


def is_version(connection: Connection, version: int) -> bool:
    """Return whether the tables are those of a version: one flipped bit can change the number in the file."""
    since = {"headers": 2, "misplayed": 4}
    games = {name for _number, name, *_rest in connection.execute("PRAGMA table_info(games)")}
    return 0 < version <= SCHEMA_VERSION and all((name in games) == (version >= first) for name, first in since.items())


def version_of(connection: Connection, path: Path) -> int:
    """Return the version of a journal, 0 for an empty file.

    Raises:
        JournalError: a newer program wrote it, it is damaged, or it is not a journal.
    """
    version, tables = schema_version(connection), table_count(connection)
    if version < 0:
        raise JournalError(f"{path}: {journal_is_damaged(path)}")
    if version > SCHEMA_VERSION:
        raise JournalError(_("{path}: a newer companion wrote this journal").format(path=path))
    if version == 0 and tables:
        raise JournalError(_("{path}: this is some other program's database").format(path=path))
    return version


def lay_out(connection: Connection) -> None:
    """Create the tables of an empty file."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for table in _TABLES:
            connection.execute(table)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def migrate(connection: Connection, version: int, wanted: int) -> None:
    """Migrate the tables from one version to another, up or down, all or nothing."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for reached in range(version + 1, wanted + 1):
            MIGRATIONS[reached].up(connection)
        for reached in range(version, wanted, -1):
            MIGRATIONS[reached].down(connection)
        connection.execute(f"PRAGMA user_version = {int(wanted)}")


def _rewrite_actions(connection: Connection, *, down: bool) -> None:
    """Rewrite the actions in today's format (`companion.games.engines.FORMAT`), or down in the previous one."""
    for game, engine in ENGINES.items():
        rewrite = engine.downgrade if down else engine.upgrade
        rows = connection.execute(_ENTRIES_OF_GAME, (game,)).fetchall() if rewrite else ()
        for *key, text in rows:
            entry = json.loads(text)
            if rewrite and "played" in entry:
                written = json.dumps({**entry, "played": rewrite(entry["played"])})
                connection.execute("UPDATE actions SET entry = ? WHERE game = ? AND number = ?", (written, *key))
        if engine.positions_changed and not down:
            connection.execute(_FORGET_FINGERPRINTS, (game,))


MIGRATIONS: Mapping[int, Migration] = {
    2: Migration(
        up=methodcaller("execute", "ALTER TABLE games ADD COLUMN headers TEXT"),
        down=methodcaller("execute", "ALTER TABLE games DROP COLUMN headers"),
    ),
    3: Migration(up=partial(_rewrite_actions, down=False), down=partial(_rewrite_actions, down=True)),
    4: Migration(
        up=methodcaller("execute", "ALTER TABLE games ADD COLUMN misplayed INTEGER NOT NULL DEFAULT 0"),
        down=methodcaller("execute", "ALTER TABLE games DROP COLUMN misplayed"),
    ),
}
"""By the version that each leads to."""


def database_reason(error: sqlite3.Error, path: Path) -> str:
    """Return a journal's problem as a sentence; SQLite's own words if there is no translation."""
    sentences = {
        sqlite3.SQLITE_FULL: _("the disk is full; free some space"),
        sqlite3.SQLITE_IOERR: _("the disk takes nothing: the quota may be used up, or the disk be read-only or broken"),
        sqlite3.SQLITE_BUSY: _("another companion is playing with this journal; end it first"),
        sqlite3.SQLITE_NOTADB: _("this is not a journal; move it away and a new one is begun"),
        sqlite3.SQLITE_CORRUPT: journal_is_damaged(path),
        sqlite3.SQLITE_READONLY: _("the journal may not be written to"),
        sqlite3.SQLITE_CANTOPEN: _("the journal cannot be opened"),
    }
    # the low byte is the kind, the rest its detail; an error without a code is text that is not UTF-8
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return sentences.get(code, str(error))


def copy_place(path: Path) -> Path:
    """Return the path of a journal's copy."""
    return path.with_name(f"{path.name}.copy.gz")


def journal_is_damaged(path: Path) -> str:
    """Return the sentence about an unreadable journal; it promises a copy only if there is one."""
    if copy_place(path).exists():
        return _("the journal is damaged; the next game mends it from its copy")
    return _("the journal is damaged and has no copy; the next game saves what can be read of it")


# ---- journal entries as JSON, and back


_OPEN = ("open", "open", tuple[tuple[Cell, str, str], ...])
_REMAINING = ("remaining", "remaining_s", float | None, None)

_KEYS: Mapping[type[Entry], Sequence[tuple[Any, ...]]] = {
    entries.Played: (
        ("played", "action", dict[str, Any]),
        _OPEN,
        ("by", "source", ActionSource, ActionSource.CAMERA),
        _REMAINING,
    ),
    entries.Redone: (("redone", "", bool), _OPEN, _REMAINING),
    entries.Put: (("put", "cells", tuple[Cell, ...]),),
    entries.ModeSet: (("mode", "mode", Mode),),
    entries.Undone: (("undone", "", bool),),
    entries.ClockStopped: (("clock", "remaining_s", float),),
    entries.Adopted: (("adopted", "position", dict[str, Any]),),
    entries.Ended: (("ended", "", bool),),
    entries.Arranged: (
        ("names", "names", dict[Seat, str]),
        ("companion", "companion_seats", tuple[Seat, ...]),
        ("dice", "dice", str),
        ("options", "options", dict[str, Any], {}),
        ("language", "language", str, ""),
        ("camera", "camera", str, ""),
        ("panel", "panel", str, ""),
        ("levels", "levels", dict[Seat, Level], {}),
    ),
    entries.Calibrated: (
        ("calibrated", "tones", dict[Cell, dict[str, tuple[float, float, float]]]),
        ("anew", "replaces", bool, False),
    ),
}
"""The keys of each kind of entry: its field, the type of its JSON, and a value with which it is left out, if any.

An entry is of the kind whose first key it has; a key without a field is true, and only names the kind.
"""


def entry_to_json(entry: Entry) -> JsonObject:
    """Write an entry: {"played": action, "open": [[cell, expected, observed], ...]}, {"put": [cell, ...]}, and so on.

    An action seen by the camera has no "by"; one after which no clock runs has no "remaining".
    """
    written: dict[str, Any] = {}
    for key, name, _stored_as, *left_out in _KEYS[type(entry)]:
        value: Any = getattr(entry, name) if name else True
        if key == "open":
            value = [[todo.cell, todo.expected, todo.observed] for todo in value]
        elif key == "calibrated":
            cells = dict.fromkeys(cell for cell, _label in value)
            value = {cell: {label: tone for (of, label), tone in value.items() if of == cell} for cell in cells}
        elif key == "remaining" and value is not None:
            value = round(value, 3)
        if value not in left_out:
            written[key] = dict(value) if isinstance(value, Mapping) else value
    return written


def entry_from_json(data: Json) -> Entry:
    """Parse an entry.

    Raises:
        ValueError: it is not valid.
    """
    message = f"no journal entry: {data}"
    kind = next((one for one, keys in _KEYS.items() if isinstance(data, dict) and keys[0][0] in data), None)
    if kind is None or not isinstance(data, dict):
        raise ValueError(message)
    given: dict[str, Any] = {}
    for key, name, stored_as, *left_out in _KEYS[kind]:
        try:
            value = msgspec.convert(data.get(key, *left_out), stored_as)
        except msgspec.ValidationError as error:
            raise ValueError(message) from error
        if not name and not value:
            raise ValueError(message)
        if key == "open":
            value = tuple(PendingPlacement(*todo) for todo in value)
        elif key == "calibrated":
            value = {(cell, label): tone for cell, labels in value.items() for label, tone in labels.items()}
        given |= {name: value} if name else {}
    return kind(**given)

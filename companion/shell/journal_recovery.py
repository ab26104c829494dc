"""A damaged journal put together again: the games of its verified copy, and what can still be read of newer ones.

What was played since the copy is in the write-ahead log. SQLite reads that up to the first broken frame; what is after
it is read from the pages themselves (`journal_wal`).

The damaged file, with its write-ahead log, is kept aside under a name with the time in it.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from companion.locale import _, ngettext
from companion.shell.entries import entry_from_json
from companion.shell.journal_copy import WAL_VERSIONS, schema_version
from companion.shell.journal_schema import Connection, is_version, lay_out, migrate
from companion.shell.journal_wal import hides_entries, log_of, with_log
from vision.file_access import sync_folder

_ODD = "\ufffd"
_NO_TIME = "1970-01-01T00:00:00+00:00"
"""Stands for a time that cannot be read."""

_BEYOND = 50
"""How many numbers of games are tried beyond the last that is known, where the list of games cannot be read."""

Row: TypeAlias = tuple[Any, ...]
ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was done for a damaged journal.

    Attributes:
        aside: where the damaged file is kept.
        games: how many games the new one has.
        cut: the numbers of games of which the last entries could not be read.
        lost: the numbers of games of which nothing could be read.
    """

    aside: Path
    games: int
    cut: tuple[int, ...]
    lost: tuple[int, ...] = ()

    def sentences(self) -> list[str]:
        """Return what users are informed of."""
        text = ngettext(
            "The journal was damaged. {count} game was recovered; the damaged file is kept as {path}.",
            "The journal was damaged. {count} games were recovered; the damaged file is kept as {path}.",
            self.games,
        )
        cut = _("Of game {number} the last moves could not be recovered.")
        lost = _("Game {number} could not be recovered.")
        return [
            text.format(count=self.games, path=self.aside),
            *(cut.format(number=number) for number in self.cut),
            *(lost.format(number=number) for number in self.lost),
        ]


def recover(path: Path, copy: bytes | None, now: datetime) -> Recovery:
    """Put a damaged journal together again from its copy and from what can still be read of it.

    Raises:
        OSError, sqlite3.Error: it cannot be written; the damaged journal stays where it is.
    """
    aside = _keep_aside(path, now)
    built = path.with_name(f"{path.name}.recovered")
    _begin(built, copy, aside)
    with closing(sqlite3.connect(built, isolation_level=None)) as new, closing(_opened(aside)) as damaged:
        cut = _rescue(damaged, new) | _rescue_pages(aside, new)
        known = {number for (number,) in new.execute("SELECT id FROM games")}
        listed = _attempt(lambda: {number for (number,) in damaged.execute("SELECT id FROM games")}) or set()
    with built.open("rb") as file:
        os.fsync(file.fileno())
    for log in ("-wal", "-shm"):  # the damaged journal's; it would be applied to the new one
        path.with_name(path.name + log).unlink(missing_ok=True)
    built.replace(path)
    sync_folder(path.parent)
    return Recovery(aside, len(known), tuple(sorted(cut & known)), tuple(sorted(listed - known)))


def _keep_aside(path: Path, now: datetime) -> Path:
    """Copy the damaged file and its write-ahead log, and return the copy's path; an empty file if there is no log."""
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


def _opened(aside: Path) -> Connection:
    return sqlite3.connect(f"{aside.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)


def _begin(built: Path, copy: bytes | None, aside: Path) -> None:
    """Begin the new journal with the copy, or with empty tables, in the version that the damaged one has."""
    built.unlink(missing_ok=True)
    built.touch(mode=0o600)
    built.write_bytes(copy or b"")
    with closing(_opened(aside)) as damaged, closing(sqlite3.connect(built, isolation_level=None)) as new:
        if copy is None:
            lay_out(new)
        version = _attempt(lambda: schema_version(damaged)) or 0
        if _attempt(lambda: is_version(damaged, version)):
            migrate(new, schema_version(new), version)


def _rescue_pages(aside: Path, new: Connection) -> set[int]:
    """Enter what only the pages of the log have after a frame that is broken; return the games that were cut short."""
    log = log_of(aside)
    if not hides_entries(log):
        return set()
    pages = bytearray(with_log(aside.read_bytes(), log))
    pages[WAL_VERSIONS] = b"\1\1"
    with closing(sqlite3.connect(":memory:")) as damaged:
        damaged.deserialize(bytes(pages))
        return _rescue(damaged, new)


def _rescue(damaged: Connection, new: Connection) -> set[int]:
    """Enter every game and entry that can be read and is not there yet; return the games that were cut short.

    A byte that is no UTF-8 is read as U+FFFD: what it stands in decides what it costs.
    """
    damaged.text_factory = lambda content: content.decode("utf-8", "replace")
    cut = set()
    for number in _numbers(damaged, new):
        game = _game(damaged, number) or _game(new, number)
        if game is not None and not _enter(damaged, new, game):
            cut.add(number)
    return cut


def _game(connection: Connection, number: int) -> Row | None:
    """Return a game's row; one that its page no longer has is known from the copy."""
    game = _readable(connection, "SELECT * FROM games WHERE id = ?", number)
    if game is None or not _is_json(game[2]) or _ODD in game[1] + game[2]:
        return None
    (number, name, opening, started), ending, headers, rest = game[:4], game[4:6], game[6:7], game[7:]
    begun = _NO_TIME if _ODD in started else started
    return (number, name, opening, begun, *ending, *(t if t is None or _is_json(t) else None for t in headers), *rest)


def _numbers(damaged: Connection, new: Connection) -> Sequence[int]:
    """Return the numbers of the games to look for."""
    known = [number for (number,) in new.execute("SELECT id FROM games")]
    listed = _attempt(lambda: [number for (number,) in damaged.execute("SELECT id FROM games")])
    if listed is not None:
        return sorted({*known, *listed})
    return range(1, max(known, default=0) + _BEYOND + 1)


def _enter(damaged: Connection, new: Connection, game: Row) -> bool:
    """Enter a game, or what the new journal lacks of it; return whether all its entries are there."""
    number, _name, _opening, _started, finished, scores, *headers = game
    with new:
        new.execute("BEGIN IMMEDIATE")
        _insert(new, "INSERT OR IGNORE INTO games", (*game[:4], None, None, *headers))
        (known,) = new.execute("SELECT count(*) FROM actions WHERE game = ?", (number,)).fetchone()
        entries = list(_entries(damaged, number, known))
        for entry in entries:
            _insert(new, "INSERT INTO actions", entry)
        complete = bool(_attempt(lambda: _last_entry(damaged, number)) == known + len(entries))
        if complete and finished is not None and _is_json(scores):
            update = "UPDATE games SET finished = ?, scores = ? WHERE id = ? AND finished IS NULL"
            new.execute(update, (finished, scores, number))
        (ended,) = new.execute("SELECT finished IS NOT NULL FROM games WHERE id = ?", (number,)).fetchone()
    return complete or bool(ended)


def _insert(new: Connection, into: str, row: Row) -> None:
    new.execute(f"{into} VALUES ({', '.join('?' * len(row))})", row)


def _last_entry(damaged: Connection, number: int) -> int:
    (last,) = damaged.execute("SELECT coalesce(max(number), 0) FROM actions WHERE game = ?", (number,)).fetchone()
    return int(last)


def _entries(damaged: Connection, game: int, known: int) -> Iterator[Row]:
    """Return the entries after the known ones, up to the first that cannot be read."""
    while True:
        known += 1
        row = _readable(damaged, "SELECT * FROM actions WHERE game = ? AND number = ?", game, known)
        if row is None or not _is_entry(row[2]):
            return
        *known_by, entry, position, accepted = row
        yield (*known_by, entry, "" if _ODD in position else position, "" if _ODD in accepted else accepted)


def _readable(damaged: Connection, query: str, *numbers: int) -> Row | None:
    return _attempt(lambda: damaged.execute(query, numbers).fetchone())


def _is_entry(text: str) -> bool:
    """Return whether an entry can be read; a letter of a name may be another."""
    data = _attempt(lambda: json.loads(text))
    if data is None or _attempt(lambda: entry_from_json(data)) is None:
        return False
    return _ODD not in json.dumps({**data, "names": None}, ensure_ascii=False)


def _is_json(text: object) -> bool:
    return _attempt(lambda: json.loads(str(text))) is not None


def _attempt(read: Callable[[], ValueT]) -> ValueT | None:
    """Return what can be read; None if the damage is in the way."""
    try:
        return read()
    except (sqlite3.Error, ValueError, TypeError):
        return None

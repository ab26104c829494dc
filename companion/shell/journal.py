"""The journal: every accepted action in one SQLite file, on the disk before a lamp shows it.

Entries are only ever added; taking a move back is an entry of its own. Only one `Journal` at a time writes to the file,
so that two tables cannot mix their games; any number of `JournalReader`s may read meanwhile.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import platformdirs

from companion.core.entries import Entry, folded
from companion.games import GAMES
from companion.locale import _
from companion.shell import journal_recovery, journal_schema
from companion.shell.clock import Clock
from companion.shell.config_places import forgetting_words, user_folder
from companion.shell.errors import JournalError, SetUpError, UnpreparedJournalError, os_reason
from companion.shell.journal_schema import SCHEMA_VERSION, copy_place, database_reason, migrate, version_of
from engines.kernel import Json, JsonObject, Seat
from vision.file_access import check_regular

_LARGEST_NUMBER = 2**63 - 1
"""The largest integer that SQLite takes."""

_MENDED: dict[Path, tuple[str, ...]] = {}
"""What was repaired when a journal was first opened, until the users are told."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as stored in the journal.

    Attributes:
        number: the game's number in this journal.
        game: its name in commands.
        opening: the first position, as JSON.
        started: when, ISO 8601.
        entries: everything that was accepted, in order.
        position: the fingerprint of the position after the last entry, "" if there is none.
        scores: each player's points at the end, None if the game is unfinished.
        headers: those of the record that it was imported from, None for a game played at this table.
        misplayed: users marked it as played wrongly; it is kept, and left out of the statistics.
    """

    number: int
    game: str
    opening: JsonObject
    started: str
    entries: tuple[Entry, ...]
    position: str
    scores: Mapping[Seat, int] | None = None
    headers: Mapping[str, str] | None = None
    misplayed: bool = False


def default_path(environment: Mapping[str, str], data: Path | None = None) -> Path:
    """Return the journal's path: in the folder that is set, else in $STATE_DIRECTORY (systemd), else the user's.

    Raises:
        SetUpError: no folder is set, and the user has no home folder.
    """
    given = environment.get("STATE_DIRECTORY", "").split(":")[0]
    usual = Path(given) if given else user_folder(lambda: platformdirs.user_state_path("table-companion"))
    folder = data or usual
    if folder is None:
        raise SetUpError(_("there is no home folder to keep games in; set COMPANION_DATA to a folder"))
    return folder / "journal.sqlite3"


def fingerprint(position: JsonObject) -> str:
    """Return the fingerprint of a position: 16 hexadecimal digits of the SHA-256 of its JSON with sorted keys."""
    text = json.dumps(position, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class JournalReader:
    """A journal file opened for reading; another program may play and write at the same time.

    Raises:
        JournalError: from every method: the file is damaged, is not a journal, or was written by a newer program.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._explain_errors(), ExitStack() as opening:
            check_regular(path)
            self._connection = journal_schema.open_to_read(path)
            opening.callback(self._connection.close)
            try:
                version = version_of(self._connection, path)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
                    raise
                raise UnpreparedJournalError(f"{path}: {database_reason(error, path)}") from error
            if version != SCHEMA_VERSION:
                raise UnpreparedJournalError(_("{path}: an older companion wrote this journal").format(path=path))
            opening.pop_all()

    def close(self) -> None:
        """Close the file."""
        with self._explain_errors():
            self._connection.close()

    def unfinished(self, game: str | None = None) -> RecordedGame | None:
        """Return the latest game, of that name if one is given, if it is unfinished; None otherwise.

        Imported games that are finished are skipped; games without an entry come after those that have one.
        """
        rows = self._execute(
            "SELECT id, finished FROM games"
            " WHERE (?1 IS NULL OR game = ?1) AND (finished IS NULL OR headers IS NULL)"
            " ORDER BY headers IS NOT NULL OR EXISTS (SELECT 1 FROM actions WHERE actions.game = games.id) DESC,"
            " id DESC LIMIT 1",
            game,
        )
        return next((self.read(number) for number, finished in rows if finished is None), None)

    def latest(self, game: str | None = None) -> RecordedGame | None:
        """Return the last game begun at this table, of that name if given; skip imported and misplayed games."""
        asked = "SELECT max(id) FROM games WHERE (?1 IS NULL OR game = ?1) AND headers IS NULL AND NOT misplayed"
        ((number,),) = self._execute(asked, game)
        return None if number is None else self.read(number)

    def games(self) -> Iterator[RecordedGame]:
        """Return all games, oldest first."""
        return (self.read(number) for (number,) in self._execute("SELECT id FROM games ORDER BY id"))

    def read(self, number: int) -> RecordedGame:
        """Return game `number` with all its entries."""
        with self._explain_errors():
            columns = "game, opening, started, scores, headers, misplayed"
            known = min(number, _LARGEST_NUMBER)
            row = next(iter(self._execute(f"SELECT {columns} FROM games WHERE id = ?", known)), None)  # noqa: S608
            if row is None:
                raise JournalError(_("{path}: the journal has no game {number}").format(path=self._path, number=number))
            # The times are read so that damage to them is noticed, too.
            actions = self._execute(
                "SELECT entry, position, accepted FROM actions WHERE game = ? ORDER BY number", number
            )
            return RecordedGame(
                number=number,
                game=row[0],
                opening=json.loads(row[1]),
                started=row[2],
                entries=tuple(journal_schema.entry_from_json(json.loads(entry)) for entry, *_rest in actions),
                position=actions[-1][1] if actions else "",
                scores=None if row[3] is None else json.loads(row[3]),
                headers=None if row[4] is None else json.loads(row[4]),
                misplayed=bool(row[5]),
            )

    def _execute(self, statement: str, *values: object) -> list[Any]:
        """Execute a statement and return its rows."""
        with self._explain_errors():
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        """Raise every error of the file and the database as a `JournalError` of one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(f"{self._path}: {database_reason(error, self._path)}") from error
        except ValueError as error:
            raise JournalError(f"{self._path}: {journal_schema.journal_is_damaged(self._path)}") from error
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"{self._path}: {os_reason(error)}") from error


class Journal(JournalReader):
    """A journal file held open for writing. A method that writes returns only when the data is on the disk.

    A damaged journal is restored from its verified copy; one of an older version is migrated.

    Raises:
        JournalError: from every method: the disk is full, or the file is unreadable, locked by another table, or no
            journal.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        with self._explain_errors(), ExitStack() as opening:
            check_regular(path)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # the operating system unlocks it when the program ends
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            lock = os.fdopen(os.open(path.with_name(f"{path.name}.lock"), flags, 0o600), "ab")
            self._lock = opening.enter_context(lock)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                sentence = _("another companion is playing with this journal; end it first")
                raise JournalError(f"{path}: {sentence}") from error
            self._connection = self._open()
            opening.callback(super().close)
            self._prepare()
            opening.pop_all()

    def take_notices(self) -> tuple[str, ...]:
        """Return the notices for users, one sentence each; repairs are reported once."""
        return (*_MENDED.pop(self._path, ()), *filter(None, [forgetting_words(self._path.parent)]))

    def close(self) -> None:
        """Close the file and release its lock."""
        super().close()
        self._lock.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write everything within in one transaction, all or nothing; transactions do not nest."""
        with self._explain_errors(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def start_game(self, game: str, opening: JsonObject, headers: Mapping[str, str] | None = None) -> int:
        """Begin a game, and return its number; `headers` are those of the record that it is imported from."""
        insert = "INSERT INTO games (game, opening, started, headers) VALUES (?, ?, ?, ?) RETURNING id"
        written = None if headers is None else json.dumps(dict(headers))
        ((number,),) = self._execute(insert, game, json.dumps(opening), self._now(), written)
        return int(number)

    def record(self, number: int, entry: Entry, position: JsonObject) -> None:
        """Add an entry to game `number`, with the position after it."""
        insert = "INSERT INTO actions SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM actions WHERE game = ?1"
        written = json.dumps(journal_schema.entry_to_json(entry))
        self._execute(insert, number, written, fingerprint(position), self._now())

    def count_entries(self, number: int) -> int:
        """Return the number of entries of game `number`."""
        ((count,),) = self._execute("SELECT count(*) FROM actions WHERE game = ?", number)
        return int(count)

    def discard(self, number: int, kept: int | None, opening: JsonObject) -> None:
        """Remove the entries of game `number` after the first `kept`, and its end; None removes the game.

        A game with another opening, or an imported one, is another program's that has taken the number: it is left.
        """
        ours = "SELECT id FROM games WHERE id = ? AND opening = ? AND headers IS NULL"
        if kept is None and not self._execute(ours, number, json.dumps(opening)):
            return
        self._execute("DELETE FROM actions WHERE game = ? AND number > ?", number, kept or 0)
        self.reopen_game(number)
        if kept is None:
            self._execute("DELETE FROM games WHERE id = ?", number)

    def finish_game(self, number: int, scores: Mapping[Seat, int]) -> None:
        """Mark game `number` as ended."""
        update = "UPDATE games SET finished = ?, scores = ? WHERE id = ?"
        self._execute(update, self._now(), json.dumps(dict(scores)), number)

    def delete_game(self, number: int) -> None:
        """Delete game `number` with all its entries.

        Raises:
            JournalError: there is no such game.
        """
        self.read(number)
        with self.together():
            self._execute("DELETE FROM actions WHERE game = ?", number)
            self._execute("DELETE FROM games WHERE id = ?", number)
        self.keep_copy()

    def mark_misplayed(self, number: int, *, misplayed: bool) -> None:
        """Mark game `number` as played wrongly, or remove the mark."""
        self.read(number)
        self._execute("UPDATE games SET misplayed = ? WHERE id = ?", int(misplayed), number)
        self.keep_copy()

    def forget_name(self, name: str) -> int:
        """Remove a person's name from all games; return the number of games and entries changed."""
        self._execute("PRAGMA secure_delete = ON")
        with self.together():
            found = forget(self._connection, name)
        self.keep_copy()
        return found

    def reopen_game(self, number: int) -> None:
        """Mark game `number` as unfinished again."""
        self._execute("UPDATE games SET finished = NULL, scores = NULL WHERE id = ?", number)

    def keep_copy(self, kept: bytes | None = None) -> None:
        """Keep a verified copy next to the journal; a failure, such as a full disk, is ignored."""
        with suppress(OSError, sqlite3.Error):
            journal_recovery.keep_copy(self._connection, copy_place(self._path), kept)

    def migrate_down(self, version: int) -> None:
        """Migrate the tables down for an older program, and close the journal.

        Raises:
            JournalError: there is no such version.
        """
        with self._explain_errors():
            if not 1 <= version <= SCHEMA_VERSION:
                sentence = _("expected a version from 1 to {newest}, found {found}")
                raise JournalError(sentence.format(newest=SCHEMA_VERSION, found=version))
            self._keep_before_migration(SCHEMA_VERSION)
            migrate(self._connection, SCHEMA_VERSION, version)
            self.keep_copy()
        self.close()

    def _open(self) -> sqlite3.Connection:
        journal_recovery.make_private(self._path)
        return sqlite3.connect(self._path, timeout=journal_schema.PATIENCE_S, isolation_level=None)

    def _prepare(self) -> None:
        """Check for damage, migrate the tables to today's version, and keep a copy."""
        copy = journal_recovery.read_copy(copy_place(self._path))
        if journal_recovery.is_damaged(self._connection, copy):
            if copy is None:
                try:
                    self._connection.execute("PRAGMA schema_version").fetchone()
                except sqlite3.DatabaseError as error:
                    if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:  # another program's file, which is left alone
                        raise
            self._connection.close()
            _MENDED[self._path] = tuple(journal_recovery.recover(self._path, copy, self._clock.utc()))
            self._connection = self._open()
        kept = None if copy is None else journal_recovery.digest_of(copy)
        del copy  # it is as large as the journal
        version = version_of(self._connection, self._path)
        # Accepted entries are in the file itself before they are shown: no write-ahead log whose damage could hide
        # them, and no memory mapping, which on a full Btrfs disk ends the program (SIGBUS).
        self._connection.execute("PRAGMA journal_mode = TRUNCATE")
        self._connection.execute("PRAGMA synchronous = FULL")
        if version == 0:
            journal_schema.lay_out(self._connection)
        elif version < SCHEMA_VERSION:
            self._keep_before_migration(version)
            migrate(self._connection, version, SCHEMA_VERSION)
        self.keep_copy(kept)

    def _keep_before_migration(self, version: int) -> None:
        """Keep a copy of the journal under its version's name; raise OSError if it cannot be written."""
        journal_recovery.keep_copy(self._connection, self._path.with_name(f"{self._path.name}.version-{version}.gz"))

    def _now(self) -> str:
        return self._clock.utc().isoformat(timespec="seconds")


# ---- removing a person's name from the journal: from names, seats and imported headers
# At a table without colours, seats may be named after the players: such a seat is renamed in the opening, in every
# entry and in the points. Case is ignored.


_SEAT = "player-{number}"


def forget(connection: journal_schema.Connection, name: str) -> int:
    """Remove a name from all games within a transaction; return the number of games and entries changed."""
    changed = 0
    games = connection.execute("SELECT id, game, opening, scores, headers FROM games").fetchall()
    for number, game, *texts in games:
        opening, scores, headers = written = [json.loads(text or "null") for text in texts]
        seats = _seats(opening, game, name)
        kept = [_rename(opening, seats), _rename(scores, seats), _without(headers, name, seats)]
        if kept != written:
            columns = [None if column is None else json.dumps(column) for column in kept]
            connection.execute("UPDATE games SET opening = ?, scores = ?, headers = ? WHERE id = ?", (*columns, number))
            changed += 1
        if seats:  # the fingerprints no longer match
            connection.execute("UPDATE actions SET position = '' WHERE game = ?", (number,))
        rows = connection.execute("SELECT number, entry FROM actions WHERE game = ?", (number,)).fetchall()
        for place, text in rows:
            entry = json.loads(text)
            names = {seat: called for seat, called in entry.get("names", {}).items() if folded(called) != folded(name)}
            new = _rename({**entry, "names": names} if "names" in entry else entry, seats)
            if new != entry:
                update = "UPDATE actions SET entry = ? WHERE game = ? AND number = ?"
                connection.execute(update, (json.dumps(new), number, place))
                changed += 1
    return changed


def _seats(opening: JsonObject, game: str, name: str) -> Mapping[str, str]:
    """Return the new name of each seat; empty if none has the person's name."""
    players = opening.get("players")
    seats = [*map(str, players)] if isinstance(players, list | dict) else []
    coloured = game in GAMES and bool(GAMES[game].board().colours)
    if coloured or not any(folded(seat) == folded(name) for seat in seats):
        return {}
    free = (seat for number in count(1) if (seat := _SEAT.format(number=number)) not in seats)
    return {seat: next(free) if folded(seat) == folded(name) else seat for seat in seats}


def _rename(data: Json, seats: Mapping[str, str]) -> Json:
    match data:
        case dict():
            by_seat = data.keys() <= seats.keys()  # any other key is not a seat, whatever its name
            return {seats[key] if by_seat else key: _rename(value, seats) for key, value in data.items()}
        case list():
            return [_rename(value, seats) for value in data]
        case str():
            return seats.get(data, data)
    return data


def _without(headers: JsonObject | None, name: str, seats: Mapping[str, str]) -> Json:
    """Return an imported record's headers without the name: replaced by the seat's new name, or removed."""
    if headers is None:
        return None
    kept = {key: str(value) for key, value in headers.items()}
    for old, new in {**seats, name: ""}.items():
        words = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])", re.IGNORECASE)
        kept = {key: words.sub(new, value) for key, value in kept.items()}
    return dict(kept)

"""The journal: every accepted action in one SQLite file, on the disk before a lamp tells of it.

Entries are only ever added; taking a move back is an entry of its own. One `Journal` at a time holds the file, so two
tables can never mix their games; the operating system lets go of it when the holder dies, however it dies.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import platformdirs

from companion.core.messages import Entry
from companion.games.engines import ENGINES
from companion.locale import _
from companion.shell.clock import Clock
from companion.shell.config_places import user_folder
from companion.shell.entries import entry_from_json, entry_to_json
from companion.shell.errors import JournalError, SetUpError, os_reason
from engines.kernel import JsonObject, Seat

StateT = TypeVar("StateT")

SCHEMA_VERSION = 3

_SCHEMA = f"""
BEGIN;
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    opening TEXT NOT NULL,
    started TEXT NOT NULL,
    finished TEXT,
    scores TEXT,
    headers TEXT
) STRICT;
CREATE TABLE actions (
    game INTEGER NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    entry TEXT NOT NULL,
    position TEXT NOT NULL,
    accepted TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""

_FROM_VERSION_1 = """
BEGIN;
ALTER TABLE games ADD COLUMN headers TEXT;
PRAGMA user_version = 2;
COMMIT;
"""

_ENTRIES_OF_GAME = """
SELECT actions.game, number, entry FROM actions JOIN games ON games.id = actions.game WHERE games.game = ?
"""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as the journal has it.

    Attributes:
        number: the game's number in this journal.
        game: its name in commands.
        opening: what the game began with, as whoever started it wrote it.
        started: when, ISO 8601.
        entries: all that was accepted, in order.
        position: the fingerprint of the position after the last entry, "" when there is none.
        scores: each player's points at the end, None when it was never finished.
        headers: those of the record that it was imported from, None for a game played at this table.
    """

    number: int
    game: str
    opening: JsonObject
    started: str
    entries: tuple[Entry, ...]
    position: str
    scores: Mapping[Seat, int] | None = None
    headers: Mapping[str, str] | None = None


def default_path(environment: Mapping[str, str], data: Path | None = None) -> Path:
    """Return the journal's place: in the folder that is set, systemd's $STATE_DIRECTORY, else the user's for state.

    Raises:
        SetUpError: none is set, and the user has no home folder.
    """
    given = environment.get("STATE_DIRECTORY", "").split(":")[0]
    usual = Path(given) if given else user_folder(lambda: platformdirs.user_state_path("table-companion"))
    folder = data or usual
    if folder is None:
        raise SetUpError(_("there is no home folder to keep games in; set COMPANION_DATA to a folder"))
    return folder / "journal.sqlite3"


def fingerprint(position: JsonObject) -> str:
    """Tell positions apart: 16 hexadecimal digits of the SHA-256 of their JSON with sorted keys."""
    text = json.dumps(position, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Journal:
    """The file, held open. Every method that writes returns only when the disk has it.

    Raises:
        JournalError: from every method: disk full, file damaged, held by another table, no journal at all.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            with self._told():
                self._prepare()
        except JournalError:
            self._connection.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        with self._told():
            self._connection.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let everything that is written within be in the file, or nothing of it; nothing else belongs within."""
        with self._told(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def start_game_with(
        self, game: str, opening: JsonObject, write: Callable[[int], None], headers: Mapping[str, str] | None = None
    ) -> int:
        """Begin a game, call `write` with its number, and return the number; keep nothing if either fails."""
        with self.together():
            number = self.start_game(game, opening, headers)
            write(number)
        return number

    def start_game(self, game: str, opening: JsonObject, headers: Mapping[str, str] | None = None) -> int:
        """Begin a game and give its number; `headers` are those of the record that it is imported from."""
        with self._told():
            cursor = self._connection.execute(
                "INSERT INTO games (game, opening, started, headers) VALUES (?, ?, ?, ?)",
                (game, json.dumps(opening), self._now(), None if headers is None else json.dumps(dict(headers))),
            )
        return cursor.lastrowid or 0

    def record(self, number: int, entry: Entry, position: JsonObject) -> None:
        """Add an entry to game `number`, with the position that it leads to."""
        with self._told():
            self._connection.execute(
                "INSERT INTO actions SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM actions WHERE game = ?1",
                (number, json.dumps(entry_to_json(entry)), fingerprint(position), self._now()),
            )

    def finish_game(self, number: int, scores: Mapping[Seat, int]) -> None:
        """Mark game `number` as ended."""
        with self._told():
            self._connection.execute(
                "UPDATE games SET finished = ?, scores = ? WHERE id = ?",
                (self._now(), json.dumps(dict(scores)), number),
            )

    def unfinished(self, game: str | None = None) -> RecordedGame | None:
        """Return the latest game, of that name if one is given, in case it was never finished.

        Neither a finished game that was imported nor a game without an entry hides an earlier one that can go on.
        """
        with self._told():
            row = self._connection.execute(
                "SELECT id, finished FROM games"
                " WHERE (?1 IS NULL OR game = ?1) AND (finished IS NULL OR headers IS NULL)"
                " ORDER BY headers IS NOT NULL OR EXISTS (SELECT 1 FROM actions WHERE actions.game = games.id) DESC,"
                " id DESC LIMIT 1",
                (game,),
            ).fetchone()
        return None if row is None or row[1] is not None else self.read(row[0])

    def games(self) -> Iterator[RecordedGame]:
        """Give every game, the oldest first."""
        with self._told():
            rows = self._connection.execute("SELECT id FROM games ORDER BY id").fetchall()
        return (self.read(number) for (number,) in rows)

    def read(self, number: int) -> RecordedGame:
        """Give game `number` with all its entries."""
        with self._told():
            row = self._connection.execute(
                "SELECT game, opening, started, scores, headers FROM games WHERE id = ?", (number,)
            ).fetchone()
            if row is None:
                raise JournalError(_("{path}: the journal has no game {number}").format(path=self._path, number=number))
            actions = self._connection.execute(
                "SELECT entry, position FROM actions WHERE game = ? ORDER BY number", (number,)
            ).fetchall()
            return RecordedGame(
                number=number,
                game=row[0],
                opening=json.loads(row[1]),
                started=row[2],
                entries=tuple(entry_from_json(json.loads(entry)) for entry, _position in actions),
                position=actions[-1][1] if actions else "",
                scores=None if row[3] is None else json.loads(row[3]),
                headers=None if row[4] is None else json.loads(row[4]),
            )

    def _prepare(self) -> None:
        """Take hold of the file, and lay out an empty one."""
        execute = self._connection.execute
        execute("PRAGMA locking_mode = EXCLUSIVE")
        (version,) = execute("PRAGMA user_version").fetchone()
        (tables,) = execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if version > SCHEMA_VERSION:
            raise JournalError(_("{path}: a newer companion wrote this journal").format(path=self._path))
        if version == 0 and tables:
            raise JournalError(_("{path}: this is some other program's database").format(path=self._path))
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = FULL")
        if version == 0:
            self._connection.executescript(_SCHEMA)
        if version == 1:
            self._connection.executescript(_FROM_VERSION_1)
        if 0 < version < SCHEMA_VERSION:
            self._convert_actions()

    def _convert_actions(self) -> None:
        """Rewrite the actions of version 2 in today's format (`companion.games.engines.FORMAT`), all or none."""
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            for game, engine in ENGINES.items():
                if engine.upgrade is not None:
                    self._rewrite_actions(game, engine.upgrade)
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _rewrite_actions(self, game: str, upgrade: Callable[[JsonObject], JsonObject]) -> None:
        for place in self._connection.execute(_ENTRIES_OF_GAME, (game,)).fetchall():
            *key, text = place
            entry = json.loads(text)
            if "played" in entry:
                written = json.dumps({**entry, "played": upgrade(entry["played"])})
                self._connection.execute("UPDATE actions SET entry = ? WHERE game = ? AND number = ?", (written, *key))

    def _now(self) -> str:
        return self._clock.utc().isoformat(timespec="seconds")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what the file and the database may raise into one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(f"{self._path}: {_reason(error)}") from error
        except ValueError as error:
            raise JournalError(f"{self._path}: {_damaged()}") from error
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"{self._path}: {os_reason(error)}") from error


class GameLog(Generic[StateT]):
    """One game in a journal. A new one is entered with its first entry: an empty game never hides one to resume.

    Args:
        number: the game's number if it is in the journal already.
        position: gives a state's position as JSON.
        scores: gives a state's scores.
    """

    def __init__(
        self,
        journal: Journal,
        game: str,
        opening: JsonObject,
        *,
        position: Callable[[StateT], JsonObject],
        scores: Callable[[StateT], Mapping[Seat, int]],
        number: int | None = None,
    ) -> None:
        self._journal = journal
        self._game = game
        self._opening = opening
        self._position, self._scores = position, scores
        self._number = number

    @property
    def entered(self) -> bool:
        """Whether the game is in the journal."""
        return self._number is not None

    def record(self, entry: Entry, state: StateT) -> None:
        """Add an entry and the position of the state that it leads to."""
        position = self._position(state)
        self._write(lambda number: self._journal.record(number, entry, position))

    def finish(self, state: StateT) -> None:
        """Mark the game as ended, with the scores of this state."""
        scores = self._scores(state)
        self._write(lambda number: self._journal.finish_game(number, scores))

    def _write(self, write: Callable[[int], None]) -> None:
        """Write to the game; the first time in one transaction with the game itself."""
        if self._number is None:
            self._number = self._journal.start_game_with(self._game, self._opening, write)
        else:
            write(self._number)


def _reason(error: sqlite3.Error) -> str:
    """Say what is wrong with the file; SQLite's own words where we know no better."""
    sentences = {
        sqlite3.SQLITE_FULL: _("the disk is full; free some space"),
        sqlite3.SQLITE_BUSY: _("another companion is playing with this journal; end it first"),
        sqlite3.SQLITE_NOTADB: _("this is no journal; move it away and a new one is begun"),
        sqlite3.SQLITE_CORRUPT: _damaged(),
        sqlite3.SQLITE_READONLY: _("the journal may not be written to"),
        sqlite3.SQLITE_CANTOPEN: _("the journal cannot be opened"),
    }
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind, the rest its detail
    return sentences.get(code, str(error))


def _damaged() -> str:
    return _("the journal is damaged; move it away and a new one is begun")

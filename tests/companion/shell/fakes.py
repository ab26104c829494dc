"""Stand-ins for devices that write down, in one list, what they are ordered to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.core.entries import Arranged, Entry, Played
from companion.core.state import State
from companion.core.verdicts import Picture
from companion.core.view import View
from companion.games import GAMES
from companion.games.record import position_after, replay
from companion.shell.archive import record_of
from companion.shell.effects import ShownView
from companion.shell.journal import Journal, RecordedGame
from engines.kernel import JsonObject, Seat
from tests.companion.shell.clocks import ManualClock

RED, GREEN = Seat("red"), Seat("green")


def hopped(hops: int, *, over: bool = False) -> State:
    """Return what stands in for the state of a game in which somebody has hopped so often."""
    engine = SimpleNamespace(position_to_json=lambda hops: {"hops": hops}, score=lambda hops: {RED: hops})
    rules, progress = SimpleNamespace(engine=engine), SimpleNamespace(arrangement=Arranged())
    return cast("State", SimpleNamespace(rules=rules, position=hops, progress=progress, over=over))


def a_view() -> View:
    return View(
        game="royal-tee",
        players=(RED, GREEN),
        to_act=RED,
        slider=3,
        board={},
        score={RED: 2, GREEN: 1},
        leaders=(RED,),
    )


@dataclass
class Kept:
    """A display that hands on what it is shown."""

    name: str
    take: Callable[[str, ShownView], None]
    language: str = ""

    def show(self, shown: ShownView) -> None:
        self.take(self.name, shown)


@dataclass
class Devices:
    """Log, two displays and pictures at once; a device named in `broken` fails."""

    reported: list[object] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def _tell(self, device: str, *what: object) -> None:
        if device in self.broken:
            raise OSError(errno.EIO, f"the {device} is broken")
        self.reported.append((device, *what))

    def record(self, entries: Sequence[Entry], state: int) -> None:
        self._tell("journal", *entries, state)

    @property
    def screen(self) -> Kept:
        return Kept("screen", self._tell)

    @property
    def panel(self) -> Kept:
        return Kept("panel", self._tell)

    def keep(self, kind: Picture, _view: View) -> Path:
        self._tell("pictures", kind)
        return Path("picture.jpg")

    def devices_told(self) -> list[str]:
        return [str(entry[0]) for entry in self.reported if isinstance(entry, tuple)]


def games_in(path: Path) -> list[RecordedGame]:
    """Return the games of a journal."""
    with closing(Journal(path, ManualClock())) as journal:
        return list(journal.games())


def end_of(recorded: RecordedGame) -> Any:
    """Return the last position of a game of the journal."""
    record = record_of(recorded)
    return position_after(record, tuple(replay(record)))


def played_before(
    path: Path, game: str, seats: Sequence[str], *entries: Entry, options: JsonObject | None = None
) -> int:
    """Enter a game with these entries into a journal; return its number."""
    engine = GAMES[game].engine
    position = engine.new([*map(Seat, seats)], options or {}, 0)
    with closing(Journal(path, ManualClock())) as journal:
        number = journal.start_game(game, engine.position_to_json(position))
        for entry in entries:
            if isinstance(entry, Played):
                position = engine.after(position, engine.action_from_json(entry.action)).position
            journal.record(number, entry, engine.position_to_json(position))
    return number


def ordered(path: Path, order: str) -> None:
    """Let SQLite do something with a journal."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(order)


def kept_connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Return the list to which every connection with SQLite comes that is opened from now on."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def kept(*words: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*words, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", kept)
    return opened


def program(folder: Path, name: str, script: str) -> None:
    """Write a program for the shell."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    (folder / name).chmod(0o755)

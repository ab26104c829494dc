"""Games between the journal and records: exported, imported, resumed, and nothing lost on the way."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.history import game_line, unfinished_games
from companion.cli.exits import DONE, UNUSABLE
from companion.core.entries import Adopted, ModeSet, Played, Put, Redone, Undone
from companion.core.verdicts import Mode
from companion.games import GAMES as ADAPTORS
from companion.games.engines import ENGINES
from companion.games.record import GameRecord, RecordError, check, position_after, read_record, replay, write_record
from companion.shell.archive import enter, record_of
from companion.shell.errors import JournalError
from companion.shell.journal import Journal, fingerprint
from companion.shell.journal_schema import SCHEMA_VERSION
from companion.shell.session import Setup, open_game, recalled
from engines.kernel import Cell, JsonObject, Seat
from tests.companion.conftest import Told
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import end_of, kept_connections
from tests.narrow import there

GAMES = sorted((Path(__file__).parents[1] / "golden").glob("*/games/*.txt"))

TEE = """\
game: royal-tee
format: 2
about: a beginning
players: red green
options: {}

F11
G2
E11 D11
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal(path, ManualClock())) as journal:
        yield journal


def write(journal: Journal, actions: Sequence[JsonObject | Undone]) -> int:
    """Play at a table: actions in JSON's form, some of them taken back, with things done beside them."""
    engine = ENGINES["royal-tee"].game
    progress = [engine.new([Seat("red"), Seat("green")], {}, 0)]
    number = journal.start_game("royal-tee", engine.position_to_json(progress[0]))
    for action in actions:
        if isinstance(action, Undone):
            progress.pop()
            journal.record(number, action, engine.position_to_json(progress[-1]))
        else:
            progress.append(engine.after(progress[-1], engine.action_from_json(action)).position)
            journal.record(number, Played(action), engine.position_to_json(progress[-1]))
        journal.record(number, Put((Cell("A1"),)), engine.position_to_json(progress[-1]))
        journal.record(number, ModeSet(Mode.ON_DONE), engine.position_to_json(progress[-1]))
    return number


# ---- from a record and back


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_a_golden_game_whole_or_broken_off_comes_out_of_the_journal_as_it_went_in(game: Path, journal: Journal) -> None:
    whole = read_record(game.read_text("utf-8"))
    played = Random(game.stem).randrange(1, len(whole.actions))
    begun = GameRecord(whole.game, whole.headers, whole.start, whole.actions[:played], None)
    for record in (whole, begun):
        recorded = journal.read(enter(journal, record))
        assert write_record(record_of(recorded)) == write_record(record)
        assert (recorded.scores is None) == (record.result is None)
        end = position_after(record, tuple(replay(record)))
        assert recorded.position == fingerprint(record.engine.game.position_to_json(end))
    assert journal.unfinished() == recorded, "the game that was broken off can go on"


def test_an_imported_game_is_recalled_through_the_turn_as_if_it_had_been_played_here(journal: Journal) -> None:
    record = read_record(TEE)
    enter(journal, record)
    recorded = there(journal.unfinished("royal-tee"))
    assert recalled(ADAPTORS["royal-tee"], recorded).position == position_after(record, tuple(replay(record)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [(TEE + "G5\n", 'line 10: the rules forbid "G5"'), (TEE + "result: red 9, green 9\n", "line 10: the result says")],
)
def test_a_record_that_is_not_right_is_refused_and_leaves_no_trace(text: str, expected: str, journal: Journal) -> None:
    with pytest.raises(RecordError, match=expected):
        enter(journal, read_record(text))
    assert list(journal.games()) == []


def test_a_game_is_entered_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = kept_connections(monkeypatch)
    with closing(Journal(tmp_path / "journal.sqlite3", ManualClock())) as journal:
        opened[0].execute("PRAGMA max_page_count = 8")
        long = read_record(max(GAMES, key=lambda path: path.stat().st_size).read_text("utf-8"))
        with pytest.raises(JournalError, match="the disk is full"):
            enter(journal, long)
        assert list(journal.games()) == []
        assert enter(journal, read_record(TEE)) == 1


def test_a_finished_game_that_is_imported_does_not_hide_the_one_to_resume(journal: Journal) -> None:
    here = write(journal, [{"walk": ["F11"]}])
    enter(journal, read_record(GAMES[0].read_text("utf-8")))
    left = there(journal.unfinished())
    assert left.number == here


def test_an_imported_game_played_to_its_end_here_is_finished(journal: Journal) -> None:
    number = enter(journal, read_record(TEE))
    journal.finish_game(number, {Seat("red"): 4, Seat("green"): 2})
    assert journal.unfinished() is None
    assert write_record(record_of(journal.read(number))) == TEE + "result: red 4, green 2\n"


def test_a_game_that_is_over_and_has_no_end_in_the_journal_gets_it_when_it_is_resumed(
    journal: Journal, tmp_path: Path
) -> None:
    number = enter(journal, read_record(GAMES[0].read_text("utf-8")))
    finished = journal.read(number)
    journal.reopen_game(number)
    assert journal.read(number).scores is None
    open_game(journal, Setup(None, (), tmp_path, resume=True, number=number))
    assert journal.read(number).scores == finished.scores


# ---- games played at the table


def test_what_was_taken_back_is_not_in_the_record(journal: Journal) -> None:
    number = write(
        journal,
        [{"walk": ["F11"]}, {"walk": ["G2"]}, Undone(), Undone(), {"walk": ["E12"]}, {"walk": ["H1"]}, Undone()],
    )
    record = record_of(journal.read(number))
    assert write_record(record).splitlines() == [
        "game: royal-tee",
        "format: 2",
        "started: 2026-01-01T00:00:00+00:00",
        "position: red@bottom,green@top red 1 6B5/12/12/12/12/12/12/12/12/12/12/5A6",
        "",
        "E12",
    ]


def test_what_was_played_again_is_in_the_record(journal: Journal) -> None:
    number = write(journal, [{"walk": ["F11"]}, {"walk": ["G2"]}, {"walk": ["E11", "D11"]}])
    for entry in (Undone(), Undone(), Undone(), Redone(), Redone()):
        journal.record(number, entry, {})
    recorded = journal.read(number)
    assert write_record(record_of(recorded)).splitlines()[5:] == ["F11", "G2"]
    assert "2 actions" in game_line(recorded)
    assert unfinished_games([recorded]) == [recorded]


def test_a_record_begins_with_the_position_that_people_adopted_last(journal: Journal) -> None:
    number = write(journal, [{"walk": ["F11"]}])
    engine = ENGINES["royal-tee"].game
    position = end_of(journal.read(number))
    adopted = Adopted(engine.position_to_json(position))
    for entry in (Undone(), adopted, Played({"walk": ["G2"]})):
        journal.record(number, entry, {})
    record = record_of(journal.read(number))
    assert record.start == position
    assert len(record.actions) == 1
    read_again = read_record(write_record(record))
    assert position_after(read_again, tuple(replay(read_again))) == end_of(journal.read(number))


@pytest.mark.parametrize(
    ("game", "opening"), [("chess", {}), ("royal-tee", {"players": 3}), ("royal-ur", {"game": "royal-ur"})]
)
def test_a_journals_game_that_cannot_be_read_is_reported(journal: Journal, game: str, opening: JsonObject) -> None:
    number = journal.start_game(game, opening)
    with pytest.raises(JournalError, match=f"game {number} of the journal is none of a game that is known here"):
        record_of(journal.read(number))


def test_a_journal_of_the_first_version_is_taken_over(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE games (id INTEGER PRIMARY KEY, game TEXT NOT NULL, opening TEXT NOT NULL,"
            " started TEXT NOT NULL, finished TEXT, scores TEXT) STRICT;"
            "CREATE TABLE actions (game INTEGER NOT NULL REFERENCES games (id), number INTEGER NOT NULL,"
            " entry TEXT NOT NULL, position TEXT NOT NULL, accepted TEXT NOT NULL,"
            " PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;"
            "INSERT INTO games VALUES (1, 'royal-tee', '{}', '2026-01-01T00:00:00+00:00', NULL, NULL);"
            "PRAGMA user_version = 1;"
        )
    for _opened_again in range(2):
        with closing(Journal(path, ManualClock())) as journal:
            recorded = journal.read(1)
            assert (recorded.game, recorded.headers, recorded.scores) == ("royal-tee", None, None)
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


# ---- written before "cw" became clockwise as seen by the reader of a card

OLD = Path(__file__).parent / "format_1"
ENDS = dict(line.split(": ", 1) for line in (OLD / "ends.txt").read_text("utf-8").splitlines())


@pytest.fixture
def old_journal(path: Path) -> Iterator[Journal]:
    shutil.copyfile(OLD / "journal.sqlite3", path)
    with closing(Journal(path, ManualClock())) as journal:
        yield journal


@pytest.mark.parametrize("name", ENDS)
def test_a_record_of_format_1_is_replayed_as_it_was_played(name: str) -> None:
    record = read_record((OLD / f"{name}.txt").read_text("utf-8"))
    plies = tuple(replay(record))
    check(record, plies)
    assert _end(record.engine.notation.write_position(position_after(record, plies))) == ENDS[name]
    written = write_record(record)
    assert written.splitlines()[1] == "format: 2"
    assert read_record(written) == record


def _end(written: str) -> str:
    """Return a position's line without the faces that players have seen, which format 1 did not keep."""
    return written.partition(" seen=")[0]


def test_a_journal_of_format_1_goes_on_as_it_was_played(old_journal: Journal) -> None:
    for recorded in old_journal.games():
        game = ENGINES[recorded.game]
        state = recalled(ADAPTORS[recorded.game], recorded)
        assert _end(game.notation.write_position(state.position)) == ENDS[f"game-{recorded.number}"]
        assert recorded.position in ("", fingerprint(game.game.position_to_json(state.position)))
        text = (OLD / f"game-{recorded.number}.txt").read_text("utf-8")
        assert write_record(record_of(recorded)) == write_record(read_record(text))
    assert {recorded.game for recorded in old_journal.games() if recorded.position} == {"royal-study"}


def test_a_journal_is_converted_once_and_what_is_added_then_stays(old_journal: Journal, path: Path) -> None:
    unfinished = there(old_journal.unfinished("royal-study"))
    game = ENGINES["royal-study"].game
    end = position_after(record := record_of(unfinished), tuple(replay(record)))
    turn: JsonObject = {"turn": "cw", "target": 0}
    outcome = game.after(end, game.action_from_json(turn))
    old_journal.record(unfinished.number, Played(turn), game.position_to_json(outcome.position))
    entries = old_journal.read(unfinished.number).entries
    assert entries == (*unfinished.entries, Played(turn))
    old_journal.close()
    with closing(Journal(path, ManualClock())) as again:
        assert again.read(unfinished.number).entries == entries


def test_a_record_of_a_format_to_come_is_refused() -> None:
    with pytest.raises(RecordError, match='line 2: expected "format:" and a number from 1 to 2, found "3"'):
        read_record(TEE.replace("format: 2", "format: 3"))


# ---- the command


@pytest.fixture
def command(path: Path, monkeypatch: pytest.MonkeyPatch, told: Told) -> Told:
    """Do something with the journal; return what was written."""
    monkeypatch.setenv("STATE_DIRECTORY", str(path.parent))
    return partial(told, "journal")


def test_a_record_goes_in_is_listed_and_comes_out(command: Told, tmp_path: Path) -> None:
    record = tmp_path / "evening.txt"
    record.write_text("# ours\n" + TEE, "utf-8")
    assert command("import", record) == "entered as game 1\n"
    command("import", GAMES[0])
    listed = command("list")
    assert [line.split()[0] for line in listed.splitlines()] == ["1", "2"]
    assert "Royal Tee: 3 actions" in listed
    assert command("export", 1) == TEE


@pytest.mark.parametrize(
    ("order", "code", "printed"),
    [
        (("list",), DONE, "No game has been played yet.\n"),
        (("list", "--json"), DONE, '{"status": "ok", "games": []}\n'),
        (("export", 1), UNUSABLE, "companion: PATH: there is no journal yet; the first game begins one\n"),
    ],
)
def test_no_journal_is_begun_in_order_to_read_it(
    command: Told, order: tuple[Any, ...], code: int, printed: str, path: Path
) -> None:
    assert command(*order, code=code) == printed.replace("PATH", str(path))
    assert not path.exists()


def test_an_older_journal_is_listed_too_and_a_damaged_one_mended_at_the_next_game(command: Told, path: Path) -> None:
    with closing(Journal(path, ManualClock())) as journal:
        enter(journal, read_record(TEE))
    assert command("downgrade", 2) == f"{path}: now of version 2\n"
    command("list")
    path.write_bytes(path.read_bytes()[:5000])
    damaged = f"companion: {path}: the journal is damaged; the next game mends it from its copy\n"
    assert command("list", code=UNUSABLE) == damaged
    record = path.parent / "evening.txt"
    record.write_text(TEE, "utf-8")
    mended = "companion: The journal was damaged. 1 game was recovered; the damaged file is kept as "
    assert command("import", record).startswith(f"entered as game 2\n{mended}")


def test_what_a_record_brings_along_does_not_move_the_cursor(command: Told, path: Path) -> None:
    with closing(Journal(path, ManualClock())) as journal:
        enter(journal, read_record(TEE.replace("a beginning", "\x1b[2Ja beginning")))
    assert "about: ?[2Ja beginning" in command("export", 1)

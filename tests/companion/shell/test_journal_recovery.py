"""A damaged journal costs no history: every finished game comes back, wherever the damage is."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import sqlite3
import stat
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli.journal import existing
from companion.core.entries import Undone
from companion.games import GAMES
from companion.games.record import check, read_record, replay, write_record
from companion.shell import journal_recovery
from companion.shell.archive import GameLog, enter, record_of
from companion.shell.errors import JournalError, UnpreparedJournalError
from companion.shell.journal import Journal, JournalReader, RecordedGame
from companion.shell.journal_schema import SCHEMA_VERSION, copy_place
from companion.shell.session import recalled
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import hopped, kept_connections, ordered
from tests.narrow import there

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDS = [next((GOLDEN / game / "games").glob("*.txt")) for game in ("royal-tee", "royal-ur", "territory")]
PLACES = 25
"""How many damaged journals are tried."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the journal of some finished games and of one that goes on, as a power cut left it."""
    folder = tmp_path_factory.mktemp("evening")
    with closing(Journal(folder / "journal.sqlite3", ManualClock())) as journal:
        for record in RECORDS:
            enter(journal, read_record(record.read_text("utf-8")))
        for player, moves in (("red", 40), ("green", 3)):
            log = _log(journal)
            for move in range(moves):
                log.record([Undone()], hopped(move))
            if player == "red":
                log.record((), hopped(moves, over=True))
    return folder


def _log(journal: Journal) -> GameLog:
    return GameLog(journal, "hopping", {"game": "hopping"})


@pytest.fixture
def path(evening: Path, tmp_path: Path) -> Path:
    """A copy of that evening's journal, to be damaged."""
    shutil.copytree(evening, tmp_path / "state")
    return tmp_path / "state" / "journal.sqlite3"


def _games(path: Path) -> tuple[list[RecordedGame], tuple[str, ...]]:
    with closing(Journal(path, ManualClock())) as journal:
        return list(journal.games()), journal.take_notices()


def _overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(PLACES))
def test_damaged_at_random_places_every_finished_game_comes_back(path: Path, seed: int) -> None:
    before, _none = _games(path)
    rng, size = random.Random(seed), path.stat().st_size
    for _ in range(rng.choice((1, 1, 3, 20))):
        _overwrite(path, rng.randrange(size), rng.randbytes(rng.choice((1, 1, 16, 512, 4096))))
    damaged = path.read_bytes()

    after, notices = _games(path)

    assert [game for game in after if game.scores is not None] == [game for game in before if game.scores is not None]
    if notices:
        (aside,) = path.parent.glob("journal.damaged-*.sqlite3")
        assert aside.read_bytes() == damaged
        assert str(aside) in notices[0]
        assert _games(path) == (after, ()), "it is whole again"
    else:
        assert after == before, "the damage was where nothing is"


def _empty(path: Path) -> None:
    path.write_bytes(b"")


_OTHER_ACTION = "UPDATE actions SET entry = (SELECT max(entry) FROM actions WHERE game = 1) WHERE game = 1"


DAMAGES: Mapping[str, Callable[[Path], object]] = {
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": _empty,
    "gone": Path.unlink,
    "no journal": lambda path: path.write_text("dear diary " * 1000),
    "from the future": lambda path: _overwrite(path, 60, (99).to_bytes(4, "big")),
    "a letter in an entry": lambda path: _overwrite(path, path.read_bytes().index(b'{"undone": true}') + 2, b"U"),
    "another action": lambda path: ordered(path, _OTHER_ACTION),
    "a letter in a header": lambda path: ordered(
        path, "UPDATE games SET headers = '(' || substr(headers, 2) WHERE id = 1"
    ),
    "another header": lambda path: ordered(path, "UPDATE games SET headers = '{}' WHERE id = 1"),
    "a lost game": lambda path: ordered(path, "DELETE FROM actions WHERE game = 2"),
}


@pytest.mark.parametrize("spoil", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_noticed_at_the_start_and_people_are_informed(path: Path, spoil: Callable[[Path], object]) -> None:
    before, _none = _games(path)
    spoil(path)
    after, notices = _games(path)
    assert [game for game in after if game.scores] == [game for game in before if game.scores]
    assert notices[0].startswith("The journal was damaged. 5 games were recovered; the damaged file is kept as ")


def test_what_was_played_since_the_copy_is_read_from_the_damaged_file(path: Path) -> None:
    _grow(path)
    before, _none = _games(path)
    ordered(path, _OTHER_ACTION)
    after, notices = _games(path)
    assert after == before
    assert len(notices) == 1


def test_an_unfinished_game_comes_back_when_the_page_of_games_is_damaged(path: Path) -> None:
    with closing(JournalReader(path)) as journal:  # makes no copy
        before = list(journal.games())
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'games'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    _overwrite(path, (page - 1) * size, random.Random(1).randbytes(size))
    after, notices = _games(path)
    assert after[-1].scores is None
    assert (after, len(notices)) == (before, 1)


def _grow(path: Path) -> None:
    with closing(Journal(path, ManualClock())) as journal:
        log = _log(journal)
        for move in range(60):
            log.record([Undone()], hopped(move))


@pytest.fixture
def cut(path: Path, tmp_path: Path) -> Path:
    """A copy of that evening's journal as a power cut leaves it in the middle of a write."""
    _grow(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # pages are written to the file before the transaction ends
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE actions SET entry = '{\"undone\": false}' || printf('%800s', 'half')")
        shutil.copytree(path.parent, tmp_path / "cut")
        connection.execute("ROLLBACK")
    return tmp_path / "cut" / path.name


def test_a_power_cut_in_the_middle_of_a_write_costs_that_write_alone(path: Path, cut: Path) -> None:
    before, _none = _games(path)
    assert b"half" in cut.read_bytes()
    assert _games(cut) == (before, ())


def test_the_games_are_listed_after_a_power_cut_in_the_middle_of_a_write(path: Path, cut: Path) -> None:
    before, _none = _games(path)
    with pytest.raises(UnpreparedJournalError):
        JournalReader(cut)
    with existing(cut) as reader:
        assert list(reader.games()) == before


def test_the_log_that_an_earlier_version_left_after_a_power_cut_is_taken_over(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE games SET finished = NULL, scores = NULL WHERE id = 1")
        shutil.copytree(path.parent, tmp_path / "cut")
    cut = tmp_path / "cut" / path.name
    assert cut.with_name(f"{cut.name}-wal").stat().st_size > 0
    copy_place(cut).unlink()
    games, notices = _games(cut)
    assert (games[0].scores, len(games), notices) == (None, 5, ())
    assert not cut.with_name(f"{cut.name}-wal").exists()


@pytest.mark.parametrize("version", [-436_207_612, -1, 1, 3])
@pytest.mark.parametrize("copied", [True, False])
def test_a_journal_that_says_another_version_than_its_tables_are_of_is_mended(
    path: Path, version: int, copied: bool
) -> None:
    before, _none = _games(path)
    ordered(path, f"PRAGMA user_version = {version}")
    if not copied:
        copy_place(path).unlink()
    after, notices = _games(path)
    assert after == before
    assert notices


def test_without_a_copy_a_byte_that_is_not_utf8_costs_its_game_alone(path: Path) -> None:
    """In a time it costs nothing, in an entry what follows in that game, in an opening the game; each is told."""
    before, _none = _games(path)
    for text, lost, cut in ((b"2026-", 0, 0), (b'{"undone": true}', 0, 1), (b'{"game": "hopping"}', 1, 0)):
        copy_place(path).unlink(missing_ok=True)
        content = path.read_bytes()
        spoilt = content.rindex(text) + len(text) // 2
        _overwrite(path, spoilt, b"\xff")
        with pytest.raises(JournalError, match="no copy"), closing(JournalReader(path)) as reader:
            list(reader.games())
        after, notices = _games(path)
        assert len(after) == len(before) - lost
        assert sum("last moves" in sentence for sentence in notices) == cut
        assert sum("could not be recovered" in sentence for sentence in notices) == cut + lost
        assert [game for game in after if game.game != "hopping"] == [g for g in before if g.game != "hopping"]
        assert _games(path) == (after, ())
        path.write_bytes(content)


def test_a_copy_that_inflates_to_more_than_memory_has_is_not_read(path: Path) -> None:
    with gzip.open(copy_place(path), "wb", compresslevel=1) as bomb:
        for _megabyte in range(100):
            bomb.write(bytes(1 << 20))
    tracemalloc.start()
    try:
        assert journal_recovery.read_copy(copy_place(path)) is None
        assert tracemalloc.get_traced_memory()[1] < 80 << 20
    finally:
        tracemalloc.stop()


def test_a_game_whose_end_cannot_be_read_is_cut_short_and_named(path: Path) -> None:
    _grow(path)
    copy_place(path).unlink()
    ordered(path, "UPDATE actions SET entry = '{}' WHERE game = 6 AND number = 31")
    after, notices = _games(path)
    assert [len(game.entries) for game in after][-1] == 30
    assert notices[1:] == ("Of game 6 the last moves could not be recovered.",)


@pytest.mark.parametrize("content", [b"", b"nonsense", gzip.compress(b"nonsense", mtime=0)])
def test_a_damaged_copy_harms_no_journal_and_is_made_anew(path: Path, content: bytes) -> None:
    before, _none = _games(path)
    copy_place(path).write_bytes(content)
    assert _games(path) == (before, ())
    _empty(path)
    assert len(_games(path)[0]) == len(before), "the new copy is good"


def test_a_copy_with_a_fault_does_not_replace_a_good_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = copy_place(path).read_bytes()
    monkeypatch.setattr(journal_recovery, "_is_whole", lambda _connection: False)
    with closing(sqlite3.connect(path)) as connection:
        assert not journal_recovery.keep_copy(connection, copy_place(path))
    assert copy_place(path).read_bytes() == good


def test_that_no_copy_can_be_kept_stops_no_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal_recovery, "write_atomically", full)
    with closing(Journal(path, ManualClock())) as journal:
        log = _log(journal)
        log.record([Undone()], hopped(1))
        log.record((), hopped(1, over=True))
        assert len(list(journal.games())) == 6


def test_a_copy_is_written_again_only_after_a_change(path: Path) -> None:
    before = copy_place(path).stat().st_mtime_ns
    _games(path)  # its copy was made at its beginning
    assert copy_place(path).stat().st_mtime_ns != before
    written = copy_place(path).stat().st_mtime_ns
    _games(path)
    assert copy_place(path).stat().st_mtime_ns == written
    with closing(Journal(path, ManualClock())) as journal:
        _log(journal).record([Undone()], hopped(1))
    assert copy_place(path).stat().st_mtime_ns != written


def test_a_journal_and_all_that_is_kept_beside_it_is_its_owners_alone(path: Path) -> None:
    before, beside = os.umask(0o022), path.with_name("notes")
    try:
        for file in (path, copy_place(path), beside):
            file.touch()
            file.chmod(0o644)
        shutil.copyfile(path, path.with_name(f"{path.name}-wal"))
        path.write_bytes(b"\0" * 5000)
        new = path.with_name("new") / path.name
        with closing(Journal(path, ManualClock())), closing(Journal(new, ManualClock())):
            found = {file: file.stat() for folder in (path.parent, new.parent) for file in folder.iterdir()}
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(status.st_mode) for file, status in found.items() if stat.S_ISREG(status.st_mode)}
    assert modes.pop(beside.name) == 0o644
    assert len(modes) >= 5
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(new.parent.stat().st_mode) == 0o700


# ---- readers beside a game


def test_games_are_listed_while_one_is_played(path: Path) -> None:
    with closing(Journal(path, ManualClock())) as journal:
        log = _log(journal)
        log.record([Undone()], hopped(1))
        with closing(JournalReader(path)) as reader:
            log.record([Undone()], hopped(2))
            assert [len(game.entries) for game in reader.games()][-1] == 2
        log.record([Undone()], hopped(3))


def test_a_reader_writes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = kept_connections(monkeypatch)
    with closing(JournalReader(path)) as reader:
        list(reader.games())
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            opened[0].execute("DELETE FROM games")


# ---- versions


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_a_journal_goes_down_to_every_version_and_up_again(path: Path, version: int) -> None:
    before, _none = _games(path)
    Journal(path, ManualClock()).migrate_down(version)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (version,)
    with pytest.raises(JournalError, match="an older companion wrote this journal"):
        JournalReader(path)
    after, notices = _games(path)
    assert notices == ()
    for one, other in zip(before, after, strict=True):
        assert (one.entries, one.scores, one.position) == (other.entries, other.scores, other.position)


def test_a_copy_is_made_before_a_migration(path: Path) -> None:
    Journal(path, ManualClock()).migrate_down(2)
    assert path.with_name(f"journal.sqlite3.version-{SCHEMA_VERSION}.gz").exists()
    Journal(path, ManualClock()).close()
    kept = path.with_name("journal.sqlite3.version-2.gz")
    with closing(sqlite3.connect(":memory:")) as copy:
        copy.deserialize(gzip.decompress(kept.read_bytes()))
        assert copy.execute("PRAGMA user_version").fetchone() == (2,)
        assert copy.execute("SELECT count(*) FROM games").fetchone() == (5,)


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION + 1])
def test_there_is_no_way_to_a_version_that_never_was(path: Path, version: int) -> None:
    with (
        closing(Journal(path, ManualClock())) as journal,
        pytest.raises(JournalError, match="expected a version from 1"),
    ):
        journal.migrate_down(version)


# ---- journals and exported texts that earlier versions wrote are read, resumed and replayed as they were played


FIXTURES = Path(__file__).parent / "fixtures"
EXPORTED = sorted((FIXTURES / "exported").glob("*.txt"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    copied = tmp_path / "journal.sqlite3"
    shutil.copy(FIXTURES / "journal-schema-2.sqlite3", copied)
    with closing(Journal(copied, ManualClock())) as opened:
        yield opened


def test_every_game_of_an_old_journal_replays_to_the_position_that_it_had(journal: Journal) -> None:
    games = list(journal.games())
    assert len(games) == 57
    for recorded in games:
        state = recalled(GAMES[recorded.game], recorded)
        if recorded.scores is not None:
            assert state.rules.engine.score(state.position) == recorded.scores


@pytest.mark.parametrize("game", [file.stem for file in EXPORTED])
def test_an_unfinished_game_of_an_old_journal_is_resumed_and_exported_as_before(journal: Journal, game: str) -> None:
    recorded = there(journal.unfinished(game))
    record, exported = record_of(recorded), read_record((FIXTURES / "exported" / f"{game}.txt").read_text())
    assert record.actions == exported.actions
    assert record.start == exported.start


@pytest.mark.parametrize("file", EXPORTED, ids=lambda file: file.stem)
def test_an_old_text_is_judged_and_written_anew(file: Path) -> None:
    record = read_record(file.read_text())
    check(record, tuple(replay(record)))
    assert read_record(write_record(record)).actions == record.actions


def test_there_is_an_old_text_of_every_game() -> None:
    assert {file.stem for file in EXPORTED} == set(GAMES)

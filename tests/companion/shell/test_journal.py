from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.entries import Arranged, Calibrated, Entry, ModeSet, Played, Put, Undone
from companion.core.verdicts import Mode, PendingPlacement
from companion.shell.archive import GameLog
from companion.shell.errors import JournalError
from companion.shell.journal import Journal, JournalReader, default_path, fingerprint
from companion.shell.journal_schema import entry_from_json, entry_to_json
from engines.kernel import Cell, Json, Seat
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.fakes import hopped, ordered
from tests.narrow import there

OPENING = {"game": "hopping", "turn": "red"}

cells = st.sampled_from([Cell("A1"), Cell("L12")])
todos = st.builds(PendingPlacement, cells, st.just("red"), st.just("empty"))
entries = st.one_of(
    st.builds(
        Played,
        st.fixed_dictionaries({"walk": st.lists(cells)}),
        st.lists(todos).map(tuple),
    ),
    st.builds(Put, st.lists(cells).map(tuple)),
    st.just(Undone()),
    st.builds(ModeSet, st.sampled_from(Mode)),
    st.builds(
        Arranged,
        names=st.just({Seat("red"): "Anna"}),
        options=st.sampled_from([{}, {"level": 2}]),
        language=st.sampled_from(["", "de"]),
    ),
    st.builds(
        Calibrated,
        st.dictionaries(st.tuples(cells.map(Cell), st.just("red")), st.just((0.5, -0.125, 0.0))),
        st.booleans(),
    ),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal(path, ManualClock())
    yield journal
    journal.close()


def _begun(journal: Journal, game: str) -> int:
    """Enter a game with one entry."""
    number = journal.start_game(game, OPENING)
    journal.record(number, Undone(), OPENING)
    return number


def test_only_the_latest_game_of_a_name_can_be_unfinished(journal: Journal) -> None:
    assert journal.unfinished("hopping") is None
    _begun(journal, "hopping")
    _begun(journal, "jumping")
    latest = _begun(journal, "hopping")
    found = there(journal.unfinished("hopping"))
    assert found.number == latest

    anything = there(journal.unfinished())
    assert anything.number == latest

    journal.finish_game(latest, {Seat("red"): 3})
    assert journal.unfinished("hopping") is None


def test_a_game_is_entered_with_its_first_entry(journal: Journal) -> None:
    log = GameLog(journal, "hopping", OPENING)
    assert journal.unfinished() is None

    log.record([Undone()], hopped(1))
    log.record([ModeSet(Mode.ON_DONE)], hopped(2))
    game = there(journal.unfinished())
    assert (game.opening, game.entries) == (OPENING, (Undone(), ModeSet(Mode.ON_DONE)))
    assert game.position == fingerprint({"hops": 2})

    log.record((), hopped(2, over=True))
    assert journal.unfinished() is None


def test_a_game_whose_first_entry_fails_is_not_entered_and_can_be_tried_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise JournalError("no room")

    log = GameLog(journal, "hopping", OPENING)
    with monkeypatch.context() as broken:
        broken.setattr(Journal, "record", full)
        with pytest.raises(JournalError, match="no room"):
            log.record([Undone()], hopped(1))
    assert list(journal.games()) == []
    assert not log.entered

    log.record([Undone()], hopped(1))
    assert [len(game.entries) for game in journal.games()] == [1]


def failing(journal: Journal, *, kept: bool) -> Callable[[], AbstractContextManager[None]]:
    """Return transactions of a journal that are reported as failed; what they wrote is kept, or undone."""
    written = journal.together

    @contextmanager
    def together() -> Iterator[None]:
        with written():
            yield
            if not kept:
                raise JournalError("the disk failed")
        raise JournalError("the disk failed")

    return together


def test_what_is_on_the_disk_although_its_write_failed_is_there_once(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = GameLog(journal, "hopping", OPENING)
    for entry, hops, over in ((Undone(), 1, False), (ModeSet(Mode.ON_DONE), 2, True)):
        with monkeypatch.context() as broken:
            broken.setattr(journal, "together", failing(journal, kept=True))
            for _try in range(2):
                with pytest.raises(JournalError, match="the disk failed"):
                    log.record([entry], hopped(hops, over=over))
        log.record([entry], hopped(hops))  # the players have not ended it after all
    assert [(game.entries, game.scores) for game in journal.games()] == [((Undone(), ModeSet(Mode.ON_DONE)), None)]


def test_a_game_that_has_taken_the_number_of_a_failed_attempt_is_left_alone(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = GameLog(journal, "hopping", OPENING)
    with monkeypatch.context() as broken, pytest.raises(JournalError, match="the disk failed"):
        broken.setattr(journal, "together", failing(journal, kept=False))
        log.record([Undone()], hopped(1))
    imported = journal.start_game("hopping", OPENING, {"Event": "of another program"})
    log.record([Undone()], hopped(1))
    assert {game.number: len(game.entries) for game in journal.games()} == {imported: 0, imported + 1: 1}


def test_a_game_without_entries_does_not_hide_the_one_to_resume(journal: Journal) -> None:
    played = _begun(journal, "hopping")
    journal.start_game("hopping", OPENING)
    found = there(journal.unfinished("hopping"))
    assert found.number == played


def test_a_game_that_was_over_when_it_was_resumed_goes_on_once_its_end_is_taken_back(journal: Journal) -> None:
    number = _begun(journal, "hopping")
    log = GameLog(journal, "hopping", OPENING, number)
    log.record((), hopped(2, over=True))
    assert journal.unfinished() is None
    log.record([Undone()], hopped(1))
    assert journal.unfinished() is not None


@given(entry=entries)
def test_every_entry_survives_the_way_to_json_and_back(entry: Entry) -> None:
    assert entry_from_json(entry_to_json(entry)) == entry


@pytest.mark.parametrize(
    "data",
    [
        {},
        None,
        [],
        {"played": 3, "open": []},
        {"played": {}, "open": [["A1"]]},
        {"mode": "slow"},
        {"undone": False},
        {"calibrated": {"A1": {"red": [1, 2]}}},
    ],
    ids=str,
)
def test_what_is_no_entry_is_refused(data: Json) -> None:
    with pytest.raises(ValueError, match=r"no journal entry|left to do|not a valid Mode|no tone"):
        entry_from_json(data)


@given(numbers=st.dictionaries(st.text(), st.integers()))
def test_a_fingerprint_does_not_depend_on_the_order_of_keys(numbers: dict[str, int]) -> None:
    assert fingerprint(numbers) == fingerprint(dict(reversed(numbers.items())))


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: path.write_text("dear diary " * 100), "this is not a journal"),
        (lambda path: ordered(path, "CREATE TABLE recipes (cake)"), "some other program's database"),
        (lambda path: ordered(path, "PRAGMA user_version = 99"), "a newer companion wrote this journal"),
        (Path.mkdir, "Is a directory"),
    ],
)
def test_a_file_that_is_no_journal_is_reported_in_one_sentence_and_left_alone(
    path: Path, spoil: Callable[[Path], object], sentence: str
) -> None:
    path.parent.mkdir()
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""

    with pytest.raises(JournalError, match=sentence) as caught:
        Journal(path, ManualClock())

    assert str(path) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert (path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to(os.devnull)], ids=["pipe", "device"])
@pytest.mark.parametrize("open_journal", [JournalReader, lambda path: Journal(path, ManualClock())])
def test_a_pipe_or_a_device_is_refused_before_it_is_opened(
    tmp_path: Path, make: Callable[[Path], object], open_journal: Callable[[Path], object]
) -> None:
    make(path := tmp_path / "pipe.sqlite3")
    other_end = os.open(path, os.O_RDWR)  # without it, opening the pipe would wait for ever

    with pytest.raises(JournalError, match="not a regular file"):
        open_journal(path)

    os.close(other_end)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("environment", "parent"),
    [
        ({"STATE_DIRECTORY": "/var/lib/companion"}, "/var/lib/companion"),
        ({"STATE_DIRECTORY": "/a:/b"}, "/a"),
        ({}, "table-companion"),
    ],
    ids=["of the service", "of a service with several", "of a user"],
)
def test_the_journal_lies_where_systemd_says_or_in_the_users_folder(environment: dict[str, str], parent: str) -> None:
    folder = default_path(environment).parent
    assert parent in (str(folder), folder.name)


def test_a_journal_is_read_where_nothing_can_be_written(journal: Journal, path: Path) -> None:
    number = journal.start_game("hopping", OPENING)
    journal.record(number, Played({"walk": ["A2"]}), {"turn": "blue"})
    path.parent.chmod(0o500)
    path.chmod(0o400)
    try:
        with closing(JournalReader(path)) as reader:
            assert len(reader.read(number).entries) == 1
    finally:
        path.parent.chmod(0o700)


MOUNTED = """\
21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
35 21 0:30 / {place} rw,relatime shared:2 - btrfs /dev/sda rw
"""


def test_no_file_is_mapped_that_a_full_disk_could_end_the_program_by(journal: Journal, path: Path) -> None:
    journal.record(journal.start_game("hopping", OPENING), Undone(), OPENING)
    assert not [beside for beside in path.parent.iterdir() if beside.name.endswith(("-wal", "-shm"))]


@pytest.mark.parametrize("kind", ["overlay", "tmpfs", "ext4"])
def test_a_journal_in_memory_is_told_at_every_start(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTED.format(place=tmp_path / "state").replace("btrfs", kind))
    monkeypatch.setattr("companion.shell.config_places.MOUNTS", mounts)
    for _start in range(2):
        with closing(Journal(tmp_path / "state" / "journal.sqlite3", ManualClock())) as journal:
            assert [kind in notice for notice in journal.take_notices()] == ([True] if kind != "ext4" else [])

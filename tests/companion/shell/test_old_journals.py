"""Journals and exported texts that earlier versions wrote are read, resumed and replayed as they were played.

`fixtures/journal-schema-2.sqlite3` was written before actions had a source and clocks were journaled: the golden games,
and an unfinished game of each kind with actions taken back, things left to do and another way of judging.
`fixtures/exported` are the texts of the unfinished ones.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.record import check, read_record, replay, write_record
from companion.shell.archive import record_of
from companion.shell.journal import Journal
from companion.shell.session import recalled
from tests.companion.shell.clocks import ManualClock

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
    recorded = journal.unfinished(game)
    assert recorded is not None
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

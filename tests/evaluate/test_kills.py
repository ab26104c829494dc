"""A sample of the faults at every write in the gate: one game, some writes, every kind of fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.games.engines import ENGINES
from tests.evaluate.kills import KINDS, _same_time, attempt, compiled

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here; deploy/long.sh demands one")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("shim"))


@pytest.mark.parametrize("game", ENGINES)
def test_without_a_fault_a_game_is_played_and_its_writes_are_counted(shim: Path, tmp_path: Path, game: str) -> None:
    writes, wrong = attempt(shim, game, "kill", 0, tmp_path)
    assert wrong is None
    assert writes > 30


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", [3, 17, 29])
def test_at_a_fault_nothing_that_was_reported_is_lost_and_a_clock_keeps_its_time(
    shim: Path, tmp_path: Path, kind: str, at: int
) -> None:
    assert attempt(shim, "royal-study", kind, at, tmp_path)[1] is None


@pytest.mark.parametrize(("left_s", "same"), [(57.4, True), (55.0, False), (None, False)])
def test_a_clock_that_is_off_by_more_than_a_second_is_noticed(left_s: float | None, same: bool) -> None:
    assert _same_time("58", left_s) is same

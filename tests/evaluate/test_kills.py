"""A sample of the faults at every write in the gate: one game, some writes, every kind of fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.games.engines import ENGINES
from tests.evaluate.kills import ACTIONS, KINDS, _same_time, attempt, compiled, not_said

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here; deploy/long.sh demands one")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("shim"))


@pytest.mark.sampled(7)
@pytest.mark.parametrize("game", ENGINES)
def test_without_a_fault_a_game_is_played_and_its_writes_are_counted(shim: Path, tmp_path: Path, game: str) -> None:
    writes, wrong = attempt(shim, game, "kill", 0, tmp_path)
    assert wrong is None
    assert writes > 30


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("kind", "at"), [("power", 3), ("enospc", 17), *((kind, at) for kind in KINDS for at in (29, 47))]
)
def test_at_a_fault_nothing_that_was_reported_is_lost_and_a_clock_keeps_its_time(
    shim: Path, tmp_path: Path, kind: str, at: int
) -> None:
    assert attempt(shim, "royal-study", kind, at, tmp_path)[1] is None


@pytest.mark.parametrize(("left_s", "same"), [(57.4, True), (55.0, False), (None, False)])
def test_a_clock_that_is_off_by_more_than_a_second_is_noticed(left_s: float | None, same: bool) -> None:
    assert _same_time("58", left_s) is same


PLAYED = [f"durable {n} None" for n in range(1, ACTIONS + 1)]
FULL, MENDED = "failing the disk is full", "failing None"


@pytest.mark.parametrize(
    ("lines", "code", "passing", "right"),
    [
        ([*PLAYED[:2], FULL], 1, False, True),
        ([*PLAYED[:2], FULL], 0, False, False),
        ([*PLAYED[:2], FULL, PLAYED[2]], 1, False, False),
        (PLAYED[:2], 0, False, False),
        (PLAYED, 0, False, True),
        ([*PLAYED[:2], FULL, PLAYED[2], MENDED, *PLAYED[3:]], 0, True, True),
        ([*PLAYED[:2], FULL, *PLAYED[2:]], 0, True, False),
        ([*PLAYED[:2], FULL], 1, True, False),
    ],
)
def test_a_failing_write_must_be_on_the_screen_and_be_made_good(
    lines: list[str], code: int, passing: bool, right: bool
) -> None:
    assert (not_said(lines, code, "", passing=passing) is None) is right

"""A sample of the faults at every write in the gate: one game, some writes, every kind of fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.evaluate.kills import KINDS, attempt, compiled

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here; deploy/long.sh demands one")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("shim"))


def test_without_a_fault_a_game_is_played_and_its_writes_are_counted(shim: Path, tmp_path: Path) -> None:
    writes, wrong = attempt(shim, "royal-tee", "kill", 0, tmp_path)
    assert wrong is None
    assert writes > 30


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", [3, 17, 29])
def test_at_a_fault_nothing_that_was_reported_is_lost(shim: Path, tmp_path: Path, kind: str, at: int) -> None:
    assert attempt(shim, "royal-tee", kind, at, tmp_path)[1] is None

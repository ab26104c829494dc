"""Killed with SIGKILL at any moment, nothing that anybody could have noticed is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pytest

from companion.core.entries import Played
from companion.shell.errors import JournalError
from companion.shell.journal import Journal, RecordedGame
from engines.kernel import Json
from tests.companion.shell.clocks import ManualClock

KILLS = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 8
MOST_HEARD = 6
MOMENT_S = 0.02
"""A player lives until this many lines were heard of it, and a moment more; one action takes some 20 ms."""


def _lives(path: Path, seed: int, heard: int, moment_s: float) -> list[Json]:
    """Let somebody play in the journal, kill them, and give the actions that they had announced."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.companion.shell.playing", str(path), str(seed)], stdout=subprocess.PIPE
    ) as player:
        assert player.stdout is not None
        began = player.stdout.readline()
        assert began, "the player could not go on with the journal that the last one left"
        first = [player.stdout.readline() for _ in range(heard)]
        time.sleep(moment_s)
        player.send_signal(signal.SIGKILL)
        output = b"".join(first) + player.stdout.read()
    lines = [json.loads(line) for line in output.splitlines() if line.endswith(b"]")]
    return [words[1] for words in lines if words[0] == "shown"]


def _recorded(path: Path) -> list[Json]:
    """List the actions of all games in the journal: a fast machine may play one to its end."""
    with closing(Journal(path, ManualClock())) as journal:
        return [entry.action for game in _games(journal) for entry in game.entries if isinstance(entry, Played)]


def _games(journal: Journal) -> Iterator[RecordedGame]:
    with suppress(JournalError):
        for number in count(1):
            yield journal.read(number)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_at_any_moment_nothing_announced_is_lost_and_the_game_goes_on(tmp_path: Path) -> None:
    path, rng = tmp_path / "journal.sqlite3", random.Random(1)
    before: list[Json] = []
    announced = 0
    for seed in range(KILLS):
        shown = _lives(path, seed, rng.randint(0, MOST_HEARD), rng.uniform(0, MOMENT_S))
        after = _recorded(path)
        new = after[len(before) :]
        assert after[: len(before)] == before, "what earlier players did stays"
        assert new[: len(shown)] == shown, "what was announced is in the journal"
        assert len(new) <= len(shown) + 1, "at most the action of that moment was recorded but not announced"
        before, announced = after, announced + len(shown)
    assert announced > KILLS, "they played long enough for this to mean something"

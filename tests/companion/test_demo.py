"""The demonstration: simulated people before a program that runs as people run it, and what is reported of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.exits import DONE, FAULT, PIPE_CLOSED, UNUSABLE
from companion.games import SIMULATED
from companion.simulator import players
from companion.simulator.outside import Program

COUNTED = re.compile(r"legal moves seen right: (\d+) of (\d+); others caught: (\d+) of (\d+); wrong verdicts: (\d+)")


def demo(folder: Path, *arguments: str) -> int:
    return main(["demo", "--fast", "--folder", str(folder), *arguments])


def counted(text: str) -> tuple[int, ...]:
    found = COUNTED.search(text)
    assert found, text
    return tuple(map(int, found.groups()))


def test_a_reader_that_goes_away_ends_it_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", os.fdopen(write_end, "w"))
        assert demo(tmp_path, "--turns", "1", "--game", "royal-ur") == PIPE_CLOSED
        sys.stdout.close()
    assert capfd.readouterr().err == ""


def test_what_the_program_says_of_a_journal_that_cannot_be_used_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "royal-ur.sqlite3").mkdir()
    assert demo(tmp_path, "--turns", "1", "--game", "royal-ur") == UNUSABLE
    assert "royal-ur.sqlite3" in capfd.readouterr().err


def test_a_few_turns_are_played_before_a_program_that_never_has_the_peoples_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    seed, received = "918273645546372819", list[str]()
    start = Program.start

    def watched(program: Program, address: str) -> subprocess.Popen[bytes]:
        received.extend([*program.words(address), *os.environ.values()])
        return start(program, address)

    monkeypatch.setattr(Program, "start", watched)
    assert demo(tmp_path, "--turns", "3", "--game", "royal-tee", "--seed", seed) == DONE
    printed = capfd.readouterr().out
    assert counted(printed) == (3, 3, 1, 1, 0)
    assert "cheated" in printed
    assert "minutes" in printed
    assert [path.name for path in tmp_path.glob("*.sqlite3")] == ["royal-tee.sqlite3"]
    assert received
    assert not any(seed in word for word in received)


@pytest.mark.long
def test_a_score_that_is_not_the_true_one_is_a_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "legal", lambda _game, position, _action: position)  # they do not see what they won
    monkeypatch.setattr(players.SimulatedPlayers, "_take_back", lambda people: people._lose_step(people._view))
    assert demo(tmp_path, "--turns", "1", "--game", "royal-tee") == FAULT
    assert "WRONG" in capfd.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("game", SIMULATED)
def test_every_game_is_played(game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert demo(tmp_path, "--game", game, "--turns", "8") == DONE
    right, legal, caught, forbidden, wrong = counted(capfd.readouterr().out)
    assert (right, caught, wrong) == (legal, forbidden, 0)
    assert legal >= 8


@pytest.mark.long
def test_a_film_shows_a_game_and_sums_all_of_them_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    chosen = [word for game in ("royal-ur", "royal-tee") for word in ("--game", game)]
    assert main(["demo", "--film", "--turns", "1", "--folder", str(tmp_path), *chosen]) == DONE
    printed = capfd.readouterr().out
    assert "one of them cheats" in printed
    assert "wrong verdicts" in printed
    assert "companion print kit royal-ur" in printed

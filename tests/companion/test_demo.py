"""The demonstration: whole games with what a good reader would see, and a few turns with pictures and the real one."""

from __future__ import annotations

import gc
import os
import re
import sys
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import demo as demo_command
from companion.cli import main
from companion.cli.exits import DONE, FAULT, PIPE_CLOSED, UNUSABLE
from companion.games.simulated import SIMULATED
from companion.shell.clock import Clock
from companion.simulator import players
from companion.simulator import table as simulated_table
from companion.simulator.behaviour import VerdictCounts
from companion.simulator.clock import FrameClock
from companion.simulator.table import Plan, SimulatedTable
from tests.evaluate.sights import TrueEye

COUNTED = re.compile(r"legal moves seen right: (\d+) of (\d+); others caught: (\d+) of (\d+); wrong verdicts: (\d+)")


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen_as_it_is(plan: Plan, *, clock: Clock, shutter: Callable[[], int]) -> SimulatedTable:
        return SimulatedTable(
            plan, clock=clock, shutter=shutter, watch=lambda game, table_at: TrueEye(game, table_at, shutter)
        )

    monkeypatch.setattr(simulated_table, "SimulatedTable", seen_as_it_is)


def demo(folder: Path, *arguments: str) -> int:
    return main(["demo", "--fast", "--folder", str(folder), *arguments])


def counted(text: str) -> tuple[int, ...]:
    found = COUNTED.search(text)
    assert found, text
    return tuple(map(int, found.groups()))


@pytest.mark.usefixtures("without_pictures")
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


@pytest.mark.usefixtures("without_pictures")
def test_a_whole_game_is_played_reported_and_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert demo(tmp_path, "--seed", "1", "--game", "royal-tee") == DONE
    printed = capfd.readouterr().out
    right, legal, caught, forbidden, wrong = counted(printed)
    assert (right, caught, wrong) == (legal, forbidden, 0), printed
    assert caught >= 2
    assert "cheated" in printed
    assert "left a hand" in printed
    assert "minutes" in printed
    assert "winner: " in printed
    assert re.search(r"report picture: .*final\.png", printed)
    assert [path.name for path in tmp_path.glob("*.sqlite3")] == ["royal-tee.sqlite3"]
    assert list(tmp_path.glob("pictures/*final.png"))


def test_what_a_game_leaves_behind_is_gone_before_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Table:
        """Refers to itself, as the parts of a game refer to one another."""

        def __init__(self) -> None:
            self.itself = self

    left: list[weakref.ref[Table]] = []

    def play(*_arguments: object) -> demo_command._Played:
        assert [table() for table in left] == [None] * len(left)
        left.append(weakref.ref(Table()))
        return demo_command._Played(None, {}, VerdictCounts(), [], gave_up=False, picture=None)

    monkeypatch.setattr(demo_command, "_play", play)
    gc.disable()
    try:
        demo(tmp_path, "--game", "royal-tee", "--game", "royal-ur")
    finally:
        gc.enable()
    assert len(left) == 2


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.parametrize("game", SIMULATED)
def test_every_game_is_played(game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert demo(tmp_path, "--game", game, "--turns", "8") == DONE
    right, legal, caught, forbidden, wrong = counted(capfd.readouterr().out)
    assert (right, caught, wrong) == (legal, forbidden, 0)
    assert legal >= 8


@pytest.mark.usefixtures("without_pictures")
def test_the_same_seed_reports_the_same_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = []
    for folder in ("first-time", "second-time"):
        demo(tmp_path / folder, "--seed", "4", "--turns", "7", "--game", "royal-tee")
        found.append(capfd.readouterr().out.replace(folder, ""))
    assert found[0] == found[1]


@pytest.mark.usefixtures("without_pictures")
def test_a_score_that_is_not_the_true_one_is_a_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "legal", lambda _game, position, _action: position)  # they do not see what they won
    monkeypatch.setattr(players.SimulatedPlayers, "_take_back", lambda people: people._lost_step(people._view))
    assert demo(tmp_path, "--turns", "1", "--game", "royal-tee") == FAULT
    assert "WRONG" in capfd.readouterr().out


def test_a_few_turns_with_pictures_and_the_real_reader(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert demo(tmp_path, "--turns", "4", "--game", "royal-tee") == DONE
    right, legal, caught, forbidden, wrong = counted(capfd.readouterr().out)
    assert (right, legal, caught, forbidden, wrong) == (4, 4, 1, 1, 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "royal-te"], 'did you mean "royal-tee"'),
        (["--seed", "-1"], "whole number from 0"),
        (["--turns", "0"], "whole number from 1"),
        (["--tuns", "3"], "--turns"),
    ],
)
def test_unusable_arguments_are_reported_in_one_sentence(
    arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", *arguments]) == UNUSABLE
    complaint = capfd.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1


@pytest.mark.usefixtures("without_pictures")
def test_a_film_shows_a_game_and_sums_all_of_them_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.shell.clock.RealClock", lambda: FrameClock(frame_s=0.6))
    monkeypatch.setattr("companion.simulator.clock.LiveShutter", lambda clock, **_options: clock.next_frame_ns)
    games = ("royal-ur", "royal-study")
    chosen = [word for game in games for word in ("--game", game)]
    assert main(["demo", "--film", "--turns", "1", "--folder", str(tmp_path), *chosen]) == DONE
    printed = capsys.readouterr().out
    assert "one of them cheats" in printed
    assert "wrong verdicts" in printed
    assert "companion print kit royal-study" in printed or "companion print kit royal-ur" in printed

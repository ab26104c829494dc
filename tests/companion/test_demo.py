"""The demonstration: whole games with what a good reader would see, and a few turns with pictures and the real one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, FAULT, UNUSABLE
from companion.shell.devices import OpenCamera
from companion.shell.frame_reader import FrameReader, Stillness
from companion.simulator import party
from companion.simulator import table as simulated_table
from companion.simulator.hands import Tabletop
from tests.companion.simulator.rig import seen
from vision.board import Board
from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.frame import Frame, ImageBgr
from vision.geometry import Pose
from vision.observation import Observation
from vision.simulation.scene import Scene, camera_over

COUNTED = re.compile(r"legal moves seen right: (\d+) of (\d+); others caught: (\d+) of (\d+); wrong verdicts: (\d+)")


@dataclass
class Truth:
    """What lies on the table now and what lay there before."""

    table: Tabletop = field(default_factory=lambda: Tabletop({}))
    before: Tabletop = field(default_factory=lambda: Tabletop({}))


@dataclass(frozen=True)
class TrueReading:
    observation: Observation
    pose: Pose


class TrueCamera(Camera):
    """Takes black pictures at the right moments and notes what lies on the table."""

    name = "truth"
    truth = Truth()

    def __init__(self, _scene: Scene, table_at: Callable[[float], Tabletop], shutter: Callable[[], int], _rng: Any):
        self._table_at, self._shutter = table_at, shutter

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        assert timeout_s > 0
        at_ns = self._shutter()
        self.truth.before, self.truth.table = self.truth.table, self._table_at(at_ns / 1e9)
        return Frame(np.zeros((48, 64, 3), dtype=np.uint8), at_ns)

    def close(self) -> None:
        pass


class TrueReader:
    """Reads what is noted instead of pictures."""

    def __init__(self, board: Board) -> None:
        self._board, self._pose, self._rng = board, camera_over(board, (64, 48)).pose, np.random.default_rng(1)

    def read(self, _image_bgr: ImageBgr) -> TrueReading:
        return TrueReading(seen(self._board, TrueCamera.truth.table, self._rng), self._pose)


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    def eye_on(open_camera: OpenCamera, board: Board) -> FrameReader:
        truth, nothing = TrueCamera.truth, np.zeros(len(board.cells), np.bool_)
        return FrameReader(
            open_camera, TrueReader(board), lambda _frame, _pose: Stillness(truth.table == truth.before, nothing)
        )

    monkeypatch.setattr(simulated_table, "SimulatedCamera", TrueCamera)
    monkeypatch.setattr(simulated_table, "eye_on", eye_on)


def demo(folder: Path, *arguments: str) -> int:
    return main(["demo", "--fast", "--folder", str(folder), *arguments])


def counted(text: str) -> tuple[int, ...]:
    found = COUNTED.search(text)
    assert found, text
    return tuple(map(int, found.groups()))


@pytest.mark.usefixtures("without_pictures")
def test_a_whole_game_is_played_told_and_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert demo(tmp_path, "--seed", "1") == DONE
    told = capfd.readouterr().out
    right, legal, caught, forbidden, wrong = counted(told)
    assert (right, caught, wrong) == (legal, forbidden, 0), told
    assert caught >= 2
    assert "cheats" in told
    assert "leaves a hand" in told
    assert re.search(r"report picture: .*final\.png", told)
    assert [path.suffix for path in tmp_path.iterdir() if path.is_file()] == [".sqlite3"]
    assert list(tmp_path.glob("pictures/*final.png"))


@pytest.mark.usefixtures("without_pictures")
def test_the_same_seed_tells_the_same_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = []
    for folder in ("first-time", "second-time"):
        demo(tmp_path / folder, "--seed", "4", "--turns", "7")
        told.append(capfd.readouterr().out.replace(folder, ""))
    assert told[0] == told[1]


@pytest.mark.usefixtures("without_pictures")
def test_a_score_that_is_not_the_true_one_is_a_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(party, "legal", lambda _game, position, _action: position)  # they do not see what they won
    assert demo(tmp_path, "--turns", "1") == FAULT
    assert "WRONG" in capfd.readouterr().out


def test_a_few_turns_with_pictures_and_the_real_reader(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert demo(tmp_path, "--turns", "4") == DONE
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
def test_unusable_arguments_are_told_in_one_sentence(
    arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", *arguments]) == UNUSABLE
    complaint = capfd.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1

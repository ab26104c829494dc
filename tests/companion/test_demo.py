"""The demonstration: simulated people before a program that runs as people run it, and what is reported of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.exits import FAULT, PIPE_CLOSED, UNUSABLE
from companion.games import SIMULATED
from companion.simulator import players
from companion.simulator.outside import Program
from tests.companion.conftest import Refused, Told
from tests.vision.occlusion.films import BOARD, Take, arm_acts, clean, film, pause, scene
from vision import recording
from vision.frame import ImageBgr
from vision.simulation.occluders import Limbs

COUNTED = re.compile(r"legal moves seen right: (\d+) of (\d+); others caught: (\d+) of (\d+); wrong verdicts: (\d+)")


@pytest.fixture
def demo(tmp_path: Path, told: Told) -> Told:
    """Demonstrate without waiting; return what was written."""
    return partial(told, "demo", "--fast", "--folder", tmp_path)


def counted(text: str) -> tuple[int, ...]:
    found = COUNTED.search(text)
    assert found, text
    return tuple(map(int, found.groups()))


def test_a_reader_that_goes_away_ends_it_quietly(demo: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", os.fdopen(write_end, "w"))
        assert demo("--turns", "1", "--game", "royal-ur", code=PIPE_CLOSED) == ""
        sys.stdout.close()


def test_what_the_program_says_of_a_journal_that_cannot_be_used_is_said(demo: Told, tmp_path: Path) -> None:
    (tmp_path / "royal-ur.sqlite3").mkdir()
    assert "royal-ur.sqlite3" in demo("--turns", "1", "--game", "royal-ur", code=UNUSABLE)


def test_a_file_in_place_of_its_folder_is_refused_before_anything_is_announced(
    tmp_path: Path, refused: Refused
) -> None:
    (tmp_path / "file").touch()
    assert "there is no such folder" in refused("demo", "--fast", "--folder", tmp_path / "file", of=tmp_path / "file")


def test_a_few_turns_are_played_before_a_program_that_never_has_the_peoples_seed(
    demo: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, received = "918273645546372819", list[str]()
    start = Program.start

    def watched(program: Program, address: str) -> subprocess.Popen[bytes]:
        received.extend([*program.words(address), *os.environ.values()])
        return start(program, address)

    monkeypatch.setattr(Program, "start", watched)
    printed = demo("--turns", "3", "--game", "royal-tee", "--seed", seed)
    assert counted(printed) == (3, 3, 1, 1, 0)
    assert "cheated" in printed
    assert "minutes" in printed
    assert [path.name for path in tmp_path.glob("*.sqlite3")] == ["royal-tee.sqlite3"]
    assert received
    assert not any(seed in word for word in received)


@pytest.mark.long
def test_a_score_that_is_not_the_true_one_is_a_failure(demo: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "legal", lambda _game, position, _action: position)  # they do not see what they won
    monkeypatch.setattr(players.SimulatedPlayers, "_take_back", lambda people: people._lose_step(people._view))
    assert "WRONG" in demo("--turns", "1", "--game", "royal-tee", code=FAULT)


@pytest.mark.long
@pytest.mark.parametrize("game", SIMULATED)
def test_every_game_is_played(game: str, demo: Told) -> None:
    right, legal, caught, forbidden, wrong = counted(demo("--game", game, "--turns", "8"))
    assert (right, caught, wrong) == (legal, forbidden, 0)
    assert legal >= 8


@pytest.mark.long
def test_a_film_shows_a_game_and_sums_all_of_them_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    chosen = [word for game in ("royal-ur", "royal-tee") for word in ("--game", game)]
    printed = told("demo", "--film", "--turns", "1", "--folder", tmp_path, *chosen)
    assert "one of them cheats" in printed
    assert "wrong verdicts" in printed
    assert "companion print kit royal-ur" in printed


# ---- `companion watch` reports for every picture of a recording what is over the board


FPS = 10.0


@pytest.fixture(scope="module")
def takes() -> Sequence[Take]:
    acts = [(1.2, clean), *arm_acts(BOARD, (240.0, 210.0), Limbs(), "point"), pause(0.4), (0.4, clean)]
    return list(film(scene(), acts, np.random.default_rng(1), FPS))


@pytest.fixture(scope="module")
def video(takes: Sequence[Take], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _video(tmp_path_factory.mktemp("video") / "game.avi", [take.image_bgr for take in takes])


def _video(path: Path, pictures: Sequence[ImageBgr]) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, pictures[0].shape[1::-1])
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


def test_every_picture_of_a_video_has_its_line(video: Path, takes: Sequence[Take], told: Told) -> None:
    answer = [json.loads(line) for line in told("watch", "--game", "royal-tee", "--json", video).splitlines()]
    assert [line["frame"] for line in answer] == list(range(len(takes)))
    assert all(isinstance(line["still"], bool) for line in answer)
    wrong = [
        (take.at_s, line) for take, line in zip(takes, answer, strict=True) if take.truth not in (None, line["state"])
    ]
    assert wrong == []


def test_people_are_reported_of_changes_and_of_the_shares_in_the_end(
    video: Path, takes: Sequence[Take], told: Told
) -> None:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in takes[0].outline_px)
    first, second, third, last = told("watch", "--corners", corners, video).splitlines()
    assert first == "0:00.0  clean"
    assert second.endswith("  hand")
    assert third.endswith("  clean")
    assert "hand" in last
    assert "still" in last


def test_pictures_that_a_small_machine_could_not_keep_are_not_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.setattr(recording, "MOST_KEPT_MEGAPIXELS", 0.02)
    large = _video(tmp_path / "large.avi", [np.zeros((128, 160, 3), np.uint8)])
    assert "its pictures are 160 x 128 pixels, expected at most 0.02 megapixels" in refused("watch", large)


def test_a_recording_without_markers_asks_for_the_corners(tmp_path: Path, refused: Refused) -> None:
    sentence = refused("watch", _video(tmp_path / "plain.avi", [np.full((240, 320, 3), 120, np.uint8)] * 4))
    assert "--corners" in sentence
    assert "no picture shows three markers" in sentence

"""A look at a table on which nothing happens, against a look that reads the picture, side by side in one run."""

from __future__ import annotations

from itertools import cycle
from time import process_time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from companion.games import GAMES
from companion.shell.frame_reader import FrameReader, eye_on
from tests.companion.shell.cameras import PlayedCamera, film
from vision.board import shipped_board
from vision.simulation.optics import lay_table, render_frame
from vision.simulation.scene import Scene, camera_over

PICTURES = 7
READINGS, LOOKS = 20, 250
FRAME_NS = 200_000_000

MOST = 0.1
"""Of a look that reads, heartbeats included; measured 0.04 to 0.09."""


def _taken_s(eye: FrameReader, looks: int) -> float:
    """Return the processor time of a look."""
    start = process_time()
    for _ in range(looks):
        eye.look()
    return (process_time() - start) / looks


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_look_at_an_idle_table_costs_a_tenth_of_one_that_reads(
    benchmark: BenchmarkFixture, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, rng = shipped_board(game), np.random.default_rng(1)
    table = lay_table(Scene(board, camera_over(board, (1640, 1232), tilt_deg=10.0)), rng)
    images = [render_frame(table, [], [], rng) for _ in range(PICTURES)]
    eye = eye_on(lambda: PlayedCamera(film(cycle(images), FRAME_NS)), board)
    _taken_s(eye, READINGS)
    idle_s = _taken_s(eye, LOOKS)
    with monkeypatch.context() as awake:
        awake.setattr("companion.shell.frame_reader.IdleTable.repeat", lambda _self, _frame: None)
        reading_s = _taken_s(eye, READINGS)
    benchmark(eye.look)
    benchmark.extra_info["ratio"] = idle_s / reading_s
    assert idle_s <= MOST * reading_s

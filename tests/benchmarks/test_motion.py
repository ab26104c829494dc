"""Looking for motion against one full-size search for markers (16 to 20 ms on the first machine), in one picture."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import cv2
import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from vision.board import shipped_board
from vision.pipeline.motion import MotionGate
from vision.synthetic.optics import render
from vision.synthetic.scene import Scene, camera_over

BOARD = shipped_board("royal-tee")
ROUNDS = 15

MOST = 0.2
"""Of one search: some 2 ms, with three clean boards remembered."""


def test_a_look_for_motion_takes_a_fraction_of_a_search_for_markers(benchmark: BenchmarkFixture) -> None:
    camera = camera_over(BOARD, (1640, 1232))
    image_bgr = render(Scene(BOARD, camera), np.random.default_rng(1))
    search = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    gate = MotionGate(BOARD)
    for _ in range(3):
        gate.look(image_bgr, camera.pose)
        gate.accept()
    looks, searches = zip(
        *(
            (_taken_s(lambda: gate.look(image_bgr, camera.pose)), _taken_s(lambda: search.detectMarkers(image_bgr)))
            for _ in range(ROUNDS)
        ),
        strict=True,
    )
    benchmark(gate.look, image_bgr, camera.pose)
    benchmark.extra_info["ratio"] = min(looks) / min(searches)
    assert min(looks) / min(searches) <= MOST


def _taken_s(job: Callable[[], object]) -> float:
    start = perf_counter()
    job()
    return perf_counter() - start

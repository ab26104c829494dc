"""A look of the stillness gate against one full-size search for markers (16 to 20 ms on the first machine)."""

from __future__ import annotations

import cv2
import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.timing import taken_s
from vision.board import shipped_board
from vision.localization.locate import ScaledImage
from vision.occlusion.gate import OcclusionDetector
from vision.occlusion.gate_look import outline_of
from vision.simulation.optics import render
from vision.simulation.scene import Scene, camera_over

BOARD = shipped_board("royal-tee")
ROUNDS = 15

MOST = 0.7
"""Of one search, the picture made smaller included; measured 0.35 to 0.45."""


def test_a_look_of_the_gate_takes_a_part_of_a_search_for_markers(benchmark: BenchmarkFixture) -> None:
    camera = camera_over(BOARD, (1640, 1232))
    image_bgr = render(Scene(BOARD, camera), np.random.default_rng(1))
    outline_px = outline_of(BOARD, camera.pose)
    search = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    gate, seconds = OcclusionDetector(), iter(range(10**9))

    def look() -> None:
        gate.look(ScaledImage(image_bgr), outline_px, next(seconds) / 25)

    look()
    looks, searches = zip(
        *((taken_s(look), taken_s(lambda: search.detectMarkers(image_bgr))) for _ in range(ROUNDS)), strict=True
    )
    benchmark(look)
    benchmark.extra_info["ratio"] = min(looks) / min(searches)
    assert min(looks) / min(searches) <= MOST

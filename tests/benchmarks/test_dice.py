"""How much processor time a photograph of dice takes, whatever its size."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.timing import best_s
from vision.image_file import load_image
from vision.markerless.dice import DiceReader

PICTURE = Path(__file__).parents[1] / "recorded" / "dice" / "drawn-2.jpg"

MOST_S = 1.0
"""On one core; measured 0.6 here, and 0.7 to 1.1 with eight phone pictures of 24 dice, 3.1 to 3.7 before. Where small
dice want a closer look it is 1.1 to 1.7."""


def test_twelve_megapixels_of_dice(benchmark: BenchmarkFixture) -> None:
    image_bgr = np.asarray(
        cv2.resize(load_image(PICTURE)[80:560], (4000, 3000), interpolation=cv2.INTER_CUBIC), np.uint8
    )
    reader = DiceReader()
    benchmark(reader.read, image_bgr)
    spent_s = best_s(lambda: reader.read(image_bgr), 3)
    assert spent_s < MOST_S

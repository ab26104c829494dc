"""Distinguishing 36 cards against one full-size search for markers, side by side in one run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import cv2
import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.timing import taken_s
from vision.image_file import load_image
from vision.recognition.cards.recogniser import CardRecogniser
from vision.recognition.cards.words import CARD_PX

PICTURE = sorted((Path(__file__).parents[1] / "recorded" / "royal-tee").glob("[emh]*.jpg"))[0]
ROUNDS = 9
MOST = 2.5
"""Of one search, so that with finding the cards a whole reading stays within three."""


def test_a_layout_of_cards_is_reported_in_the_time_of_a_few_searches_for_markers(benchmark: BenchmarkFixture) -> None:
    recogniser = CardRecogniser()
    cards = np.random.default_rng(0).random((36, 3, CARD_PX[1], CARD_PX[0]), np.float32)
    image_bgr = load_image(PICTURE)
    search = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    jobs = partial(recogniser.recognise, cards), partial(search.detectMarkers, image_bgr)
    pairs = [tuple(taken_s(job) for job in jobs) for _ in range(ROUNDS)]
    recognising_s, searching_s = (min(times) for times in zip(*pairs, strict=True))
    benchmark(jobs[0])
    assert recognising_s / searching_s <= MOST, (recognising_s, searching_s)

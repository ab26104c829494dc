"""The search that is led by what is seen against trying every walk, side by side in one run.

On the machine of the first measurement a judgement at slider 9 took 4 to 25 ms, from evidence to verdict.
"""

from __future__ import annotations

import random
from time import process_time

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from companion.core.evidence import fuse_observations
from companion.core.inference import judge
from companion.games.royal_tee import TABLE
from engines.royal_tee.rules import after_walk, distinct_walks
from tests.companion.games.looks import after, at_slider, look_of, new_game, observe, random_walk
from tests.companion.games.readings import MEDIUM

MOST_OF_ALL_WALKS = 0.03
"""A judgement takes at most this share of the time of playing out every walk."""


def test_a_judgement_at_slider_nine_takes_a_fraction_of_playing_out_every_walk(benchmark: BenchmarkFixture) -> None:
    rng = random.Random(1)
    position = at_slider(new_game("red", "green"), 9)
    tables = [look_of(after(position, random_walk(position, rng))) for _ in range(6)]
    seen = [fuse_observations([observe(labels, np.random.default_rng(i), MEDIUM)]) for i, labels in enumerate(tables)]

    def judge_all() -> None:
        for evidence in seen:
            judge(TABLE, position, (), evidence)

    benchmark(judge_all)
    start = process_time()
    judge_all()
    led = (process_time() - start) / len(seen)
    start = process_time()
    for walk in distinct_walks(position):
        after_walk(position, walk.end, walk.visited)
    assert led < MOST_OF_ALL_WALKS * (process_time() - start)

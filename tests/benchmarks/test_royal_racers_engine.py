"""How much the engine gains over lists and dictionaries copied whole, measured side by side in one run."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from engines.kernel import Seat
from engines.royal_racers import GAME
from engines.royal_racers.position import Phase, Position
from engines.royal_racers.search import advise
from tests.benchmarks.timing import best_s
from tests.engines.royal_racers import reference
from tests.engines.steps import any_step

ACTIONS = 600
START = GAME.new([Seat("suns"), Seat("moons"), Seat("crowns")], {}, 7)
FACES = [1, 2, 3, 4, 5, "null"]


def _play_the_engine() -> Position:
    random, position = Random(7), START
    for _ in range(ACTIONS):
        position = GAME.after(position, any_step(GAME, position, random)).position
    return position


def _play_the_reference() -> dict[str, Any]:
    random, state = Random(7), dict(GAME.position_to_json(START))
    for _ in range(ACTIONS):
        rolling = state["await"] == "roll"
        action = {"roll": random.choice(FACES)} if rolling else random.choice(reference.legal(state))
        state = reference.play(state, action)
    return state


def test_random_play_is_three_times_as_fast_as_with_dictionaries(benchmark: BenchmarkFixture) -> None:
    benchmark(_play_the_engine)
    assert best_s(_play_the_reference, 2) >= 3 * best_s(_play_the_engine, 4)


def test_advice_on_a_flip_takes_no_longer_than_a_thousand_random_actions(benchmark: BenchmarkFixture) -> None:
    random, position = Random(3), _play_the_engine()
    while position.phase is not Phase.FLIP:
        position = GAME.after(position, any_step(GAME, position, random)).position
    benchmark(advise, position)
    assert best_s(lambda: advise(position), 3) <= best_s(_play_the_engine, 2) * 1000 / ACTIONS

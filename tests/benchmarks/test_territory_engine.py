"""Actions a second in random play, beside the same games by plain dictionaries, measured in one run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engines.kernel import Seat
from engines.territory import GAME, scoring, search
from engines.territory.board import EIGHT_BY_EIGHT
from tests.benchmarks.timing import best_s
from tests.engines.steps import any_step
from tests.engines.territory import reference

PLAYERS = [Seat("red"), Seat("yellow"), Seat("green"), Seat("blue")]


def _engine_game(seed: int) -> int:
    """Play a game at random; give the number of its actions."""
    position, random, actions = GAME.new(PLAYERS, {}, seed), Random(seed), 0
    while not position.over:
        position, actions = GAME.after(position, any_step(GAME, position, random)).position, actions + 1
    return actions


def _plain_game(seed: int) -> int:
    position: dict[str, Any] | None = dict(GAME.position_to_json(GAME.new(PLAYERS, {}, seed)))
    random, actions = Random(seed), 0
    assert position is not None
    while not position["over"]:
        throw = {"roll": [random.randint(1, 6), random.randint(1, 6)]} if position["await"] == "roll" else None
        position = reference.play(position, throw or random.choice(reference.options(position)))
        assert position is not None
        actions += 1
    return actions


def _least_seconds_an_action(play: Callable[[int], int]) -> float:
    return min(best_s(partial(play, seed), 1) / play(seed) for seed in range(12))


def test_random_play_is_half_again_as_fast_as_with_plain_dictionaries(benchmark: BenchmarkFixture) -> None:
    benchmark(_engine_game, 1)
    engine, plain = _least_seconds_an_action(_engine_game), _least_seconds_an_action(_plain_game)
    benchmark.extra_info["actions_a_second"] = round(1 / engine)
    benchmark.extra_info["plain_over_engine"] = round(plain / engine, 1)
    assert plain >= 1.5 * engine


@pytest.mark.parametrize("spaces", [0x5A5A5A5A5A5A5A5A, 0xFF818181FF, (1 << 64) - 1], ids=["scattered", "ring", "full"])
def test_the_best_group_is_found_at_least_twice_as_fast_as_space_by_space(
    benchmark: BenchmarkFixture, spaces: int
) -> None:
    names = EIGHT_BY_EIGHT.names_in(spaces)
    plain = {"players": ["red"], "owners": dict.fromkeys(names, "red")}
    benchmark(scoring.best_group, EIGHT_BY_EIGHT, spaces)
    fast = best_s(lambda: scoring.best_group(EIGHT_BY_EIGHT, spaces), 50)
    assert best_s(lambda: reference.score(plain), 50) >= 2 * fast


def test_advice_costs_no_more_than_twenty_random_games(benchmark: BenchmarkFixture) -> None:
    position = GAME.new(PLAYERS, {}, 1)
    random = Random(1)
    while position.round < 4 or not GAME.actions(position):
        position = GAME.after(position, any_step(GAME, position, random)).position
    benchmark(search.advise, position)
    game = best_s(lambda: _engine_game(1), 5)
    assert best_s(lambda: search.advise(position), 5) <= 20 * game

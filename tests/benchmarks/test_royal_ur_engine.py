"""The engine in random play beside the plain reference and beside the `royalur` package, side by side in one run.

royalur plays the rules that are commonest today (four dice, another track, no awards that chain, no forfeits), so that
games a second say how well the two serve someone who simulates games, not which code is better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import TypeAlias

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engines.kernel import Outcome
from engines.royal_ur import GAME
from engines.royal_ur.position import Roll
from engines.royal_ur.search import advise
from engines.royal_ur.solve import endings
from tests.engines.royal_ur import reference
from tests.engines.royal_ur.strategies import NEW_GAMES

GAMES_A_RUN = 8

_Rates: TypeAlias = tuple[float, float]
"""Games and actions a second."""


def _play(seed: int) -> int:
    """Play a game at random; give how many actions it had."""
    chance, position, number = random.Random(seed), NEW_GAMES[0], 0
    while not position.over:
        dice = GAME.to_act(position) == "dice"
        action = Roll(chance.getrandbits(3).bit_count()) if dice else chance.choice(GAME.actions(position))
        outcome = GAME.play(position, action)
        assert isinstance(outcome, Outcome)
        position, number = outcome.position, number + 1
    return number


def _play_plainly(seed: int) -> int:
    chance, state, number = random.Random(seed), reference.new(), 0
    while state["winner"] is None:
        if state["await"] == "roll":
            state = reference.roll(state, chance.getrandbits(3).bit_count())
        else:
            state = reference.decide(state, chance.choice(reference.legal(state)))
        number += 1
    return number


def _play_royalur(seed: int) -> int:
    random.seed(seed)  # royalur throws its dice with the global generator
    game, number = import_module("royalur").Game.create_finkel(), 0
    while not game.is_finished():
        if game.is_waiting_for_roll():
            game.roll_dice()
        else:
            game.make_move(random.choice(game.find_available_moves()))
        number += 1
    return number


def _side_by_side(one: Callable[[int], int], other: Callable[[int], int]) -> tuple[_Rates, _Rates]:
    """Return the best of some runs of each, in turns: other work of the machine only ever slows them."""
    runs = [(_run(one), _run(other)) for _ in range(8)]
    return _best(rates for rates, _ in runs), _best(rates for _, rates in runs)


def _best(runs: Iterable[_Rates]) -> _Rates:
    games, actions = zip(*runs, strict=True)
    return max(games), max(actions)


def _run(play: Callable[[int], int]) -> _Rates:
    start = process_time()
    actions = sum(play(seed) for seed in range(GAMES_A_RUN))
    elapsed_s = process_time() - start
    return GAMES_A_RUN / elapsed_s, actions / elapsed_s


def test_random_play_has_more_actions_a_second_than_the_plain_reference(
    benchmark: BenchmarkFixture,
) -> None:
    benchmark(_play, 1)
    assert _play(1) == _play_plainly(1)
    (_, ours), (_, plain) = _side_by_side(_play, _play_plainly)
    benchmark.extra_info["ratio"] = round(ours / plain, 2)
    assert ours >= 1.2 * plain


@pytest.mark.skipif(find_spec("royalur") is None, reason="royalur is not installed (extra: bench)")
def test_more_random_games_a_second_come_to_their_end_than_royalur_s(benchmark: BenchmarkFixture) -> None:
    benchmark(_play, 1)
    ours, theirs = _side_by_side(_play, _play_royalur)
    benchmark.extra_info["games"] = f"{ours[0]:.0f} games a second, royalur {theirs[0]:.0f}"
    benchmark.extra_info["actions"] = f"{ours[1]:.0f} actions a second, royalur {theirs[1]:.0f}"
    assert ours[0] >= 1.2 * theirs[0]


def test_an_advice_takes_no_longer_than_ten_random_games(benchmark: BenchmarkFixture) -> None:
    """Once the endings are solved, which happens once for a board."""
    start = NEW_GAMES[0]
    endings(start.board, start.dot_chance)
    lanes = ((-1, -1, 0, 3, 6, 9, 13), (-1, 0, 2, 5, 8, 11, 14))
    thrown = GAME.play(start.then(start.awaits, lanes, start.turn, start.turn, None), Roll(3))
    assert isinstance(thrown, Outcome)
    benchmark(advise, thrown.position)
    (games, _), (advices, _) = _side_by_side(_play, lambda _seed: len(advise(thrown.position).numbers))
    benchmark.extra_info["advices"] = f"{advices:.0f} advices a second, {games:.0f} games"
    assert 10 * advices >= games

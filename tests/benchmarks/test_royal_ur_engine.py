"""The engine in random play beside the plain reference, measured in one run."""

from __future__ import annotations

from random import Random

from pytest_benchmark.fixture import BenchmarkFixture

from engines.royal_ur import GAME
from engines.royal_ur.position import Roll
from engines.royal_ur.search import advise
from engines.royal_ur.solve import endings
from tests.benchmarks.timing import best_s
from tests.engines.royal_ur import reference
from tests.engines.royal_ur.strategies import NEW_GAMES

GAMES, RUNS = range(8), 8


def _play(seed: int) -> int:
    """Play a game at random; give how many actions it had."""
    chance, position, number = Random(seed), NEW_GAMES[0], 0
    while not position.over:
        dice = GAME.to_act(position) == "dice"
        action = Roll(chance.getrandbits(3).bit_count()) if dice else chance.choice(GAME.actions(position))
        position, number = GAME.after(position, action).position, number + 1
    return number


def _play_plainly(seed: int) -> int:
    chance, state, number = Random(seed), reference.new(), 0
    while state["winner"] is None:
        if state["await"] == "roll":
            state = reference.roll(state, chance.getrandbits(3).bit_count())
        else:
            state = reference.decide(state, chance.choice(reference.legal(state)))
        number += 1
    return number


def test_random_play_is_faster_than_with_the_plain_reference(benchmark: BenchmarkFixture) -> None:
    benchmark(_play, 1)
    assert _play(1) == _play_plainly(1)
    ours = best_s(lambda: [_play(seed) for seed in GAMES], RUNS)
    assert best_s(lambda: [_play_plainly(seed) for seed in GAMES], RUNS) >= 1.2 * ours


def test_an_advice_takes_no_longer_than_ten_random_games(benchmark: BenchmarkFixture) -> None:
    """Once the endings are solved, which happens once for a board."""
    start = NEW_GAMES[0]
    endings(start.board, start.dot_chance)
    lanes = ((-1, -1, 0, 3, 6, 9, 13), (-1, 0, 2, 5, 8, 11, 14))
    thrown = GAME.after(start.then(start.awaits, lanes, start.turn, start.turn, None), Roll(3)).position
    benchmark(advise, thrown)
    games = best_s(lambda: [_play(seed) for seed in GAMES], RUNS) / len(GAMES)
    assert best_s(lambda: advise(thrown), RUNS) <= 10 * games

"""What the tables gain over a plain search, and how fast the rules play, measured side by side in one run."""

from __future__ import annotations

from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engines.royal_study import GAME, rules
from engines.royal_study.board import Colouring
from engines.royal_study.cards import CARDS
from engines.royal_study.graph import graph
from engines.royal_study.placement import Placement, write_placement
from engines.royal_study.position import Move, Puzzle, Target
from engines.royal_study.search import least, solve
from tests.benchmarks.timing import best_s
from tests.engines.royal_study import reference
from tests.narrow import narrowed

START = "KQB/N../R.."
MOVES = 400


def _make_tables() -> None:
    graph.cache_clear()
    graph(Colouring.DARK_CORNERS)


def _plain_search() -> None:
    reference.neighbours.cache_clear()
    reference.distances_from(START)


def test_the_tables_take_no_longer_than_a_plain_search_from_one_place(benchmark: BenchmarkFixture) -> None:
    benchmark(_make_tables)
    assert best_s(_make_tables, 3) <= best_s(_plain_search, 3)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_one_card_is_solved_in_a_2000th_of_a_plain_search_the_second_time(
    benchmark: BenchmarkFixture, level: int
) -> None:
    puzzle = Puzzle(CARDS[0], (Target(CARDS[1]),), level)
    benchmark(solve, puzzle)
    solving, plain = best_s(lambda: solve(puzzle), 50), best_s(_plain_search, 3)
    benchmark.extra_info["plain_over_engine"] = round(plain / solving)
    assert plain >= 2_000 * solving


def test_two_cards_on_level_3_are_solved_in_a_hundredth_of_a_plain_search_the_second_time(
    benchmark: BenchmarkFixture,
) -> None:
    puzzle = Puzzle(CARDS[0], (Target(CARDS[1]), Target(CARDS[2])), 3)
    benchmark(least, puzzle)
    assert 100 * best_s(lambda: least(puzzle), 20) <= best_s(_plain_search, 3)


def _play_at_random() -> None:
    random = Random(1)
    puzzle = Puzzle(Placement(START.replace("/", "")), (Target(CARDS[0]),), 1)
    for _ in range(MOVES):
        puzzle = narrowed(GAME.after(puzzle, random.choice(rules.actions(puzzle))).position, Puzzle)


def _play_at_random_plainly() -> None:
    random = Random(1)
    reference.neighbours.cache_clear()
    text, target = START, write_placement(CARDS[0])
    for _ in range(MOVES):
        text = random.choice(reference.neighbours(text))
        reference.shown(text, target)


def test_random_play_with_refusals_and_events_takes_no_longer_than_twice_the_plain_rules(
    benchmark: BenchmarkFixture,
) -> None:
    benchmark(_play_at_random)
    assert best_s(_play_at_random, 5) <= 2 * best_s(_play_at_random_plainly, 5)


def test_listing_moves_is_twice_as_fast_as_square_by_square(benchmark: BenchmarkFixture) -> None:
    puzzle = Puzzle(Placement(START.replace("/", "")), (), 1)

    def plain() -> None:
        reference.neighbours.cache_clear()
        reference.neighbours(START)

    benchmark(rules.actions, puzzle)
    assert all(isinstance(action, Move) for action in rules.actions(puzzle))
    assert 2 * best_s(lambda: rules.actions(puzzle), 50) <= best_s(plain, 50)

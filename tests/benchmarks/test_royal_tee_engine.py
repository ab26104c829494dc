"""How much the engine's ways gain over the plain ones of the reference, measured side by side in one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engines.royal_tee import notation
from engines.royal_tee.board import ALL_SPACES, CellIndex, Side, set_of, spaces_in
from engines.royal_tee.enclosure import enclosed
from engines.royal_tee.rules import after_walk, reach
from tests.engines.royal_tee import reference

MIDDLE = notation.read_position("red@bottom,green@top red 9 6B5/12/12/12/12/5A6/12/12/12/12/12/12")

ONE_LONG_WAY = """
aaaaaaaaaaaa
...........a
aaaaaaaaaa.a
a..........a
a.aaaaaaaaaa
a..........a
aaaaaaaaaa.a
a..........a
a.aaaaaaaaaa
a..........a
aaaaaaaaaa.a
aaaaaaaaaaaa
"""
SERPENT = set_of(CellIndex(i) for i, letter in enumerate(ONE_LONG_WAY.replace("\n", "")) if letter == "a")
"""The longest way that a flood can be made to go: in at one end, fifty spaces to and fro."""


def _best_s(job: Callable[[], object], rounds: int) -> float:
    """Give the shortest of some runs: what the machine does beside it only ever adds."""
    return min(_once_s(job) for _ in range(rounds))


def _once_s(job: Callable[[], object]) -> float:
    start = perf_counter()
    job()
    return perf_counter() - start


@pytest.mark.parametrize("own", [0, SERPENT, ALL_SPACES], ids=["empty", "serpent", "full"])
def test_flooding_all_spaces_at_once_is_ten_times_as_fast_as_place_by_place(
    benchmark: BenchmarkFixture, own: int
) -> None:
    benchmark(enclosed, own, Side.BOTTOM)
    fast = _best_s(lambda: enclosed(own, Side.BOTTOM), 50)
    assert _best_s(lambda: reference.enclosed(own, Side.BOTTOM), 20) >= 10 * fast


def test_counting_outcomes_layer_by_layer_is_four_times_as_fast_as_walking(benchmark: BenchmarkFixture) -> None:
    benchmark(reach, MIDDLE, MIDDLE.slider)
    fast = _best_s(lambda: reach(MIDDLE, MIDDLE.slider), 5)
    assert _best_s(lambda: reference.outcomes(MIDDLE, MIDDLE.slider), 2) >= 4 * fast


def test_a_whole_turn_on_a_full_board_costs_less_than_one_plain_flood(benchmark: BenchmarkFixture) -> None:
    start, other = MIDDLE.royals
    own = ALL_SPACES & ~set_of([other, CellIndex(0)])
    full = replace(MIDDLE, claimed=(own, set_of([other])))
    visited = set_of([start, *spaces_in(own)[:9]])
    benchmark(after_walk, full, start, visited)
    fast = _best_s(lambda: after_walk(full, start, visited), 50)
    assert fast <= _best_s(lambda: reference.enclosed(SERPENT, Side.BOTTOM), 20)

"""How much the engine's ways gain over the plain ones of the reference, measured side by side in one run."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from companion.games.requests import answer
from engines.grid import CellIndex, cells_in, set_of
from engines.kernel import JsonObject, Seat
from engines.royal_tee import GAME, notation
from engines.royal_tee.board import ALL_SPACES, Side
from engines.royal_tee.rules import after_walk, enclosed
from engines.royal_tee.search import advise
from tests.benchmarks.timing import best_s
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


@pytest.mark.parametrize("own", [0, SERPENT, ALL_SPACES], ids=["empty", "serpent", "full"])
def test_flooding_all_spaces_at_once_is_ten_times_as_fast_as_place_by_place(
    benchmark: BenchmarkFixture, own: int
) -> None:
    benchmark(enclosed, own, Side.BOTTOM)
    fast = best_s(lambda: enclosed(own, Side.BOTTOM), 50)
    assert best_s(lambda: reference.enclosed(own, Side.BOTTOM), 20) >= 10 * fast


def test_a_whole_turn_on_a_full_board_costs_less_than_one_plain_flood(benchmark: BenchmarkFixture) -> None:
    start, other = MIDDLE.royals
    own = ALL_SPACES & ~set_of([other, CellIndex(0)])
    full = replace(MIDDLE, claimed=(own, set_of([other])))
    visited = set_of([start, *cells_in(own)[:9]])
    benchmark(after_walk, full, start, visited)
    fast = best_s(lambda: after_walk(full, start, visited), 50)
    assert fast <= best_s(lambda: reference.enclosed(SERPENT, Side.BOTTOM), 20)


def _engine_game(seed: int) -> tuple[list[int], int]:
    """Play a game at random; give the points and how many turns it had."""
    position, random, turns = GAME.new([Seat("red"), Seat("green")], {}, 0), Random(seed), 0
    while not position.over:
        position, turns = GAME.after(position, GAME.any_action(position, random)).position, turns + 1
    return list(GAME.score(position).values()), turns


def _plain_game(seed: int) -> tuple[list[int], int]:
    """Play the same game with plain dictionaries, and without events."""
    table = reference.Table.of(GAME.new([Seat("red"), Seat("green")], {}, 0))
    random, turns = Random(seed), 0
    while not table.over:
        seat, walked = ("red", "green")[turns % 2], list[tuple[int, int]]()
        here = table.royals[seat]
        for _ in range(min(9, 1 + turns // 2)):
            here = random.choice(table.steps(seat, here))
            walked.append(here)
        table.walk(seat, walked)
        turns += 1
    return list(table.points().values()), turns


def test_random_play_has_five_times_as_many_actions_a_second_as_with_plain_dictionaries(
    benchmark: BenchmarkFixture,
) -> None:
    benchmark(_engine_game, 1)
    assert _engine_game(1) == _plain_game(1)
    fast, plain = best_s(lambda: _engine_game(1), 8), best_s(lambda: _plain_game(1), 4)
    benchmark.extra_info["actions_a_second"] = round(_engine_game(1)[1] / fast)
    benchmark.extra_info["plain_over_engine"] = round(plain / fast, 1)
    assert plain >= 5 * fast


def test_actions_at_slider_nine_are_written_faster_than_plainly(benchmark: BenchmarkFixture) -> None:
    """From the request to the line of the answer."""
    asked: JsonObject = {"do": "actions", "position": GAME.position_to_json(MIDDLE)}

    def write() -> str:
        return json.dumps(answer(asked))

    benchmark(write)
    fast, plain = best_s(write, 4), best_s(lambda: json.dumps(reference.listing(MIDDLE)), 2)
    benchmark.extra_info["plain_over_engine"] = round(plain / fast, 1)
    assert plain >= 1.2 * fast


def test_advice_at_slider_nine_takes_a_tenth_of_writing_the_actions_plainly(benchmark: BenchmarkFixture) -> None:
    """Where the plain way takes a second, that is under 100 milliseconds."""
    benchmark(advise, MIDDLE)
    advice, plain = best_s(lambda: advise(MIDDLE), 5), best_s(lambda: json.dumps(reference.listing(MIDDLE)), 2)
    benchmark.extra_info["plain_over_advice"] = round(plain / advice, 1)
    assert plain >= 10 * advice

"""Random games without events end exactly as the same games by `GAME.play`, random number by random number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import royal_racers, royal_ur, territory
from engines.kernel import Outcome, Seat
from engines.royal_racers import playout as racers_playout
from engines.royal_racers.position import THROWS, Phase
from engines.royal_ur import playout as ur_playout
from engines.royal_ur.position import Await
from engines.territory import playout as territory_playout
from tests.engines.royal_racers.strategies import SEATS
from tests.engines.territory.strategies import option_sets, seats

SEEDS = st.integers(0, 9999)


def _play_slowly(game: Any, position: Any, random: Random, throw: Callable[[Random], Any]) -> Any:
    while not game.over(position):
        listed = game.actions(position)
        action = listed[int(random.random() * len(listed))] if listed else throw(random)
        outcome = game.play(position, action)
        assert isinstance(outcome, Outcome)
        position = outcome.position
    return position


@settings(max_examples=40)
@given(st.booleans(), st.floats(0.2, 0.8), SEEDS)
def test_a_random_game_of_ur_is_the_one_of_the_rules(turned: bool, dot_chance: float, seed: int) -> None:
    names = [Seat("black"), Seat("white")] if turned else [Seat("white"), Seat("black")]
    start = royal_ur.GAME.new(names, {"dot_chance": dot_chance}, seed)

    def throw(random: Random) -> royal_ur.Roll:
        return royal_ur.Roll(sum(random.random() < dot_chance for _ in range(3)))

    slow = _play_slowly(royal_ur.GAME, start, Random(seed), throw)
    assert ur_playout.play_at_random(start, Random(seed)) == slow


@settings(max_examples=60)
@given(seats(), option_sets(), SEEDS)
def test_a_random_game_of_territory_is_the_one_of_the_rules(players: list[Seat], options: Any, seed: int) -> None:
    start = territory.GAME.new(players, {**options, "roll_off": False}, seed)

    def throw(random: Random) -> territory.Roll:
        return territory.Roll((int(random.random() * 6) + 1, int(random.random() * 6) + 1))

    slow = _play_slowly(territory.GAME, start, Random(seed), throw)
    assert territory_playout.play_at_random(start, Random(seed)) == slow


@settings(max_examples=30)
@given(st.integers(2, 4), st.integers(2, 6), st.booleans(), st.booleans(), st.integers(1, 2), SEEDS)
def test_a_random_race_is_the_one_of_the_rules(
    players: int, flags: int, variant: bool, optional: bool, races: int, seed: int
) -> None:
    options = {"flags": flags, "flag_variant": variant, "optional_flip": optional, "races": races, "rounds": 40}
    start = royal_racers.GAME.new(SEATS[:players], options, seed)

    def throw(random: Random) -> royal_racers.Roll:
        return royal_racers.Roll(THROWS[int(random.random() * 6)])

    slow = _play_slowly(royal_racers.GAME, start, Random(seed), throw)
    fast = racers_playout.play_at_random(start, Random(seed))
    assert (fast, fast.seen) == (slow, slow.seen)


def test_a_random_game_goes_on_only_from_the_beginning_of_a_turn() -> None:
    ur = royal_ur.GAME.new([Seat("white"), Seat("black")], {"throw_off": True}, 0)
    land = territory.GAME.new([Seat("red"), Seat("blue"), Seat("green")], {"roll_off": True}, 0)
    race = replace(royal_racers.GAME.new(SEATS[:2], {}, 0), phase=Phase.MOVE)
    assert ur.awaits is Await.THROW_OFF
    asked: list[tuple[Callable[[Any, Random], Any], Any]] = [
        (ur_playout.play_at_random, ur),
        (territory_playout.play_at_random, land),
        (racers_playout.play_at_random, race),
    ]
    for play_at_random, position in asked:
        with pytest.raises(ValueError, match=r"a random (game|race) goes on from"):
            play_at_random(position, Random(1))

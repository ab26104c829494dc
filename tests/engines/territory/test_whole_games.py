"""Whole games of players who act at random come to their end within the bound of RULES.md 8.3."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kernel import Json, Outcome, Seat
from engines.territory import GAME
from engines.territory.position import Position
from tests.engines.territory.strategies import option_sets, random_action, seats

MOST_ROLLS_OF_A_TURN = 22
MOST_ACTIONS_OF_A_ROLL = 4  # again, roll, and two pieces


@settings(max_examples=40)
@given(seats(), option_sets(), st.integers(0, 9999))
def test_a_random_game_ends_within_its_bound(players: list[Seat], options: dict[str, Json], seed: int) -> None:
    position, random, rolls, actions = GAME.new(players, options, seed), Random(seed), 0, 0
    while not position.over:
        outcome = GAME.play(position, random_action(position, random))
        assert isinstance(outcome, Outcome)
        rolls = rolls + 1 if any(event.name == "rolled" for event in outcome.events) else rolls
        actions = 0 if position.roll_off else actions + 1
        rolls = 0 if _is_new_turn(position, outcome.position) else rolls
        assert rolls <= MOST_ROLLS_OF_A_TURN
        position = outcome.position
    turns = position.setting.rounds * len(players)
    assert actions <= turns * MOST_ROLLS_OF_A_TURN * MOST_ACTIONS_OF_A_ROLL
    assert (GAME.to_act(position), GAME.actions(position)) == (None, [])


def _is_new_turn(before: Position, after: Position) -> bool:
    return (before.turn, before.round) != (after.turn, after.round)


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    players = [Seat("red"), Seat("green"), Seat("blue")]
    assert GAME.new(players, {}, 5) == GAME.new(players, {}, 5)
    assert len({GAME.new(players, {}, seed).deck for seed in range(20)}) > 15

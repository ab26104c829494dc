"""Whole games of players who act at random: the rules bound them (RULES.md 5.4)."""

from __future__ import annotations

from random import Random

import pytest

from engines.kernel import JsonObject
from engines.royal_racers import GAME
from engines.royal_racers.position import Position
from tests.engines.royal_racers.strategies import SEATS, after, any_action


def _most_actions(position: Position) -> int:
    """Three actions a turn and as many as flags before a race, and one to deal between races."""
    seats, terms = len(position.players), position.terms
    return terms.races * (seats * terms.flags + 1 + 3 * seats * terms.rounds)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "options",
    [{}, {"flag_variant": True, "flags": 3}, {"flags": 2, "races": 3}, {"flags": 6, "rounds": 20, "races": 2}],
    ids=str,
)
def test_a_random_game_ends_within_its_bound(seats: int, options: JsonObject) -> None:
    random = Random(seats)
    position = GAME.new(SEATS[:seats], options, seats)
    actions = 0
    while not GAME.over(position):
        position = after(position, any_action(position, random))
        actions += 1
        assert actions <= _most_actions(position)
    assert (GAME.to_act(position), GAME.actions(position)) == (None, [])
    assert sum(GAME.score(position).values()) == sum(map(sum, [*position.coins, position.touched]))


def test_players_who_only_pass_are_stopped_by_the_last_round() -> None:
    position = GAME.new(SEATS[:2], {"flags": 2, "rounds": 4}, 5)
    random = Random(5)
    while not GAME.over(position):
        choices = GAME.actions(position)
        position = after(position, choices[-1] if choices else any_action(position, random))
    assert (position.round, position.touched) == (4, (0, 0))

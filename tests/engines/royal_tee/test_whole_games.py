"""Whole games of players who step at random.

The rules set no limit to the turns (RULES.md 6.4), so the test does: far above what random games need.
"""

from __future__ import annotations

from random import Random

import pytest

from engines.kernel import Outcome, Seat
from engines.royal_tee import GAME

FAR_TOO_MANY_TURNS = 5000


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [["red", "green"], ["blue", "yellow"], ["red", "blue", "green", "yellow"]])
def test_a_random_game_comes_to_its_end_and_the_scores_add_up_to_144(players: list[str], seed: int) -> None:
    random = Random(seed)
    position = GAME.new([Seat(name) for name in players], {}, seed)
    turns = 0
    while not GAME.over(position):
        outcome = GAME.play(position, GAME.any_action(position, random))
        assert isinstance(outcome, Outcome)
        assert outcome.position.slider == min(9, 1 + (turns + 1) // len(players)) or outcome.position.over
        position, turns = outcome.position, turns + 1
        assert turns < FAR_TOO_MANY_TURNS
    assert sum(GAME.score(position).values()) == 144
    assert (GAME.to_act(position), GAME.actions(position)) == (None, [])

"""Whole games of players who choose at random.

A match against each other is bounded by its rules (RULES.md 5.5). Alone and together only the deck and the choice to
stop bound it (6.5), so the test does: far above what random games need.
"""

from __future__ import annotations

from random import Random

import pytest

from engines.kernel import JsonObject, Outcome, Seat
from engines.royal_study import GAME, rules
from engines.royal_study.position import MOST_STEPS, Action, Await, Card, Draw, Match, Side

FAR_TOO_MANY_ACTIONS = 60_000


@pytest.mark.parametrize("points", [1, 3, 6])
@pytest.mark.parametrize("options", [{}, {"level": 2, "execution": 30}, {"level": 3, "bonus": True, "deck": "table"}])
def test_a_random_match_ends_within_its_bound_with_one_winner(options: JsonObject, points: int) -> None:
    rounds = 2 * points - 1
    cards_drawn = 1 + 2 * rounds
    bound = rounds * (2 + MOST_STEPS) + cards_drawn
    match = _played_at_random(["white", "black"], {**options, "points": points}, points, bound)
    assert sorted(match.points)[1] == points > min(match.points)
    assert match.round <= rounds
    assert (GAME.to_act(match), GAME.actions(match)) == (None, [])


@pytest.mark.parametrize("players", [["ann"], ["ann", "bob", "cem"]])
def test_alone_and_together_a_random_game_comes_to_its_end(players: list[str]) -> None:
    match = _played_at_random(players, {"together": True}, 5, FAR_TOO_MANY_ACTIONS)
    assert set(match.points) == {0}


def _played_at_random(players: list[str], options: JsonObject, seed: int, bound: int) -> Match:
    random = Random(seed)
    position = GAME.new([Seat(name) for name in players], options, seed)
    assert isinstance(position, Match)
    for _ in range(bound):
        if position.over:
            return position
        outcome = rules.play(position, _random_action(position, random))
        assert isinstance(outcome, Outcome)
        assert isinstance(outcome.position, Match)
        position = outcome.position
    raise AssertionError(f"not over after {bound} actions")


def _random_action(match: Match, random: Random) -> Action:
    if match.awaits in (Await.START, Await.CARD):
        return Draw(Card(random.choice(match.deck), random.choice(list(Side)), random.randrange(4)))
    return random.choice(rules.actions(match))

"""Whole games: what happens in recorded ones, and random ones to their end.

The rules set no limit to the throws (RULES.md 6.3), so the test does: far above what random games need.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.games.record import read_record, replay
from engines.kernel import Outcome
from engines.royal_ur import GAME
from engines.royal_ur.position import Position
from tests.engines.royal_ur.strategies import NEW_GAMES, random_step

GAMES = (Path(__file__).parents[2] / "golden" / "royal-ur" / "games").glob("*.txt")
FAR_TOO_MANY_ACTIONS = 5000


def test_the_recorded_games_show_every_kind_of_event() -> None:
    outcomes = [ply.outcome for game in GAMES for ply in replay(read_record(game.read_text("utf-8")))]
    assert {event.name for outcome in outcomes if isinstance(outcome, Outcome) for event in outcome.events} == {
        *("threw-off", "throw-off-tied", "threw", "no-move", "turn", "moved", "moved-on", "hit", "sent-off"),
        *("offered", "entered", "declined", "forfeit", "forfeit-void", "home", "game-over"),
    }


@pytest.mark.parametrize("start", NEW_GAMES, ids=["fair", "throw-off", "other copy"])
@pytest.mark.parametrize("seed", range(4))
def test_a_random_game_comes_to_its_end_and_only_the_winner_scores(start: Position, seed: int) -> None:
    random, position = Random(seed), start
    for _ in range(FAR_TOO_MANY_ACTIONS):
        if position.over:
            break
        position = random_step(position, random)
    assert position.over
    assert min(GAME.score(position).values()) == 0

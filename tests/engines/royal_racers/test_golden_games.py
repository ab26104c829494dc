"""Whole games, one a file: replayed action by action, and judged again. One file more is one test more."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.royal_racers import GAME
from tests.engines.royal_racers.games import read_game, replay, result_of

GAMES = sorted((Path(__file__).parents[2] / "golden" / "royal-racers" / "games").glob("*.txt"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_whole_game_is_played_to_the_result_that_it_states(game: Path) -> None:
    start, actions, result = read_game(game.read_text("utf-8"))
    end = replay(start, actions)
    assert GAME.over(end)
    assert result_of(end) == result


def test_the_games_have_not_silently_gone() -> None:
    assert len(GAMES) >= 10

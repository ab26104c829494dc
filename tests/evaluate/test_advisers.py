"""The advisers' tournament: rates with their intervals."""

from __future__ import annotations

import pytest

from engines.kernel import Level
from tests.evaluate.advisers import PLAYERS, Result, adviser, line_of, play_game, rate_of


@pytest.mark.parametrize(
    ("shares", "low", "high"),
    [([1.0] * 65 + [0.0] * 35, 0.553, 0.736), ([0.0] * 20, 0.0, 0.161), ([1.0, 0.5] * 10, 0.531, 0.888)],
)
def test_a_rate_has_wilson_s_interval(shares: list[float], low: float, high: float) -> None:
    assert rate_of(shares) == pytest.approx((sum(shares) / len(shares), low, high), abs=0.001)


def test_the_line_of_a_pairing_has_its_games_and_their_rate() -> None:
    games = [Result(1, 1.0, 30, over=True), Result(2, 0.0, 40, over=True)]
    line = line_of("royal-tee", Level.STRONG, "easy", games)
    assert "2 games:  50.0% (9.5% to 90.5%; even 50%), 0 broken off, longest 40 actions" in line


def test_a_game_that_is_broken_off_is_shared() -> None:
    assert play_game("royal-tee", adviser(Level.EASY), PLAYERS["random"], 0, 6) == Result(0, 0.5, 6, over=False)

"""The advisers' tournament: rates with their intervals, and games that were kept in pieces."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from engines.kernel import Level
from tests.evaluate.advisers import PLAYERS, Pairing, Result, adviser, kept_games, line_of, play_game, rate_of

PAIRING = Pairing("royal-tee", Level.STRONG, "easy")


@pytest.mark.parametrize(
    ("shares", "low", "high"),
    [([1.0] * 65 + [0.0] * 35, 0.553, 0.736), ([0.0] * 20, 0.0, 0.161), ([1.0, 0.5] * 10, 0.531, 0.888)],
)
def test_a_rate_has_wilson_s_interval(shares: list[float], low: float, high: float) -> None:
    rate = rate_of(shares)
    assert rate.rate == sum(shares) / len(shares)
    assert rate.low == pytest.approx(low, abs=0.001)
    assert rate.high == pytest.approx(high, abs=0.001)


def test_pieces_add_up_and_a_game_counts_once() -> None:
    games = [Result(1, 1.0, 30, over=True), Result(2, 0.0, 40, over=True), Result(2, 0.0, 40, over=True)]
    lines = [json.dumps([asdict(PAIRING), asdict(game)]) for game in games]
    (kept,) = kept_games(lines).items()
    assert kept == (PAIRING, games[:2])
    assert "2 games:  50.0% (9.5% to 90.5%; even 50%), 0 broken off, longest 40 actions" in line_of(*kept)


def test_a_game_that_is_broken_off_is_shared() -> None:
    assert play_game("royal-tee", adviser(Level.EASY), PLAYERS["random"], 0, 6) == Result(0, 0.5, 6, over=False)

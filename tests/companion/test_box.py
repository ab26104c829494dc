"""Each game is played with four buttons by somebody who sees lamps and the small display only."""

from __future__ import annotations

import os

import pytest

from companion.games import GAMES
from companion.ui.names import player_name
from tests.companion.panel_player import PanelPlayer

MOST = 100_000 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 4
"""Actions of a game: to its score in the long evaluation, to see that it goes in the gate."""


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_played_with_panel_and_display_alone(game: str) -> None:
    player = PanelPlayer(game, 3)
    try:
        player.play(MOST)
        assert player.state.position == player.mine, "the player was never misled"
        points = {player_name(seat): points for seat, points in player.game.engine.score(player.mine).items()}
        assert player.points_read() == points
        assert player.actions == MOST or player.state.over
    finally:
        player.close()

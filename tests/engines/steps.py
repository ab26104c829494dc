"""Steps of games by chance."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from engines.kernel import Game

PositionT = TypeVar("PositionT")
ActionT = TypeVar("ActionT")


def any_step(game: Game[PositionT, ActionT], position: PositionT, random: Random) -> ActionT:
    """Return a throw where chance is next, else any legal action; the game is not over."""
    return game.throw(position, random) if game.to_act(position) == "dice" else game.any_action(position, random)

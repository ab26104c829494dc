"""Who may play a game, and its steps by chance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from random import Random
from typing import TypeVar

from companion.core.hypothesis import Rules
from engines.kernel import BadRequestError, Game, JsonObject, Seat

PositionT = TypeVar("PositionT")
ActionT = TypeVar("ActionT")


def seatings(game: Rules, options: JsonObject, least: int = 1) -> Iterator[tuple[Seat, ...]]:
    """Yield the players of the table's colours in whom a game can begin, the fewest first, and at least that many."""
    colours = [Seat(colour) for colour in game.board().colours] or [Seat("white"), Seat("black")]
    for players in (chosen for count in range(least, len(colours) + 1) for chosen in combinations(colours, count)):
        with suppress(BadRequestError):
            game.engine.new(players, options, 0)
            yield players


def any_step(game: Game[PositionT, ActionT], position: PositionT, random: Random) -> ActionT:
    """Return a throw where chance is next, else any legal action; the game is not over."""
    return game.throw(position, random) if game.to_act(position) == "dice" else game.any_action(position, random)

"""Simulated readings whose probabilities are right by construction, and what hands may do to a table."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from companion.games.royal_tee import TABLE
from companion.games.royal_tee.table import placement
from engines.kernel import Cell, Seat
from engines.royal_tee.position import Pass, Position, Walk
from engines.royal_tee.rules import steps_from, walk_along
from tests.companion.games import readings
from tests.companion.games.readings import EASY
from vision.observation import Observation

BOARD = TABLE.board()
FOUR = ("red", "blue", "green", "yellow")


def observe(
    labels: Mapping[Cell, str],
    rng: np.random.Generator,
    sharpness: float = EASY,
    hidden: Collection[str] = (),
) -> Observation:
    """Read a table of Royal Tee as `readings.observe` does."""
    return readings.observe(BOARD.cells, BOARD.label_words, labels, rng, sharpness, hidden)


def new_game(*seats: str) -> Position:
    return TABLE.engine.new([Seat(seat) for seat in seats], {}, 0)


def position_of(labels: Mapping[Any, str], turn: str, slider: int) -> Position:
    """Return the position that a table shows whose other cells are empty."""
    seats = [seat for seat in FOUR if f"{seat}-royal" in labels.values()]
    return TABLE.engine.position_from_json(
        {
            "game": "royal-tee",
            "players": seats,
            "turn": turn,
            "slider": slider,
            "royals": {seat: next(cell for cell in labels if labels[cell] == f"{seat}-royal") for seat in seats},
            "claimed": {seat: [cell for cell in labels if labels[cell] in (seat, f"{seat}-royal")] for seat in seats},
            "over": False,
        }
    )


def random_walk(position: Position, rng: random.Random) -> Walk | Pass:
    here, path = position.royal(position.turn), []
    for _ in range(position.slider):
        if not steps_from(position, here):
            return Pass()
        here = rng.choice(steps_from(position, here))
        path.append(here)
    return walk_along(tuple(path))


def after(position: Position, action: Walk | Pass) -> Position:
    return TABLE.engine.after(position, action).position


def turns(
    rng: random.Random, players: tuple[str, ...], number: int
) -> Iterator[tuple[Position, Walk | Pass, Position]]:
    """Play at random: position, action, position after."""
    position = new_game(*players)
    for _ in range(number):
        action = random_walk(position, rng)
        then = after(position, action)
        yield position, action, then
        position = then


def look_of(position: Position) -> dict[Cell, str]:
    return dict(placement(position))


def at_slider(position: Position, slider: int) -> Position:
    return replace(position, slider=slider)

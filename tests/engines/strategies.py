"""Positions and actions of every game for property tests, by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from hypothesis import strategies as st

from tests.engines.royal_racers import strategies as racers
from tests.engines.royal_study import strategies as study
from tests.engines.royal_tee import strategies as tee
from tests.engines.royal_ur import strategies as ur
from tests.engines.territory import strategies as territory

Drawn: TypeAlias = st.SearchStrategy[Any]

POSITIONS: Mapping[str, Drawn] = {
    "royal-racers": racers.positions,
    "royal-study": study.puzzles() | study.matches(),
    "royal-tee": tee.positions(),
    "royal-ur": ur.played() | ur.before_throw() | ur.decisions().map(lambda decision: decision[0]),
    "territory": territory.positions(),
}
WILD_ACTIONS: Mapping[str, Callable[[Any], Drawn]] = {
    "royal-racers": lambda _position: racers.wild_actions,
    "royal-study": lambda _position: study.any_action,
    "royal-tee": lambda _position: tee.turns().map(lambda turn: turn[1]),
    "royal-ur": lambda _position: ur.actions(),
    "territory": territory.any_actions,
}
"""Whatever players can do in a position, mostly against the rules."""

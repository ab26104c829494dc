"""The game as a search sees it: what a throw can lead to until the next throw, on lanes alone.

Here the player with place 0 is the one who throws. A throw gives that player options; an option is the set of lanes
among which the opponent then chooses (by a forfeit, and the rosette that it may end on), most often a single one.
`tests/engines/royal_ur/test_search.py` holds this tree against the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TypeAlias

from engines.royal_ur.board import OFF, Board, Sign
from engines.royal_ur.landing import COUNT_OF_DOTS, ENTERING_DOTS, FORFEIT_COUNT, Landing, entered, land, starts
from engines.royal_ur.position import Lanes

DICE = 3

Option: TypeAlias = list[Lanes]


def throw_chances(dot_chance: float) -> tuple[float, ...]:
    """Return the probability of 0, 1, 2 and 3 dots."""
    return tuple(comb(DICE, dots) * dot_chance**dots * (1 - dot_chance) ** (DICE - dots) for dots in range(DICE + 1))


def options(board: Board, lanes: Lanes, dots: int) -> list[Option]:
    """List what the thrower can choose among with 0, 2 or 3 dots; none if no counter can move."""
    count = COUNT_OF_DOTS[dots]
    listed = [option for start in starts(lanes[0], count) for option in _by_move(board, lanes, start, count)]
    if dots == ENTERING_DOTS and OFF in lanes[0]:
        listed.append([entered(lanes, 0)])
    return listed


def _by_move(board: Board, lanes: Lanes, start: int, count: int) -> Iterator[Option]:
    landing = land(board, lanes, 0, start, count)
    if landing.sign is Sign.EYES:
        yield _replies(board, landing.lanes)
        return
    for after in _with_offer(landing, 0):
        yield [after]


def _replies(board: Board, lanes: Lanes) -> Option:
    """List what the opponent's forfeit can lead to; its own eyes are ignored (RULES.md 5.4)."""
    moves = (land(board, lanes, 1, start, FORFEIT_COUNT) for start in starts(lanes[1], FORFEIT_COUNT))
    return [after for landing in moves for after in _with_offer(landing, 1)] or [lanes]


def _with_offer(landing: Landing, place: int) -> Iterator[Lanes]:
    yield landing.lanes
    if landing.sign is Sign.ROSETTE and OFF in landing.lanes[place]:
        yield entered(landing.lanes, place)

"""Where a counter comes to be: hits, stacks and four-fives (RULES.md, sections 4 and 5), and the tree of a search.

The tree has what a throw can lead to until the next throw, on lanes alone; the player with place 0 is the one who
throws. A throw gives that player options; an option is the set of lanes among which the opponent then chooses (by a
forfeit, and the rosette that it may end on), most often a single one. `tests/engines/royal_ur/test_search.py` holds
this tree against the rules.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import TypeAlias

from engines.royal_ur.board import HOME, OFF, START, Board, Sign
from engines.royal_ur.position import Lane, Lanes

COUNT_OF_DOTS = {0: 4, 2: 1, 3: 5}
"""How far a throw moves a counter; one dot moves none (RULES.md 3.1 and 3.2)."""

ENTERING_DOTS = 3
ENDING_DOTS = 1
FORFEIT_COUNT = 4


@dataclass(frozen=True, slots=True)
class LandedOn:
    """A square that a counter came down on, and whether it hit there or was sent off."""

    index: int
    hit: bool = False
    sent_off: bool = False


@dataclass(frozen=True, slots=True)
class Landing:
    """What a counter's move leads to.

    Attributes:
        lanes: both players' counters after it.
        stops: where the counter came down, in order; more than one after four-fives.
        sign: the sign under the counter; None at home and off the board.
    """

    lanes: Lanes
    stops: tuple[LandedOn, ...]
    sign: Sign | None


def starts(lane: Lane, count: int) -> list[int]:
    """List from where a counter can move so far: on the board, and not beyond home (RULES.md 3.5)."""
    return sorted({index for index in lane if START <= index <= HOME - count})


def moved(lane: Lane, start: int, end: int) -> Lane:
    """Put one of the counters elsewhere."""
    counters = list(lane)
    counters.remove(start)
    insort(counters, end)
    return tuple(counters)


def land(board: Board, lanes: Lanes, place: int, start: int, count: int) -> Landing:
    """Move a counter of the player with this place; that it can move so far is not looked at."""
    theirs = lanes[1 - place]
    stops: list[LandedOn] = []
    end, going_on = start, True
    while going_on:
        end += count
        enemies = theirs.count(end) if board.shared[end] else 0
        stops.append(LandedOn(end, hit=enemies == 1, sent_off=enemies > 1))
        if enemies > 1:
            return Landing(_pair(place, moved(lanes[place], start, OFF), theirs), tuple(stops), None)
        if enemies:
            theirs = moved(theirs, end, OFF)
        going_on = board.signs[end] is Sign.FOUR_FIVES and end + count <= HOME
    return Landing(_pair(place, moved(lanes[place], start, end), theirs), tuple(stops), board.signs[end])


def entered(lanes: Lanes, place: int) -> Lanes:
    """Enter a counter of the player with this place on S."""
    return _pair(place, moved(lanes[place], OFF, START), lanes[1 - place])


def _pair(place: int, mine: Lane, theirs: Lane) -> Lanes:
    return (theirs, mine) if place else (mine, theirs)


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

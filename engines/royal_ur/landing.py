"""Where a counter comes to be: hits, stacks and four-fives (RULES.md, sections 4 and 5), on lanes alone."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass

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

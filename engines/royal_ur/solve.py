"""Endings solved exactly by value iteration, when each player has few counters left to bring home.

Counters at home stay there, so that the positions with at most `left` counters on each side form a closed game. Its
expectation under best play of both sides solves v(x) = sum over throws of probability * best option, where v is the
thrower's and changes its sign when the turn passes. Repeated substitution converges, since the game ends with
probability 1 from everywhere. Both sides play for points; the chance to win is the one under such play.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from engines.royal_ur.board import COUNTERS, HOME, OFF, Board
from engines.royal_ur.position import ALL_HOME, Lane, Lanes
from engines.royal_ur.rules import COUNT_OF_DOTS, ENDING_DOTS, options, throw_chances
from engines.royal_ur.scoring import lane_value

LEFT = 2
"""Largest number of counters that each player has left in the endings that `endings` solves by default."""

_STILL = 1e-10
_Floats = npt.NDArray[np.float64]
_Indices = npt.NDArray[np.intp]
_Sweep = Callable[[_Floats], _Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Endings:
    """Solved endings.

    Attributes:
        number: the row and column of each lane.
        points: (thrower's lane, other lane), the thrower's expected points, won less lost, before a throw.
        win: (thrower's lane, other lane), the thrower's chance to win.
    """

    number: dict[Lane, int]
    points: _Floats
    win: _Floats

    def value(self, lanes: Lanes) -> tuple[float, float]:
        """Return the thrower's points and chance to win; the thrower's lane is first."""
        at = self.number[lanes[0]], self.number[lanes[1]]
        return float(self.points[at]), float(self.win[at])


def endings(board: Board, dot_chance: float, left: int = LEFT) -> Endings:
    """Return the solved endings with at most `left` counters on each side; solved once for a board and dice."""
    return _solve(replace(board, ways=()), dot_chance, left)  # what the cells are called makes no difference


@lru_cache(maxsize=4)
def _solve(board: Board, dot_chance: float, left: int) -> Endings:
    # list the lanes with at most `left` counters that are not home
    ends = combinations_with_replacement(range(OFF, HOME + 1), left)
    lanes = [(*some, *ALL_HOME[: COUNTERS - left]) for some in ends]
    number = {lane: row for row, lane in enumerate(lanes)}
    chances = throw_chances(dot_chance)
    throws = [(chances[dots], _throw(board, number, dots)) for dots in COUNT_OF_DOTS]
    worth = np.array([float(lane_value(board, lane)) for lane in lanes])
    home, flipped = number[ALL_HOME], chances[ENDING_DOTS]

    def points_after(points: _Floats) -> _Floats:
        after = sum((chance * throw.best(points) for chance, throw in throws), -flipped * points.T)
        return _set_finished(after, home, worth, -worth)

    points = _settle(points_after, np.zeros((len(lanes), len(lanes))))
    chosen = [(chance, throw.chosen(points)) for chance, throw in throws]

    def win_after(win: _Floats) -> _Floats:
        after = sum((chance * win.ravel()[leaf].reshape(win.shape) for chance, leaf in chosen), flipped * (1 - win.T))
        return _set_finished(after, home, np.ones(len(lanes)), np.zeros(len(lanes)))

    return Endings(number, points, _settle(win_after, np.full(points.shape, 0.5)))


def _set_finished(values: _Floats, home: int, won: _Floats, lost: _Floats) -> _Floats:
    """Set the values of finished games for the winner and for the loser."""
    values[:, home] = lost
    values[home, :] = won
    return values


def _settle(sweep: _Sweep, values: _Floats) -> _Floats:
    """Repeat a sweep until it changes nothing."""
    change = np.inf
    while change > _STILL:
        swept = sweep(values)
        change = float(np.abs(swept - values).max())
        values = swept
    return values


@dataclass(frozen=True, slots=True, eq=False)
class _Throw:
    """All results of one throw, position by position, as flat arrays.

    Attributes:
        leaves: the flat index of each leaf's lanes.
        option_starts: the index of each option's first leaf.
        position_starts: the index of each position's first option; a position without a move is its own only option.
    """

    leaves: _Indices
    option_starts: _Indices
    position_starts: _Indices

    def best(self, values: _Floats) -> _Floats:
        """Return each position's value: the opponent chooses the leaf of an option, the thrower the option."""
        worst = np.minimum.reduceat(values.ravel()[self.leaves], self.option_starts)
        best: _Floats = np.maximum.reduceat(worst, self.position_starts)
        return best.reshape(values.shape)

    def chosen(self, values: _Floats) -> _Indices:
        """Return for each position the leaf to which the best choices of both sides lead."""
        at_leaf = values.ravel()[self.leaves]
        leaf = _first_equal(at_leaf, np.minimum.reduceat(at_leaf, self.option_starts), self.option_starts)
        option = _first_equal(at_leaf[leaf], self.best(values).ravel(), self.position_starts)
        return self.leaves[leaf[option]]


def _first_equal(values: _Floats, of_group: _Floats, group_starts: _Indices) -> _Indices:
    """Return the index of the first value in each group that equals the group's value."""
    sizes = np.diff(group_starts, append=len(values))
    places = np.where(values == np.repeat(of_group, sizes), np.arange(len(values)), len(values))
    first: _Indices = np.minimum.reduceat(places, group_starts)
    return first


def _throw(board: Board, number: dict[Lane, int], dots: int) -> _Throw:
    leaves, option_starts, position_starts = array("q"), array("q"), array("q")  # lists of objects take gigabytes
    for one in number:
        for other in number:
            position_starts.append(len(option_starts))
            moves = [] if ALL_HOME in (one, other) else options(board, (one, other), dots)
            for option in moves or [[(one, other)]]:
                option_starts.append(len(leaves))
                leaves.extend(number[mine] * len(number) + number[theirs] for mine, theirs in option)
    return _Throw(*(np.array(found, np.intp) for found in (leaves, option_starts, position_starts)))

"""A fast estimate of a position's value by the places of the counters, for the leaves of a search.

Points are a sum of weights, one for each counter by its index and whether it is alone on a square of the centre track;
the chance to win is the logistic function of another such sum. The weights in `weights.py` were learned by
`tests.evaluate.ur_weights` from self-play on the shipped board with fair dice; on another board they are a rough guide.

Accuracy on 1500 games of self-play that were not used for learning: the chance to win is calibrated within 0.04 in each
tenth, with a Brier score of 0.197 (0.25 for knowing nothing). The root mean square error of the points is 34, of a
standard deviation of 41: most of that is dice still to be thrown. On solved endings the errors are 0.10 and 5 points.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TypeAlias

from engines.royal_ur.board import HOME, OFF, SQUARES
from engines.royal_ur.position import Lane, Lanes

PLACES = HOME - OFF
"""Indices that carry a weight: -1 to 14. A counter at home carries none."""

CENTRE = range(5, SQUARES - 1)
"""The indices of the centre track on the shipped board, where a single counter has another weight."""

Weights: TypeAlias = tuple[float, ...]
"""Weights of the thrower's counters by index from -1, those alone on the centre track, the same for the
opponent, and a constant for the throw itself."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Both sums of weights."""

    points: Weights
    win: Weights

    def value(self, lanes: Lanes) -> tuple[float, float]:
        """Return the thrower's estimated points, won less lost, and chance to win; the thrower's lane is first."""
        return _sum(self.points, lanes), 1 / (1 + exp(-_sum(self.win, lanes)))


def _sum(weights: Weights, lanes: Lanes) -> float:
    theirs = weights[PLACES + len(CENTRE) : -1]
    return weights[-1] + _lane_sum(weights, lanes[0]) + _lane_sum(theirs, lanes[1])


def _lane_sum(weights: Weights, lane: Lane) -> float:
    """Return the sum of the weights of one player's counters."""
    total = 0.0
    for index in lane:
        if index < HOME:
            total += weights[index - OFF]
            if index in CENTRE and lane.count(index) == 1:
                total += weights[PLACES + index - CENTRE.start]
    return total

"""What a position is worth, from where the counters are: a quick estimate for the leaves of a search.

Points are a sum of weights, one for each counter by its index and whether it is alone on a square of the centre track;
the chance to win is the logistic function of another such sum. The weights come from `tests.evaluate.ur_weights`
(self-play on our own board with fair dice) and stand in `weights.py`; on another board they are a rough guide only.

How good it is, measured on 1500 games of self-play that it was not learned from: of positions given some chance to
win, that share was won, within 0.04 in each tenth; the Brier score is 0.197 (0.25 would be knowing nothing). Points
were off by 34 in the root mean square, of the 41 that games scatter: most of that is dice still to be thrown. On
solved endings it is off by 0.10 in the chance and by 5 points.
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
"""The indices of the centre track on our own board, where being alone has a weight of its own."""

FEATURES = 2 * (PLACES + len(CENTRE)) + 1

Weights: TypeAlias = tuple[float, ...]
"""FEATURES numbers: the thrower's counters by index from -1, those alone on the centre track, the same of the
opponent, and the worth of the throw itself."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Both sums of weights."""

    points: Weights
    win: Weights

    def value(self, lanes: Lanes) -> tuple[float, float]:
        """Estimate the thrower's points, won less lost, and chance to win; the thrower's lane is first."""
        return _sum(self.points, lanes), 1 / (1 + exp(-_sum(self.win, lanes)))


def features(lanes: Lanes) -> list[int]:
    """Count what the weights weigh, in their order."""
    return [*_lane_features(lanes[0]), *_lane_features(lanes[1]), 1]


def _lane_features(lane: Lane) -> list[int]:
    counts = [lane.count(index) for index in range(OFF, HOME)]
    return [*counts, *(int(counts[index - OFF] == 1) for index in CENTRE)]


def _sum(weights: Weights, lanes: Lanes) -> float:
    theirs = weights[PLACES + len(CENTRE) : -1]
    return weights[-1] + _lane_sum(weights, lanes[0]) + _lane_sum(theirs, lanes[1])


def _lane_sum(weights: Weights, lane: Lane) -> float:
    """Add up the weights of one player's counters."""
    total = 0.0
    for index in lane:
        if index < HOME:
            total += weights[index - OFF]
            if index in CENTRE and lane.count(index) == 1:
                total += weights[PLACES + index - CENTRE.start]
    return total

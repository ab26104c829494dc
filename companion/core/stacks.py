"""How high a stack is, from how high it was: a picture from above shows hardly more than whether it grew or shrank."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from engines.kernel import Cell
from vision.labels import parse_label
from vision.observation import Observation

GROWN, GROWN_SPREAD, PUSHED_SPREAD, MOST_TREND = 1.0, 0.9, 0.75, 1.5
"""The trend of a stack's heights as a normal distribution: its mean where a counter was added, its standard deviations
where one was and where it was only pushed, and beyond which it says no more.

Of 240 stacks of one to four counters under 30 cameras the trend was beyond 0.5 on the right side for three in four to
which one was added or from which one was taken; of 17 that were lifted and put back it was within 1.4."""

MOST_LIGHT = 0.5
"""By what share of itself light on one cell changes at most, where most cells look as before; beyond it is no light."""

SEVERAL = 0.02
"""Probability that a stack which grew or shrank did so by more than one piece."""


@lru_cache(maxsize=1024)
def steps_up(labels: tuple[str, ...], known: str) -> NDArray[np.float64]:
    """Return by how many pieces each label's stack is higher than the known label's; nan of other pieces."""
    stack = parse_label(known)
    others = map(parse_label, labels)
    return np.array([other.height - stack.height if other.single == stack.single else np.nan for other in others])


def stacks_read(frame: Observation, known: Observation, labels: Mapping[Cell, str]) -> NDArray[np.bool_]:
    """Return which cells are read as the pieces that are known to be there, if not as that many, (n_cells,).

    Once an action is accepted on which they have no part, they are as high as before: what spoke against that has been
    outweighed, and would speak a second time in the next turn.

    Args:
        frame: what is read.
        known: the reading of when the labels were known; visible are the cells of which they were.
        labels: what was known to be on them.
    """
    stacked = np.zeros(len(frame.cells), dtype=np.bool_)
    for row in np.flatnonzero(known.visible & frame.visible):
        steps = steps_up(frame.labels, labels[Cell(frame.cells[row])])
        stacked[row] = np.isfinite(steps).sum() > 1 and np.isfinite(steps[frame.p[row].argmax()])
    return stacked


def without_light(
    frame: Observation, known: Observation, labels: Mapping[Cell, str], change: NDArray[np.float64], least: float
) -> NDArray[np.float64]:
    """Return by how much cells look different, (n_cells,), stacks that changed by more than `least` beyond light."""
    moved = change.copy()
    if frame.appearance is None or known.appearance is None:
        return moved
    for row in np.flatnonzero(np.nan_to_num(change, nan=0.0) > least):
        label = labels.get(Cell(frame.cells[row]))
        if label is not None and np.isfinite(steps_up(frame.labels, label)).sum() > 1:
            moved[row] = min(moved[row], beyond_light(frame.appearance[row], known.appearance[row]))
    return moved


def beyond_light(now: NDArray[np.float32], then: NDArray[np.float32]) -> float:
    """Return by how much a cell looks different from light alone can make it, as a share of white.

    A neighbour that came or left shades a cell and reflects light onto it: smoothly, as a polynomial of second degree
    times what was there. A stack that was touched has other edges, which no such factor makes of the earlier ones. On
    royal-ur, seed 401, a neighbour changed a counter by 7 times the noise, 2 times of it beyond light; of stacks on
    which the number had changed by 5 to 35 times nothing was light.

    Args:
        now, then: the looks of one cell, as `Observation.appearance`, (heights x bgr, n, n).
    """
    change = 0.0
    for colour in range(3):
        before, after = then[colour::3].reshape(-1, then[0].size), now[colour::3].ravel()
        terms = (before[:, None] * _smooth(then.shape[1])).transpose(1, 0, 2).reshape(6, -1)
        gains = np.linalg.lstsq(terms.T, after, rcond=None)[0]
        if np.abs(gains @ _smooth(then.shape[1]) - 1.0).max() > MOST_LIGHT:
            return float(np.abs(now - then).mean())
        change += float(np.abs(after - gains @ terms).mean()) / 3
    return change


@lru_cache(maxsize=4)
def _smooth(side: int) -> NDArray[np.float64]:
    """Return the terms of a polynomial of second degree over the squares of a cell, (6, n x n)."""
    y, x = np.mgrid[-1.0 : 1.0 : side * 1j, -1.0 : 1.0 : side * 1j].reshape(2, -1)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def relative(
    now: NDArray[np.float64], then: NDArray[np.float64], steps: NDArray[np.float64], pushed: float
) -> NDArray[np.float64]:
    """Hold what is read of a touched cell against what was read of it while its label was known.

    What was then likelier than the known label is discounted. Of a stack only whether it grew or shrank is taken from
    the picture; how high it is follows from how high it was.
    """
    now, then = np.clip(now, 1e-6, 1.0), np.clip(then, 1e-6, 1.0)
    p = now / np.maximum(then / then[steps == 0], 1.0)
    stacked = np.isfinite(steps)
    if stacked.sum() > 1:
        p[stacked] = p[stacked].sum() * _heights(steps[stacked], _trend(np.log(now) - np.log(then), steps), pushed)
    return np.asarray(p / p.sum())


def _trend(gains: NDArray[np.float64], steps: NDArray[np.float64]) -> float:
    """Return by how much likelier a higher stack has become than a lower one, from the gains of their log p."""
    ends = [float(gains[steps == side][0] - gains[steps == 0][0]) * side for side in (1, -1) if (steps == side).any()]
    return float(np.mean(ends)) if ends else 0.0


def _heights(steps: NDArray[np.float64], trend: float, pushed: float) -> NDArray[np.float64]:
    """Share probability among the heights of a stack that was touched: as high as before, one more, one less."""
    p = np.where(np.abs(steps) > 1, SEVERAL / len(steps), 0.0)
    p[steps == 0] += pushed
    p[steps == 1] += _grown(trend)
    p[steps == -1] += _grown(-trend)
    return np.asarray(p / p.sum())


def _grown(trend: float) -> float:
    """Return how much likelier a trend is where a counter was added than where the stack was only pushed."""
    trend = min(max(trend, -MOST_TREND), MOST_TREND)
    added = -0.5 * ((trend - GROWN) / GROWN_SPREAD) ** 2 - log(GROWN_SPREAD)
    pushed = -0.5 * (trend / PUSHED_SPREAD) ** 2 - log(PUSHED_SPREAD)
    return exp(added - pushed)

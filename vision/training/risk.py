"""Calibration without torch: temperatures, exact bounds of error rates, and confidence levels that keep them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def upper_bound(errors: int, trials: int, confidence: float = 0.95) -> float:
    """Return the largest error rate at which at most this number of errors has a probability of 1 - confidence.

    See Clopper and Pearson, "The use of confidence or fiducial limits" (1934). 1.0 without trials.
    """
    if errors >= trials:
        return 1.0
    ways = [math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1) for k in range(errors + 1)]
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        # the probability of at most this number of errors
        logs = (way + k * math.log(rate) + (trials - k) * math.log1p(-rate) for k, way in enumerate(ways))
        low, high = (rate, high) if math.fsum(map(math.exp, logs)) > 1 - confidence else (low, rate)
    return high


def least_confidence(
    confidence: NDArray[np.float64], right: NDArray[np.bool_], *, most_errors: float, certainty: float = 0.95
) -> float:
    """Return the lowest level from which on the rate of errors is below `most_errors`, with a certainty.

    The levels are tested downwards and the first that fails ends the search, so that testing many does not reduce the
    certainty (fixed sequence testing; Angelopoulos et al., "Learn then test", 2021). The rate is over all cells, sure
    or not, as for silent errors.

    Args:
        confidence: float64 (n,), of the most probable labels of held-out cells.
        right: bool (n,), whether that label is the true one.
        most_errors: largest rate of silent errors per cell.
        certainty: the probability that the rate is below.

    Returns:
        A level in `LEVELS`; 1.0 if even the highest fails, by errors or because there are too few cells.
    """
    level = 1.0
    for candidate in LEVELS:
        silent = int(((confidence >= candidate) & ~right).sum())
        if upper_bound(silent, len(right), certainty) > most_errors:
            return level
        level = candidate
    return level


LEVELS = tuple(round(0.99 - 0.01 * k, 2) for k in range(50))
"""Levels of confidence that are tested, from 0.99 down to one half."""


def best_temperature(nll: Callable[[float], float]) -> float:
    """Return the divisor of logits, 0.3 to 4, at which the truth is most probable.

    See Guo et al., "On calibration of modern neural networks" (2017). `nll` returns the cross entropy in nats of the
    truth of held-out samples at a divisor.
    """
    candidates = np.geomspace(0.3, 4.0, 50)
    return float(min(candidates, key=lambda temperature: nll(float(temperature))))

"""Probabilities over cards, and what a whole layout says about each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

_ROUNDS = 200
_SETTLED = 1e-10


def restricted(p: Floats, allowed: NDArray[np.bool_]) -> Floats:
    """Leave only some words (54,), such as those of a deck of 36 with "back", and share their probability again.

    `p` and what is returned have a row for each of n pictures, float64 (n, 54), columns as `words.WORDS`.
    """
    kept = np.where(allowed, np.maximum(p, np.finfo(np.float64).tiny), 0.0)
    return np.asarray(kept / kept.sum(axis=1, keepdims=True))


def each_once(weights: Floats, single: int) -> Floats:
    """Return the probabilities of the words of n places, given that each of the first words occurs at most once.

    These are the marginals over all assignments of words to places. The exact sum is a matrix permanent, so it is
    approximated by belief propagation, which always converges for such assignments (Vontobel, "The Bethe permanent of
    a nonnegative matrix", 2013). It is exact if places compete for one word, and close if a few compete for several.

    Args:
        weights: of each word in each place alone, float64 (n, words).
        single: how many of the first words occur at most once.
    """
    free = np.ones_like(weights)  # messages from words to places
    for _ in range(_ROUNDS):
        # 1. Messages from places to words: one over the weight of all other words of the place.
        weighed = weights * free
        others = weighed.sum(axis=1, keepdims=True) - weighed
        claims = weights[:, :single] * (1.0 / np.maximum(others, np.finfo(np.float64).tiny))[:, :single]
        # 2. Messages from words to places: one over one plus the claims of all other places.
        now = 1.0 / (1.0 + np.maximum(claims.sum(axis=0, keepdims=True) - claims, 0.0))
        change = np.abs(now - free[:, :single]).max(initial=0.0)
        free[:, :single] = now
        if change < _SETTLED:
            break
    p = weights * free
    return np.asarray(p / p.sum(axis=1, keepdims=True))

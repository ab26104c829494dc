"""Probabilities over cards, and what a whole layout says about each of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats
from vision.recognition.cards.words import CARDS, WORDS

_ROUNDS = 200
_SETTLED = 1e-10
_FACES = len(CARDS)


@dataclass(frozen=True, slots=True, eq=False)
class CardOdds:
    """What each of n pictures may be.

    Attributes:
        p: float64 (n, 54), columns as `words.WORDS`, each row a probability distribution.
    """

    p: Floats

    def __post_init__(self) -> None:
        if self.p.ndim != 2 or self.p.shape[1] != len(WORDS):
            message = f"p: expected (n, {len(WORDS)}), found {self.p.shape}"
            raise ValueError(message)

    def best(self) -> tuple[tuple[str, float], ...]:
        """Return the most probable word of every picture and its probability."""
        columns = self.p.argmax(axis=1)
        return tuple((WORDS[column], float(row[column])) for row, column in zip(self.p, columns, strict=True))


def restricted(odds: CardOdds, words: Collection[str]) -> CardOdds:
    """Leave only some words, such as those of a deck of 36 with "back", and share their probability again.

    Raises:
        ValueError: a word is not one of `words.WORDS`, or there are no words.
    """
    unknown = sorted(set(words) - set(WORDS))
    if unknown or not words:
        message = f'words: expected some such as "7-hearts" or "back", found {unknown}'
        raise ValueError(message)
    allowed = np.array([word in words for word in WORDS])
    p = np.where(allowed, np.maximum(odds.p, np.finfo(np.float64).tiny), 0.0)
    return CardOdds(p / p.sum(axis=1, keepdims=True))


def assign(odds: CardOdds) -> CardOdds:
    """Return the odds of all pictures of one layout, given that no face occurs twice."""
    return CardOdds(each_once(odds.p, _FACES))


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
        claims = _claims(weights * free)
        now = _freedom(claims[:, :single] * weights[:, :single])
        change = np.abs(now - free[:, :single]).max(initial=0.0)
        free[:, :single] = now
        if change < _SETTLED:
            break
    p = weights * free
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def _claims(weighed: Floats) -> Floats:
    """Return the messages from places to words: one over the weight of all other words of the place."""
    return np.asarray(1.0 / np.maximum(weighed.sum(axis=1, keepdims=True) - weighed, np.finfo(np.float64).tiny))


def _freedom(claims: Floats) -> Floats:
    """Return the messages from words to places: one over one plus the claims of all other places."""
    return np.asarray(1.0 / (1.0 + np.maximum(claims.sum(axis=0, keepdims=True) - claims, 0.0)))

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
    """Return the odds of all pictures of one layout, given that no face occurs twice.

    These are the marginals over all assignments of words to pictures that use each face at most once. The exact sum is
    a matrix permanent, so it is approximated by belief propagation, which always converges for such assignments
    (Vontobel, "The Bethe permanent of a nonnegative matrix", 2013). It is exact if pictures compete for one face, and
    close if a few compete for several.
    """
    weights = odds.p
    free = np.ones_like(weights)  # messages from faces to pictures
    for _ in range(_ROUNDS):
        claims = _claims(weights * free)
        now = _freedom(claims[:, :_FACES] * weights[:, :_FACES])
        change = np.abs(now - free[:, :_FACES]).max(initial=0.0)
        free[:, :_FACES] = now
        if change < _SETTLED:
            break
    p = weights * free
    return CardOdds(p / p.sum(axis=1, keepdims=True))


def _claims(weighed: Floats) -> Floats:
    """Return the messages from pictures to words: one over the weight of all other words of the picture."""
    return np.asarray(1.0 / np.maximum(weighed.sum(axis=1, keepdims=True) - weighed, np.finfo(np.float64).tiny))


def _freedom(claims: Floats) -> Floats:
    """Return the messages from faces to pictures: one over one plus the claims of all other pictures."""
    return np.asarray(1.0 / (1.0 + np.maximum(claims.sum(axis=0, keepdims=True) - claims, 0.0)))

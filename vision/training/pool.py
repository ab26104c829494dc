"""Variations to learn from, kept for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

S = TypeVar("S")


class Pool(Generic[S]):
    """Variations to learn from: making one costs more than learning from it, so each is shown several times.

    Args:
        make: makes a variation.
        turn: turns one about, which costs nothing, each time that it is shown.
        size: how many are kept.
        rng: chooses.
    """

    def __init__(
        self,
        make: Callable[[], S],
        turn: Callable[[S, np.random.Generator], S],
        size: int,
        rng: np.random.Generator,
    ) -> None:
        self._make, self._turn, self._size, self._rng = make, turn, size, rng
        self._samples: list[S] = []

    def batch(self, number: int, fresh: int) -> list[S]:
        """Return `number` variations, of all that there are after `fresh` new ones were made."""
        for _ in range(fresh if self._samples else 8 * number):
            self._renew(self._make())
        picks = self._rng.integers(len(self._samples), size=number)
        return [self._turn(self._samples[i], self._rng) for i in picks]

    def _renew(self, sample: S) -> None:
        if len(self._samples) < self._size:
            self._samples.append(sample)
        else:
            self._samples[int(self._rng.integers(self._size))] = sample

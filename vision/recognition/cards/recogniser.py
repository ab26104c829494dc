"""The recogniser of single cards: a small network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.recognition.cards.words import BACK, CARD_PX, RANKS, WORDS
from vision.shipped_network import FallibleOutputs, load, softmax

CardPictures = NDArray[np.float32]
"""float32 (n, bgr, 192, 144): white paper is 1, printed black 0; see `words.CARD_PX` for where the card is."""

_SIDES = ("face", BACK, "none")

_AT_ONCE = 2
"""Cards that the network is asked about in one go: another number each time costs 15 ms for buffers, and many together
take no less time than a few."""


class CardRecogniser:
    """The recogniser of cards, upright or upside down. It holds a network, so only one thread may use it at a time.

    Raises:
        BoardFileError: this version has no network for cards.
    """

    def __init__(self) -> None:
        self._file, self._network = load("cards", FallibleOutputs)
        self._network(np.zeros((_AT_ONCE, 3, CARD_PX[1], CARD_PX[0]), np.float32))  # the first is slow

    def recognise(self, cards: CardPictures) -> Floats:
        """Return the probabilities of what each of n pictures shows, float64 (n, 54), columns as `words.WORDS`.

        Raises:
            ValueError: the pictures have another shape than `CardPictures`.
        """
        if cards.ndim != 4 or cards.shape[1:] != (3, CARD_PX[1], CARD_PX[0]):
            message = f"cards: expected (n, 3, {CARD_PX[1]}, {CARD_PX[0]}), found {cards.shape}"
            raise ValueError(message)
        if len(cards) == 0:
            return np.empty((0, len(WORDS)))
        # A last one alone is repeated to make up their number: a copy of all pictures would take 9 MB.
        batches = (cards[k : k + _AT_ONCE] for k in range(0, len(cards), _AT_ONCE))
        whole = (_AT_ONCE, *cards.shape[1:])
        filled = (batch if len(batch) == _AT_ONCE else np.resize(batch, whole) for batch in batches)
        logits = np.concatenate([self._network(batch) for batch in filled])[: len(cards)]
        return joined(logits / self._file.temperature, self._file.residual)


def joined(logits: Floats, residual: float) -> Floats:
    """Join logits float64 (n, 3 sides + 13 ranks + 4 suits) to probabilities of the 54 words."""
    sides, ranks, suits = (softmax(part) for part in np.split(logits, (len(_SIDES), len(_SIDES) + len(RANKS)), axis=1))
    faces = (sides[:, :1, None] * ranks[:, :, None] * suits[:, None, :]).reshape(len(logits), -1)
    p = np.concatenate([faces, sides[:, 1:]], axis=1)
    return np.asarray((1 - residual) * p + residual / p.shape[1])

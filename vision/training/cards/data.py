"""Pictures of single cards with truth: drawn, laid on a table, half covered and photographed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats32
from vision.recognition.cards.words import BACK, CARDS, NONE, WORDS
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck
from vision.training.cards.camera import photographed, relit
from vision.training.cards.table import cover, lay, place, random_mat

_DRAWN_PX_PER_MM = 2.6
_USES = 8
"""Pictures that are made of one deck before another takes its place."""

_SHARES = {BACK: 0.08, NONE: 0.06}
_SMALL_DECK = 36
"""Cards of the ranks A to 9 come first in `CARDS`; they are asked for more often than the others."""


@dataclass(frozen=True, slots=True, eq=False)
class CardSample:
    """A picture float32 (bgr, 192, 144) and the index of its word in `WORDS`."""

    picture: Floats32
    word: int


@dataclass(slots=True, eq=False)
class Dealer:
    """Deals lessons without end, from a few decks at a time.

    Attributes:
        rng: all chance.
        font_files: fonts that decks may use.
    """

    rng: np.random.Generator
    font_files: tuple[Path, ...] = ()
    _stocks: list[tuple[Deck, ImageBgr]] = field(default_factory=list)

    def deal(self) -> CardSample:
        """Make one picture."""
        (deck, mat), word = self._stock(), self._word()
        table = mat.copy()
        self._neighbours(table, deck)
        if word != NONE:
            self._lay(table, deck, word, (0.0, 0.0), spread=1.0)
        elif self.rng.random() < 0.4:
            self._lay(table, deck, self._word(), self._far(), spread=3.0)
        if self.rng.random() < 0.45:
            cover(table, self.rng)
        return CardSample(photographed(table, self.rng), WORDS.index(word))

    def _stock(self) -> tuple[Deck, ImageBgr]:
        """Take one of a few decks and what it is on; now and then a new one comes for the oldest."""
        if len(self._stocks) < 4 or self.rng.random() < 1 / _USES:
            self._stocks = [*self._stocks[-3:], (random_deck(self.rng, self.font_files), random_mat(self.rng))]
        return self._stocks[self.rng.integers(len(self._stocks))]

    def _word(self) -> str:
        chance = self.rng.random()
        for word, share in _SHARES.items():
            if chance < share:
                return word
            chance -= share
        return CARDS[self.rng.integers(_SMALL_DECK if self.rng.random() < 0.55 else len(CARDS))]

    def _lay(self, table: ImageBgr, deck: Deck, word: str, at_mm: tuple[float, float], *, spread: float) -> None:
        if word == NONE:
            return
        face = deck.back(_DRAWN_PX_PER_MM) if word == BACK else deck.face(word, _DRAWN_PX_PER_MM)
        if self.rng.random() < 0.5:
            face = np.ascontiguousarray(face[::-1, ::-1])
        lay(table, face, deck.mask(_DRAWN_PX_PER_MM), place(self.rng, face, at_mm, spread))

    def _neighbours(self, table: ImageBgr, deck: Deck) -> None:
        for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if self.rng.random() < 0.12:
                gap = self.rng.uniform(0.5, 4.5)
                self._lay(table, deck, self._word(), (x * (63 + gap), y * (88 + gap)), spread=1.0)
        if self.rng.random() < 0.08:
            off = self.rng.normal(0, 1.5, 2)
            self._lay(table, deck, self._word(), (float(off[0]), float(off[1])), spread=1.5)

    def _far(self) -> tuple[float, float]:
        """A card that is mostly outside is no card of this place."""
        angle = self.rng.uniform(0, 2 * np.pi)
        return float(50 * np.cos(angle)), float(70 * np.sin(angle))


def turned(lesson: CardSample, rng: np.random.Generator) -> CardSample:
    """Show a lesson again, upside down or not, in a slightly different light."""
    picture = lesson.picture[:, ::-1, ::-1] if rng.random() < 0.5 else lesson.picture
    return CardSample(relit(picture, rng), lesson.word)

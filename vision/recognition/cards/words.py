"""The words for playing cards, and the shape of the picture of one card that the recogniser looks at."""

from __future__ import annotations

from typing import Final

from vision.labels import BACK, RANKS, SUITS
from vision.labels import FACES as CARDS
from vision.labels import split_card as split

__all__ = ["BACK", "CARDS", "CARD_MM", "CARD_PX", "NONE", "PX_PER_MM", "RANKS", "SUITS", "WORDS", "card_to_px", "split"]

NONE: Final = "none"

WORDS: Final = (*CARDS, BACK, NONE)
"""What a picture of one card may show: a face, a back, or no card at all."""

CARD_MM: Final = (63.0, 88.0)
"""Width and height of a card."""

CARD_PX: Final = (144, 192)
"""Width and height of the picture of one card: the card is upright in its middle."""

PX_PER_MM: Final = 2.0
"""So the picture shows 72 by 96 mm: 4.5 mm beside and 4 mm above and below the card."""


def card_to_px(x_mm: float, y_mm: float) -> tuple[float, float]:
    """Return the place in a card's picture, in px, of a point in mm right of and below the card's middle."""
    return (
        x_mm * PX_PER_MM + CARD_PX[0] / 2 - 0.5,
        y_mm * PX_PER_MM + CARD_PX[1] / 2 - 0.5,
    )

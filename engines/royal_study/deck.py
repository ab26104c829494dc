"""The difficulty of the cards of a deck."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engines.royal_study.placement import Placement, missing_pieces
from engines.royal_study.position import FIRST_LEVEL, Puzzle, Target
from engines.royal_study.search import least

DIFFICULTIES = ("easy", "medium", "hard")
"""The names of the thirds of a deck, from the fewest to the most steps."""


@lru_cache(maxsize=8)
def difficulties(cards: tuple[Placement, ...], level: int = FIRST_LEVEL) -> tuple[str, ...]:
    """Return the difficulty of each card of a deck: its third by the mean of the least steps to it.

    The steps are those from every other card that shows all pieces, as in a match.
    """
    starts = [card for card in cards if not missing_pieces(card)]
    means = [
        np.mean([least(Puzzle(start, (Target(card),), level)) for start in starts if start != card] or [0])
        for card in cards
    ]
    order = sorted(range(len(cards)), key=lambda number: (means[number], number))
    third = {number: place * len(DIFFICULTIES) // len(cards) for place, number in enumerate(order)}
    return tuple(DIFFICULTIES[third[number]] for number in range(len(cards)))

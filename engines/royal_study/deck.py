"""Objective cards drawn by a rule from a seed, and the difficulty of getting from one of them to another.

The rule: the placements, with turned and mirrored copies taken as one, are sorted by their mean distance from all
others and divided into as many equal parts as there are cards. From each part one is drawn, in one of its eight
orientations. So no card is a copy of another, and there are near and far ones. Then the cards are shuffled, so that
their numbers tell nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, permutations
from random import Random

import numpy as np

from engines.royal_study.board import Colouring
from engines.royal_study.graph import SYMMETRIES, graph
from engines.royal_study.placement import Placement, missing_pieces, turned
from engines.royal_study.position import FIRST_LEVEL, Puzzle, Target
from engines.royal_study.search import least

CARD_COUNT = 60


def draw_cards(random: Random, count: int = CARD_COUNT) -> tuple[Placement, ...]:
    """Return the pictures of the cards of a new deck, each with all five pieces."""
    tables = graph(Colouring.DARK_CORNERS)
    order = np.argsort(tables.distances.mean(axis=0), kind="stable")
    bases = [tables.placements[np.flatnonzero(tables.base == column)[0]] for column in order]
    edges = [len(bases) * part // count for part in range(count + 1)]
    parts = [bases[low:high] for low, high in pairwise(edges)]
    cards = [turned(random.choice(part), *random.choice(SYMMETRIES)) for part in parts]
    random.shuffle(cards)
    return tuple(cards)


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


def spread(cards: Sequence[Placement], level: int) -> Mapping[int, int]:
    """Return how many pairs of a start and another card as the target need each least number of steps."""
    puzzles = (Puzzle(start, (Target(card),), level) for start, card in permutations(cards, 2))
    return dict(sorted(Counter(map(least, puzzles)).items()))

"""Objective cards drawn by a rule from a seed, and how hard it is to get from one of them to another.

The rule: the placements, turned and mirrored copies as one, are put in order of how far they are from all others
on average, and cut into as many equal parts as there are cards. From each part one is drawn, laid down in one of its
eight ways. So no card is a copy of another, and both near and far ones are there. Then the cards are shuffled: a
card's number says nothing about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations
from random import Random

import numpy as np

from engines.royal_study.board import Colouring
from engines.royal_study.graph import SYMMETRIES, graph
from engines.royal_study.placement import Placement, turned
from engines.royal_study.position import Puzzle, Target
from engines.royal_study.search import least

CARD_COUNT = 60


def draw_cards(random: Random, count: int = CARD_COUNT) -> tuple[Placement, ...]:
    """Draw what the cards of a deck show, each with all five pieces."""
    tables = graph(Colouring.DARK_CORNERS)
    order = np.argsort(tables.distances.mean(axis=0), kind="stable")
    bases = [tables.placements[np.flatnonzero(tables.base == column)[0]] for column in order]
    edges = [len(bases) * part // count for part in range(count + 1)]
    parts = [bases[low:high] for low, high in pairwise(edges)]
    cards = [turned(random.choice(part), *random.choice(SYMMETRIES)) for part in parts]
    random.shuffle(cards)
    return tuple(cards)


def spread(cards: Sequence[Placement], level: int) -> Mapping[int, int]:
    """Count, over all cards as the start and all others as the target, how many need how many steps at least."""
    puzzles = (Puzzle(start, (Target(card),), level) for start, card in permutations(cards, 2))
    return dict(sorted(Counter(map(least, puzzles)).items()))

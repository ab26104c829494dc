"""The joint probabilities of a table's labels, from the layout's network and the cards' network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.recognition.cards.layout import Layout
from vision.recognition.cards.words import BACK, CARDS, NONE, WORDS

RESIDUAL = 0.001
"""Probability of an error that neither network sees, shared among all words."""

_BACK, _NONE = WORDS.index(BACK), WORDS.index(NONE)
_BARE = 3
"""The layout's first words are those of cells without a flag: face, back, nothing."""
_LEAST = 1e-12

_MISSING = 0.1
"""How much rarer a cell without a card is in play than where the network was trained: an estimate."""
_PRINT_MM, _PRINT_STEEPNESS, _PRINT_ODDS = 2.4, 4.0, (0.3, 20.0)
"""How far off its place what is as often a card as the mat's print is; growth of the odds with it, and their limits. 95
in 100 of 2,047 places printed on drawn mats seem less than 2.6 mm off, 90 in 100 of 450 backs there more; since some
people lay cards with care, the odds for print are limited. Steepness and limits were chosen."""

_PRIOR = 0.05
"""Probability of one colour's pawn in a cell where the network was trained: of five cells one had a pawn."""
_AWAY, _AWAY_WITH_FLAGS = 0.25, 0.01
"""Probability that a colour has no pawn on the table: two, three or four of four play; a colour with a flag does."""

_MORE = 0.1
"""Share of the network's own probabilities that is kept: a table may have a second set's pawns. It was chosen."""

_ROUNDS, _SETTLED = 200, 1e-10
"""Most rounds of belief propagation, and the change of a message from which on there is another."""


def joint(layout: Layout, odds: Floats, card_words: Sequence[str], corner_mm: float) -> Floats:
    """Return the joint probabilities of a table's labels, float64 (n_cells, words); each row sums to 1.

    The words are those of `Board.label_words`: the cards, "back", "covered" by each colour's flag, all of these with no
    pawn and with each colour's, and "empty".

    Args:
        layout: what is where.
        odds: what the card in each cell shows, float64 (n_cells, 54).
        card_words: the table's cards.
        corner_mm: from the middle of a card to its corner.
    """
    # 1. The probabilities of face, back and no card, given that there is no flag, float64 (n_cells, 3). Both networks
    #    see the same picture, so their geometric mean is taken: agreement does not add certainty.
    p_face, bare = odds[:, :_BACK].sum(axis=1, keepdims=True), layout.p_lying[:, :_BARE].sum(axis=1)
    theirs = np.column_stack([p_face, odds[:, _BACK], odds[:, _NONE]])
    sides = np.sqrt(np.maximum(layout.p_lying[:, :_BARE] * theirs, _LEAST))
    sides /= sides.sum(axis=1, keepdims=True)
    # 2. The probability of each card in each cell, float64 (n_cells, 54); "none" for covered or hidden cells.
    shares = sides * (layout.p_visible * bare)[:, None]
    shown = np.column_stack([odds[:, :_BACK] / np.maximum(p_face, _LEAST) * shares[:, :1], shares[:, 1]])
    claims = np.column_stack([shown, np.maximum(1 - shown.sum(axis=1), _LEAST)])
    # 3. Each card once, and what lies and stands in each cell.
    claimed = each_once(claims, len(CARDS))
    free = layout.p_visible * claimed[:, _NONE] / np.maximum(claims[:, _NONE], _LEAST)
    faces = claimed[:, [WORDS.index(word) for word in card_words]]
    lying = np.column_stack([faces, claimed[:, _BACK], layout.p_lying[:, _BARE:] * free[:, None]])
    # 4. What lies askew is a card rather than the mat's print; what the pose has wrong is common to all cells.
    off = layout.place - np.median(layout.place, axis=0)
    off_mm = np.hypot(off[:, 0], off[:, 1]) + np.abs(off[:, 2]) * corner_mm
    no_print = ((off_mm / _PRINT_MM) ** _PRINT_STEEPNESS).clip(*_PRINT_ODDS)
    empty = _MISSING * free * bare * sides[:, 2] / no_print
    p = np.column_stack([(lying[:, :, None] * layout.p_standing[:, None, :]).reshape(len(lying), -1), empty]) + _LEAST
    return np.asarray((1 - RESIDUAL) * p / p.sum(axis=1, keepdims=True) + RESIDUAL / p.shape[1])


def each_pawn_once(layout: Layout, *, played: bool = False) -> Layout:
    """Return a layout in which what stands in each cell allows for each colour's one pawn in all other cells.

    The network judges each cell alone. A pawn on a flag of its own colour it may overlook for certain; but if no other
    cell has that pawn, it is there or nowhere. While a game is `played`, it may be in a hand: that it is not seen says
    nothing then, and only where it is seen counts.
    """
    # 1. What may stand in each cell by the network; what it learned to expect, as far as the cell is hidden.
    colours = layout.p_standing.shape[1] - 1
    expected = np.array([1 - colours * _PRIOR] + [_PRIOR] * colours)
    seen = layout.p_visible[:, None]
    standing = seen * layout.p_standing + (1 - seen) * expected
    # 2. A colour of which a flag lies somewhere plays: its pawn is on the table.
    flagged = 1 - np.prod(1 - seen * layout.p_lying[:, _BARE:], axis=0)
    away = _AWAY + (_AWAY_WITH_FLAGS - _AWAY) * flagged
    # 3. The network expects a pawn in each cell alone: its weights against a table without that colour's pawn.
    odds = np.ones_like(away) if played else (1 - away) / away / (len(standing) * _PRIOR)
    weights = standing[:, 1:] * odds
    once = np.roll(each_once(np.column_stack([weights, standing[:, 0] / expected[0]]), colours), 1, axis=1)
    # 4. The pawns of another set may be on this table, and one light makes the same mistake twice.
    return replace(layout, p_standing=(1 - _MORE) * once + _MORE * layout.p_standing)


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

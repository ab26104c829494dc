"""What backs show by being alike: all backs of a deck are one picture.

Networks know the backs and pawns that they were trained on. A back with a picture of cards on it is taken for a flag, a
black pawn on a dark back for part of its print; but three cells that are alike from edge to edge are not three tiles,
and a back with a pawn on it is unlike the others at one place. Odds are measured on rendered tables, not on
photographs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.recognition.cards.layout import Layout
from vision.recognition.cards.recogniser import CardPictures
from vision.recognition.cards.words import CARD_PX

SETTLED = 0.998
"""Probability of what lies in a cell from which on it is not compared with others."""

ASKED = 0.9998
"""Probability of a back or a flag below which the cards' network is asked, too: what that says may unsettle it."""

_BACK, _FLAGS = 1, slice(3, None)
"""Where the layout's words have backs and flags: `vision.recognition.cards.layout.lying_words`."""

_SMALL_WH = (CARD_PX[0] // 4, CARD_PX[1] // 4)
_RIM_PX, _OFF_PX = 3, 2
"""The margin around a card that is left out, and how far off its place a card may be, in pixels of a small picture."""

BACKS_UNLIKE = 0.1
"""Root mean square difference that is as frequent between two backs as between two flags of one colour, white being 1:
half of 590 pairs of backs differ by less than 0.05, of 271 such pairs of flags 1 in 100 by less than 0.08."""

_BACKS_STEEPNESS, _BACKS_ODDS = 6.0, (0.3, 50.0)
"""Growth of the odds with the difference, and their limits: glare makes one back in twenty unlike all others."""

_FLAG_LIKE_BACK = 0.1
"""Share of flags that the cards' network takes for a back: 24 of 243."""

_ROUNDS = 5
"""How often each cell is compared with those that have become more or less likely backs."""

_PAWN_PX, _LIT_PX, _COMPARED = 7, 25, 6
"""Sides of what a pawn's head hides and of what is in one light, in pixels of a small picture, and how many of the
surest clean backs others are held against."""

_DARK = 0.1
"""What is added to levels before they are divided by one another: black has no ratio."""

_UNSEEN = 0.001
"""What is added to each colour's part of the pawns that the network misses."""

_MISSED, _PAWN_UNLIKE, _PAWN_STEEPNESS, _PAWN_ODDS = 0.01, 0.12, 8.0, (0.005, 15.0)
"""How often a pawn on a back is missed; the difference that is as frequent with a pawn as without; growth of the odds
with it, and their limits. Where they differ most, 2 in 100 of 929 clean backs differ by more than 0.1 from another
clean one, 99 in 100 of 146 with a pawn by more than 0.15; on some 900 backs seven pawns were missed."""


def weigh_backs(layout: Layout, rows: NDArray[np.int_], pictures: CardPictures, says_back: Floats) -> Layout:
    """Return a layout in which cells that are like other backs are more likely backs, and others less.

    Args:
        layout: what lies and stands in all cells.
        rows: the cells that are compared, (n,).
        pictures: of these cells, float32 (n, bgr, rows, columns).
        says_back: how likely each is a back to the cards' network, float64 (n,).
    """
    # 1. A flag is seldom taken for a back.
    lying = layout.p_lying[rows].copy()
    lying[:, _FLAGS] *= (1 - (1 - _FLAG_LIKE_BACK) * says_back)[:, None]
    lying /= lying.sum(axis=1, keepdims=True)
    # 2. Settled is what both networks are sure of. Of the rest: how much more often two backs differ by that much than
    #    a back and a flag, or two flags.
    doubted = np.flatnonzero(np.minimum(layout.p_lying[rows], lying).max(axis=1) < SETTLED)
    odds = ((BACKS_UNLIKE / np.maximum(unlikeness(pictures, doubted), 1e-6)) ** _BACKS_STEEPNESS).clip(*_BACKS_ODDS)
    # 3. Each doubted cell is compared with the one that speaks most for a back among the others that are most probably
    #    backs; repeated, since these become more or less probable, too.
    own, p_back = lying[doubted, _BACK], lying[:, _BACK].copy()
    others = np.arange(len(rows)) != doubted[:, None]
    for _ in range(_ROUNDS):
        likely = others & (p_back >= np.where(others, p_back, -1.0).max(axis=1, keepdims=True) / 2)
        best = np.where(likely, p_back * odds + 1 - p_back, 0.0).max(axis=1)
        best[~likely.any(axis=1)] = 1.0
        p_back[doubted] = own * best / (own * best + 1 - own)
    lying *= ((1 - p_back) / np.maximum(1 - lying[:, _BACK], 1e-12))[:, None]
    lying[:, _BACK] = p_back
    p_lying = layout.p_lying.copy()
    p_lying[rows] = lying
    return replace(layout, p_lying=p_lying)


def weigh_pawns_on_backs(layout: Layout, rows: NDArray[np.int_], pictures: CardPictures) -> Layout:
    """Return a layout in which pawns are more likely on backs that differ from clean ones at a place, less on others.

    Args:
        layout: what lies and stands in all cells.
        rows: cells that may be backs, (n,).
        pictures: of these cells, float32 (n, bgr, rows, columns).
    """
    # 1. The surest clean backs; nothing is known of a table with one back.
    p_back = layout.p_lying[rows, _BACK]
    clean = p_back * layout.p_standing[rows, 0]
    references = [k for k in np.argsort(-clean, kind="stable")[:_COMPARED] if clean[k] > 0.5]
    backs = [k for k in np.flatnonzero(p_back > 0.5) if any(k != other for other in references)]
    # 2. At which place each back differs most from the clean one that is most like it.
    small = {k: _small(pictures[k]) for k in {*backs, *references}}
    differs = np.array([_least_unlike(small[k], [small[o] for o in references if o != k]) for k in backs])
    # 3. The network misses some, most often of a colour that it half sees.
    standing = layout.p_standing[rows[backs]].copy()
    half_seen = standing[:, 1:] + _UNSEEN
    standing[:, 1:] += _MISSED * half_seen / half_seen.sum(axis=1, keepdims=True)
    # 4. How much more often a back with a pawn on it differs by that much.
    standing[:, 1:] *= _pawn_odds(differs)[:, None]
    p_standing = layout.p_standing.copy()
    p_standing[rows[backs]] = standing / standing.sum(axis=1, keepdims=True)
    return replace(layout, p_standing=p_standing)


def _pawn_odds(differs: Floats) -> Floats:
    """Return how much more often a back with a pawn differs by that much, float64 (n,), within limits."""
    return np.asarray(((differs / _PAWN_UNLIKE) ** _PAWN_STEEPNESS).clip(*_PAWN_ODDS))


def unlikeness(pictures: CardPictures, of: NDArray[np.int_]) -> Floats:
    """Return the root mean square differences of some of n cards from all, either way up, float64 (n_of, n).

    Args:
        pictures: of all cards, float32 (n, bgr, rows, columns), white paper being 1.
        of: the rows of those that are compared, (n_of,).
    """
    whole = [_small(picture) for picture in pictures]
    cores = [np.ascontiguousarray(one[_OFF_PX:-_OFF_PX, _OFF_PX:-_OFF_PX]) for one in whole]
    both = [(core, np.ascontiguousarray(core[::-1, ::-1])) for core in cores]
    apart = np.zeros((len(of), len(pictures)))
    for (i, row), (k, ways) in product(enumerate(of), enumerate(both)):
        # where the one is most like the other, either way up
        around = np.ascontiguousarray(whole[row])
        least = min(float(cv2.matchTemplate(around, core, cv2.TM_SQDIFF).min()) for core in ways)
        apart[i, k] = np.sqrt(max(least, 0.0) / ways[0].size)
    return apart


def _small(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a card's picture, float32 (bgr, rows, columns), made small and without its rim, (rows, columns, bgr)."""
    small = cv2.resize(picture.transpose(1, 2, 0), _SMALL_WH, None, 0, 0, cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8)[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX], np.float32)


def _least_unlike(one: NDArray[np.float32], others: Sequence[NDArray[np.float32]]) -> float:
    """Return how unlike a small picture is the one that is most like it; the first that is alike enough is taken.

    It is the root mean square difference where the two differ most, light left out.
    """
    least = np.inf
    for other in others:
        core = other[_OFF_PX:-_OFF_PX, _OFF_PX:-_OFF_PX]
        ways = [np.ascontiguousarray(core), np.ascontiguousarray(core[::-1, ::-1])]
        laid = [cv2.minMaxLoc(cv2.matchTemplate(np.ascontiguousarray(one), way, cv2.TM_SQDIFF)) for way in ways]
        _least, way, (x, y) = min((found[0], k, found[2]) for k, found in enumerate(laid))
        below, above = ways[way] + _DARK, one[y : y + core.shape[0], x : x + core.shape[1]] + _DARK
        light = cv2.blur(above, (_LIT_PX, _LIT_PX)) / cv2.blur(below, (_LIT_PX, _LIT_PX))
        differs = cv2.blur(((above - light * below) ** 2).mean(axis=2), (_PAWN_PX, _PAWN_PX)).max()
        least = min(least, float(np.sqrt(differs)))
        if _pawn_odds(np.array(least)) <= _PAWN_ODDS[0]:
            break
    return float(least)

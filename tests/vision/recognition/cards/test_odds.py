"""Odds over cards: a deck's limits, and a layout in which no face lies twice."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import Floats
from vision.recognition.cards.joint import each_once, restricted
from vision.recognition.cards.words import BACK, CARDS, WORDS, card_to_px, split


def odds_of(*rows: dict[str, float]) -> Floats:
    """Odds from a few words a picture; the rest is shared among all."""
    p = np.full((len(rows), len(WORDS)), 1e-9)
    for row, words in zip(p, rows, strict=True):
        for word, share in words.items():
            row[WORDS.index(word)] = share
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def assign(p: Floats) -> Floats:
    return each_once(p, len(CARDS))


def at(odds: Floats, picture: int, word: str) -> float:
    return float(odds[picture, WORDS.index(word)])


FEW = (3, 17, 30, WORDS.index(BACK))
"""Columns of three faces and the back, few enough to count all layouts."""


def random_few(rng: np.random.Generator, pictures: int) -> Floats:
    p = np.zeros((pictures, len(WORDS)))
    p[:, FEW] = rng.dirichlet(np.full(len(FEW), 0.5), pictures) + 1e-3
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def counted(p: Floats) -> Floats:
    """Weigh every way to give each picture one of a few words, without those that use a face twice."""
    sums = np.zeros_like(p)
    for words in product(FEW, repeat=len(p)):
        faces = [word for word in words if word != WORDS.index(BACK)]
        if len(faces) == len(set(faces)):
            sums[range(len(p)), words] += np.prod(p[range(len(p)), words])
    return np.asarray(sums / sums.sum(axis=1, keepdims=True))


@given(st.integers(0, 2**31))
def test_what_a_layout_is_sure_of_is_likely_when_all_ways_are_counted(seed: int) -> None:
    p = random_few(np.random.default_rng(seed), 3)
    found, exact = assign(p), counted(p)
    assert (exact[found > 0.95] > 0.75).all()
    assert np.abs(found - exact).max() < 0.35


@given(st.integers(0, 2**31), st.integers(2, 4))
def test_pictures_that_quarrel_about_one_face_are_weighed_as_by_counting_all_ways(seed: int, pictures: int) -> None:
    p = random_few(np.random.default_rng(seed), pictures)
    p[:, FEW[1:3]] = 0
    p /= p.sum(axis=1, keepdims=True)
    assert assign(p) == pytest.approx(counted(p), abs=1e-6)


@given(st.integers(0, 2**31), st.integers(0, 36))
def test_rows_stay_distributions(seed: int, pictures: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(len(WORDS), 0.05), pictures).reshape(pictures, len(WORDS))
    weighed = assign(p)
    assert weighed.sum(axis=1) == pytest.approx(np.ones(pictures))
    assert (weighed >= 0).all()


def test_a_smaller_deck_takes_the_probability_of_cards_that_it_lacks() -> None:
    odds = restricted(
        odds_of({"10-hearts": 0.7, "9-hearts": 0.3}), np.array([word in (*CARDS[:36], BACK) for word in WORDS])
    )
    assert at(odds, 0, "9-hearts") > 0.999
    assert at(odds, 0, "10-hearts") == 0


def test_words_split_into_rank_and_suit() -> None:
    assert split("10-diamonds") == ("10", "diamonds")
    with pytest.raises(ValueError, match="back"):
        split(BACK)


def test_the_card_lies_in_the_middle_of_its_picture() -> None:
    assert card_to_px(0, 0) == (71.5, 95.5)
    assert card_to_px(-36, -48) == (-0.5, -0.5)

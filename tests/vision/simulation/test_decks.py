"""Drawn decks: what stands on their cards can be counted, and no two decks or cards look alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.recognition.cards.words import CARDS, RANKS
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck, unusual_deck

SEEDS = range(6)


def deck_of(seed: int, make: Callable[[np.random.Generator], Deck] = random_deck) -> Deck:
    return make(np.random.default_rng(seed))


@pytest.mark.parametrize("rank", RANKS[1:10])
def test_a_number_card_has_as_many_pips_as_its_rank_says(rank: str) -> None:
    deck = deck_of(3)
    plain = replace(deck, pips=replace(deck.pips, panel=None, line_mm=0.0, size_mm=7.0, spread_mm=(14.0, 28.0)))
    bare = replace(plain, index=replace(plain.index, corners=()), frame_mm=(0.0, 0.0))
    ink = cv2.cvtColor(bare.face(f"{rank}-diamonds", 4.0), cv2.COLOR_BGR2GRAY) < 150
    regions, _ = cv2.connectedComponents(ink.astype(np.uint8))
    assert regions - 1 == int(rank)


@pytest.mark.parametrize("make", [random_deck, unusual_deck])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_of_a_deck_looks_different(seed: int, make: Callable[[np.random.Generator], Deck]) -> None:
    deck = deck_of(seed, make)
    pictures = [deck.face(card, 2.0) for card in CARDS]
    assert {picture.shape for picture in pictures} == {(176, 126, 3)}
    assert len({picture.tobytes() for picture in pictures}) == len(CARDS)


def test_a_card_that_does_not_exist_is_reported() -> None:
    with pytest.raises(ValueError, match="7-hearts"):
        deck_of(0).face("11-hearts", 2.0)

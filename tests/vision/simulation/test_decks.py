"""Drawn decks: what stands on their cards can be counted, and no two decks or cards look alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.recognition.cards.words import CARDS, RANKS, SUITS
from vision.simulation.decks.deck import PATTERNS, Deck, draw_back
from vision.simulation.decks.lettering import Shape, skeleton
from vision.simulation.decks.random_deck import any_deck, random_deck, unusual_deck

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


def test_unusual_decks_have_dark_faces_coloured_ones_and_one_large_suit() -> None:
    decks = [deck_of(seed, unusual_deck) for seed in range(30)]
    whitest = [max(deck.faces["hearts"]) for deck in decks]
    assert min(whitest) < 60
    assert any(60 < white < 232 for white in whitest)
    large = [deck for deck, white in zip(decks, whitest, strict=True) if white >= 232]
    assert large and all(len(places) == 1 for deck in large for places in deck.places.values())


def test_what_is_printed_all_over_the_faces_leaves_ranks_and_suits_legible() -> None:
    deck = next(deck for seed in range(30) if (deck := deck_of(seed, unusual_deck)).art is not None)
    bare = replace(deck, art=None)
    for card in ("7-clubs", "A-hearts"):
        ink = np.array(deck.inks[card[2:]][::-1])
        inked = (bare.face(card, 4.0) == ink).all(axis=2)
        assert (deck.face(card, 4.0)[inked] == ink).all()
        assert (deck.face(card, 4.0) != bare.face(card, 4.0)).any()


def test_a_deck_to_learn_from_may_be_usual_or_unusual() -> None:
    whitest = {max(deck_of(seed, any_deck).faces["clubs"]) >= 232 for seed in range(30)}
    assert whitest == {True, False}


def test_corners_of_a_card_are_cut_round() -> None:
    mask = replace(deck_of(0), corner_mm=4.0).mask(4.0)
    assert mask[0, 0] == 0
    assert mask[0, 30] == mask[100, 0] == mask[176, 126] == 255


@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_a_back_keeps_its_border_white(pattern: str) -> None:
    style = replace(deck_of(1).back_style, pattern=pattern, border_mm=5.0, lines_mm=(), medal_mm=0.0)
    back = draw_back(style, (250, 250, 250), 2.0)
    assert (back[:8] == 250).all()
    assert (back[20:-20, 20:-20] != 250).any()


def test_a_card_that_does_not_exist_is_reported() -> None:
    with pytest.raises(ValueError, match="7-hearts"):
        deck_of(0).face("11-hearts", 2.0)


@pytest.mark.parametrize("letter", "A1234567890JQKBDVR")
def test_letters_stay_in_their_box_but_for_the_queens_tail(letter: str) -> None:
    for seed in range(20):
        shape = replace(Shape.random(np.random.default_rng(seed)), slant=0.0)
        points = np.concatenate(skeleton(letter, shape))
        assert points.min() > -0.1
        assert points.max() < 1.2


def test_suits_have_the_colours_of_their_deck() -> None:
    deck = deck_of(2)
    for suit in SUITS:
        ink = np.array(deck.inks[suit][::-1])
        assert (np.abs(deck.face(f"9-{suit}", 4.0).astype(int) - ink).sum(axis=2) == 0).any()

"""The recogniser on drawn cards of decks that it has not learned from, and on what is no card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import Floats
from vision.recognition.cards.joint import each_once
from vision.recognition.cards.recogniser import CardPictures, CardRecogniser
from vision.recognition.cards.words import BACK, CARD_PX, CARDS, WORDS
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck

CLOTH_BGR = (70, 110, 60)


@pytest.fixture(scope="module")
def recogniser() -> CardRecogniser:
    return CardRecogniser()


def best_of(p: Floats) -> list[tuple[str, float]]:
    return [(WORDS[column], float(row[column])) for column, row in zip(p.argmax(axis=1), p, strict=True)]


def pictures_of(deck: Deck, words: tuple[str, ...]) -> CardPictures:
    """Lay drawn cards in the middle of their pictures, on cloth."""
    table = np.full((len(words), CARD_PX[1], CARD_PX[0], 3), CLOTH_BGR, np.uint8)
    for picture, word in zip(table, words, strict=True):
        face = deck.back(2.0) if word == BACK else deck.face(word, 2.0)
        picture[8:-8, 9:-9] = np.where(deck.mask(2.0)[..., None] > 0, face, picture[8:-8, 9:-9])
    return np.ascontiguousarray(table.transpose(0, 3, 1, 2), dtype=np.float32) / np.float32(250)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("turn", [1, -1])
def test_decks_are_reported_upright_and_upside_down(recogniser: CardRecogniser, turn: int) -> None:
    """Some decks are odd: one pip on every card, outlined suits, large corners over the pips."""
    right = []
    for seed in range(900_000, 900_006):
        pictures = pictures_of(random_deck(np.random.default_rng(seed)), CARDS[:36])
        found = best_of(each_once(recogniser.recognise(pictures[:, :, ::turn, ::turn]), len(CARDS)))
        right += [word == card for (word, _), card in zip(found, CARDS, strict=False)]
    assert np.mean(right) > 0.95


def test_nothing_wrong_is_reported_as_certain(recogniser: CardRecogniser) -> None:
    for seed in range(910_000, 910_006):
        best = best_of(recogniser.recognise(pictures_of(random_deck(np.random.default_rng(seed)), CARDS)))
        assert [
            (card, *found) for card, found in zip(CARDS, best, strict=True) if found[0] != card and found[1] > 0.95
        ] == []


def test_backs_of_many_decks_are_reported(recogniser: CardRecogniser) -> None:
    decks = [random_deck(np.random.default_rng(seed)) for seed in range(920_000, 920_020)]
    pictures = np.concatenate([pictures_of(deck, (BACK,)) for deck in decks])
    assert sum(word == BACK for word, _ in best_of(recogniser.recognise(pictures))) >= 18


def test_bare_cloth_is_no_card(recogniser: CardRecogniser) -> None:
    cloth = np.full((1, 3, CARD_PX[1], CARD_PX[0]), 0.3, np.float32)
    assert recogniser.recognise(cloth)[0, : len(CARDS)].sum() < 0.2


def test_a_card_too_blurred_to_read_is_reported_with_doubt(recogniser: CardRecogniser) -> None:
    pictures = pictures_of(random_deck(np.random.default_rng(930_000)), CARDS[:36])
    blurred = np.stack([[cv2.GaussianBlur(plane, (0, 0), 14) for plane in picture] for picture in pictures])
    best = best_of(recogniser.recognise(blurred.astype(np.float32)))
    assert not any(
        found[0] in CARDS and found[0] != card and found[1] > 0.95 for card, found in zip(CARDS, best, strict=False)
    )


@pytest.mark.parametrize("value", [-0.25, 0.0, 1.0, 2.0])
def test_any_picture_gets_a_distribution(recogniser: CardRecogniser, value: float) -> None:
    p = recogniser.recognise(np.full((2, 3, CARD_PX[1], CARD_PX[0]), value, np.float32))
    assert p.sum(axis=1) == pytest.approx(np.ones(2))


def test_no_pictures_give_no_odds(recogniser: CardRecogniser) -> None:
    assert recogniser.recognise(np.empty((0, 3, CARD_PX[1], CARD_PX[0]), np.float32)).shape == (0, len(WORDS))


def test_pictures_of_another_size_are_reported(recogniser: CardRecogniser) -> None:
    with pytest.raises(ValueError, match=r"expected \(n, 3, 192, 144\)"):
        recogniser.recognise(np.zeros((1, 3, 96, 72), np.float32))


def test_it_does_not_matter_how_many_cards_are_looked_at_together(recogniser: CardRecogniser) -> None:
    pictures = np.random.default_rng(6).random((5, 3, CARD_PX[1], CARD_PX[0]), dtype=np.float32)
    alone = [recogniser.recognise(pictures[k : k + 1]) for k in range(5)]
    np.testing.assert_allclose(recogniser.recognise(pictures), np.concatenate(alone), atol=1e-9)

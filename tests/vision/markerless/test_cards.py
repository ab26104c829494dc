"""Loose cards, drawn and laid on a table at a slant: what is read of them, and that nothing is read of other things."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.markerless.cards import CardReader, accepted, slimness
from vision.recognition.cards.words import BACK, CARD_MM, NONE, WORDS
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck

_SIZE_WH = (1000, 750)


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def deck() -> Deck:
    return random_deck(np.random.default_rng(4))


def _table(deck: Deck, *cards: tuple[str, Floats]) -> ImageBgr:
    """Lay cards, a word and corners (4, xy) each, on a brown table."""
    image = np.full((*_SIZE_WH[::-1], 3), (52, 84, 112), np.uint8)
    for word, corners in cards:
        face = deck.back(4.0) if word == "back" else deck.face(word, 4.0)
        width, height = face.shape[1], face.shape[0]
        ends = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(ends, corners.astype(np.float32))
        share = cv2.warpPerspective(deck.mask(4.0), matrix, _SIZE_WH)[..., None] / 255
        image = (image * (1 - share) + cv2.warpPerspective(face, matrix, _SIZE_WH) * share).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


def _corners(middle: tuple[float, float], px_per_mm: float, degrees: float, slant: float = 0.0) -> Floats:
    """Corners of a card about a middle, turned, and with its far end smaller."""
    w, h = (side * px_per_mm / 2 for side in CARD_MM)
    flat = np.array([(-w * (1 - slant), -h * (1 - slant)), (w * (1 - slant), -h * (1 - slant)), (w, h), (-w, h)])
    angle = np.radians(degrees)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return np.asarray(flat @ turn + middle)


@pytest.mark.parametrize(("other", "expected"), [("none", "back"), ("K-clubs", None)])
def test_a_back_that_is_a_face_when_turned_is_doubted(other: str, expected: str | None) -> None:
    """Of 24 court cards of scanned decks at 42 to 55 degrees four were backs for certain, one is now."""
    outline = _corners((480.0, 400.0), 4.0, 30.0)
    p = np.full((2, len(WORDS)), 1e-4)
    p[0, WORDS.index(BACK)], p[1, WORDS.index(other)] = 0.99, 0.7
    p[1, WORDS.index(NONE)] += 0.29
    (card,) = accepted([outline, np.roll(outline, -1, axis=0)], p / p.sum(axis=1, keepdims=True))
    assert card.card == expected


@pytest.mark.sampled(3)
@pytest.mark.parametrize("degrees", [0.0, 37.0, 90.0, 168.0])
def test_a_card_lying_anyhow_is_reported_with_its_corners(reader: CardReader, deck: Deck, degrees: float) -> None:
    corners = _corners((480.0, 400.0), 4.0, degrees, slant=0.1)
    (card,) = reader.read(_table(deck, ("7-hearts", corners)))
    assert card.card in ("7-hearts", None)
    apart = np.linalg.norm(card.corners_px[:, None] - corners[None], axis=2)
    assert (apart.min(axis=1) < 6).all()


def _tilted(tilt_deg: float, degrees: float) -> Floats:
    """Corners of a turned card on a table that is seen at a tilt, from 42 cm."""
    flat = _corners((0.0, 0.0), 1.0, degrees)
    tilt = np.radians(tilt_deg)
    depth = 420.0 - flat[:, 1] * np.sin(tilt)
    across, down = 1100 * flat[:, 0] / depth, 1100 * flat[:, 1] * np.cos(tilt) / depth
    return np.column_stack([across + 500.0, down + 380.0])


@pytest.mark.parametrize("tilt_deg", [46.0, 56.0])
def test_cards_are_read_when_their_short_side_looks_the_longer_one(reader: CardReader, tilt_deg: float) -> None:
    read = []
    for number, word in enumerate(("7-hearts", "K-spades", "A-clubs", "4-diamonds", "9-spades", "2-hearts")):
        dealt = random_deck(np.random.default_rng(300 + number))
        cards = reader.read(_table(dealt, (word, _tilted(tilt_deg, number * 31.0))))
        assert {card.card for card in cards} <= {word, None}
        read += [card.card for card in cards if card.card]
    assert len(read) >= 5


def test_several_cards_are_reported_from_the_top_down_and_none_is_reported_wrongly(
    reader: CardReader, deck: Deck
) -> None:
    lying = [
        (word, _corners((x, y), 2.6, degrees))
        for word, x, y, degrees in (("4-clubs", 200, 160, 5), ("Q-diamonds", 520, 330, -20), ("9-spades", 820, 560, 70))
    ]
    found = reader.read(_table(deck, *lying))
    assert len(found) == 3
    assert all(card.card in (word, None) for card, (word, _) in zip(found, lying, strict=True))
    assert sum(card.card is not None for card in found) >= 2


@pytest.mark.parametrize("degrees", [20.0, 110.0])
def test_the_panels_of_a_court_card_are_no_cards(reader: CardReader, degrees: float) -> None:
    """Of this deck three panels were reported as unsure cards, and the card that they are on was not."""
    king = ("K-hearts", _corners((500.0, 380.0), 5.0, degrees))
    (card,) = reader.read(_table(random_deck(np.random.default_rng(930_005)), king))
    assert card.card in ("K-hearts", None)
    apart = np.linalg.norm(card.corners_px[:, None] - king[1][None], axis=2)
    assert (apart.min(axis=1) < 20).all()


def test_a_back_is_reported_if_another_one_and_a_face_lie_there_or_it_was_seen_before() -> None:
    dealt, reader = random_deck(np.random.default_rng(311)), CardReader()
    places = [_corners((x, y), 2.8, turned) for x, y, turned in ((220, 200, 4), (520, 420, -25), (800, 300, 12))]
    one, two, face = ("back", places[0]), ("back", places[1]), ("7-hearts", places[2])
    assert [card.card for card in reader.read(_table(dealt, one))] == [None]
    assert [card.card for card in reader.read(_table(dealt, one, two))] == [None, None]  # like books of one series
    assert [card.card for card in reader.read(_table(dealt, one, two, face))].count("back") == 2
    assert [card.card for card in reader.read(_table(dealt, ("back", places[2])))] == ["back"]


@pytest.mark.parametrize("seed", range(3))
def test_where_no_card_lies_none_is_reported(reader: CardReader, seed: int) -> None:
    rng = np.random.default_rng(seed)
    image = np.full((*_SIZE_WH[::-1], 3), rng.integers(20, 230, 3), np.uint8)
    cv2.circle(image, (400, 300), 120, rng.integers(0, 255, 3).tolist(), -1)
    cv2.rectangle(image, (600, 400), (760, 560), rng.integers(0, 255, 3).tolist(), -1)
    assert reader.read(image) == ()


@pytest.mark.parametrize("shape", [(1, 1), (3, 2000), (64, 64), (37, 411)])
def test_a_picture_of_any_shape_is_read_without_an_error(reader: CardReader, shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (*shape, 3), np.uint8)
    assert all(card.card is None for card in reader.read(noise))


def test_a_card_is_as_slim_as_its_sides_say() -> None:
    assert slimness(_corners((0.0, 0.0), 1.0, 30.0)) == pytest.approx(63 / 88)

"""Backs of a deck are alike, whatever networks take them for."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import shipped_board
from vision.recognition.cards.layout import Layout, lying_words, standing_words
from vision.recognition.cards.likeness import weigh_backs, weigh_pawns_on_backs
from vision.recognition.cards.words import CARD_PX

_BOARD = shipped_board("royal-racers")
_LYING, _STANDING = lying_words(_BOARD), standing_words(_BOARD)
_MIDDLE = (CARD_PX[0] // 2, CARD_PX[1] // 2)


def _layout(lying: dict[str, float], standing: dict[str, float], cells: int) -> Layout:
    lies, stands = (
        np.array([said.get(word, 0.0) for word in words]) for words, said in ((_LYING, lying), (_STANDING, standing))
    )
    return Layout(np.tile(lies, (cells, 1)), np.tile(stands, (cells, 1)), np.ones(cells), np.zeros((cells, 3)))


def _card() -> NDArray[np.uint8]:
    return np.full((CARD_PX[1], CARD_PX[0], 3), 240, np.uint8)


def _seen(cards: list[NDArray[np.uint8]], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return cards as a camera sees them, each a little brighter or darker, blurred, off its place and noisy."""
    pictures = []
    for card in cards:
        moved = np.roll(card, tuple(rng.integers(-3, 4, 2)), axis=(0, 1))
        lit = cv2.GaussianBlur(moved, (0, 0), 1.2) / np.float32(255) * rng.uniform(0.95, 1.05)
        pictures.append((lit + 0.02 * rng.normal(size=lit.shape)).transpose(2, 0, 1))
    return np.asarray(pictures, np.float32)


def _back() -> NDArray[np.uint8]:
    """Draw a blue back with two small cards on it, which no network knows."""
    card = _card()
    cv2.rectangle(card, (14, 14), (CARD_PX[0] - 14, CARD_PX[1] - 14), (190, 60, 20), -1)
    cv2.rectangle(card, (45, 60), (85, 115), (235, 240, 240), -1)
    cv2.rectangle(card, (70, 75), (110, 130), (225, 240, 240), -1)
    cv2.circle(card, (90, 100), 8, (30, 30, 200), -1)
    return card


def _tile(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a wooden tile that lies turned on the middle of a card."""
    card = _card()
    for x, y in rng.integers((20, 15), (CARD_PX[0] - 20, 40), (4, 2)):
        cv2.circle(card, (int(x), int(y)), 8, (30, 30, 30), -1)
    corners = cv2.boxPoints((_MIDDLE, (100, 100), float(rng.uniform(-30, 30)))).astype(np.int32)
    cv2.fillPoly(card, [corners], (110, 160, 190))
    cv2.circle(card, tuple(int(v) for v in rng.integers(60, 90, 2)), 22, (60, 60, 60), 5)
    return card


def test_three_cells_that_are_alike_are_backs_although_each_was_taken_for_a_flag() -> None:
    rng = np.random.default_rng(1)
    cards = _seen([_back(), np.ascontiguousarray(_back()[::-1, ::-1]), _back(), _tile(rng), _tile(rng)], rng)
    layout = _layout({"flag-moons": 0.97, "back": 0.02, "flag-arms": 0.01}, {"nothing": 1.0}, 5)

    weighed = weigh_backs(layout, np.arange(5), cards, np.array([0.99, 0.99, 0.99, 0.01, 0.01]))

    assert [_LYING[i] for i in weighed.p_lying.argmax(axis=1)] == ["back"] * 3 + ["flag-moons"] * 2
    assert np.allclose(weighed.p_lying.sum(axis=1), 1.0)


def test_one_cell_alone_is_no_back_for_certain_and_no_flag_either() -> None:
    rng = np.random.default_rng(2)
    layout = _layout({"flag-moons": 0.98, "back": 0.02}, {"nothing": 1.0}, 1)

    weighed = weigh_backs(layout, np.arange(1), _seen([_back()], rng), np.array([0.99]))

    assert weighed.p_lying.max() < 0.95


def test_a_pawn_coloured_like_the_back_below_it_is_what_makes_it_unlike_the_others() -> None:
    rng = np.random.default_rng(4)
    backs = [_back(), np.ascontiguousarray(_back()[::-1, ::-1]), _back(), _back()]
    cv2.circle(backs[2], (40, 140), 16, (95, 20, 5), -1)
    cv2.circle(backs[2], (36, 135), 7, (250, 190, 160), -1)
    backs[3] = np.linspace(0.6, 1.0, CARD_PX[0])[None, :, None] * backs[3]  # in the shade of a lamp beside it
    layout = _layout({"back": 1.0}, {"nothing": 0.995, "pawn-arms": 0.005}, 4)

    weighed = weigh_pawns_on_backs(layout, np.arange(4), _seen(backs, rng)).p_standing

    bare = weighed[:, _STANDING.index("nothing")]
    assert bare[2] < 0.95
    assert (bare[[0, 1, 3]] > 0.99).all()


def test_one_back_alone_says_nothing_of_what_stands_on_it() -> None:
    layout = _layout({"back": 1.0}, {"nothing": 0.9, "pawn-suns": 0.1}, 1)
    alone = weigh_pawns_on_backs(layout, np.arange(1), _seen([_back()], np.random.default_rng(5)))
    assert np.allclose(alone.p_standing, layout.p_standing)

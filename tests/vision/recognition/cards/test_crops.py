"""Cards are cut out upright, in their true size, under even light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.narrow import there
from tests.vision.readings import table_view
from tests.vision.recognition.cards.scenes import BOARD, FACE_DOWN, FLAGS, PAWNS, pictured
from vision.recognition.cards.crops import cut_cards
from vision.recognition.cards.words import CARD_MM, CARD_PX, PX_PER_MM

_BARE = [i for i, cell in enumerate(BOARD.cells) if cell not in {*FLAGS, *PAWNS, *FACE_DOWN}]


def _cut(image_bgr: np.ndarray) -> np.ndarray:
    _, truth, _ = pictured()
    view = table_view(BOARD, image_bgr)
    places = truth.place + np.column_stack([BOARD.centres_mm(), np.zeros(len(BOARD.cells))])
    return cut_cards(image_bgr, view.pose, view.light, BOARD.size, places[_BARE])


@pytest.mark.parametrize("scale", [1.0, 2.2])
def test_a_card_that_is_cut_out_looks_like_the_card_that_was_laid(scale: float) -> None:
    image_bgr, truth, made = pictured()
    cards = _cut(cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))

    deck = there(made.layout).deck
    assert cards.shape == (len(_BARE), 3, CARD_PX[1], CARD_PX[0])
    margin_x, margin_y = (round((px - mm * PX_PER_MM) / 2) for px, mm in zip(CARD_PX, CARD_MM, strict=True))
    for card, index in zip(cards, _BARE, strict=True):
        drawn = cv2.GaussianBlur(deck.face(truth.labels[index], PX_PER_MM), (0, 0), 1.0)[..., 1]
        seen = card[1, margin_y:-margin_y, margin_x:-margin_x]
        assert max(np.corrcoef(drawn.ravel(), way.ravel())[0, 1] for way in (seen, seen[::-1, ::-1])) > 0.85


def test_white_paper_is_about_one() -> None:
    image_bgr, _, _ = pictured()
    whites = np.quantile(_cut(image_bgr)[:, :, 40:-40, 40:-40], 0.9, axis=(2, 3))
    assert (np.abs(whites - 1) < 0.15).all()

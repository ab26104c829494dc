"""Printed cards are read by our own reader: objective cards by their markers, playing cards by their faces."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games import playing_cards
from companion.games.kit import Drawing, Symbol
from companion.printing.kits import kit_of
from tests.companion.printing.pages import board_page, lay, photographed
from vision.board import shipped_board
from vision.markerless.cards import CardReader
from vision.recognition.reader import Reading, TableReader

_PX = 5.0


@pytest.mark.parametrize(
    ("number", "side", "turn_deg", "size_wh"),
    [(0, "face", 0.0, (1640, 1232)), (17, "back", 90.0, (2304, 1728)), (59, "face", 180.0, (1640, 1232))],
)
def test_an_objective_card_beside_the_board_is_read(
    number: int, side: str, turn_deg: float, size_wh: tuple[int, int]
) -> None:
    board = shipped_board("royal-study")
    (cards,) = [sheet for sheet in kit_of("royal-study").sheets(False) if sheet.key == "cards"]
    page = board_page(board, px_per_mm=_PX)
    table = np.vstack([page, np.full((round(120 * _PX), page.shape[1], 3), 90, np.uint8)])
    drawing = (cards.fronts if side == "face" else cards.backs)[number]
    lay(table, drawing, (120.0, 300.0), _PX, turn_deg)
    seen = TableReader(board).read(photographed(table, _PX, tilt_deg=15.0, turn_deg=3.0, size_wh=size_wh))
    assert isinstance(seen, Reading)
    assert seen.card is not None
    assert (seen.card.number, seen.card.side, seen.card.quarter_turns) == (number, side, round(turn_deg / 90))


def _pieces(side: Drawing) -> dict[str, tuple[float, float]]:
    return {item.name: item.centre for item in side.items if isinstance(item, Symbol)}


def test_backs_show_the_mirror_image_of_their_faces() -> None:
    (cards,) = [sheet for sheet in kit_of("royal-study").sheets(False) if sheet.key == "cards"]
    for front, back in zip(cards.fronts, cards.backs, strict=True):
        faces, behind = _pieces(front), _pieces(back)
        assert faces.keys() == behind.keys() == {"king", "queen", "rook", "bishop", "knight"}
        for name, (x, y) in faces.items():
            assert behind[name] == pytest.approx((front.width_mm - x, y))


@pytest.mark.sampled(11)
@pytest.mark.parametrize("first", range(0, 36, 6))
def test_playing_cards_are_read_by_their_faces(first: int) -> None:
    words = shipped_board("royal-racers").card_words[first : first + 6]
    table = np.full((round(240 * _PX), round(270 * _PX), 3), (70, 110, 60), np.uint8)
    for k, word in enumerate(words):
        rank, suit = word.split("-")
        lay(table, playing_cards.face(rank, suit), (50.0 + 82 * (k % 3), 64.0 + 110 * (k // 3)), _PX)
    seen = CardReader().read(photographed(table, _PX, tilt_deg=12.0, turn_deg=6.0, size_wh=(1640, 1232)))
    assert sorted(str(card.card) for card in seen) == sorted(words)
    assert min(card.confidence for card in seen) > 0.9

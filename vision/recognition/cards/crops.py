"""Cards cut out of a picture: each seen from straight above, upright, under even light."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Point
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.recognition.cards.recogniser import CardPictures
from vision.recognition.cards.words import CARD_PX, PX_PER_MM
from vision.recognition.light import Illumination

_CARD_TOP_MM = 0.4
"""A card is on the table or, a little bent, just above it."""

_TOO_FINE = 1.7
"""A picture with this many pixels for one of a card's is made smaller first, so that none is stepped over."""

_CORNERS_PX = np.array([(0, 0), (CARD_PX[0], 0), CARD_PX, (0, CARD_PX[1])], dtype=np.float32) - np.float32(0.5)
_CORNERS_MM = (_CORNERS_PX.astype(np.float64) + 0.5 - np.array(CARD_PX) / 2) / PX_PER_MM


def cut_cards(
    image_bgr: ImageBgr, pose: Pose, light: Illumination, board_size_mm: Point, places: Floats
) -> CardPictures:
    """Return pictures of cards, rectified, upright and with the light divided out.

    Args:
        image_bgr: uint8 (height, width, 3).
        pose: of the board.
        light: on the board.
        board_size_mm: width and height of the board.
        places: float64 (n, 3): each card's middle (x, y) in mm, and its turn clockwise in radians.
    """
    cards = np.empty((len(places), 3, CARD_PX[1], CARD_PX[0]), np.float32)
    # the corners of the cards' pictures in the whole picture, float64 (n, 4, xy)
    c, s = np.cos(places[:, 2]), np.sin(places[:, 2])
    turns = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)  # rows are multiplied
    corners_mm = places[:, None, :2] + _CORNERS_MM @ turns
    corners = pose.project_at(corners_mm.reshape(-1, 2), _CARD_TOP_MM).reshape(-1, 4, 2)
    image, scale = _coarse_enough(image_bgr, corners)
    # of each card, the table of grey levels divided by the light, float32 (n, bgr, 256)
    white = light.white_at(places[:, :2], board_size_mm)
    lit = (np.arange(256) - light.black[:, None]) / np.maximum(white - light.black, 4.0)[..., None]
    tables = np.clip(lit, -0.25, 2.0).astype(np.float32)
    for card, outline, table in zip(cards, (corners + 0.5) * scale - 0.5, tables, strict=True):
        matrix = cv2.getPerspectiveTransform(outline.astype(np.float32), _CORNERS_PX)
        flat = cv2.warpPerspective(image, matrix, CARD_PX, borderMode=cv2.BORDER_REPLICATE)
        for channel, levels, of_channel in zip(card, cv2.split(flat), table, strict=True):
            cv2.LUT(levels, of_channel, dst=channel)
    return cards


def _coarse_enough(image_bgr: ImageBgr, corners_px: Floats) -> tuple[ImageBgr, float]:
    """Return a picture, reduced if it is finer than the cards' pictures need, and the ratio."""
    sides = np.linalg.norm(corners_px[:, 1] - corners_px[:, 0], axis=1)
    detail = float(np.median(sides)) / CARD_PX[0] if len(sides) else 1.0
    if detail < _TOO_FINE:
        return image_bgr, 1.0
    width, height = (round(n / detail) for n in image_bgr.shape[1::-1])
    small = cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), width / image_bgr.shape[1]

"""The picture of loose cards with what each was taken for; one that cannot be read bears a "?" in a dashed outline."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.ui.drawing import INK, PAPER, write
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.markerless.cards import LooseCard

_DASHES = 12


def annotate_cards(image_bgr: ImageBgr, cards: Sequence[LooseCard]) -> ImageBgr:
    """Draw what was reported over a picture; the picture given stays as it is."""
    canvas = image_bgr.copy()
    for card in cards:
        width = max(1, round(float(np.hypot(*(card.corners_px[2] - card.corners_px[0]))) / 150))
        for colour, thick in ((PAPER, 3 * width), (INK, width)):
            _outline(canvas, card.corners_px, colour, thick, dashed=card.card is None)
        write(canvas, card.card or "?", card.corners_px.mean(axis=0), 8 * width)
    return canvas


def _outline(canvas: ImageBgr, corners: Floats, colour: tuple[int, int, int], thick: int, *, dashed: bool) -> None:
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        steps = np.linspace(start, end, 2 * _DASHES if dashed else 2).round().astype(int)
        for one, other in steps.reshape(-1, 2, 2):
            cv2.line(canvas, one.tolist(), other.tolist(), colour, thick, cv2.LINE_AA)

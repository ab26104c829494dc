"""What pictures of loose things are drawn with: pale ink on a dark ground, to be seen on any photograph."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats

INK, PAPER = (245, 245, 245), (28, 28, 28)
_FONT = cv2.FONT_HERSHEY_DUPLEX


def write(canvas: ImageBgr, text: str, middle_px: Floats, height_px: float) -> None:
    """Write a word about a place (x, y), on a dark plate."""
    scale = max(height_px, 9.0) / 22
    thick = max(1, round(1.5 * scale))
    (wide, high), base = cv2.getTextSize(text, _FONT, scale, thick)
    origin = np.round(np.asarray(middle_px) + np.array((-wide, high)) / 2).astype(int)
    plate = np.array([(-6, -high - 6), (wide + 6, base + 4)]) + origin
    cv2.rectangle(canvas, plate[0].tolist(), plate[1].tolist(), PAPER, cv2.FILLED)
    cv2.putText(canvas, text, origin.tolist(), _FONT, scale, INK, thick, cv2.LINE_AA)

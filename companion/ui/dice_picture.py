"""The picture of a throw with what each die was taken for; a die that cannot be read bears a "?" in a dashed square."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.markerless.dice import LooseDie

_INK, _PAPER = (245, 245, 245), (28, 28, 28)
_FONT = cv2.FONT_HERSHEY_DUPLEX


def annotate_dice(image_bgr: ImageBgr, dice: Sequence[LooseDie]) -> ImageBgr:
    """Draw what was reported over a picture; the picture given stays as it is."""
    canvas = image_bgr.copy()
    for die in dice:
        _draw(canvas, die)
    return canvas


def _draw(canvas: ImageBgr, die: LooseDie) -> None:
    """Ring the die, and write its value beside it on a dark disc: the pips stay to be seen."""
    x, y = (round(side) for side in die.centre_px)
    radius = max(6, round(0.75 * die.size_px))
    width = max(1, radius // 12)
    for colour, thick in ((_PAPER, 3 * width), (_INK, width)):
        for start in range(0, 360, 360 if die.value else 45):
            end = start + (360 if die.value else 25)
            cv2.ellipse(canvas, (x, y), (radius, radius), 0, start, end, colour, thick, cv2.LINE_AA)
    beside = np.array((x, y)) + round(0.75 * radius) * np.array((1, -1))
    disc = max(8, round(0.4 * radius))
    cv2.circle(canvas, beside.tolist(), disc, _PAPER, cv2.FILLED, cv2.LINE_AA)
    scale = disc / 15
    text = str(die.value or "?")
    (wide, high), _base = cv2.getTextSize(text, _FONT, scale, width)
    origin = (beside + np.array((-wide, high)) / 2).round().astype(int).tolist()
    cv2.putText(canvas, text, origin, _FONT, scale, _INK, width, cv2.LINE_AA)

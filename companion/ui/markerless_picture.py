"""Pictures of loose cards and dice with what each was taken for; what cannot be read has a "?" or a dashed outline.

Pale ink on a dark ground can be seen on any photograph.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.markerless.cards import LooseCard
from vision.markerless.dice import LooseDie

INK, PAPER = (245, 245, 245), (28, 28, 28)
_FONT = cv2.FONT_HERSHEY_DUPLEX
_DASHES = 12


def annotate_cards(image_bgr: ImageBgr, cards: Sequence[LooseCard]) -> ImageBgr:
    """Return a copy of a picture with what was read in it drawn over it."""
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


def write(canvas: ImageBgr, text: str, middle_px: Floats, height_px: float) -> None:
    """Write a word about a place (x, y), on a dark plate."""
    scale = max(height_px, 9.0) / 22
    thick = max(1, round(1.5 * scale))
    (wide, high), base = cv2.getTextSize(text, _FONT, scale, thick)
    origin = np.round(np.asarray(middle_px) + np.array((-wide, high)) / 2).astype(int)
    plate = np.array([(-6, -high - 6), (wide + 6, base + 4)]) + origin
    cv2.rectangle(canvas, plate[0].tolist(), plate[1].tolist(), PAPER, cv2.FILLED)
    cv2.putText(canvas, text, origin.tolist(), _FONT, scale, INK, thick, cv2.LINE_AA)


def annotate_dice(image_bgr: ImageBgr, dice: Sequence[LooseDie]) -> ImageBgr:
    """Return a copy of a picture with what was read in it drawn over it."""
    canvas = image_bgr.copy()
    for die in dice:
        _draw(canvas, die)
    return canvas


def _draw(canvas: ImageBgr, die: LooseDie) -> None:
    """Ring the die, and write its value beside it on a dark disc: the pips stay to be seen."""
    x, y = (round(side) for side in die.centre_px)
    radius = max(6, round(0.75 * die.size_px))
    width = max(1, radius // 12)
    for colour, thick in ((PAPER, 3 * width), (INK, width)):
        for start in range(0, 360, 360 if die.value else 45):
            end = start + (360 if die.value else 25)
            cv2.ellipse(canvas, (x, y), (radius, radius), 0, start, end, colour, thick, cv2.LINE_AA)
    beside = np.array((x, y)) + round(0.75 * radius) * np.array((1, -1))
    disc = max(8, round(0.4 * radius))
    cv2.circle(canvas, beside.tolist(), disc, PAPER, cv2.FILLED, cv2.LINE_AA)
    scale = disc / 15
    text = str(die.value or "?")
    (wide, high), _base = cv2.getTextSize(text, _FONT, scale, width)
    origin = (beside + np.array((-wide, high)) / 2).round().astype(int).tolist()
    cv2.putText(canvas, text, origin, _FONT, scale, INK, width, cv2.LINE_AA)

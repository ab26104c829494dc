"""Colours on the canvas: light is added and multiplied on a scale whose square is linear light.

With the square root as the camera's curve, light falling on a colour is one multiplication of bytes, and the noise of
counting photons has the same strength everywhere. `HEADROOM` leaves room on the canvas for highlights whiter than
paper.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board import Rgb

HEADROOM = 1.25

Bgr = tuple[float, float, float]


def canvas_bgr(colour: Rgb) -> Bgr:
    """Return a colour's canvas value (blue, green, red), 0 to 255 / HEADROOM."""
    red, green, blue = colour
    return blue / HEADROOM, green / HEADROOM, red / HEADROOM


def albedo_bgr(colour: Rgb) -> NDArray[np.float32]:
    """Return the share of light that a colour reflects, float32 (blue, green, red)."""
    return np.square(np.array(colour[::-1], np.float32) / 255)


def canvas_of_light(light: ArrayLike) -> NDArray[np.uint8]:
    """Put linear light (1 = white paper in the board's middle) on the canvas, uint8."""
    scaled = np.sqrt(np.maximum(np.asarray(light, np.float32), 0)) * np.float32(255 / HEADROOM)
    return np.asarray(np.minimum(scaled, 255), np.uint8)


def blend(colour: Rgb, other: Rgb, share: float) -> Rgb:
    """Mix `share` of the other colour into a colour."""
    mixed = [round(a + (b - a) * share) for a, b in zip(colour, other, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def toned(colour: Rgb, tone: float) -> Rgb:
    """Make a colour lighter or darker by a factor about 1."""
    red, green, blue = (min(255, round(part * tone)) for part in colour)
    return red, green, blue

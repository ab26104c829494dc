"""Outlines in the plane, float64 (n, xy) with y down, and their form in which OpenCV draws them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Floats, box

SHIFT = 4
"""Fractional bits of the points that OpenCV draws: sixteenths of a pixel."""


def sixteenths(points_px: ArrayLike) -> NDArray[np.int32]:
    """Return points (..., xy) in OpenCV's fixed-point form, with `SHIFT` fractional bits."""
    return np.asarray(np.round(np.multiply(points_px, 2**SHIFT)), np.int32)


SQUARE = box(-1.0, -1.0, 2.0, 2.0)
"""A square with a half side of 1 about (0, 0)."""


def ring(count: int, first_rad: float = 0.0) -> Floats:
    """Return evenly spaced points of the unit circle, clockwise, the first one at an angle from the x axis."""
    angles = first_rad + np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def ellipse(middle: ArrayLike, radii: ArrayLike, points: int = 32) -> Floats:
    """Return the outline of an ellipse."""
    return np.asarray(ring(points) * np.asarray(radii) + np.asarray(middle))


def divided(outline: ArrayLike, step: float) -> Floats:
    """Return places along an open outline (n, xy), at most a step apart, from its start to before its end, (m, xy)."""
    points = np.asarray(outline, dtype=np.float64)
    ways = np.diff(points, axis=0)
    counts = np.maximum(1, np.ceil(np.hypot(ways[:, 0], ways[:, 1]) / step)).astype(int)
    segment = np.repeat(np.arange(len(ways)), counts)
    share = np.concatenate([np.arange(n) / n for n in counts])
    return np.asarray(points[segment] + share[:, None] * ways[segment])


def turn(angle_rad: float) -> Floats:
    """Return the matrix (2, 2) by which points (n, xy) are multiplied to turn them clockwise."""
    c, s = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([(c, s), (-s, c)])

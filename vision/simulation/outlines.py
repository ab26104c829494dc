"""Outlines in the plane, float64 (n, xy) with y down, and sheets on which OpenCV draws them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board import Point, Rgb
from vision.frame import ImageBgr
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


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A picture with mm coordinates; the centre of pixel (i, j) is at ((i + 0.5) / px_per_mm, ...).

    Its values, uint8 (height, width, bgr), are those of sRGB over the `headroom`.
    """

    image_bgr: ImageBgr
    px_per_mm: float
    headroom: float = 1.0

    def fill(self, outlines_mm: Iterable[ArrayLike], colour: Rgb) -> None:
        """Fill outlines, one after the other."""
        for outline in outlines_mm:
            cv2.fillPoly(self.image_bgr, [self._px(outline)], self._bgr(colour), cv2.LINE_AA, SHIFT)

    def outline(self, outlines_mm: Iterable[ArrayLike], colour: Rgb, line_mm: float) -> None:
        """Draw closed outlines, a whole number of pixels thick."""
        points, thick = [self._px(outline) for outline in outlines_mm], max(1, round(line_mm * self.px_per_mm))
        ink = self._bgr(colour)
        cv2.polylines(
            self.image_bgr, points, isClosed=True, color=ink, thickness=thick, lineType=cv2.LINE_AA, shift=SHIFT
        )

    def line(self, start: ArrayLike, end: ArrayLike, colour: Rgb, width_mm: float) -> None:
        """Draw a straight line with square ends."""
        along = np.subtract(end, start)
        # OpenCV's smoothed polygons add half a pixel on each side
        pen_mm = max(width_mm - 1 / self.px_per_mm, 0.02)
        side = np.array([-along[1], along[0]]) / (np.hypot(*along) + 1e-9) * pen_mm / 2
        self.fill([np.array([start, start, end, end]) + np.array([side, -side, -side, side])], colour)

    def frame(self, corners_mm: Floats, colour: Rgb, width_mm: float) -> None:
        """Draw a closed outline of exactly that width, with square corners."""
        for start, end in zip(corners_mm, np.roll(corners_mm, -1, axis=0), strict=True):
            self.line(start, end, colour, width_mm)

    def circle(self, middle: Point | Floats, radius_mm: float, colour: Rgb, line_mm: float | None = None) -> None:
        """Draw a circle, filled without `line_mm`."""
        radius = round(radius_mm * self.px_per_mm * 2**SHIFT)
        thickness = -1 if line_mm is None else max(1, round(line_mm * self.px_per_mm))
        centre = self._px(middle).tolist()
        cv2.circle(self.image_bgr, centre, radius, self._bgr(colour), thickness, cv2.LINE_AA, SHIFT)

    def _px(self, points_mm: ArrayLike) -> NDArray[np.int32]:
        return sixteenths(np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5)

    def _bgr(self, colour: Rgb) -> tuple[float, float, float]:
        red, green, blue = colour
        return blue / self.headroom, green / self.headroom, red / self.headroom

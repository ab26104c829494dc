"""A picture that is drawn on in mm, with smooth edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.board import Point, Rgb
from vision.frame import ImageBgr
from vision.simulation.colour import canvas_bgr

_SHIFT = 4  # OpenCV draws at sixteenths of a pixel


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A picture that is drawn on in mm; pixel (i, j) has its middle at ((i + 0.5) / px_per_mm, ...)."""

    image: ImageBgr
    px_per_mm: float

    def points(self, points_mm: Iterable[Point]) -> Any:
        """Return points in mm as OpenCV draws them, int32 (n, xy) in sixteenths of a pixel."""
        px = np.asarray(list(points_mm), np.float64) * self.px_per_mm - 0.5
        return np.round(px * 2**_SHIFT).astype(np.int32)

    def polygon(self, points_mm: Iterable[Point], colour: Rgb) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.image, [self.points(points_mm)], canvas_bgr(colour), cv2.LINE_AA, _SHIFT)

    def rectangle(self, box_mm: tuple[float, float, float, float], colour: Rgb) -> None:
        """Fill a rectangle: left, top, width, height."""
        x, y, w, h = box_mm
        self.polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], colour)

    def line(self, start: Point, end: Point, colour: Rgb, width_mm: float) -> None:
        """Draw a straight line with square ends."""
        along = np.subtract(end, start)
        side = np.array([-along[1], along[0]]) / (np.hypot(*along) + 1e-9) * self._pen(width_mm) / 2
        ends = np.array([start, start, end, end]) + np.array([side, -side, -side, side])
        self.polygon([(p[0], p[1]) for p in ends], colour)

    def _pen(self, width_mm: float) -> float:
        """OpenCV's smoothed polygons are half a pixel too large on each side."""
        return max(width_mm - 1 / self.px_per_mm, 0.02)

    def circle(self, middle: Point, radius_mm: float, colour: Rgb, line_mm: float | None = None) -> None:
        """Draw a circle, filled without `line_mm`."""
        centre = tuple(int(v) for v in self.points([middle])[0])
        radius = round(radius_mm * self.px_per_mm * 2**_SHIFT)
        thickness = -1 if line_mm is None else max(1, round(line_mm * self.px_per_mm))
        cv2.circle(self.image, centre, radius, canvas_bgr(colour), thickness, cv2.LINE_AA, _SHIFT)

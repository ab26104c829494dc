"""A card that is drawn on, in mm from its top left corner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats

_SHIFT = 4  # OpenCV draws at sixteenths of a pixel

Polygons = tuple[Floats, ...]
"""Outlines float64 (n, xy), which are filled one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class CardSheet:
    """A picture uint8 (height, width, bgr) of which pixel (i, j) has its middle at ((i + 0.5) / px_per_mm, ...)."""

    image_bgr: ImageBgr
    px_per_mm: float

    @staticmethod
    def blank(size_mm: tuple[float, float], px_per_mm: float, paper: Rgb) -> CardSheet:
        """Cut a sheet of paper."""
        width, height = (round(side * px_per_mm) for side in size_mm)
        return CardSheet(np.full((height, width, 3), paper[::-1], np.uint8), px_per_mm)

    def fill(self, polygons: Iterable[Floats], colour: Rgb) -> None:
        """Fill outlines in mm."""
        for polygon in polygons:
            cv2.fillPoly(self.image_bgr, [self._px(polygon)], colour[::-1], cv2.LINE_AA, _SHIFT)

    def outline(self, polygons: Iterable[Floats], colour: Rgb, line_mm: float, *, closed: bool = True) -> None:
        """Draw outlines, or open lines, in mm."""
        thickness = max(1, round(line_mm * self.px_per_mm))
        for polygon in polygons:
            points = [self._px(polygon)]
            cv2.polylines(self.image_bgr, points, closed, colour[::-1], thickness, cv2.LINE_AA, _SHIFT)

    def stamp(self, mask: NDArray[np.uint8], box_mm: tuple[float, float, float, float], colour: Rgb) -> None:
        """Ink a mask uint8 (rows, columns), stretched to a box (x, y, width, height) in mm, on the sheet."""
        x, y, width, height = (side * self.px_per_mm for side in box_mm)
        scale_x, scale_y = width / mask.shape[1], height / mask.shape[0]
        shrink = min(1.0, 2 * max(scale_x, scale_y))
        if shrink < 1:
            mask = np.asarray(cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
            scale_x, scale_y = width / mask.shape[1], height / mask.shape[0]
        place = np.array([[scale_x, 0, x + scale_x / 2 - 0.5], [0, scale_y, y + scale_y / 2 - 0.5]])
        self._ink(np.asarray(cv2.warpAffine(mask, place, self.image_bgr.shape[1::-1]), np.uint8), colour)

    def _ink(self, mask: NDArray[np.uint8], colour: Rgb) -> None:
        x, y, width, height = cv2.boundingRect(mask)
        part = np.s_[y : y + height, x : x + width]
        share = mask[part][..., None].astype(np.float32) / 255
        paper = self.image_bgr[part]
        self.image_bgr[part] = np.rint(paper + (np.array(colour[::-1], np.float32) - paper) * share)

    def _px(self, points_mm: Floats) -> NDArray[np.int32]:
        px = np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5
        return np.asarray(np.round(px * 2**_SHIFT), np.int32)


def box(x: float, y: float, width: float, height: float) -> Floats:
    """Outline a rectangle."""
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def ellipse(middle: ArrayLike, radii: ArrayLike, points: int = 32) -> Floats:
    """Outline an ellipse about a middle."""
    angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.asarray(np.column_stack([np.cos(angle), np.sin(angle)]) * np.asarray(radii) + np.asarray(middle))


def placed(polygons: Polygons, middle: ArrayLike, size_wh: ArrayLike, *, turned: bool = False) -> Polygons:
    """Bring outlines of unit size about (0, 0) to a place in mm, upside down or not."""
    size = np.asarray(size_wh) * (-1 if turned else 1)
    return tuple(np.asarray(polygon * size + np.asarray(middle)) for polygon in polygons)

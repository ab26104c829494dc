"""Detects quadrilaterals with straight sides in a picture, which may be cards, on any ground.

Cards are lighter than most tables, but white ones lie on white ones, too; outlines are searched for in several ways, by
edges and by levels, and whatever in any of them is bounded by four straight sides is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats

Mask = NDArray[np.uint8]

_LEAST_SIDE_PX = 24.0
_MOST_OF_PICTURE = 0.9
_LEAST_FILLED = 0.93
"""Share of a quadrilateral that its outline must fill; a card's rounded corners leave 0.98."""

_STRAIGHT = 0.035
"""How far a side may bend, over its length: the median distance of the outline from it."""

_CORNER = 0.16
"""Share of a side at each end that is left out when its line is fitted: there corners are round."""

_EDGE_LEVELS = ((10, 30), (25, 75), (60, 180))
_WINDOWS = (41, 101)


def find_quads(image_bgr: ImageBgr) -> list[Floats]:
    """Return the quadrilaterals in a picture, uint8 (height, width, 3), best about 1000 px wide.

    Each is its corners in pixels, float64 (4, xy), clockwise as seen; one thing may be found several times.
    """
    outlines = [outline for mask in _masks(image_bgr) for outline in _outlines(mask)]
    return [quad for outline in outlines if (quad := fit_quad(outline)) is not None]


def _masks(image_bgr: ImageBgr) -> Iterator[Mask]:
    """Yield masks, uint8, of the picture's outlines and patches, made in several ways."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image_bgr, (0, 0), 1.2), cv2.COLOR_BGR2Lab)
    light = np.asarray(lab[..., 0], np.uint8)
    for low, high in _EDGE_LEVELS:
        edges = cv2.max(cv2.Canny(light, low, high), cv2.Canny(np.ascontiguousarray(lab[..., 2]), low, high))
        yield np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8)
    for window in _WINDOWS:
        local = cv2.adaptiveThreshold(light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, -4)
        yield np.asarray(cv2.morphologyEx(local, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    level, bright = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    yield np.asarray(bright, np.uint8)
    above = light[light > level]
    if above.size:
        brighter = float(np.median(above)) * 0.5 + level * 0.5
        yield np.asarray(cv2.threshold(light, brighter, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _outlines(mask: Mask) -> Iterator[Floats]:
    """Yield the convex outlines, float64 (n, xy), of the parts of a mask that are large enough."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    most = _MOST_OF_PICTURE * mask.size
    for contour in contours:
        if len(contour) < 4 * _LEAST_SIDE_PX:
            continue
        hull = cv2.convexHull(contour)
        if _LEAST_SIDE_PX**2 < cv2.contourArea(hull) < most:
            # points about a pixel apart along the sides
            polygon = hull[:, 0].astype(np.float64)
            ways = np.roll(polygon, -1, axis=0) - polygon
            counts = np.maximum(1, np.hypot(*ways.T).astype(int))
            side = np.repeat(np.arange(len(polygon)), counts)
            share = np.concatenate([np.arange(n) / n for n in counts])
            yield polygon[side] + share[:, None] * ways[side]


def fit_quad(outline: Floats) -> Floats | None:
    """Fit four straight sides to a convex outline float64 (n, xy); None if it has another shape.

    Returns corners, float64 (4, xy), clockwise as seen.
    """
    quad = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))).astype(np.float64)
    for _ in range(3):
        # 1. The robustly fitted line of each side, by a point and a direction, float64 (2, xy).
        lines = []
        for k in range(4):
            points = outline[_along(outline, quad, k)[0]]
            if len(points) < 8:
                return None
            vx, vy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
            lines.append(np.array([(x, y), (vx, vy)], np.float64))
        # 2. The corners are where neighbouring lines cross, if they are not nearly parallel.
        corners = []
        for k in range(4):
            (one, way), (other, across) = lines[k - 1], lines[k]
            ways = np.column_stack([way, -across])
            if abs(np.linalg.det(ways)) < 0.3:
                return None
            corners.append(one + np.linalg.solve(ways, other - one)[0] * way)
        quad = np.array(corners)
    # 3. The median distance of the outline from each side, over its length; 1 if little of the side has outline.
    bends = []
    for k in range(4):
        near, off, length = _along(outline, quad, k)
        bends.append(float(np.median(off[near])) / length if near.sum() > 0.4 * length else 1.0)
    filled = cv2.contourArea(outline.astype(np.float32)) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    good = max(bends) < _STRAIGHT and _LEAST_FILLED < filled < 1.03 and sides.min() > _LEAST_SIDE_PX
    return quad if good and cv2.isContourConvex(quad.astype(np.float32)) else None


def _along(outline: Floats, quad: Floats, k: int) -> tuple[NDArray[np.bool_], Floats, float]:
    """Return which points are near a side and not at its ends, bool (n,), how far off all are, and its length in px."""
    start, way = quad[k], quad[(k + 1) % 4] - quad[k]
    length = float(np.hypot(*way)) + 1e-9
    unit = way / length
    apart = outline - start
    along, off = apart @ unit / length, np.abs(apart @ np.array([-unit[1], unit[0]]))
    return (along > _CORNER) & (along < 1 - _CORNER) & (off < 0.15 * length), off, length

"""Detects top faces of dice with one dot or none in a view of their plane: squares of the right size and any colour.

A network that learned pips finds no die whose top is blank. Seen on the plane of the tops, each top is a square of
known size; it differs in brightness from the sides and from the table, or it is not found.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats

SIZE_SLACK = 0.15
"""Part by which a square's sides may differ from a die's: pixels at its edges, and a pose that is a little off."""

_LEAST_FILLED = 0.89
"""Part of its surrounding rectangle that a square fills; a disc fills 0.79, a die with its sides at a slant less."""

_LEVELS = range(12, 256, 12)
"""Brightnesses that may divide a face from what is about it: a top is lighter than the sides by more."""

_MOST_UNEVEN = 30.0
"""Grey levels by which a face without a dot differs in itself at most: light and noise do less, a dot more."""

_INSIDE = 0.7
"""Part of a face, about its middle, in which a dot is searched for."""

_DOT_WIDTHS = (0.1, 0.5)
"""Least and largest diameter of a dot, in faces."""

_OFF_MIDDLE = 0.12
"""So far from the middle a dot may be, in faces."""


def square_faces(view_bgr: ImageBgr, face_px: float) -> Iterator[tuple[tuple[float, float], int | None]]:
    """Yield the squares of a view uint8 (height, width, 3) that have the size of a face, each once, the best first.

    Each has its middle in pixels, (x, y), and its dots, 0 or 1; None for another face.
    """
    gray = np.asarray(cv2.GaussianBlur(cv2.cvtColor(view_bgr, cv2.COLOR_BGR2GRAY), (0, 0), 1), np.uint8)
    found = [
        square for level in _LEVELS for side in (gray >= level, gray < level) for square in _squares(side, face_px)
    ]
    known: list[Floats] = []
    for _filled, box in sorted(found, key=lambda square: -square[0]):
        middle = box.mean(axis=0)
        if all(np.hypot(*(middle - other)) > face_px / 2 for other in known):
            known.append(middle)
            yield (float(middle[0]), float(middle[1])), _dots(gray, box, face_px)


def _squares(side: NDArray[np.bool_], face_px: float) -> Iterator[tuple[float, Floats]]:
    """Yield the filled share and the corners, float64 (4, xy), of each part of a mask that is a square of that size."""
    _count, parts, boxes, _middles = cv2.connectedComponentsWithStats(side.astype(np.uint8), connectivity=4)
    least, most = (1 - SIZE_SLACK) * face_px, (1 + SIZE_SLACK) * face_px
    area, longest = boxes[:, cv2.CC_STAT_AREA], boxes[:, 2:4].max(axis=1)
    near = (area > _LEAST_FILLED * least**2) & (area < most**2) & (longest < np.sqrt(2) * most)
    near[0] = False  # what is not of this side
    for number in np.flatnonzero(near):
        x, y, width, height = boxes[number, :4]
        # the outline of a connected part, int32 (n, 1, xy); what is within belongs to it
        outlines, _ = cv2.findContours(
            (parts[y : y + height, x : x + width] == number).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        outline = np.asarray(max(outlines, key=len), np.int32)
        rectangle = cv2.minAreaRect(outline + np.array((x, y), np.int32))
        across, down = np.array(rectangle[1]) + 1  # from the middles of pixels to their edges
        filled = (cv2.contourArea(outline) + (across + down) - 1) / (across * down)
        if least < min(across, down) and max(across, down) < most and filled > _LEAST_FILLED:
            yield filled, np.asarray(cv2.boxPoints(rectangle), np.float64)


def _dots(gray: NDArray[np.uint8], corners: Floats, face_px: float) -> int | None:
    """Return 0 if nothing is on a face, 1 if a dot is in its middle, None if it is something else."""
    middle = corners.mean(axis=0)
    inside = np.zeros_like(gray)
    cv2.fillConvexPoly(inside, np.rint(middle + _INSIDE * (corners - middle)).astype(np.int32), (1,))
    off = np.abs(gray.astype(np.float64) - np.median(gray[inside > 0])) * inside
    if off.max() < _MOST_UNEVEN:
        return 0
    count, _parts, boxes, middles = cv2.connectedComponentsWithStats((off > off.max() / 2).astype(np.uint8))
    away, width = float(np.hypot(*(middles[-1] - middle))), float(boxes[-1, 2:4].max())
    sized = _DOT_WIDTHS[0] * face_px < width < _DOT_WIDTHS[1] * face_px
    alone = count == 2  # what is not a dot, and it
    return 1 if alone and sized and away < _OFF_MIDDLE * face_px else None

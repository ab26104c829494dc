"""Detects dots that look like the pips of white dice on white ground, where no die was found.

A white die whose edges are lost in an overexposed picture, or on white cloth, shows nothing but its pips. Networks that
learned what dice look like do not detect these. The dots are not read as a value: they may be print.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats

_LONGEST_PX = 1000
"""Longer side of the picture in which dots are searched for: a die of 13 mm has pips of 4 px there, seen 60 cm wide."""

_REACH = 3.5
"""The farthest that a pip is from the one in the middle of its face, or on its edge, in its diameters."""

_ALIKE = 1.6
"""Pips of a face are as large but for this factor: a slanted view and the lone one of some sets."""

_MOST_DOTS = 300
"""More dots in a picture are a pattern."""

_AS_PAPER, _GREY = 0.85, 0.15
"""White is so bright, beside the brightest of the picture, and no more coloured than that."""

_FACE_PER_PIP = 5.0
"""Side of a face in diameters of its pips."""


def unread_pips(image_bgr: ImageBgr, known: Sequence[tuple[Floats, float]]) -> Iterator[tuple[Floats, float]]:
    """Return the middle (x, y) and the size, in pixels, of dots on white that look like the pips of a face.

    Args:
        image_bgr: uint8 (height, width, 3).
        known: middles and sizes of the dice that were found; dots on them are ignored.
    """
    scale = min(1.0, _LONGEST_PX / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image_bgr
    view, paper = np.asarray(small, np.uint8), float(np.percentile(small[::4, ::4].max(axis=2), 99))
    # dark round dots on white: their middles (x, y) and diameters
    found = _detector().detect(np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8))
    round_ones = (np.array((*dot.pt, dot.size), np.float64) for dot in found)
    dots = np.array([dot for dot in round_ones if _is_white(view, dot, paper)]).reshape(-1, 3)
    away = [np.hypot(*(dots[:, :2] - scale * middle).T) > scale * size for middle, size in known]
    left = dots[np.all(away, axis=0)] if away else dots
    for face in _faces(left) if len(left) <= _MOST_DOTS else ():
        about = np.array([*face[:, :2].mean(axis=0), _FACE_PER_PIP * face[:, 2].mean()])
        if len(face) > 1 and _is_white(view, about, paper):
            yield about[:2] / scale, float(about[2]) / scale


def _is_white(view_bgr: ImageBgr, thing: Floats, paper: float) -> bool:
    """Return whether most of what is about a thing, its middle (x, y) and size, is as white as the whitest there is."""
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = thing[:2] + thing[2] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    x, y = np.rint(ring).astype(int).clip(0, np.array(view_bgr.shape[1::-1]) - 1).T
    about = np.quantile(view_bgr[y, x], 1 / 3, axis=0)
    return bool(about.min() >= _AS_PAPER * paper and np.ptp(about) <= _GREY * paper)


def _faces(dots: Floats) -> Iterator[Floats]:
    """Return the dots that may be of one face, those with most beside them first."""
    # 1. Which dots are as near to which, and as large, as pips of one face, (n, n); each is beside itself.
    larger = np.maximum(dots[:, None, 2], dots[None, :, 2])
    smaller = np.minimum(dots[:, None, 2], dots[None, :, 2])
    away = np.linalg.norm(dots[:, None, :2] - dots[None, :, :2], axis=2)
    beside = (away < _REACH * larger) & (larger < _ALIKE * smaller)
    # 2. The dots beside one, and beside one of those that are left, until none is.
    left = np.ones(len(dots), dtype=np.bool_)
    while (count := (beside & left).sum(axis=1) * left).any():
        face = beside[int(count.argmax())] & left
        yield dots[face]
        away = np.hypot(*(dots[:, :2] - dots[face, :2].mean(axis=0)).T)
        left &= ~face & (away > _FACE_PER_PIP / 2 * dots[face, 2].mean())


@lru_cache
def _detector() -> cv2.SimpleBlobDetector:
    """Return a detector of dark discs, seen at up to 60 degrees off."""
    parameters = cv2.SimpleBlobDetector.Params()
    parameters.minThreshold, parameters.maxThreshold, parameters.thresholdStep = 40, 230, 30
    parameters.minRepeatability, parameters.minDistBetweenBlobs = 2, 3
    parameters.filterByColor, parameters.blobColor = True, 0
    parameters.filterByArea, parameters.minArea, parameters.maxArea = True, 8, 1500
    parameters.filterByCircularity, parameters.minCircularity = True, 0.7
    parameters.filterByConvexity, parameters.minConvexity = True, 0.85
    parameters.filterByInertia, parameters.minInertiaRatio = True, 0.25
    return cv2.SimpleBlobDetector.create(parameters)

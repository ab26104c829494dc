"""Tracking of a board from known corners, without markers, after the board is pushed or the camera is bumped.

Points on the board are tracked with Lucas-Kanade optical flow from an anchor picture instead of the last frame, so
errors do not accumulate. If enough points have stayed, the board has not moved, whatever hands and pieces do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.localization.locate import ScaledImage
from vision.localization.markers import Gray

_POINTS = 150
_LEAST_POINTS = 12
_STAYED_PX, _STAYED_SHARE = 0.5, 0.3
_WORN_SHARE = 0.6
_INLIER_PX, _INLIER_SHARE = 1.5, 0.3
_UNLIKE_LEVELS = 14.0
"""Mean difference of a point's neighbourhood, in grey levels, above which the point is covered."""

_flow: Callable[..., Any] = partial(
    cv2.calcOpticalFlowPyrLK, winSize=(21, 21), maxLevel=3, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
)
"""Returns the new points, whether each was found, and the mean difference of its neighbourhood in grey levels.

Its arguments are two pictures, points in the first, and where their search starts, which is overwritten."""


class Follower:
    """The tracker of one board.

    Args:
        scaled: the first picture.
        outline_px: the board's corners in it, float (4 clockwise, xy).
    """

    def __init__(self, scaled: ScaledImage, outline_px: Floats) -> None:
        self._outline_px = np.asarray(outline_px, np.float64)
        self._moved: Floats = np.eye(3)
        self._anchor(scaled)

    def follow(self, scaled: ScaledImage) -> Floats | None:
        """Return the corners in this picture, float64 (4, xy); None if too little of the board is visible."""
        gray, before = _even(scaled.reduced_gray), self._points_px
        self._worn = True
        if len(before) < _LEAST_POINTS or gray.shape != self._gray.shape:
            return None
        # 1. Track the points forward, from where the homography of the previous picture puts them, and back; good are
        #   those that came back and look the same.
        near = np.asarray(cv2.perspectiveTransform(before, self._moved), np.float32)
        now, found, unlike = _flow(self._gray, gray, before, near)
        back, found_back, _ = _flow(gray, self._gray, now, before.copy())
        returned = np.linalg.norm((back - before)[:, 0], axis=1) < 1.0
        good = (found & found_back).ravel().astype(bool) & returned & (unlike.ravel() < _UNLIKE_LEVELS)
        # 2. Nothing has moved if enough points have stayed; else the homography counts that enough of them agree on.
        stayed = good & (np.linalg.norm((now - before)[:, 0], axis=1) < _STAYED_PX)
        if stayed.sum() >= max(_LEAST_POINTS, _STAYED_SHARE * len(stayed)):
            self._moved, self._worn = np.eye(3), bool(stayed.mean() < _WORN_SHARE)
        else:
            if good.sum() < _LEAST_POINTS:
                return None
            homography, inliers = cv2.findHomography(before[good], now[good], cv2.RANSAC, _INLIER_PX)
            if np.shape(homography) != (3, 3) or np.sum(inliers) < max(_LEAST_POINTS, _INLIER_SHARE * len(good)):
                return None
            self._moved = np.asarray(homography, np.float64)
        # 3. The corners, by that homography from the anchor.
        scale = gray.shape[1] / scaled.size_wh[0]
        corners = cv2.perspectiveTransform((self._anchored_px * scale)[None], self._moved)[0] / scale
        self._outline_px = np.asarray(corners, np.float64)
        return self._outline_px

    def renew(self, scaled: ScaledImage) -> None:
        """Replace a worn anchor by the last picture, in which the board must be clean and still."""
        if self._worn:
            self._anchor(scaled)

    def _anchor(self, scaled: ScaledImage) -> None:
        """Choose the points, float32 (n, 1, xy), in this picture from which they are tracked."""
        self._gray, self._anchored_px = _even(scaled.reduced_gray), self._outline_px
        scale = self._gray.shape[1] / scaled.size_wh[0]
        board = np.zeros(self._gray.shape, np.uint8)
        cv2.fillConvexPoly(board, np.round(self._outline_px * scale).clip(-1e4, 1e4).astype(np.int32), 255)
        points: NDArray[Any] | None = cv2.goodFeaturesToTrack(self._gray, _POINTS, 0.02, 7, mask=board)
        self._points_px = np.asarray([] if points is None else points, np.float32).reshape(-1, 1, 2)
        self._moved, self._worn = np.eye(3), False


def _even(gray: Gray) -> Gray:
    """Divide a picture by the local mean, so that a change of light is not taken for motion."""
    around = np.asarray(cv2.blur(gray, (41, 41)), np.float32) + 8.0
    return (gray * (110.0 / around)).clip(0, 255).astype(np.uint8)

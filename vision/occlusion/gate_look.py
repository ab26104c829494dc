"""One look at a board for the occlusion gate: the board with a margin, rectified and reduced.

The margin is needed to recognise hands: a hand over the board also covers the margin, a piece does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.geometry import Floats, Floats32, Pose, box
from vision.localization.locate import ScaledImage

Mask: TypeAlias = NDArray[np.uint8]
"""uint8 (height, width), 0 or 255 (of `connected`: 0 or 1)."""

BOARD_PX = 192.0
"""Side of a square board in the view, some 2.3 mm per pixel; for other boards the geometric mean of the sides."""

MARGIN = 0.3
"""Width of the margin over that side: tall pieces at the edge, seen at a slant, end within it; arms do not."""

_DARK_LEVELS = 8.0
"""Offset before the logarithm; levels below it are mostly noise and stray light."""

_LOGS = np.log(np.arange(256) + _DARK_LEVELS).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """The layout of a view: its size, and the board's corners in it, float32 (4, xy)."""

    size_wh: tuple[int, int]
    corners_px: Floats32

    def board_mask(self) -> Mask:
        """Return a mask of the board."""
        mask = np.zeros(self.size_wh[::-1], np.uint8)
        (left, top), (right, bottom) = self.corners_px[0].astype(int), self.corners_px[2].astype(int)
        mask[top:bottom, left:right] = 255
        return mask


@dataclass(frozen=True, slots=True, eq=False)
class PatchComparison:
    """A view of a board at a moment.

    Attributes:
        at_s: time in seconds.
        outline_px: the board's corners in the picture, float64 (4 clockwise from the top left, xy).
        levels: float32 (height, width, bgr), smoothed grey levels.
        logs: float32 (height, width, bgr), their logarithms; a change of light adds to them.
        slopes: of the logarithms' mean along x and y, float32 (height, width) each; the same in any light.
        range: float32 (height, width), the range of levels around each pixel.
        inside: a mask of the part of the view that is in the picture.
        thumb: float32 (height, width, bgr), the whole picture, reduced by `thumb_scale`.
    """

    at_s: float
    outline_px: Floats
    levels: Floats32
    logs: Floats32
    slopes: tuple[Floats32, Floats32]
    range: Floats32
    inside: Mask
    thumb: Floats32
    thumb_scale: float

    def around(self) -> NDArray[np.bool_]:
        """Return a mask of the thumb outside the board."""
        height, width = self.thumb.shape[:2]
        mask = np.ones((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.round(self.outline_px * self.thumb_scale).clip(-1e4, 1e4).astype(np.int32), 0)
        return mask > 0


def canvas_for(outline_px: Floats) -> Canvas:
    """Lay out a view for a board with these corners in a picture, float (4 clockwise from the top left, xy)."""
    sides = np.linalg.norm(np.roll(outline_px, -1, axis=0) - outline_px, axis=1)
    stretch = float(np.sqrt((sides[0] + sides[2]) / max(sides[1] + sides[3], 1e-6)).clip(0.5, 2.0))
    width, height, margin = BOARD_PX * stretch, BOARD_PX / stretch, BOARD_PX * MARGIN
    size_wh = (round(width + 2 * margin), round(height + 2 * margin))
    return Canvas(size_wh, (box(0, 0, width, height) + margin).astype(np.float32))


def outline_of(board: Board, pose: Pose) -> Floats:
    """Return a board's corners in the picture, float64 (4 clockwise from the top left, xy), from its pose."""
    return pose.project_at(box(0.0, 0.0, *board.size), 0.0)


def take_look(scaled: ScaledImage, outline_px: Floats, canvas: Canvas, at_s: float) -> PatchComparison:
    """Return the look at the board with these corners in a picture."""
    # 1. Warp the board into the view, and average the noise away.
    small = scaled.reduced_bgr
    scale = small.shape[1] / scaled.size_wh[0]
    to_view = cv2.getPerspectiveTransform((outline_px * scale).astype(np.float32), canvas.corners_px)
    view = cv2.warpPerspective(small, to_view, canvas.size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = np.asarray(cv2.blur(view, (3, 3)), np.uint8)
    # 2. What of the view is in the picture.
    height, width = small.shape[:2]
    frame = box(2, 2, width - 5, height - 5)[None].astype(np.float32)
    corners = cv2.perspectiveTransform(frame, np.asarray(to_view, np.float64)).clip(-1e4, 1e4)
    inside = np.zeros(canvas.size_wh[::-1], np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners[0]).astype(np.int32), 255)
    # 3. The whole picture, tiny, for the surroundings; logarithms, to which another light only adds.
    thumb = cv2.resize(small, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    logs = np.asarray(cv2.LUT(levels, _LOGS), np.float32)
    gray, around, mean = cv2.cvtColor(levels, cv2.COLOR_BGR2GRAY), np.ones((3, 3), np.uint8), mean_of(logs)
    along_x, along_y = (np.asarray(cv2.Sobel(mean, cv2.CV_32F, 1 - k, k, scale=1 / 8), np.float32) for k in (0, 1))
    return PatchComparison(
        at_s,
        np.asarray(outline_px, dtype=np.float64),
        levels.astype(np.float32),
        logs,
        (along_x, along_y),
        np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, around), np.float32),
        inside,
        thumb.astype(np.float32),
        thumb.shape[1] / scaled.size_wh[0],
    )


def surroundings_stay(before: PatchComparison, now: PatchComparison) -> bool:
    """Return whether most of the board's surroundings are unchanged, in about the same light."""
    if before.thumb.shape != now.thumb.shape:
        return False
    around = before.around() & now.around()
    if around.mean() < 0.05:
        return False
    # The surroundings stay if one gain for each channel explains most of them, and the gain is near 1.
    one, other = before.thumb[around], now.thumb[around]
    gain = np.median(other + _DARK_LEVELS, axis=0) / np.median(one + _DARK_LEVELS, axis=0)
    alike = np.abs(other - one * gain).max(axis=1) < 20
    return bool(alike.mean() > 0.5 and gain.min() > 0.7 and gain.max() < 1.4)


def mean_of(image: Floats32) -> Floats32:
    """Return the mean of the channels, float32 (height, width)."""
    return np.asarray(cv2.transform(image, np.full((1, 3), 1 / 3, np.float32)), np.float32)

"""Is the table still, and is it clear? Two questions, since a hand that rests moves less than a lamp that settles.

Frame difference answers the first. The second needs a memory: the board is held against the last looks that were
accepted as clean, and what differs in one piece larger than any piece of the game is a hand, a mug or a shadow.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Pose

Mask: TypeAlias = NDArray[np.uint8]
Maps: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]

_SIDE_PX = 160
"""The board is looked at as a square of this side: some 3 mm a pixel, so a tee's head is about 4 pixels wide."""

_OVERSAMPLING = 2
"""Each pixel looked at is the mean of this many squared picture samples: half the noise for little time."""

_MIDDLE_LEVEL = 128.0
"""Each look is brought to this median in every channel: most of a board stays, so a lamp that changes is no hand."""

_MOVED_LEVELS = 14.0
"""Grey levels of change from one look to the next that count as motion; noise stays below after averaging."""

_DIFFERS_LEVELS = 22.0
"""Change in any Lab channel against a clean board that counts as another thing lying there."""

_MOVED_MM2 = 300.0
_COVERED_MM2 = 900.0
"""A Royal Tee's head with its shadow stays below, a finger with the hand behind it above."""

_PIECE_MM = 14.0
"""Structures narrower than this are pieces, shafts or outlines, not hands: opening the mask takes them out."""

_POSE_MOVED_PX = 2.0
_REFERENCES = 3


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """The board as a small square, uint8 (160, 160, 3), in even light: for motion in BGR, for comparison in Lab."""

    bgr: ImageBgr
    lab: ImageBgr


@dataclass(frozen=True, slots=True)
class Stillness:
    """What one look says.

    Attributes:
        moving_mm2: the largest patch that changed since the look before, in mm² of board; infinite when there is none
            to compare with, or when board or camera have moved.
        covered_mm2: the largest patch that differs from every remembered clean board; 0 while none is remembered.
    """

    moving_mm2: float
    covered_mm2: float

    @property
    def still(self) -> bool:
        """Nothing moves. A hand that rests is still."""
        return self.moving_mm2 < _MOVED_MM2

    @property
    def clear(self) -> bool:
        """Nothing as large as a hand lies where the clean board was seen."""
        return self.covered_mm2 < _COVERED_MM2


class MotionGate:
    """Compares looks at one board. Give it every frame; tell it with `accept` which looks were believed."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._mm2_per_px = board.size[0] * board.size[1] / _SIDE_PX**2
        self._piece_px = max(3, round(_PIECE_MM * _SIDE_PX / min(board.size)))
        self._pose: Pose | None = None
        self._maps: Maps | None = None
        self._last: _Look | None = None
        self._clean: deque[_Look] = deque(maxlen=_REFERENCES)

    def look(self, image_bgr: ImageBgr, pose: Pose) -> Stillness:
        """Compare a picture, uint8 (height, width, 3), with the one before and with the clean boards remembered."""
        if self._pose is None or self._maps is None or self._pose_moved(self._pose, pose):
            self._pose, self._maps, self._last = pose, self._maps_for(pose), None
        before, now = self._last, _even_light(_rectify(image_bgr, self._maps))
        self._last = now
        return Stillness(moving_mm2=self._moving_mm2(before, now), covered_mm2=self._covered_mm2(now))

    def accept(self) -> None:
        """Remember the last look as a clean board.

        Whoever was convinced by a reading calls this, however large the patch was: so a change that stays, such as
        a lamp that was moved, never blocks what comes after.
        """
        if self._last is not None:
            self._clean.appendleft(self._last)

    def _moving_mm2(self, before: _Look | None, now: _Look) -> float:
        if before is None:
            return float("inf")
        return _largest_patch_px(_above(before.bgr, now.bgr, _MOVED_LEVELS), 3) * self._mm2_per_px

    def _covered_mm2(self, now: _Look) -> float:
        masks = [_above(clean.lab, now.lab, _DIFFERS_LEVELS) for clean in self._clean]
        return min((_largest_patch_px(mask, self._piece_px) for mask in masks), default=0.0) * self._mm2_per_px

    def _pose_moved(self, one: Pose, other: Pose) -> bool:
        width, height = self._board.size
        corners_mm = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
        shift_px = np.linalg.norm(one.project_at(corners_mm, 0.0) - other.project_at(corners_mm, 0.0), axis=1)
        return bool(shift_px.max() > _POSE_MOVED_PX)

    def _maps_for(self, pose: Pose) -> Maps:
        """Tell where each sample of the board lies in the picture, x and y in pixels."""
        side = _SIDE_PX * _OVERSAMPLING
        steps = (np.arange(side) + 0.5) / side
        x_mm, y_mm = np.meshgrid(steps * self._board.size[0], steps * self._board.size[1])
        samples_px = pose.project_at(np.column_stack([x_mm.ravel(), y_mm.ravel()]), 0.0).astype(np.float32)
        x_px, y_px = samples_px.T.reshape(2, side, side)
        return x_px, y_px


def _rectify(image_bgr: ImageBgr, maps: Maps) -> ImageBgr:
    """Take the board out of the picture as a small square seen from above, its noise averaged away."""
    board = cv2.remap(image_bgr, *maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(board, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), dtype=np.uint8)


def _even_light(board_bgr: ImageBgr) -> _Look:
    """Scale each channel to the same median."""
    medians = np.median(board_bgr[::4, ::4].reshape(-1, 3), axis=0)
    gains = _MIDDLE_LEVEL / np.maximum(medians, 1.0)
    table = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    even_bgr = np.asarray(cv2.LUT(board_bgr, table), dtype=np.uint8)
    return _Look(even_bgr, np.asarray(cv2.cvtColor(even_bgr, cv2.COLOR_BGR2Lab), dtype=np.uint8))


def _above(one: ImageBgr, other: ImageBgr, levels: float) -> Mask:
    """Mark, as uint8 0 or 255, where any channel differs by more than `levels`."""
    first, second, third = cv2.split(cv2.absdiff(one, other))
    largest = cv2.max(cv2.max(first, second), third)
    return np.asarray(cv2.threshold(largest, levels, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)


def _largest_patch_px(mask: Mask, width_px: int) -> float:
    """Give the area in pixels of the largest connected patch, counting only what is at least `width_px` wide."""
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (width_px, width_px))
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel))
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0))

"""Reuses results for unchanged pictures: between two readings most of a table is unchanged, or all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.recognition.light import Illumination

_BLOCK_PX = 8
_UNLIKE = 0.04
"""Difference of a block's mean from which on a picture is another one, white paper being 1: noise of a twentieth of
white in every pixel changes the mean of 64 by less than a hundredth."""

_FOUR_UNLIKE = 0.02
"""The same for the mean of four blocks of a table, which has half the noise: what is known of stacks rests on smaller
differences than what networks read."""

_LEAST_BLOCKS = 6
"""Blocks in the side of the cell that looks smallest."""

_MOST_HALVES = 3

Pictures = NDArray[np.float32]

Answer = TypeVar("Answer")


class Remembering:
    """A cache before a network, which is run only on pictures that differ from the last ones in the same places.

    A picture is compared with the one that the network last read, so that slow changes add up.

    Args:
        ask: returns a row for each picture, float32 (n, channels, rows px, columns px).
        block_px: side of the squares whose means are compared: no larger than what makes a difference.
    """

    def __init__(self, ask: Callable[[Pictures], Floats], block_px: int = _BLOCK_PX) -> None:
        self._ask = ask
        self._block_px = block_px
        self._known: dict[int, tuple[NDArray[np.float32], Floats]] = {}  # blocks and answers by place

    def answers(self, places: Sequence[int], pictures: Pictures) -> Floats:
        """Return a row for each picture, in their order; `places` are the numbers of the places that they show."""
        # 1. The means of square blocks; rows first, since whole lines are fast.
        side, (count, channels, height, width) = self._block_px, pictures.shape
        down = pictures.reshape(count, channels, height // side, side, width).sum(axis=3)
        across = down.reshape(count, channels, height // side, width // side, side).sum(axis=-1)
        blocks = np.asarray(across / side**2, dtype=np.float32)
        # 2. Ask about the pictures in which a block differs.
        known = [self._known.get(place) for place in places]
        fresh = [
            row for row, one in enumerate(known) if one is None or float(np.abs(one[0] - blocks[row]).max()) >= _UNLIKE
        ]
        if fresh:
            asked = pictures if len(fresh) == len(places) else pictures[fresh]  # a copy of many takes long
            for row, answer in zip(fresh, self._ask(asked), strict=True):
                self._known[places[row]] = (blocks[row], answer)
        return np.stack([self._known[place][1] for place in places])


class ReadingMemory(Generic[Answer]):
    """The last reading of a table, kept while neither the table's pose nor any part of its picture changes."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: tuple[Pose, NDArray[np.float32], Floats, Answer] | None = None

    def keep(self, image_bgr: ImageBgr, pose: Pose, light: Illumination, answer: Answer) -> None:
        """Remember what was read of a table in a picture uint8 (height, width, 3)."""
        outline = np.array([(x, y) for x in (0.0, self._board.size[0]) for y in (0.0, self._board.size[1])])
        white = np.maximum(light.white_at(outline, self._board.size).min(axis=0) - light.black, 4.0)
        self._known = (pose, self._blocks(image_bgr, pose), white, answer)

    def recall(self, image_bgr: ImageBgr, pose: Pose) -> Answer | None:
        """Return the reading of the table if its pose and its picture are unchanged, else None."""
        if self._known is None or self._known[0] is not pose:
            return None
        _pose, before, white, answer = self._known
        blocks = self._blocks(image_bgr, pose)
        if blocks.shape != before.shape or not blocks.size:
            return None
        # No block differs, and no four of them together.
        apart = ((blocks - before) / white).astype(np.float32)
        same = np.abs(apart).max() < _UNLIKE and np.abs(cv2.blur(apart, (2, 2))).max() < _FOUR_UNLIKE
        return answer if same else None

    def _blocks(self, image_bgr: ImageBgr, pose: Pose) -> NDArray[np.float32]:
        """Return the means of small squares of a picture about the board and what stands on it, float32."""
        places = self._board.places_mm()
        aside = pose.project_at(places + np.array([self._board.grid.pitch[0], 0.0]), 0.0)
        cell_px = float(np.linalg.norm(aside - pose.project_at(places, 0.0), axis=1).min())
        # the part of the picture around the board, its places and the highest pieces on them
        pitch, top = np.asarray(self._board.grid.pitch), max(piece.height for piece in self._board.pieces.values())
        low = np.minimum((0, 0), places.min(axis=0) - pitch)
        high = np.maximum(self._board.size, places.max(axis=0) + pitch)
        corners = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (0.0, top)])
        x, y = pose.project(corners).clip(0, image_bgr.shape[1::-1]).T.astype(int)
        view = image_bgr[y.min() : y.max() + 1, x.min() : x.max() + 1]
        for _ in range(_MOST_HALVES):
            if min(view.shape[:2]) < 2 or cell_px < 2 * _LEAST_BLOCKS:
                break
            cell_px /= 2
            half_wh = (view.shape[1] // 2, view.shape[0] // 2)  # exact halves are averaged in no time
            view = np.asarray(
                cv2.resize(view[: 2 * half_wh[1], : 2 * half_wh[0]], half_wh, interpolation=cv2.INTER_AREA), np.uint8
            )
        return view.astype(np.float32)

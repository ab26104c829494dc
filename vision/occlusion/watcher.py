"""The watcher of a recording: it finds the board, tracks it, and reports the occlusion in every picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.localization.follow import Follower
from vision.localization.locate import ScaledImage, locate, search_boards
from vision.occlusion.gate import OcclusionDetector, OcclusionState
from vision.occlusion.gate_look import outline_of

_LEAST_MARKERS = 3
_ELSEWHERE = 0.003
"""Shift over the picture's width from which on a board that is found again has moved."""

Finder: TypeAlias = Callable[[ScaledImage], Floats | None]
"""A function that returns a board's corners in a picture, float64 (4 clockwise from the top left, xy), or None."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The occlusion of the board in a picture, and whether nothing has moved for a moment."""

    state: OcclusionState
    still: bool


def by_markers(boards: Sequence[Board]) -> Finder:
    """Return a finder of the board with the most visible markers, which needs at least three."""

    def find(scaled: ScaledImage) -> Floats | None:
        board, detections = search_boards(scaled, boards)
        located = locate(scaled, board, detections, None) if board else None
        if board is None or located is None or len(located.detections) < _LEAST_MARKERS:
            return None
        return outline_of(board, located.estimate.pose)

    return find


def at_corners(corners_px: Floats) -> Finder:
    """Return a finder with fixed corners, float (4 clockwise from the top left, xy), for a board without markers."""
    return lambda _shot: corners_px


class Watcher:
    """The watcher of one board.

    Args:
        find: finds the board in the first picture that shows it.
        again: whether `find` can find it again after it was lost.
    """

    def __init__(self, find: Finder, *, again: bool) -> None:
        self._find = find
        self._again = again
        self._follower: Follower | None = None
        self._outline_px: Floats | None = None
        self._gate = OcclusionDetector()

    def look(self, image_bgr: ImageBgr, at_s: float) -> Watched:
        """Return the state in the next picture, uint8 (height, width, 3), taken at `at_s`. Raises on no picture."""
        scaled = ScaledImage(image_bgr)
        # 1. The corners: tracked, or found again; the last ones if the board is lost, None before it is found.
        if self._follower is None or self._outline_px is None:
            self._outline_px = self._find(scaled)
        elif (followed := self._follower.follow(scaled)) is not None:
            self._outline_px = followed
        elif self._again:
            found = self._find(scaled)
            if found is not None and np.abs(found - self._outline_px).max() >= _ELSEWHERE * scaled.size_wh[0]:
                self._outline_px, self._follower = found, None
        # 2. What is over the board.
        if self._outline_px is None:
            return Watched(OcclusionState.BLIND, still=False)
        if self._follower is None:
            self._follower = Follower(scaled, self._outline_px)
        glance = self._gate.look(scaled, self._outline_px, at_s)
        if glance.renewed:
            self._follower.renew(scaled)
        return Watched(glance.state, glance.still)

"""The watcher of a recording: it finds the board, tracks it, and reports the occlusion in every picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.board import Board
from vision.camera.flicker import FlickerFilter
from vision.frame import Frame, ImageBgr
from vision.geometry import Floats
from vision.localization.follow import Follower
from vision.localization.locate import ScaledImage, locate, search_boards
from vision.occlusion.gate import OcclusionDetector, OcclusionState
from vision.occlusion.gate_look import outline_of

_LEAST_MARKERS = 3
_ELSEWHERE = 0.003
"""Shift over the picture's width from which on a board that is found again has moved."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The occlusion of the board in a picture, and whether nothing has moved for a moment."""

    state: OcclusionState
    still: bool


class Watcher:
    """The watcher of one board, which it tracks.

    Args:
        boards: the board is that of these which has most visible markers, at least three; it is found again by them.
        corners_px: of a board without markers in the first picture, float (4 clockwise from its top left, xy).
    """

    def __init__(self, boards: Sequence[Board] = (), corners_px: Floats | None = None) -> None:
        self._boards, self._outline_px = boards, corners_px
        self._follower: Follower | None = None
        self._gate, self._flicker = OcclusionDetector(), FlickerFilter()

    def look(self, image_bgr: ImageBgr, at_s: float) -> Watched:
        """Return the state in the next picture, uint8 (height, width, 3), taken at `at_s`. Raises on no picture."""
        # 1. Bands of a flickering lamp are no shadow.
        scaled = ScaledImage(self._flicker.steadied(Frame(image_bgr, 0)).image_bgr)
        # 2. The corners: tracked, or found by markers; the last ones if the board is lost, None before it is found.
        followed = None if self._follower is None else self._follower.follow(scaled)
        if followed is not None:
            self._outline_px = followed
        elif self._boards:
            board, detections = search_boards(scaled, self._boards)
            located = locate(scaled, board, detections, None) if board else None
            if board is not None and located is not None and len(located.detections) >= _LEAST_MARKERS:
                found, last = outline_of(board, located.estimate.pose), self._outline_px
                if last is None or np.abs(found - last).max() >= _ELSEWHERE * scaled.size_wh[0]:
                    self._outline_px, self._follower = found, None
        # 3. What is over the board.
        if self._outline_px is None:
            return Watched(OcclusionState.BLIND, still=False)
        if self._follower is None:
            self._follower = Follower(scaled, self._outline_px)
        glance = self._gate.look(scaled, self._outline_px, at_s)
        if glance.renewed:
            self._follower.renew(scaled)
        return Watched(glance.state, glance.still)

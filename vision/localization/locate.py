"""The board's location in a picture: searched for once, then only verified until something moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.board import MARKER_DICTIONARY, Board
from vision.frame import ImageBgr, made_smaller
from vision.geometry import Lens, box
from vision.localization import markers
from vision.localization.markers import SEARCH_WIDTH_PX, Corners, Gray, MarkerDetections, find_markers, of_board
from vision.localization.pose import PoseEstimate, estimate_pose
from vision.localization.printed import find_print

MOVED_PX = 1.0
"""Shift of a marker's corners from which on the board has moved, in pixels of a picture 1640 px wide."""

_LEAST_CONTRAST = 20.0

_MOST_WRONG = 0.1
"""Largest share of a marker's modules that may differ while the marker is still there."""

_FEW = 2
"""With this many markers or fewer the lens is estimated so badly that the other markers are not where expected."""


@dataclass(frozen=True, eq=False)
class ScaledImage:
    """A picture, uint8 (height, width, 3), with its grey and reduced versions, each computed on first use.

    `small_bgr` is the same picture, already reduced by the camera; `searched` has the markers found, by dictionary.
    """

    image_bgr: ImageBgr
    small_bgr: ImageBgr | None = None
    searched: dict[str, MarkerDetections] = field(default_factory=dict)

    @cached_property
    def gray(self) -> Gray:
        """The whole picture in grey."""
        return np.asarray(cv2.cvtColor(self.image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

    @cached_property
    def reduced_bgr(self) -> ImageBgr:
        """The picture, reduced by averaging if it is wider than the search needs."""
        if self.small_bgr is not None:
            return self.small_bgr
        height, width = self.image_bgr.shape[:2]
        ratio = min(1.0, SEARCH_WIDTH_PX / width)
        return made_smaller(self.image_bgr, (round(width * ratio), max(1, round(height * ratio))))

    @cached_property
    def reduced_gray(self) -> Gray:
        """The reduced picture in grey."""
        return np.asarray(cv2.cvtColor(self.reduced_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the whole picture in pixels."""
        height, width = self.image_bgr.shape[:2]
        return width, height


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A located board: its pose and the markers it was estimated from."""

    estimate: PoseEstimate
    detections: MarkerDetections


def search(scaled: ScaledImage, dictionary: str = MARKER_DICTIONARY) -> MarkerDetections:
    """Detect all markers of a dictionary, with a finer search and then one for faint markers if none is found."""
    if dictionary not in scaled.searched:
        found = find_markers(scaled.gray, scaled.reduced_gray, dictionary)
        found = found or _search_finely(scaled, dictionary) or markers.find_faint(scaled.gray, dictionary)
        scaled.searched[dictionary] = found
    return scaled.searched[dictionary]


def search_board(scaled: ScaledImage, board: Board) -> MarkerDetections:
    """Detect the markers of a board's dictionary, or the patches of its print and the markers next to it."""
    if board.markers.printed is None:
        return search(scaled, board.markers.dictionary)
    beside = search(scaled, board.markers.dictionary) if board.marker_ids - {*board.markers.ids} else {}
    return {**beside, **find_print(scaled.gray, board)}


def search_boards(scaled: ScaledImage, boards: Sequence[Board]) -> tuple[Board | None, MarkerDetections]:
    """Return the board with the most visible markers and the detections of its dictionary.

    The board is None if no marker of any board is seen. The picture is searched once per dictionary.
    """
    marked = [board for board in boards if board.markers.printed is None]
    found = {name: search(scaled, name) for name in dict.fromkeys(board.markers.dictionary for board in marked)}
    board = max(marked, key=lambda board: len(of_board(found[board.markers.dictionary], board)), default=None)
    detections = {} if board is None else found[board.markers.dictionary]
    if board is not None and of_board(detections, board):
        return board, detections
    printed = [(search_board(scaled, board), board) for board in boards if board.markers.printed is not None]
    most, board = max(printed, key=lambda one: len(of_board(*one)), default=({}, None))
    return (board, most) if board is not None and of_board(most, board) else (None, detections or most)


def locate(scaled: ScaledImage, board: Board, detections: MarkerDetections, lens: Lens | None) -> Located | None:
    """Estimate a board's pose from detected markers, after searching for its other markers where they must be."""
    located = _locate(scaled, board, of_board(detections, board), lens)
    if located is None or board.markers.printed is not None or len(located.detections) > _FEW:
        return located
    finer = of_board(_search_finely(scaled, board.markers.dictionary), board)
    better = _locate(scaled, board, {**finer, **located.detections}, lens)
    return better if better and len(better.detections) > _FEW else located


def _locate(scaled: ScaledImage, board: Board, seen: MarkerDetections, lens: Lens | None) -> Located | None:
    estimate = estimate_pose(board, seen, scaled.size_wh, lens)
    if estimate is None:
        return None
    # Search for the other markers where the pose puts them, in windows that grow with the pose's uncertainty.
    near: dict[int, Corners] = {}
    for number, corners_mm in zip(board.markers.ids, board.markers.corners_mm(), strict=True):
        if number not in seen and board.markers.printed is None:
            expected_px = estimate.pose.project_at(corners_mm, 0.0)
            sigma_px = float(estimate.sigma_px(np.column_stack([corners_mm, np.zeros(len(corners_mm))])).max())
            corners = markers.find_near(scaled.gray, expected_px, number, board.markers.dictionary, sigma_px=sigma_px)
            if corners is not None:
                near[number] = corners
    if not near:
        return Located(estimate, seen)
    completed = {**seen, **near}
    better = estimate_pose(board, completed, scaled.size_wh, lens)
    return Located(better, completed) if better else Located(estimate, seen)


def _search_finely(scaled: ScaledImage, dictionary: str) -> MarkerDetections:
    """Detect markers that are too small for the first search of a large picture; {} if the picture is small."""
    width = 2 * SEARCH_WIDTH_PX
    if scaled.gray.shape[1] < width:
        return {}
    ratio = width / scaled.gray.shape[1]
    finer = cv2.resize(scaled.gray, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    return find_markers(scaled.gray, np.asarray(finer, np.uint8), dictionary)


def still_there(scaled: ScaledImage, board: Board, located: Located) -> bool:
    """Return whether a board has not moved: its markers are visible where the pose puts them, in the same places."""
    limit_px = MOVED_PX * max(1.0, scaled.size_wh[0] / 1640)
    now: dict[int, Corners] = {}
    if board.markers.printed is not None:
        known_px = located.estimate.pose.project_at(box(*board.markers.printed.rectangle), 0.0)
        now = find_print(scaled.gray, board, known_px)
    else:
        dictionary = board.markers.dictionary
        corners_mm = dict(zip(board.markers.ids, board.markers.corners_mm(), strict=True))
        for marker_id, corners in located.detections.items():
            # 1. The grey levels at the middles of the marker's modules.
            middles_mm = markers.module_middles_mm(corners_mm[marker_id], dictionary)
            spots = np.rint(located.estimate.pose.project_at(middles_mm, 0.0)).astype(int)
            if ((spots < 0) | (spots >= scaled.size_wh)).any():
                continue
            levels = scaled.gray[spots[:, 1], spots[:, 0]].astype(np.float64)
            # 2. White modules must be clearly brighter than black ones, and few on the wrong side of the threshold.
            white = markers.module_is_white(dictionary, marker_id).ravel()
            light, dark = levels[white].mean(), levels[~white].mean()
            wrong = int(((levels > (light + dark) / 2) != white).sum())
            if light - dark > _LEAST_CONTRAST and wrong <= _MOST_WRONG * white.size:
                now[marker_id] = markers.refine_corners(scaled.gray, corners)
    shifts = [float(np.abs(now[i] - corners).max()) for i, corners in located.detections.items() if i in now]
    return bool(shifts) and float(np.median(shifts)) < limit_px

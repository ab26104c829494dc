"""Estimates the light on the table from the markers' white and black.

A reading divides by this light, so that white paper is 1 and printed black is 0 in each channel where on the board
it is, under any lamp. The picture's gamma is left in: a ratio of light stays a ratio under a power.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.board import Board
from vision.board_sections import Printed, empty_board
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.localization.locate import Located, ScaledImage
from vision.localization.markers import MarkerDetections, module_is_white, module_middles_mm

_SLOPE_STIFFNESS = 0.15
"""Ridge on the slope of the light's logarithm from side to side of the board: one marker in glare must not tilt it."""


@dataclass(frozen=True, slots=True, eq=False)
class Illumination:
    """Light over the board: `white_plane` float64 (3 channels bgr, 3) and `black` float64 (3,), in grey levels.

    White at (u, v), both -1 to 1 over the board's width and height, is exp(plane @ (1, u, v)).
    """

    white_plane: Floats
    black: Floats

    def white_at(self, points_mm: Floats, size_mm: tuple[float, float]) -> Floats:
        """Return white's grey levels at points float (n, xy) in mm, float64 (n, bgr)."""
        # The plane is in logarithms over (1, u, v), so white is exp of it: always positive, and a slope is a factor.
        spots = np.column_stack([np.ones(len(points_mm)), points_mm / np.asarray(size_mm) * 2 - 1])
        return np.asarray(np.exp(spots @ self.white_plane.T), dtype=np.float64)


def estimate_light(image_bgr: ImageBgr, board: Board, pose: Pose, detections: MarkerDetections) -> Illumination:
    """Measure white and black on the markers that were seen (at least one) in a picture uint8 (height, width, 3)."""
    if board.markers.printed is not None:
        return _light_on_print(image_bgr, board, board.markers.printed, detections)
    # 1. Sample the middle of every module of every marker that was seen.
    corners = dict(zip(board.markers.ids, board.markers.corners_mm(), strict=True))
    seen = [marker_id for marker_id in corners if marker_id in detections]
    dictionary = board.markers.dictionary
    modules_mm = np.concatenate([module_middles_mm(corners[marker_id], dictionary) for marker_id in seen])
    spots = np.rint(pose.project_at(modules_mm, 0.0)).astype(int)
    height, width = image_bgr.shape[:2]
    levels = image_bgr[spots[:, 1].clip(0, height - 1), spots[:, 0].clip(0, width - 1)].reshape(len(seen), -1, 3)
    # 2. The medians of a marker's white and of its black modules: a scratch or a reflection has no say.
    white = [module_is_white(dictionary, marker_id).ravel() for marker_id in seen]
    whites = np.array([np.median(of[w], axis=0) for of, w in zip(levels, white, strict=True)])
    blacks = np.array([np.median(of[~w], axis=0) for of, w in zip(levels, white, strict=True)])
    # 3. Fit the plane over the markers' middles, in (u, v) from -1 to 1.
    places_mm = np.array([corners[marker_id].mean(axis=0) for marker_id in seen])
    return _fit(whites, blacks, places_mm / np.asarray(board.size) * 2 - 1)


def _light_on_print(image_bgr: ImageBgr, board: Board, printed: Printed, detections: MarkerDetections) -> Illumination:
    """Measure by how much each patch of print is brighter than in the picture of the empty board, whose white is known.

    The camera's own white balance is relied on there: nothing on such a board is known to be white.
    """
    reference = empty_board(printed)
    size, side = np.asarray(board.size), board.markers.side
    scale = reference.shape[1] / printed.rectangle[2]
    ratios, places = [], []
    for one in board.markers.each:
        if one.id not in detections:
            continue
        x, y = (scale * (at - start) for at, start in zip(one.centre, printed.rectangle[:2], strict=True))
        half = side * scale / 2
        before = reference[max(0, round(y - half)) : round(y + half), max(0, round(x - half)) : round(x + half)]
        patch = cv2.boundingRect(detections[one.id])
        now = image_bgr[max(0, patch[1]) : patch[1] + patch[3], max(0, patch[0]) : patch[0] + patch[2]]
        if before.size and now.size:
            ratios.append((now.mean(axis=(0, 1)) + 1.0) / (before.mean(axis=(0, 1)) + 1.0))
            places.append(np.asarray(one.centre) / size * 2 - 1)
    whites = np.asarray(ratios) * printed.white
    return _fit(whites, np.zeros_like(whites), np.asarray(places))


def _fit(whites: Floats, blacks: Floats, places: Floats) -> Illumination:
    # 1. Black is one level for the board; white is at least a little above it, so that the logarithm exists.
    black = np.median(blacks, axis=0)
    logs = np.log(np.maximum(whites, black + 4.0))
    # 2. Ridge regression of log white on (1, u, v) about the median of the markers: a stiff slope, so that one marker
    #   in glare does not tilt it (Hoerl and Kennard, "Ridge Regression", 1970).
    design = np.column_stack([np.ones(len(places)), places])
    ridge = np.diag([1e-9, _SLOPE_STIFFNESS, _SLOPE_STIFFNESS])
    middle = np.median(logs, axis=0)
    plane = np.linalg.solve(design.T @ design + ridge, design.T @ (logs - middle))
    plane[0] += middle
    return Illumination(np.asarray(plane.T, dtype=np.float64), np.asarray(black, dtype=np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """A picture, the board found in it, and the light on that board."""

    scaled: ScaledImage
    located: Located
    light: Illumination

    @property
    def pose(self) -> Pose:
        """Where the board is."""
        return self.located.estimate.pose

"""Where dice count, seen as their networks know them best: faces of one size, and the camera's side of the dice below.

A board that was found says how large a die is at every place and from where it is seen. So each part of the table where
dice may be is drawn again on the plane of their top faces. A die shows the sides that face the camera; drawn with these
below its top it looks as in a picture taken at a slant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.board import Board, Dice, Tray
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose

FACE_PX = 36.0
"""Side of a top face in a view: twice the least that is read, and well within what the first network reports."""

_REACH_MM = 300.0
"""Dice without a tray count so far from the board."""

_KNOT_PX = 16
"""Places of a view are projected this far apart; those between are interpolated."""

_LEAST_FACES = 1.5
"""Parts of the table narrower than this, in faces, show no whole die."""

_QUARTERS = tuple(np.array([(c, -s), (s, c)], dtype=np.float64) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)))


@dataclass(frozen=True, slots=True, eq=False)
class TrayView:
    """A part of the table on the plane of the dice's top faces.

    Attributes:
        image_bgr: uint8 (height, width, 3), `FACE_PX` to the side of a die.
        corner_mm: where its upper left pixel is on the board, (x, y).
        right_down_mm: the steps of one pixel to the right and one down, float64 (2, 2), as columns.
    """

    image_bgr: ImageBgr
    corner_mm: Floats
    right_down_mm: Floats

    def places_mm(self, pixels: Floats) -> Floats:
        """Return where pixels, float (n, xy), are on the board, (n, xy)."""
        return np.asarray(self.corner_mm + pixels @ self.right_down_mm.T, dtype=np.float64)


def tray_views(image_bgr: ImageBgr, board: Board, pose: Pose, dice: Dice) -> Iterator[TrayView]:
    """Yield the parts of a picture uint8 (height, width, 3) where dice count; those beside a board overlap by a die."""
    seen = _seen_mm(image_bgr.shape[1::-1], pose, dice.size_mm)
    for low, high in _parts(board.tray, board.size, dice.size_mm):
        left_top, right_bottom = np.maximum(low, seen[0]), np.minimum(high, seen[1])
        if (right_bottom - left_top >= _LEAST_FACES * dice.size_mm).all():
            yield _view(image_bgr, pose, dice.size_mm, left_top, right_bottom)


def _parts(tray: Tray | None, size_mm: tuple[float, float], die_mm: float) -> Iterator[tuple[Floats, Floats]]:
    """Yield the low and the high corners of the rectangles in which dice count, in mm."""
    if tray is not None and tray.rectangle is not None:
        left, top, width, height = tray.rectangle
        yield np.array([left, top]), np.array([left + width, top + height])
        return
    width, height = size_mm
    far = _REACH_MM
    yield np.array([width, -far]), np.array([width + far, height + far])
    yield np.array([-far, -far]), np.array([0.0, height + far])
    yield np.array([-die_mm, -far]), np.array([width + die_mm, 0.0])
    yield np.array([-die_mm, height]), np.array([width + die_mm, height + far])


def _seen_mm(size_wh: tuple[int, ...], pose: Pose, height_mm: float) -> tuple[Floats, Floats]:
    """Return the corners of the rectangle that holds all of a plane that a picture shows; none of it without bounds."""
    along = np.linspace(0.0, 1.0, 9)
    width, height = size_wh[0] - 1, size_wh[1] - 1
    edges = [(along * width, 0 * along), (along * width, 0 * along + height)]
    edges += [(0 * along, along * height), (0 * along + width, along * height)]
    border = np.concatenate([np.stack(edge, axis=1) for edge in edges])
    points = pose.unproject(border, height_mm)
    ahead = np.column_stack([points, np.full(len(points), height_mm)]) @ pose.board_to_camera.T + pose.shift_mm
    if (ahead[:, 2] <= 0).any():  # the horizon is in the picture
        return np.full(2, -np.inf), np.full(2, np.inf)
    return points.min(axis=0), points.max(axis=0)


def _view(image_bgr: ImageBgr, pose: Pose, die_mm: float, low: Floats, high: Floats) -> TrayView:
    """Draw a rectangle of the plane of top faces, turned by quarters so that the camera is below it."""
    middle, mm = (low + high) / 2, die_mm / FACE_PX
    away = middle - pose.eye_mm[:2]
    turn = max(_QUARTERS, key=lambda turn: float(turn[:, 1] @ -away))
    across, down = np.abs(turn.T @ (high - low))
    size = np.maximum(1, np.rint(np.array([across, down]) / mm)).astype(int)
    steps = mm * turn
    corner = middle - steps @ ((size - 1) / 2)
    reduced, scale = _reduced(image_bgr, pose, middle, die_mm)
    grid = np.stack(np.meshgrid(*(np.arange(0, length + _KNOT_PX, _KNOT_PX) for length in size)), axis=-1)
    knots = pose.project_at(corner + grid.reshape(-1, 2) @ steps.T, die_mm).reshape(*grid.shape)
    places = _between((knots + 0.5) * scale - 0.5, size)
    x, y = cv2.split(places.astype(np.float32))
    drawn = cv2.remap(reduced, x, y, cv2.INTER_LINEAR, borderValue=(128, 128, 128))
    return TrayView(np.asarray(drawn, np.uint8), corner, steps)


def _between(knots: Floats, size: Floats) -> Floats:
    """Interpolate places that are given `_KNOT_PX` apart, float (rows, columns, 2), for a view of a (width, height)."""
    rows, columns = knots.shape[:2]
    to = np.array([(_KNOT_PX, 0.0, 0.0), (0.0, _KNOT_PX, 0.0)])
    wide = cv2.warpAffine(knots.astype(np.float32), to, (columns * _KNOT_PX, rows * _KNOT_PX), flags=cv2.INTER_LINEAR)
    return np.asarray(wide[: size[1], : size[0]], np.float64)


def _reduced(image_bgr: ImageBgr, pose: Pose, middle_mm: Floats, die_mm: float) -> tuple[ImageBgr, float]:
    """Return a picture in which a face is at most as large as in a view, and its scale."""
    ends = pose.project_at(middle_mm + np.array([(0.0, 0.0), (die_mm, 0.0), (0.0, die_mm)]), die_mm)
    face_px = float(np.sqrt(abs(np.linalg.det(ends[1:] - ends[0]))))
    scale = FACE_PX / face_px
    if scale > 1:
        return image_bgr, 1.0
    return np.asarray(cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale

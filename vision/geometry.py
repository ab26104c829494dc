"""The camera model, a pinhole with one radial term, and the pose of the board in front of it.

The board's frame has x to the right, y down and z up (out of the board), in mm, seen from above: it is left-handed.
OpenCV expects a right-handed frame, so this file, and no other, flips the sign of z.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_FLIP_Z = np.array([1.0, 1.0, -1.0])


def box(x: float, y: float, width: float, height: float) -> Floats:
    """Return the outline of a rectangle, from the top left, clockwise, float64 (4, xy)."""
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole camera with square pixels and one radial distortion term.

    Attributes:
        focal_px: focal length in pixels.
        centre_px: principal point (x, y) in pixels.
        k1: first radial distortion coefficient (OpenCV's model), dimensionless.
    """

    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0

    @property
    def matrix(self) -> Floats:
        """The 3 by 3 camera matrix."""
        x, y = self.centre_px
        return np.array([(self.focal_px, 0.0, x), (0.0, self.focal_px, y), (0.0, 0.0, 1.0)])

    @property
    def distortion(self) -> Floats:
        """OpenCV's distortion vector (k1, k2, p1, p2)."""
        return np.array([self.k1, 0.0, 0.0, 0.0])

    @staticmethod
    def middle_of(size_wh: tuple[int, int]) -> tuple[float, float]:
        """Return the middle of a picture in pixels, the principal point of a centred lens."""
        return (size_wh[0] - 1) / 2, (size_wh[1] - 1) / 2


@dataclass(frozen=True, eq=False)
class Pose:
    """The transform from board to camera: Rodrigues vector `rotation` (3,) and `shift_mm` (3,), with z down."""

    lens: Lens
    rotation: Floats
    shift_mm: Floats

    @staticmethod
    def from_matrix(lens: Lens, board_to_camera: ArrayLike, eye_mm: ArrayLike) -> Pose:
        """Build a pose from the 3 by 3 rotation of board directions (z up) to the camera's, and the camera's position.

        `eye_mm` is that position, (x, y, z) in the board's frame.
        """
        matrix = np.asarray(board_to_camera, dtype=np.float64)
        rotation, _ = cv2.Rodrigues(matrix * _FLIP_Z)
        return Pose(
            lens, np.asarray(rotation, dtype=np.float64).ravel(), -matrix @ np.asarray(eye_mm, dtype=np.float64)
        )

    def project(self, points_mm: ArrayLike) -> Floats:
        """Project board points, float (n, xyz) in mm, to pixels, float64 (n, xy)."""
        points = np.ascontiguousarray(np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) * _FLIP_Z)
        if len(points) == 0:
            return np.empty((0, 2))
        pixels, _ = cv2.projectPoints(points, self.rotation, self.shift_mm, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def project_at(self, points_mm: ArrayLike, height_mm: float) -> Floats:
        """Project board points, float (n, xy) in mm, raised to one height, to pixels, float64 (n, xy)."""
        flat = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        return self.project(np.column_stack([flat, np.full(len(flat), height_mm)]))

    def unproject(self, pixels: ArrayLike, height_mm: float) -> Floats:
        """Return the points in mm, float64 (n, xy), at which the rays of pixels, float (n, xy), cross a plane.

        `height_mm` is the plane's height above the board.
        """
        # 1. The rays through the pixels, lens distortion removed, in board directions.
        points = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(points, self.lens.matrix, self.lens.distortion).reshape(-1, 2)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.board_to_camera
        # 2. How far along each ray the plane is, and the point there.
        steps = (height_mm - self.eye_mm[2]) / rays[:, 2]
        return np.asarray(self.eye_mm[:2] + steps[:, None] * rays[:, :2], dtype=np.float64)

    @cached_property
    def board_to_camera(self) -> Floats:
        """The 3 by 3 matrix from board directions (z up) to camera directions (x right, y down, z forward)."""
        matrix, _ = cv2.Rodrigues(self.rotation)
        return np.asarray(matrix * _FLIP_Z, dtype=np.float64)

    @cached_property
    def eye_mm(self) -> Floats:
        """The camera's position (x, y, z) in the board's frame, in mm."""
        return np.asarray(-self.board_to_camera.T @ self.shift_mm, dtype=np.float64)

    def homography(self, height_mm: float) -> Floats:
        """Return the 3 by 3 homography from (x, y) in mm at a height to pixels, without lens distortion."""
        matrix = self.board_to_camera
        plane = np.column_stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * height_mm + self.shift_mm])
        return np.asarray(self.lens.matrix @ plane, dtype=np.float64)

"""From pixels to the table: where each pixel's ray meets a plane.

A ray through a bent lens costs an iteration, and bends slowly: rays are found on a coarse grid of pixels and stretched.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.simulation.scene import SceneCamera

STEP_PX = 8
"""Distance between coarse rays; between them the error of a straight line is far below a tenth of a pixel."""

_LOWEST_SLOPE = -0.02  # rays at or above the horizon are bent down to this: they meet the table very far away

Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """Coarse rays of a camera: `direction` float64 (rows, columns, xyz) in the board's frame, with one row and column
    of margin all round, and the eye.
    """

    direction: Floats
    eye_mm: Floats
    size_wh: tuple[int, int]

    def on_plane(self, z_mm: float) -> Floats:
        """Where the coarse rays meet the plane at a height, (rows, columns, xy) in mm."""
        reach = (z_mm - self.eye_mm[2]) / np.minimum(self.direction[..., 2], _LOWEST_SLOPE)
        return np.asarray(self.eye_mm[:2] + self.direction[..., :2] * reach[..., None], dtype=np.float64)

    def stretch(self, coarse: Floats | Floats32, shrink: int = 1) -> Floats32:
        """Stretch coarse values (rows, columns, ...) over all pixels, float32 (height, width, ...).

        With `shrink` the result is for a picture that many times smaller (rounded up).
        """
        rows, columns = coarse.shape[:2]
        step = STEP_PX // shrink
        full = cv2.resize(np.asarray(coarse, np.float32), (columns * step, rows * step))
        width, height = (-(-length // shrink) for length in self.size_wh)
        return np.ascontiguousarray(full[step : step + height, step : step + width])


def cast_rays(camera: SceneCamera) -> Rays:
    """Find a camera's coarse rays."""
    width, height = camera.size_wh
    x_px, y_px = np.meshgrid(_stations(width), _stations(height))
    lens, pose = camera.pose.lens, camera.pose
    pixels = np.stack([x_px, y_px], axis=-1).reshape(-1, 1, 2)
    flat = cv2.undistortPoints(pixels, lens.matrix, lens.distortion).reshape(*x_px.shape, 2)
    seen = np.concatenate([flat, np.ones_like(flat[..., :1])], axis=-1)
    return Rays(np.asarray(seen @ pose.board_to_camera, dtype=np.float64), pose.eye_mm, camera.size_wh)


def _stations(length_px: int) -> Floats:
    """Middles of the coarse squares along one side, with one square of margin at either end."""
    count = -(-length_px // STEP_PX)
    return np.asarray((np.arange(-1, count + 1) + 0.5) * STEP_PX - 0.5, np.float64)

"""Vary one picture for training: other lamps, blur, noise and a pose a little off."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats, Lens, Pose
from vision.localization.planes import Planes, PlaneSource
from vision.localization.pose import PoseEstimate

_POSE_SPREAD = 1.2
"""Poses are drawn a little wider than their covariance, which knows nothing of a warped sheet."""

_MOST_FOCAL_STEP = 0.05
"""Seen from straight above, the focal length may be anything, and the distance with it. A covariance holds for small
steps only: with a large one the board would shrink away from its cells."""


def blurred(source: PlaneSource, rng: np.random.Generator) -> ImageBgr:
    """Blur a picture a little, or not."""
    if rng.random() > 0.3:
        return source.image_bgr
    return np.asarray(cv2.GaussianBlur(source.image_bgr, (0, 0), rng.uniform(0.3, 1.0)), dtype=np.uint8)


def jittered(estimate: PoseEstimate, rng: np.random.Generator) -> Pose:
    """Draw a pose from an estimate's doubt."""
    variances, axes = np.linalg.eigh(estimate.covariance)
    step = axes @ (np.sqrt(np.maximum(variances, 0)) * rng.normal(size=len(variances))) * _POSE_SPREAD
    step *= min(1.0, _MOST_FOCAL_STEP / max(abs(step[6]), 1e-9))
    pose = estimate.pose
    lens = Lens(pose.lens.focal_px * float(np.exp(step[6])), pose.lens.centre_px, pose.lens.k1 + float(step[7]))
    return Pose(lens, pose.rotation + step[:3], pose.shift_mm + step[3:6])


def relit(planes: Planes, rng: np.random.Generator, *, tint: float = 0.03) -> Planes:
    """Change colour, contrast, evenness and noise of planes as lamps, walls and sensors do, alike at all heights.

    `tint` is how strongly black is coloured: dark pieces that differ in hue only must stay apart.
    """
    heights = len(planes) // 3
    views = planes.reshape(heights, 3, *planes.shape[1:])
    views = np.sign(views) * np.abs(views) ** np.exp(rng.normal(0, 0.15))
    mixed = np.einsum("ij,hjrc->hirc", np.eye(3) + rng.normal(0, 0.04, (3, 3)), views)
    gain = np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.15))
    lit = mixed * gain[:, None, None] + rng.normal(0, tint, 3)[:, None, None]
    lit = _unevenly(lit, rng)
    if rng.random() < 0.4:
        lit = lit + rng.normal(0, rng.uniform(0.005, 0.06), lit.shape)
    return np.clip(lit, -0.25, 2.0).reshape(planes.shape).astype(np.float32)


def _unevenly(views: Floats, rng: np.random.Generator) -> Floats:
    """Lay a gradient and a spot of glare or shade over views (heights, bgr, rows, columns)."""
    rows, columns = views.shape[2:]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    if rng.random() < 0.5:
        views = views * np.exp(rng.normal(0, 0.15) * x + rng.normal(0, 0.15) * y)
    if rng.random() < 0.35:
        middle, radius = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.8)
        spot = 1 / (1 + np.exp((np.hypot(x - middle[0], y - middle[1]) - radius) / rng.uniform(0.02, 0.3)))
        glare, shade = spot * rng.uniform(0.1, 0.8), 1 - spot * rng.uniform(0.1, 0.6)
        views = views + glare if rng.random() < 0.5 else views * shade
    return views

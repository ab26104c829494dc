"""The board's pose from the markers that were seen, the lens included, with its uncertainty.

Nine unknowns (rotation, shift, focal length, one radial term, bloom) are fitted to the markers' corners by
Levenberg-Marquardt with weak priors on the lens: a board seen from straight above says nothing about the focal length,
and then the prior does. Bloom is by how much white spills over the edges of the black squares, in pixels: left out, it
is taken for a bent lens. What the data and the priors leave open is the covariance, from which the place of every head
on the table gets a standard deviation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.board import Board
from vision.geometry import Floats, Lens, Pose
from vision.localization.markers import Corners, MarkerDetections

CORNER_SIGMA_PX = 0.35
"""Standard deviation of a refined corner, from the samples' truth (0.1 px in light, 0.7 px in dim noise)."""

FOCAL_PRIOR = (0.82, 0.22)
"""Focal length over the picture's width: typical value and standard deviation of its logarithm (50 to 80 degrees wide,
as phones, webcams and the Pi's modules are)."""

K1_PRIOR = (0.0, 0.06)
BLOOM_PRIOR_PX = (0.0, 1.0)
OUTLIER_PX = 4.0
_CLEARLY_WORSE = 4.0
"""The flat target's other pose is not looked at when it fits so many times worse."""

_STEPS = 12


@dataclass(frozen=True, slots=True, eq=False)
class PoseEstimate:
    """A pose with `covariance` float64 (8, 8) over rotation (3), shift (3), log focal and k1,
    and its worst misfit in pixels."""

    pose: Pose
    covariance: Floats
    worst_px: float

    def sigma_px(self, points_mm: Floats) -> Floats:
        """Standard deviation of where points (n, xyz) in mm appear, in pixels, float64 (n,)."""
        _, jacobian = _project(_pack(self.pose), self.pose.lens.centre_px, points_mm)
        spread = np.einsum("ij,jk,ik->i", jacobian, self.covariance, jacobian).reshape(-1, 2)
        return np.asarray(np.sqrt(spread.sum(axis=1)), dtype=np.float64)


def estimate_pose(
    board: Board, detections: MarkerDetections, size_wh: tuple[int, int], lens: Lens | None = None
) -> PoseEstimate | None:
    """Fit the pose to the markers of a board.

    Args:
        board: whose markers to use.
        detections: markers by id; those of other boards are left out.
        size_wh: width and height of the picture in pixels.
        lens: a calibrated lens, if there is one; then it is held.

    Returns:
        The estimate, or None if no marker of the board was seen or nothing fits.
    """
    seen = {i: c for i, c in detections.items() if i in board.markers.ids}
    while seen:
        estimate = _fit(board, seen, size_wh, lens)
        if estimate is None or estimate.worst_px <= OUTLIER_PX * max(1.0, size_wh[0] / 1640) or len(seen) < 3:
            return estimate
        del seen[_worst_marker(board, seen, estimate.pose)]
    return None


def _worst_marker(board: Board, seen: Mapping[int, Corners], pose: Pose) -> int:
    """Name the marker that fits the others least: half covered, it was measured at a finger's edge."""
    corners = dict(zip(board.markers.ids, board.markers.corners_mm(), strict=True))
    misfit = {i: float(np.abs(pose.project_at(corners[i], 0.0) - c).max()) for i, c in seen.items()}
    return max(misfit, key=misfit.__getitem__)


def _fit(board: Board, seen: Mapping[int, Corners], size_wh: tuple[int, int], lens: Lens | None) -> PoseEstimate | None:
    corners = dict(zip(board.markers.ids, board.markers.corners_mm(), strict=True))
    flat = np.concatenate([corners[i] for i in seen])
    points_mm = np.column_stack([flat, np.zeros(len(flat))])
    pixels = np.concatenate(list(seen.values())).astype(np.float64)
    first = lens or Lens(FOCAL_PRIOR[0] * max(size_wh), Lens.middle_of(size_wh))
    starts = _starts(points_mm, pixels, first)
    problem = _problem(points_mm, pixels, first, hold_lens=lens is not None)
    fits = [_refine(start, problem) for start in starts]
    return min(fits, key=lambda fit: fit[1])[0] if fits else None


def _starts(points_mm: Floats, pixels: Floats, lens: Lens) -> list[Pose]:
    """Return the one or two poses that a flat target allows (Collins and Bartoli, "Infinitesimal Plane", 2014)."""
    turned = points_mm * (1.0, 1.0, -1.0)
    _, rotations, shifts, errors_px = cv2.solvePnPGeneric(
        turned, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    poses = [Pose(lens, np.ravel(r), np.ravel(t)) for r, t in zip(rotations, shifts, strict=True)]
    clear = len(poses) > 1 and float(np.ravel(errors_px)[1]) > _CLEARLY_WORSE * float(np.ravel(errors_px)[0]) + 1.0
    return poses[:1] if clear else poses


def _pack(pose: Pose) -> Floats:
    return np.concatenate([pose.rotation, pose.shift_mm, [np.log(pose.lens.focal_px), pose.lens.k1]])


def _unpack(values: Floats, centre_px: tuple[float, float]) -> Pose:
    lens = Lens(float(np.exp(values[6])), centre_px, float(values[7]))
    return Pose(lens, values[:3].copy(), values[3:6].copy())


def _project(values: Floats, centre_px: tuple[float, float], points_mm: Floats) -> tuple[Floats, Floats]:
    """Project points (n, xyz) and differentiate: pixels (2n,) and the jacobian (2n, 8) over the packed values."""
    pose = _unpack(values, centre_px)
    turned = np.ascontiguousarray(points_mm * (1.0, 1.0, -1.0))
    pixels, partial = cv2.projectPoints(turned, pose.rotation, pose.shift_mm, pose.lens.matrix, pose.lens.distortion)
    focal = (partial[:, 6] + partial[:, 7]) * pose.lens.focal_px
    return np.ravel(pixels), np.column_stack([partial[:, :6], focal, partial[:, 10]])


def _outward(pixels: Floats) -> Floats:
    """Unit vectors from each marker's middle to its corners, float64 (2n,): the way that bloom moves them."""
    squares = pixels.reshape(-1, 4, 2)
    arms = squares - squares.mean(axis=1, keepdims=True)
    return np.ravel(arms / np.linalg.norm(arms, axis=2, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """The least-squares problem over the packed pose and bloom; residuals are in standard deviations."""

    points_mm: Floats
    pixels: Floats
    outward: Floats
    centre_px: tuple[float, float]
    prior_mean: Floats
    prior_sigma: Floats

    def linearise(self, values: Floats) -> tuple[Floats, Floats]:
        """Residuals and jacobian at `values` (9,); the priors on (log focal, k1, bloom) are the last three rows."""
        got, jacobian = _project(values[:8], self.centre_px, self.points_mm)
        misfit = (got + values[8] * self.outward - self.pixels) / CORNER_SIGMA_PX
        prior = np.zeros((3, 9))
        prior[:, 6:] = np.diag(1 / self.prior_sigma)
        data = np.column_stack([jacobian, self.outward]) / CORNER_SIGMA_PX
        residual = np.concatenate([misfit, (values[6:] - self.prior_mean) / self.prior_sigma])
        return residual, np.concatenate([data, prior])


def _problem(points_mm: Floats, pixels: Floats, first: Lens, *, hold_lens: bool) -> _Problem:
    mean = np.array([np.log(first.focal_px), first.k1 if hold_lens else K1_PRIOR[0], BLOOM_PRIOR_PX[0]])
    lens_sigma = (1e-6, 1e-6) if hold_lens else (FOCAL_PRIOR[1], K1_PRIOR[1])
    sigma = np.array([*lens_sigma, BLOOM_PRIOR_PX[1]])
    return _Problem(points_mm, pixels.ravel(), _outward(pixels), first.centre_px, mean, sigma)


def _refine(start: Pose, problem: _Problem) -> tuple[PoseEstimate, float]:
    """Levenberg-Marquardt from a start; gives the estimate and its cost (squared standard deviations)."""
    values, damping = np.append(_pack(start), BLOOM_PRIOR_PX[0]), 1e-3
    residual, jacobian = problem.linearise(values)
    for _ in range(_STEPS):
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -jacobian.T @ residual)
        trial_residual, trial_jacobian = problem.linearise(values + step)
        gain = residual @ residual - trial_residual @ trial_residual
        if gain > 0:
            values, residual, jacobian, damping = values + step, trial_residual, trial_jacobian, damping / 10
        else:
            damping *= 10
        if abs(gain) < 1e-3:
            break
    cost = float(residual @ residual)
    spread = max(1.0, cost / len(problem.pixels))
    covariance = np.asarray(np.linalg.pinv(jacobian.T @ jacobian)[:8, :8] * spread, dtype=np.float64)
    worst_px = float(np.abs(residual[:-3]).max() * CORNER_SIGMA_PX)
    return PoseEstimate(_unpack(values[:8], problem.centre_px), covariance, worst_px), cost

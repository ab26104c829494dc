"""The board's pose and lens, estimated from the detected markers, with uncertainty.

Nine unknowns (rotation, shift, focal length, one radial term, bloom) are fitted to the markers' corners by
Levenberg-Marquardt with weak priors on the lens: a board seen from straight above does not determine the focal length,
so the prior must. Bloom is how far white spills over the edges of the black squares, in pixels; without it, the fit
would explain the spill by lens distortion. The covariance of the fit gives every point on the table a standard
deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np

from vision.board import Board
from vision.board_sections import LEAST_MARKERS
from vision.geometry import Floats, Lens, Pose
from vision.localization.markers import Corners, MarkerDetections, Sightings

CORNER_SIGMA_PX = 0.35
"""Standard deviation of a refined corner, from the samples' ground truth (0.1 px in good light, 0.7 in dim noise)."""

FOCAL_PRIOR = (0.82, 0.22)
"""Focal length over the picture's width: typical value and standard deviation of its logarithm (50 to 80 degrees wide,
as phones, webcams and the Pi's modules are)."""

K1_PRIOR = (0.0, 0.06)
BLOOM_PRIOR_PX = (0.0, 1.0)
OUTLIER_PX = 4.0
_CLEARLY_WORSE = 4.0
"""The flat target's second pose is discarded if its error is this many times larger."""

_ELSEWHERE, _OTHER_SIZE = 0.2, 0.4
"""Offset of a marker's centre or of all its corners, in its sides, from which on it was moved or turned and is not only
half covered; and the relative difference of a square's side from which on it is not one of the table's markers."""

_WELL, _FEW_WELL, _BETTER = 0.4, 0.75, 0.5
"""Misfit, over that of an outlier, up to which no marker was moved, with four or more markers and with fewer; and the
largest misfit of the remaining markers, over that of all, if one was moved."""

_NOT_FLAT = 2.0
"""Factor by which markers on paper that is not quite flat may exceed the allowed misfit."""

_MOST_SQUARES = 10
"""Largest number of squares of which all combinations are tried."""

_POOR = 4.0
"""Mean square misfit, in variances of a corner, from which on a fit is tried with another lens."""

_STEPS = 12


@dataclass(frozen=True, slots=True, eq=False)
class PoseEstimate:
    """A pose with its worst misfit in pixels and its covariance, float64 (8, 8).

    The covariance is over rotation (3), shift (3), log focal and k1.
    """

    pose: Pose
    covariance: Floats
    worst_px: float

    def sigma_px(self, points_mm: Floats) -> Floats:
        """Return the standard deviation in pixels of the projections of points (n, xyz) in mm, float64 (n,)."""
        # First-order propagation of the covariance: J C J^T for each point; its trace is the squared deviation.
        _, jacobian = _project(_pack(self.pose), self.pose.lens.centre_px, points_mm)
        spread = np.einsum("ij,jk,ik->i", jacobian, self.covariance, jacobian).reshape(-1, 2)
        return np.asarray(np.sqrt(spread.sum(axis=1)), dtype=np.float64)


def estimate_pose(
    board: Board, detections: MarkerDetections, size_wh: tuple[int, int], lens: Lens | None = None
) -> PoseEstimate | None:
    """Estimate the pose of a board from its markers.

    Args:
        board: the board whose markers are used.
        detections: markers by id; those of other boards are left out.
        size_wh: width and height of the picture in pixels.
        lens: a calibrated lens, which is then held fixed.

    Returns:
        The estimate, or None if no marker of the board was seen or nothing fits.
    """
    # Fit; while the worst corner is an outlier, leave out the marker that fits worst, such as one measured at the edge
    #   of a finger. With fewer than three markers it cannot be known which one is wrong.
    seen = {i: c for i, c in detections.items() if i in board.markers.ids}
    while seen:
        estimate = _fit(board, seen, size_wh, lens)
        if estimate is None or estimate.worst_px <= OUTLIER_PX * max(1.0, size_wh[0] / 1640) or len(seen) < 3:
            return estimate
        corners = dict(zip(board.markers.ids, board.markers.corners_mm(), strict=True))
        misfit = {i: float(np.abs(estimate.pose.project_at(corners[i], 0.0) - c).max()) for i, c in seen.items()}
        del seen[max(misfit, key=misfit.__getitem__)]
    return None


class MisfitKind(StrEnum):
    """The way in which markers are not where the table file has them."""

    MOVED = "moved"
    COPIED = "copied"
    SWAPPED = "swapped"
    TWICE = "twice"
    UNFIT = "unfit"


@dataclass(frozen=True, slots=True)
class Misfit:
    """Markers that do not fit the others, or one another, and in which way."""

    kind: MisfitKind
    ids: tuple[int, ...]


def find_misfit(board: Board, seen: Sightings, size_wh: tuple[int, int], lens: Lens | None = None) -> Misfit | None:
    """Return the markers of a board that are not where its table file has them; None if all fit.

    A marker that is partly covered by a finger is measured a little off, which is not reported. Squares of a different
    size than the marker's, which may be anything in the room, are not reported either.

    Args:
        board: the board whose markers are checked.
        seen: all markers in the picture, copies included.
        size_wh: width and height of the picture in pixels.
        lens: a calibrated lens, if there is one.
    """
    # 1. All squares with an id of the board, including copies; too many have too many combinations.
    squares = [(i, c) for i, c in (*seen.items(), *seen.copies) if i in board.markers.ids]
    if len(squares) < 2 or len(squares) > _MOST_SQUARES:
        return None
    checked = _Fitting(board, size_wh, lens)
    # 2. All fit well: nothing is wrong.
    is_single = len(squares) == len(dict(squares))
    worst_px = checked.fitted(dict(squares))[1] if is_single else np.inf
    if worst_px <= _WELL * checked.most_px:
        return None
    numbers = [number for number, _ in squares]
    # 3. If a plane fits that is seen from anywhere by any lens, all are in their places on it, and the picture is not
    #   as the lens made it: cut out of a larger one, or straightened.
    if is_single and worst_px > checked.most_px and checked.is_flat(dict(squares)):
        return Misfit(MisfitKind.UNFIT, tuple(sorted(numbers)))
    # 4. If the others fit without one square, or without two, those left out were moved or copied.
    for left_out in (1, 2):
        if misfit := _odd_ones(checked, squares, left_out, min(checked.most_px, _BETTER * worst_px)):
            return misfit if misfit.ids else None
    # 5. If all fit once the ids of two are exchanged, those two are swapped.
    for one, other in combinations(range(len(squares)), 2):
        exchanged = dict(squares) | {squares[one][0]: squares[other][1], squares[other][0]: squares[one][1]}
        if len(squares) > 2 and worst_px > checked.most_px and checked.fitted(exchanged)[1] <= checked.most_px:
            return Misfit(MisfitKind.SWAPPED, (squares[one][0], squares[other][0]))
    # 6. Otherwise unfit, unless one of few markers is half covered, or the misfit is small, as on paper not quite flat.
    few = len(squares) <= LEAST_MARKERS
    covered = few and any(checked.is_covered(dict(squares), number) for number, _ in squares)
    fits = covered or worst_px <= checked.most_px * (_FEW_WELL if few else _NOT_FLAT)
    # 7. Some are there more than once, as of two boards of one kind; or else they do not fit one another.
    twice = {number for number in numbers if numbers.count(number) > 1}
    unfit = Misfit(MisfitKind.TWICE if twice else MisfitKind.UNFIT, tuple(sorted(twice or {*numbers})))
    return None if fits else unfit


def _odd_ones(
    checked: _Fitting, squares: Sequence[tuple[int, Corners]], left_out: int, most_px: float
) -> Misfit | None:
    """Return the misfit of the `left_out` squares without which the others fit best; None if they fit without none.

    At least three squares must be left. The misfit has no ids if the squares left out are not elsewhere.
    """
    best: tuple[float, Misfit] | None = None
    for odd in combinations(range(len(squares)), left_out):
        kept = [square for k, square in enumerate(squares) if k not in odd]
        if len(kept) < LEAST_MARKERS or len(kept) != len(dict(kept)):
            continue
        pose, worst = checked.fitted(dict(kept))
        if pose is None or worst > most_px or (best and worst >= best[0]):
            continue
        wrong = sorted({squares[k][0] for k in odd if checked.is_elsewhere(pose, *squares[k])})
        copied = any(squares[k][0] in dict(kept) for k in odd)
        best = worst, Misfit(MisfitKind.COPIED if copied else MisfitKind.MOVED, tuple(wrong))
    return best[1] if best else None


class _Fitting:
    """The fits of one board's pose to some of its markers in one picture."""

    def __init__(self, board: Board, size_wh: tuple[int, int], lens: Lens | None) -> None:
        self.most_px = OUTLIER_PX * max(1.0, size_wh[0] / 1640)
        self._board, self._size_wh, self._lens = board, size_wh, lens
        self._corners_mm = dict(zip(board.markers.ids, board.markers.corners_mm(), strict=True))

    def fitted(self, seen: Mapping[int, Corners]) -> tuple[Pose | None, float]:
        """Return the pose and its worst misfit in pixels; None and infinity if nothing fits."""
        estimate = _fit(self._board, seen, self._size_wh, self._lens)
        return (None, np.inf) if estimate is None else (estimate.pose, estimate.worst_px)

    def is_flat(self, seen: Mapping[int, Corners]) -> bool:
        """Return whether four markers or more are at their places on a plane, by a homography."""
        flat = np.concatenate([self._corners_mm[number] for number in seen])
        pixels = np.concatenate(list(seen.values())).astype(np.float64)
        homography = np.asarray(cv2.findHomography(flat, pixels)[0], np.float64)
        if len(seen) <= LEAST_MARKERS or homography.shape != (3, 3):
            return False
        off = cv2.perspectiveTransform(flat[None], homography)[0] - pixels
        return bool(np.abs(off).max() <= _WELL * self.most_px)

    def is_covered(self, seen: Mapping[int, Corners], number: int) -> bool:
        """Return whether a marker is about where the others put it, so that its misfit comes from a covered corner."""
        others = {other: corners for other, corners in seen.items() if other != number}
        pose, worst = self.fitted(others)
        return pose is not None and worst <= self.most_px and not self.is_elsewhere(pose, number, seen[number])

    def is_elsewhere(self, pose: Pose, number: int, corners_px: Corners) -> bool:
        """Return whether a marker is off its place or turned on it, but has the right size.

        What covers a marker moves some of its corners; turning it moves all.
        """
        expected = pose.project_at(self._corners_mm[number], 0.0)
        side, true_side = (float(np.sqrt(cv2.contourArea(c.astype(np.float32)))) for c in (corners_px, expected))
        off = float(np.linalg.norm(corners_px.mean(axis=0) - expected.mean(axis=0)))
        turned = float(np.linalg.norm(corners_px - expected, axis=1).min())
        return max(off, turned) > _ELSEWHERE * true_side and abs(side / max(true_side, 1.0) - 1) < _OTHER_SIZE


def _fit(board: Board, seen: Mapping[int, Corners], size_wh: tuple[int, int], lens: Lens | None) -> PoseEstimate | None:
    corners = dict(zip(board.markers.ids, board.markers.corners_mm(), strict=True))
    flat = np.concatenate([corners[i] for i in seen])
    pixels = np.concatenate(list(seen.values())).astype(np.float64)
    return _fit_corners(flat.tobytes(), pixels.tobytes(), size_wh, lens)


@lru_cache(maxsize=4)
def _fit_corners(flat_mm: bytes, pixels_xy: bytes, size_wh: tuple[int, int], lens: Lens | None) -> PoseEstimate | None:
    """Fit a pose to corners on the board and in the picture, both the bytes of float64 (n, xy).

    A reading asks for the same fit twice: whether the markers are at their places, and where the board is.
    """
    # 1. Pair the corners on the board's plane (z = 0) with those in the picture. Bloom moves these along unit vectors
    #   from their markers' centres.
    flat, pixels = (np.frombuffer(corners).reshape(-1, 2) for corners in (flat_mm, pixels_xy))
    points_mm = np.column_stack([flat, np.zeros(len(flat))])
    arms = pixels.reshape(-1, 4, 2) - pixels.reshape(-1, 4, 2).mean(axis=1, keepdims=True)
    outward = np.ravel(arms / np.linalg.norm(arms, axis=2, keepdims=True))
    # 2. Start with the calibrated lens or a typical one.
    first = lens or Lens(FOCAL_PRIOR[0] * max(size_wh), Lens.middle_of(size_wh))
    # 3. Refine each start and keep the one with the lowest cost. Three more residuals are priors, as if log focal, k1
    #   and bloom had been measured once (a MAP estimate).
    mean = np.array([np.log(first.focal_px), first.k1 if lens else K1_PRIOR[0], BLOOM_PRIOR_PX[0]])
    sigma = np.array([*((1e-6, 1e-6) if lens else (FOCAL_PRIOR[1], K1_PRIOR[1])), BLOOM_PRIOR_PX[1]])
    prior = np.column_stack([np.zeros((3, 6)), np.diag(1 / sigma)])

    def linearise(values: Floats) -> tuple[Floats, Floats]:
        got, jacobian = _project(values[:8], first.centre_px, points_mm)
        misfit = (got + values[8] * outward - pixels.ravel()) / CORNER_SIGMA_PX
        data = np.column_stack([jacobian, outward]) / CORNER_SIGMA_PX
        return np.concatenate([misfit, (values[6:] - mean) / sigma]), np.concatenate([data, prior])

    def fitted(start_lens: Lens) -> Iterator[tuple[Floats, Floats, Floats]]:
        for start in _starts(points_mm, pixels, start_lens):
            yield minimise(linearise, np.append(_pack(start), BLOOM_PRIOR_PX[0]))

    fits = list(fitted(first))
    # 4. A narrow lens far away is many small steps from a wide one nearby. If the fit is worse than the corners' noise
    #   allows, start once more with the focal length at which the markers' shape in the picture is that of squares.
    if lens is None and all(float(residual @ residual) > _POOR * pixels.size for _, residual, _ in fits):
        seen_px = _focal_seen(flat, pixels - first.centre_px)
        fits += list(fitted(Lens(seen_px, first.centre_px))) if seen_px else []
    if not fits:
        return None
    values, residual, jacobian = min(fits, key=lambda fit: float(fit[1] @ fit[1]))
    # 5. The covariance is the inverse of the normal matrix; if the fit is worse than the corners' noise allows it is
    #   scaled up by the mean square of the residuals.
    spread = max(1.0, float(residual @ residual) / pixels.size)
    covariance = np.asarray(np.linalg.pinv(jacobian.T @ jacobian)[:8, :8] * spread, dtype=np.float64)
    worst_px = float(np.abs(residual[:-3]).max() * CORNER_SIGMA_PX)
    return PoseEstimate(_unpack(values[:8], first.centre_px), covariance, worst_px)


def _starts(points_mm: Floats, pixels: Floats, lens: Lens) -> list[Pose]:
    """Return the poses that a flat target allows with a lens, but not one that fits much worse than the other.

    By Collins and Bartoli, "Infinitesimal Plane-Based Pose Estimation", 2014. OpenCV's z axis points down, ours up.
    """
    turned = points_mm * (1.0, 1.0, -1.0)
    _, rotations, shifts, errors = cv2.solvePnPGeneric(
        turned, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    starts = [Pose(lens, np.ravel(r), np.ravel(t)) for r, t in zip(rotations, shifts, strict=True)]
    clear = len(starts) > 1 and float(np.ravel(errors)[1]) > _CLEARLY_WORSE * float(np.ravel(errors)[0]) + 1.0
    return starts[:1] if clear else starts


def _focal_seen(flat_mm: Floats, pixels: Floats) -> float | None:
    """Return the focal length in pixels at which a plane is seen as it is in the picture; None if none is likely.

    Args:
        flat_mm: points on the plane, float64 (n, xy).
        pixels: the same points in the picture, from its middle, float64 (n, xy).
    """
    # 1. The homography's first two columns are the plane's axes in the picture; on the plane they are perpendicular and
    #   equally long (Zhang, "A Flexible New Technique for Camera Calibration", 2000): two equations for 1 / f^2.
    homography = np.asarray(cv2.findHomography(flat_mm, pixels)[0], np.float64)
    if homography.shape != (3, 3):  # there is none
        return None
    (a, b), (c, d), (e, f) = (homography / np.linalg.norm(homography[:2, :2]))[:, :2]
    slopes, constants = np.array([a * b + c * d, a * a + c * c - b * b - d * d]), np.array([e * f, e * e - f * f])
    inverse_square = -float(slopes @ constants) / max(float(slopes @ slopes), np.finfo(np.float64).tiny)
    # 2. A plane seen from straight above tells nothing.
    return float(inverse_square**-0.5) if inverse_square > 0 else None


def _pack(pose: Pose) -> Floats:
    return np.concatenate([pose.rotation, pose.shift_mm, [np.log(pose.lens.focal_px), pose.lens.k1]])


def _unpack(values: Floats, centre_px: tuple[float, float]) -> Pose:
    lens = Lens(float(np.exp(values[6])), centre_px, float(values[7]))
    return Pose(lens, values[:3].copy(), values[3:6].copy())


def _project(values: Floats, centre_px: tuple[float, float], points_mm: Floats) -> tuple[Floats, Floats]:
    """Project points (n, xyz); return the pixels (2n,) and their jacobian (2n, 8) over the packed values."""
    # OpenCV differentiates by fx and fy; here they are one focal length, by its logarithm: d/d log f = f d/d f.
    pose = _unpack(values, centre_px)
    turned = np.ascontiguousarray(points_mm * (1.0, 1.0, -1.0))
    pixels, partial = cv2.projectPoints(turned, pose.rotation, pose.shift_mm, pose.lens.matrix, pose.lens.distortion)
    focal = (partial[:, 6] + partial[:, 7]) * pose.lens.focal_px
    return np.ravel(pixels), np.column_stack([partial[:, :6], focal, partial[:, 10]])


def minimise(
    linearise: Callable[[Floats], tuple[Floats, Floats]],
    start: Floats,
    *,
    steps: int = _STEPS,
    settled: float = 1e-3,
    slow: float = 0.0,
    floor: float = 0.0,
) -> tuple[Floats, Floats, Floats]:
    """Return the values (n,) of the least squared residuals (m,), these, and the jacobian (m, n), by `linearise`.

    It is found by the method of Levenberg and Marquardt (1963), from a start, by solving damped normal equations: a
    step that lowers the cost is taken and damping falls, one that does not is dropped and damping grows.

    Args:
        linearise: returns the residuals at some values, and the jacobian.
        start: the first values.
        steps: the most steps.
        settled: it ends if the cost changes by less than that, in squared residuals,
        slow: and this share of the cost.
        floor: added to the diagonal before it is damped, for values that no residual depends on.
    """
    values, damping = start, 1e-3
    residual, jacobian = linearise(values)
    for _ in range(steps):
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + floor), -jacobian.T @ residual)
        trial, trial_jacobian = linearise(values + step)
        gain = float(residual @ residual - trial @ trial)
        if gain > 0:
            values, residual, jacobian, damping = values + step, trial, trial_jacobian, damping / 10
        else:
            damping *= 10
        if abs(gain) < settled + slow * float(residual @ residual):
            break
    return values, residual, jacobian

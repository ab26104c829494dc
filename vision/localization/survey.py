"""Measurement of the markers around a board, from photographs in which a user has named the corners of its grid.

Markers, camera and board are fitted together (bundle adjustment: Triggs et al., 2000). The grid's width gives the
scale; its height follows from the markers, which are square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from engines.sentence import Sentence
from vision.board_sections import LEAST_MARKERS, PlacedMarker, Point
from vision.errors import VisionError
from vision.geometry import Floats, Lens, box
from vision.localization.locate import ScaledImage, search
from vision.localization.markers import MarkerDetections
from vision.localization.pose import CORNER_SIGMA_PX, FOCAL_PRIOR, K1_PRIOR, minimise

DICTIONARIES = (
    *("DICT_APRILTAG_36h11", "DICT_4X4_50", "DICT_4X4_250", "DICT_5X5_100", "DICT_6X6_250", "DICT_7X7_250"),
    *("DICT_ARUCO_ORIGINAL", "DICT_APRILTAG_25h9", "DICT_APRILTAG_16h5", "DICT_ARUCO_MIP_36h12"),
)
"""The dictionaries that are tried in turn if none is named; for each size the smallest first."""

_LARGE_DICTIONARIES = (
    *("DICT_4X4_1000", "DICT_5X5_1000", "DICT_6X6_1000", "DICT_7X7_1000"),
    "DICT_APRILTAG_36h10",
)
"""The dictionaries that are tried if these show too few markers: in the larger ones more is taken for a marker."""

_CLICK_SIGMA_PX = 2.0
"""Standard deviation of a corner named by a user, in pixels of a picture 1640 px wide."""

MOST_MISFIT_PX = 2.5
"""Largest distance of a marker's corner from its fitted place, in pixels of a picture 1640 px wide; beyond it the
photographs disagree."""

_STEPS, _SETTLED, _SLOW = 60, 1e-2, 1e-4
"""Most steps of a fit, and the gain below which it stops: in variances, and as a share of the misfit."""

_ASPECT_SIGMA = 0.5


class SurveyError(VisionError):
    """Photographs from which a board cannot be measured; the message is one sentence."""


@dataclass(frozen=True, eq=False)
class SurveyedPicture:
    """One picture: its name in messages, its size, its markers, and the grid's corners, float64 (4, xy), if named."""

    name: str
    size_wh: tuple[int, int]
    detections: MarkerDetections
    corners_px: Floats | None = None

    @cached_property
    def points_px(self) -> Floats:
        """All known corners in the picture, float64 (n, xy): the markers', then the grid's."""
        named = [] if self.corners_px is None else [self.corners_px]
        return np.concatenate([*self.detections.values(), *named]).astype(np.float64)

    @cached_property
    def sigma_px(self) -> Floats:
        """Standard deviations of `points_px`, float64 (n,)."""
        sigma = np.full(len(self.points_px), CORNER_SIGMA_PX)
        sigma[4 * len(self.detections) :] = _CLICK_SIGMA_PX * max(self.size_wh) / 1640
        return sigma


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A marker in one picture that is off its fitted place by `off_px`, in pixels of a picture 1640 px wide."""

    name: str
    marker: int
    off_px: float


@dataclass(frozen=True, slots=True)
class Survey:
    """The result: the markers on the plane of the grid's corners, the grid's height, and the disagreements."""

    dictionary: str
    markers: tuple[PlacedMarker, ...]
    height_mm: float
    disagreements: tuple[Disagreement, ...]


def find_any(scaled: ScaledImage, dictionary: str | None = None) -> tuple[str, MarkerDetections]:
    """Detect markers of a dictionary, or of the one with the most visible markers; {} if none is seen."""
    tried = DICTIONARIES if dictionary is None else (dictionary,)
    found = [(name, search(scaled, name)) for name in tried]
    if dictionary is None and all(len(seen) < LEAST_MARKERS for _, seen in found):
        found += [(name, search(scaled, name)) for name in _LARGE_DICTIONARIES]
    return max(found, key=lambda one: len(one[1]))


def survey(photographs: Sequence[SurveyedPicture], size_mm: Point, dictionary: str, *, hold_height: bool) -> Survey:
    """Measure the markers around a board.

    Args:
        photographs: at least one, the first with the grid's corners: top left, top right, bottom right, bottom left.
        size_mm: width and height of the rectangle of these corners.
        dictionary: of the markers.
        hold_height: whether the height is known; if not, it is only the start of the fit.

    Raises:
        SurveyError: too few markers are seen, or nothing fits.
    """
    first = photographs[0]
    if first.corners_px is None:
        message = Sentence("{file}: expected the four corners of the grid in the first photograph")
        raise SurveyError(message.format(file=first.name))
    if len(first.detections) < LEAST_MARKERS:
        message = Sentence("{file}: expected {least} markers or more beside the board, found {found}")
        raise SurveyError(message.format(file=first.name, least=LEAST_MARKERS, found=len(first.detections)))
    fitted = SurveyProblem(photographs, size_mm, hold_height=hold_height)
    fitted.solve(fitted.start)
    left_out: list[Disagreement] = []
    while fitted.disagreements and (without := _without_one(fitted)):
        fitted, disagreement = without
        left_out.append(disagreement)
    return Survey(dictionary, fitted.placed(), fitted.height_mm(fitted.values), (*left_out, *fitted.disagreements))


def _without_one(fitted: SurveyProblem) -> tuple[SurveyProblem, Disagreement] | None:
    """Leave out the one marker of one picture without which all others fit best; None if each is needed.

    Least squares spread one marker's error over the others, so the wrong marker need not have the largest misfit.
    """
    best: tuple[SurveyProblem, Disagreement] | None = None
    photographs = fitted.photographs
    for number, picture in enumerate(photographs):
        for marker in picture.detections:
            elsewhere = sum(marker in other.detections for other in photographs) > 1
            if not elsewhere or len(picture.detections) < LEAST_MARKERS:
                continue
            kept = {i: corners for i, corners in picture.detections.items() if i != marker}
            fewer = [*photographs[:number], replace(picture, detections=kept), *photographs[number + 1 :]]
            trial = SurveyProblem(fewer, fitted.size_mm, hold_height=fitted.hold_height)
            trial.solve(fitted.values)
            if best is None or trial.cost < best[0].cost:
                best = trial, Disagreement(picture.name, marker, trial.off_px(number, picture, marker))
    return best


class SurveyProblem:
    """The least-squares problem over the grid's height, the markers, one lens and each picture's pose.

    Values are log height over the start (1), log focal over the width and k1 (2), each marker's x, y, angle in radians
    and log side (4 n), each picture's rotation and shift (6 n).
    """

    def __init__(self, photographs: Sequence[SurveyedPicture], size_mm: Point, *, hold_height: bool) -> None:
        self.photographs, self.size_mm, self.hold_height = photographs, size_mm, hold_height
        self._known = self._markers_by_homography()
        self._ids = tuple(self._known)
        values = [np.array([0.0, np.log(FOCAL_PRIOR[0]), K1_PRIOR[0]]), *self._known.values()]
        for picture in self.photographs:
            lens = self._lens(values[0], picture)
            mm = self._points(picture, np.array([*self._known.values()]), self.size_mm)
            flat = np.column_stack([mm, np.zeros(len(mm))])
            there, rotation, shift = cv2.solvePnP(
                flat, picture.points_px, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
            )
            if not there:
                message = Sentence("{file}: the markers and the corners do not fit one another")
                raise SurveyError(message.format(file=picture.name))
            values.append(np.concatenate([np.ravel(rotation), np.ravel(shift)]))
        self.start = self.values = np.concatenate(values)

    def _markers_by_homography(self) -> dict[int, Floats]:
        """Return x, y, angle and log side of every marker, from the first picture outwards."""
        known: dict[int, Floats] = {}
        plane = box(0.0, 0.0, *self.size_mm)
        for picture in self.photographs:
            points = [] if picture.corners_px is None else [(plane, picture.corners_px)]
            seen = {i: corners.astype(np.float64) for i, corners in picture.detections.items() if i in known}
            points += [(_squares(known[i][None])[0], corners) for i, corners in seen.items()]
            if not points:
                message = Sentence("{file}: expected markers that the first photograph shows, found none of them")
                raise SurveyError(message.format(file=picture.name))
            to_mm, _ = cv2.findHomography(
                np.concatenate([px for _, px in points]), np.concatenate([mm for mm, _ in points])
            )
            if np.shape(to_mm) != (3, 3):
                message = Sentence("{file}: expected four corners that are not in one line")
                raise SurveyError(message.format(file=picture.name))
            for number, corners in picture.detections.items():
                # the square nearest to the marker's four corners; a quarter turn back makes its left side its upper one
                a, b, c, d = square = cv2.perspectiveTransform(corners.astype(np.float64)[None], to_mm)[0]
                right, down = (b - a + c - d) / 2, (d - a + c - b) / 2
                x, y = (right + np.array([down[1], -down[0]])) / 2
                size = max(float(np.hypot(x, y)), 1e-6)
                known.setdefault(number, np.array([*square.mean(axis=0), np.arctan2(y, x), np.log(size)]))
        return dict(sorted(known.items()))

    @staticmethod
    def _lens(values: Floats, picture: SurveyedPicture) -> Lens:
        return Lens(float(np.exp(values[1]) * max(picture.size_wh)), Lens.middle_of(picture.size_wh), float(values[2]))

    def _points(self, picture: SurveyedPicture, markers: Floats, size_mm: Point) -> Floats:
        """Return the points in mm that a picture shows, (n, xy): corners of markers (n_ids, 4), then the grid's."""
        rows = [self._ids.index(marker) for marker in picture.detections]
        seen_mm = _squares(markers[rows]).reshape(-1, 2)
        return seen_mm if picture.corners_px is None else np.concatenate([seen_mm, box(0.0, 0.0, *size_mm)])

    def solve(self, start: Floats) -> None:
        """Find the best `values`, from a start, and `cost`, their squared misfits."""
        found = minimise(self.linearise, start, steps=_STEPS, settled=_SETTLED, slow=_SLOW, floor=1e-9)
        self.values, self.cost = found[0], float(found[1] @ found[1])

    def linearise(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the residuals in standard deviations, (m,), and their derivatives by the values, (m, n).

        The last three residuals are the priors on the height and the lens.
        """
        residuals, rows = [], []
        for number, picture in enumerate(self.photographs):
            off, jacobian = self._linearise_picture(values, number, picture)
            sigma = np.repeat(picture.sigma_px, 2)
            residuals.append(np.ravel(off) / sigma)
            rows.append(jacobian / sigma[:, None])
        usual = np.array([0.0, np.log(FOCAL_PRIOR[0]), K1_PRIOR[0]])
        sigmas = np.array([1e-6 if self.hold_height else _ASPECT_SIGMA, FOCAL_PRIOR[1], K1_PRIOR[1]])
        residuals.append((values[:3] - usual) / sigmas)
        rows.append(np.eye(3, len(values)) / sigmas[:, None])
        return np.concatenate(residuals), np.concatenate(rows)

    def _linearise_picture(self, values: Floats, number: int, picture: SurveyedPicture) -> tuple[Floats, Floats]:
        """Return the misfits of a picture's points in pixels, (n, xy), and their derivatives (2 n, m)."""
        markers, at = self._markers(values), 3 + 4 * len(self._ids) + 6 * number
        mm = self._points(picture, markers, (self.size_mm[0], self.height_mm(values)))
        lens, rotation, shift = self._lens(values, picture), values[at : at + 3], values[at + 3 : at + 6]
        flat = np.column_stack([mm, np.zeros(len(mm))])
        shown, partial = cv2.projectPoints(flat, rotation, shift, lens.matrix, lens.distortion)
        jacobian = np.zeros((2 * len(mm), len(values)))
        # 1. Pose and lens, as OpenCV differentiates; both focal lengths are one, and its logarithm.
        jacobian[:, at : at + 6] = partial[:, :6]
        jacobian[:, 1] = (partial[:, 6] + partial[:, 7]) * lens.focal_px
        jacobian[:, 2] = partial[:, 10]
        # 2. Moving a point on the board has the effect of the rotated shift of the pose.
        by_mm = partial[:, 3:6].reshape(-1, 2, 3) @ cv2.Rodrigues(rotation)[0][:, :2]
        # 3. A marker's corners move with its centre, around it with its angle, and away from it with its side.
        for place, marker in enumerate(picture.detections):
            row, column = 4 * place, 3 + 4 * self._ids.index(marker)
            out = mm[row : row + 4] - markers[self._ids.index(marker), :2]
            about = np.column_stack([-out[:, 1], out[:, 0]])
            moved = np.stack([np.tile((1.0, 0.0), (4, 1)), np.tile((0.0, 1.0), (4, 1)), about, out], axis=-1)
            jacobian[2 * row : 2 * row + 8, column : column + 4] = (by_mm[row : row + 4] @ moved).reshape(8, 4)
        # 4. The grid's lower corners move with its height.
        if picture.corners_px is not None:
            lower = np.column_stack([np.zeros(4), mm[-4:, 1]])
            jacobian[-8:, 0] = np.ravel(by_mm[-4:] @ lower[..., None])
        return np.asarray(shown, np.float64).reshape(-1, 2) - picture.points_px, jacobian

    def _markers(self, values: Floats) -> Floats:
        return values[3 : 3 + 4 * len(self._ids)].reshape(-1, 4)

    def height_mm(self, values: Floats) -> float:
        """Return the distance between the grid's upper and lower corners, in mm."""
        return float(self.size_mm[1] * np.exp(values[0]))

    def placed(self) -> tuple[PlacedMarker, ...]:
        """Return the markers, in mm from the grid's top-left corner, rounded to hundredths."""
        return tuple(
            PlacedMarker(
                id=number,
                centre=(round(float(x), 2), round(float(y), 2)),
                angle=round(float(np.degrees(angle)) % 360, 2),
                side=round(float(np.exp(log_side)), 2),
            )
            for number, (x, y, angle, log_side) in zip(self._ids, self._markers(self.values), strict=True)
        )

    def off_px(self, number: int, picture: SurveyedPicture, marker: int) -> float:
        """Return a marker's largest misfit in a picture, fitted or left out, in pixels of a picture 1640 px wide."""
        only = replace(picture, detections={marker: picture.detections[marker]}, corners_px=None)
        off, _ = self._linearise_picture(self.values, number, only)
        return float(np.linalg.norm(off, axis=1).max()) * 1640 / max(picture.size_wh)

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The markers whose misfit exceeds `MOST_MISFIT_PX`, the largest first."""
        found = [
            Disagreement(picture.name, marker, off)
            for number, picture in enumerate(self.photographs)
            for marker in picture.detections
            if (off := self.off_px(number, picture, marker)) > MOST_MISFIT_PX
        ]
        return tuple(sorted(found, key=lambda one: -one.off_px))


def _squares(markers: Floats) -> Floats:
    """Return the corners in mm (n, 4, xy) of markers (n, 4) given by x, y, angle and log side."""
    cos, sin = np.cos(markers[:, 2]), np.sin(markers[:, 2])
    right = 0.5 * np.exp(markers[:, 3:]) * np.column_stack([cos, sin])
    down = np.column_stack([-right[:, 1], right[:, 0]])
    return np.asarray(
        markers[:, None, :2] + np.stack([-right - down, right - down, right + down, down - right], axis=1)
    )

"""Calibration of the camera's lens with a printed sheet: a chessboard whose white squares bear markers (ChArUco).

Without it the focal length is estimated from the markers of every picture, which is inaccurate when the camera looks
straight down. Method: Zhang, "A flexible new technique for camera calibration", 2000, as implemented in OpenCV.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, product
from typing import Annotated

import cv2
import msgspec
import numpy as np

from engines.sentence import Sentence
from vision.errors import CalibrationError
from vision.frame import ImageBgr
from vision.geometry import Floats, Lens
from vision.localization.markers import dictionary_of, module_is_white, modules_of

SQUARES_WH = (7, 5)
SQUARE_MM, MARKER_MM = 36.0, 26.0
SHEET_DICTIONARY = "DICT_5X5_100"
"""A dictionary that no table uses, so that the sheet is never taken for a table."""

LEAST_PICTURES = 4
LEAST_CORNERS = 12
GOOD_PX, USABLE_PX = 0.5, 1.2
"""Largest mean errors of a good and of a usable calibration, for a picture 1640 px wide."""

_LEAST_SLANT_DEG = 12.0
_FLAGS = (
    cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_ZERO_TANGENT_DIST
    | cv2.CALIB_FIX_K2
    | cv2.CALIB_FIX_K3
    | cv2.CALIB_USE_INTRINSIC_GUESS
)


_Side = Annotated[int, msgspec.Meta(gt=0, extra={"expected": Sentence("a whole number above 0")})]
_Finite = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6, extra={"expected": Sentence("a number")})]
_Focal = Annotated[float, msgspec.Meta(gt=0, le=1e6, extra={"expected": Sentence("a number above 0")})]


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The measured lens, for pictures of one size.

    Attributes:
        focal_px: focal length in pixels.
        centre_px: principal point (x, y) in pixels.
        k1: first radial distortion coefficient.
        size_wh: width and height of the pictures in pixels.
        error_px: root mean square reprojection error of pictures that were left out of the fit, in pixels.
        pictures: the number of pictures.
    """

    focal_px: _Focal
    centre_px: tuple[_Finite, _Finite]
    k1: _Finite
    size_wh: tuple[_Side, _Side]
    error_px: float
    pictures: int

    def lens_for(self, size_wh: tuple[int, int]) -> Lens | None:
        """Return the lens for pictures of a size; None for another aspect ratio, whose cropping is unknown."""
        ratio = size_wh[0] / self.size_wh[0]
        if abs(size_wh[1] / self.size_wh[1] - ratio) > 0.01 * ratio:
            return None
        x, y = ((side + 0.5) * ratio - 0.5 for side in self.centre_px)
        return Lens(self.focal_px * ratio, (x, y), self.k1)


@dataclass(frozen=True, slots=True, eq=False)
class SheetView:
    """Corners of the sheet in one picture: on the sheet, float64 (n, xyz) mm, and in the picture, (n, xy) px."""

    corners_mm: Floats
    corners_px: Floats


def sheet() -> cv2.aruco.CharucoBoard:
    """Return the sheet as an OpenCV board."""
    return cv2.aruco.CharucoBoard(SQUARES_WH, SQUARE_MM, MARKER_MM, dictionary_of(SHEET_DICTIONARY))


def find_sheet(image_bgr: ImageBgr) -> SheetView | None:
    """Detect the sheet in a picture, uint8 (height, width, 3); return None if too little of it is visible."""
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(sheet()).detectBoard(gray)
    if np.size(ids) < LEAST_CORNERS:  # None if there is none, which counts as one
        return None
    places = np.asarray(sheet().getChessboardCorners(), np.float64)[np.ravel(ids)]
    return SheetView(places, np.asarray(corners, np.float64).reshape(-1, 2))


def calibrate(views: Sequence[SheetView], size_wh: tuple[int, int]) -> Calibration:
    """Fit the lens to views of the sheet in pictures of one size, and check it by leave-one-out cross-validation.

    Raises:
        CalibrationError: there are too few views, they are too much alike, or the error is too large; one sentence.
    """
    if len(views) < LEAST_PICTURES:
        message = Sentence("the sheet is to be seen in {count} pictures: expected {least} or more")
        raise CalibrationError(message.format(count=len(views), least=LEAST_PICTURES))
    lens, slants_deg = _fit(views, size_wh)
    if np.ptp(slants_deg) < _LEAST_SLANT_DEG and max(slants_deg) < 2 * _LEAST_SLANT_DEG:
        message = Sentence("the pictures are too much alike, within {angle:.0f} degrees: tilt the sheet more")
        raise CalibrationError(message.format(angle=np.ptp(slants_deg)))
    # the squared reprojection errors of each picture's corners, in px², with the lens fitted to the others
    squares = []
    for k, view in enumerate(views):
        other, _ = _fit([*views[:k], *views[k + 1 :]], size_wh)
        _, turn, shift = cv2.solvePnP(view.corners_mm, view.corners_px, other.matrix, other.distortion)
        expected, _ = cv2.projectPoints(view.corners_mm, turn, shift, other.matrix, other.distortion)
        squares.append(np.square(np.asarray(expected).reshape(-1, 2) - view.corners_px).sum(axis=1))
    error_px = float(np.sqrt(np.concatenate(squares).mean()))
    most_px = USABLE_PX * size_wh[0] / 1640
    if not error_px <= most_px:
        message = Sentence("corners are off by {off:.1f} px: expected {most:.1f} or less; is the sheet flat?")
        raise CalibrationError(message.format(off=error_px, most=most_px))
    return Calibration(lens.focal_px, lens.centre_px, lens.k1, size_wh, error_px, len(views))


def _fit(views: Sequence[SheetView], size_wh: tuple[int, int]) -> tuple[Lens, list[float]]:
    """Fit one focal length, the principal point and k1; return also the angle of the sheet in each view."""
    guess = np.array(Lens(0.85 * max(size_wh), Lens.middle_of(size_wh)).matrix)
    _, matrix, bending, turns, _ = cv2.calibrateCamera(
        [view.corners_mm.astype(np.float32) for view in views],
        [view.corners_px.astype(np.float32) for view in views],
        size_wh,
        guess,
        np.zeros(5),
        flags=_FLAGS,
    )
    slants = [float(np.degrees(np.arccos(np.clip(abs(cv2.Rodrigues(turn)[0][2, 2]), 0, 1)))) for turn in turns]
    return Lens(float(matrix[0, 0]), (float(matrix[0, 2]), float(matrix[1, 2])), float(np.ravel(bending)[0])), slants


def calibration_toml(calibration: Calibration) -> str:
    """Return a calibration as the text of a TOML file."""
    x, y = calibration.centre_px
    lines = (
        "# The camera's lens, measured by `companion calibrate`; delete the file to do without.",
        f"focal_px = {calibration.focal_px:.2f}",
        f"centre_px = [{x:.2f}, {y:.2f}]",
        f"k1 = {calibration.k1:.6f}",
        f"size_wh = [{calibration.size_wh[0]}, {calibration.size_wh[1]}] # of the pictures that it was measured on",
        f"error_px = {calibration.error_px:.3f}",
        f"pictures = {calibration.pictures}",
    )
    return "\n".join(lines) + "\n"


_OVERLAP_MM = 0.02
"""Overlap of boxes, without which printers leave hairlines between them."""


def sheet_svg() -> str:
    """Return the sheet as an SVG page of A4, to be printed at 100 %."""
    (columns, rows), modules = SQUARES_WH, modules_of(SHEET_DICTIONARY)
    left, top = (297 - columns * SQUARE_MM) / 2, (210 - rows * SQUARE_MM) / 2
    # The black squares, and the black modules of the markers on the white ones, each by its corner and its side.
    boxes, module, rim, numbers = [], MARKER_MM / modules, (SQUARE_MM - MARKER_MM) / 2, count()
    for row, column in product(range(rows), range(columns)):
        x, y = left + column * SQUARE_MM, top + row * SQUARE_MM
        if (row + column) % 2 == 0:
            boxes.append((x, y, SQUARE_MM))
        else:
            black = np.argwhere(~module_is_white(SHEET_DICTIONARY, next(numbers)))
            boxes += [(x + rim + i * module, y + rim + j * module, module) for j, i in black]
    drawn = [
        f'<rect x="{x:.3f}" y="{y:.3f}" width="{side + _OVERLAP_MM:.3f}" height="{side + _OVERLAP_MM:.3f}"/>'
        for x, y, side in boxes
    ]
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210">'
    return "\n".join([head, '<rect width="297" height="210" fill="white"/>', *drawn, "</svg>"]) + "\n"

"""Lenses measured from pictures of the sheet, drawn through lenses that are known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn_tables import pose_towards
from vision.calibration import SQUARE_MM, SQUARES_WH, Calibration, calibrate, find_sheet, sheet, sheet_svg
from vision.errors import CalibrationError
from vision.frame import ImageBgr
from vision.geometry import Lens, Pose

_SIZE_WH = (1280, 960)
_LENS = Lens(1100.0, (646.0, 474.0), -0.06)
_PX_PER_MM = 5


def _picture(lens: Lens, *, tilt_deg: float, turn_deg: float, distance_mm: float, aside_mm: float = 0.0) -> ImageBgr:
    """Photograph the sheet, lying in the plane z = 0, through a lens."""
    width, height = (n * SQUARE_MM for n in SQUARES_WH)
    face = sheet().generateImage((int(width * _PX_PER_MM), int(height * _PX_PER_MM)))
    return _seen(face, pose_towards((width / 2 + aside_mm, height / 2), tilt_deg, turn_deg, distance_mm, lens))


def _seen(face: np.ndarray, pose: Pose) -> ImageBgr:
    """Look up, for every pixel of the picture, what the sheet shows there; beside it all is grey."""
    columns, rows = np.meshgrid(np.arange(_SIZE_WH[0]), np.arange(_SIZE_WH[1]))
    pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    lens = pose.lens
    straight = cv2.undistortPoints(pixels[:, None], lens.matrix, lens.distortion)[:, 0]
    rays = np.column_stack([straight, np.ones(len(straight))]) @ pose.board_to_camera
    share = -pose.eye_mm[2] / rays[:, 2]
    place = ((pose.eye_mm[:2] + share[:, None] * rays[:, :2]) * _PX_PER_MM - 0.5).astype(np.float32)
    maps = place.reshape(*_SIZE_WH[::-1], 2)
    gray = cv2.remap(face, maps[..., 0], maps[..., 1], cv2.INTER_AREA, borderValue=128)
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(gray, (0, 0), 0.8), cv2.COLOR_GRAY2BGR), np.uint8)


_VIEWS = [
    {"tilt_deg": 5.0, "turn_deg": 0.0, "distance_mm": 420.0},
    {"tilt_deg": 25.0, "turn_deg": 40.0, "distance_mm": 420.0},
    {"tilt_deg": 30.0, "turn_deg": 130.0, "distance_mm": 450.0, "aside_mm": 40.0},
    {"tilt_deg": 35.0, "turn_deg": -100.0, "distance_mm": 430.0, "aside_mm": -40.0},
    {"tilt_deg": 20.0, "turn_deg": -20.0, "distance_mm": 500.0},
]


def test_a_known_lens_is_measured_within_half_a_percent() -> None:
    found = [find_sheet(_picture(_LENS, **view)) for view in _VIEWS]
    views = [view for view in found if view is not None]
    assert len(views) == len(_VIEWS)
    measured = calibrate(views, _SIZE_WH)
    assert measured.focal_px == pytest.approx(_LENS.focal_px, rel=0.005)
    assert measured.centre_px == pytest.approx(_LENS.centre_px, abs=4.0)
    assert measured.k1 == pytest.approx(_LENS.k1, abs=0.01)
    assert measured.error_px < 0.3


def test_pictures_that_are_all_alike_are_refused() -> None:
    view = find_sheet(_picture(_LENS, tilt_deg=3.0, turn_deg=0.0, distance_mm=420.0))
    assert view is not None
    with pytest.raises(CalibrationError, match="too much alike"):
        calibrate([view] * 5, _SIZE_WH)


def test_too_few_pictures_are_refused() -> None:
    with pytest.raises(CalibrationError, match="expected 4 or more"):
        calibrate([], _SIZE_WH)


def test_where_no_sheet_lies_none_is_found() -> None:
    assert find_sheet(np.full((480, 640, 3), 127, np.uint8)) is None


def test_a_lens_is_scaled_to_pictures_of_the_same_shape_and_to_no_others() -> None:
    calibration = Calibration(1100.0, (639.5, 479.5), -0.06, (1280, 960), 0.2, 5)
    assert calibration.lens_for((640, 480)) == Lens(550.0, (319.5, 239.5), -0.06)
    assert calibration.lens_for((1280, 720)) is None


def test_the_printed_sheet_is_the_one_that_is_looked_for() -> None:
    boxes = [line for line in sheet_svg().splitlines() if line.startswith("<rect x")]
    image = np.full((2100, 2970), 255, np.uint8)
    for box in boxes:
        x, y, side = (round(float(box.split(f'{key}="')[1].split('"')[0]) * 10) for key in ("x", "y", "width"))
        image[y : y + side, x : x + side] = 0
    small = cv2.resize(image, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    view = find_sheet(np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8))
    assert view is not None
    assert len(view.corners_px) == (SQUARES_WH[0] - 1) * (SQUARES_WH[1] - 1)

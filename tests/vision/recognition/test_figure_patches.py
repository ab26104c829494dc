"""A cell's patch has its figure upright, its foot at one place, as large from everywhere, and never in a mirror."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.localization.planes import PlaneSource
from vision.recognition.figure_patches import FOOT_PX, MM_PER_PX, PATCH_WH, Patches, looks_of, warp_patches
from vision.recognition.light import Illumination
from vision.simulation.scene import camera_over

BOARD = shipped_board("royal-study")
EVEN = Illumination(np.array([[np.log(240.0), 0.0, 0.0]] * 3), np.full(3, 20.0))
VIEWS = [(0.0, 0.0), (12.0, 90.0), (30.0, -160.0), (45.0, 20.0)]


def pose(tilt_deg: float, turn_deg: float) -> Pose:
    return camera_over(BOARD, (1640, 1232), tilt_deg=tilt_deg, turn_deg=turn_deg, distance_mm=560.0, k1=-0.05).pose


def with_spots(seen_from: Pose, points_mm: list[tuple[float, float, float]]) -> ImageBgr:
    """Black, with a white spot where each point appears."""
    image = np.full((1232, 1640, 3), 20, np.uint8)
    for x, y in np.rint(seen_from.project(points_mm)).astype(int):
        image[y - 3 : y + 4, x - 3 : x + 4] = 240
    return image


def patches_of(image_bgr: ImageBgr, seen_from: Pose) -> Patches:
    return warp_patches(PlaneSource(image_bgr, 1.0), BOARD, seen_from, EVEN)


def spot_px(patch: Patches) -> tuple[float, float]:
    rows, columns = np.nonzero(patch[0] > 0.6)
    return float(columns.mean()), float(rows.mean())


@pytest.mark.parametrize(("tilt_deg", "turn_deg"), VIEWS)
def test_a_cell_s_middle_lies_at_the_foot_and_in_the_middle_of_the_look(tilt_deg: float, turn_deg: float) -> None:
    seen_from = pose(tilt_deg, turn_deg)
    for cell, (x, y) in enumerate(BOARD.centres_mm()):
        patches = patches_of(with_spots(seen_from, [(x, y, 0.0)]), seen_from)
        look = looks_of(patches)[cell, 0]
        assert spot_px(patches[cell]) == pytest.approx(FOOT_PX, abs=1.0)
        assert look.shape == (6, 6)
        assert look[2:4, 2:4].mean() > look.mean() + 0.02
        assert np.unravel_index(look.argmax(), look.shape) in [(2, 2), (2, 3), (3, 2), (3, 3)]


@pytest.mark.parametrize(("tilt_deg", "turn_deg"), VIEWS)
def test_what_stands_above_the_foot_is_above_it_in_the_patch(tilt_deg: float, turn_deg: float) -> None:
    seen_from = pose(tilt_deg, turn_deg)
    for cell, (x, y) in enumerate(BOARD.centres_mm()):
        patch = patches_of(with_spots(seen_from, [(x, y, 60.0)]), seen_from)[cell]
        across, down = spot_px(patch)
        steepness = float(patch[3, 0, 0])
        assert across == pytest.approx(FOOT_PX[0], abs=1.2)
        rise_mm = 60.0 * np.sqrt(1 - steepness**2)
        assert (FOOT_PX[1] - down) * MM_PER_PX == pytest.approx(rise_mm, abs=1.0 + 0.2 * rise_mm)


def test_the_camera_s_right_is_a_patch_s_right() -> None:
    seen_from = pose(30.0, 0.0)
    x, y = BOARD.centres_mm()[4]
    across, _ = spot_px(patches_of(with_spots(seen_from, [(x + 16.0, y, 0.0)]), seen_from)[4])
    assert (across - FOOT_PX[0]) * MM_PER_PX == pytest.approx(16.0, abs=1.5)


@pytest.mark.long
def test_white_is_one_and_black_little_whatever_the_light() -> None:
    seen_from = pose(20.0, 0.0)
    white, black = (np.full((1232, 1640, 3), level, np.uint8) for level in (240, 20))
    assert patches_of(white, seen_from)[:, :3] == pytest.approx(1.01, abs=0.01)
    assert patches_of(black, seen_from)[:, :3] == pytest.approx(0.14, abs=0.01)


def test_a_board_that_is_seen_from_straight_above_has_patches_too() -> None:
    overhead = camera_over(BOARD, (1640, 1232), tilt_deg=0.0, distance_mm=560.0).pose
    patches = patches_of(np.full((1232, 1640, 3), 240, np.uint8), overhead)
    assert patches.shape == (9, 4, *PATCH_WH[::-1])
    assert np.isfinite(patches).all()
    assert patches[4, 3, 0, 0] == pytest.approx(1.0)

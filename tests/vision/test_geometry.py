"""The pinhole, the lens and the board's left-handed frame."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Lens, Pose

STRAIGHT_DOWN = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))


def above(x_mm: float, y_mm: float, z_mm: float, k1: float = 0.0) -> Pose:
    lens = Lens(1000.0, Lens.middle_of((1001, 801)), k1)
    return Pose.from_matrix(lens, STRAIGHT_DOWN, (x_mm, y_mm, z_mm))


def test_the_point_under_the_camera_appears_in_the_middle() -> None:
    assert above(120, 80, 500).project([(120, 80, 0), (120, 80, 34)]) == pytest.approx(np.array([(500, 400)] * 2))


def test_a_point_one_focal_length_away_has_one_pixel_a_millimetre() -> None:
    pixels = above(0, 0, 1000).project([(0, 0, 0), (10, 0, 0), (0, 10, 0)])
    assert pixels == pytest.approx(np.array([(500, 400), (510, 400), (500, 410)]))


def test_what_stands_up_leans_away_from_the_camera() -> None:
    flat, head = above(0, 0, 500).project([(100, 0, 0), (100, 0, 22)])
    assert head[0] > flat[0]
    assert head[0] - 500 == pytest.approx((flat[0] - 500) * 500 / (500 - 22))


def test_a_pose_reports_where_the_camera_stands() -> None:
    assert above(31, 47, 512).eye_mm == pytest.approx((31, 47, 512))
    assert above(31, 47, 512).board_to_camera == pytest.approx(np.array(STRAIGHT_DOWN))


@pytest.mark.parametrize("height_mm", [0.0, 22.0, 34.0])
def test_a_homography_and_the_projection_agree_without_a_bent_lens(height_mm: float) -> None:
    pose = above(100, 200, 700)
    points_mm = np.array([(0.0, 0.0), (456.0, 0.0), (200.0, 300.0)])
    mapped = np.column_stack([points_mm, np.ones(3)]) @ pose.homography(height_mm).T
    assert mapped[:, :2] / mapped[:, 2:] == pytest.approx(pose.project_at(points_mm, height_mm))


def test_a_barrel_lens_draws_the_corners_in() -> None:
    straight, bent = (above(0, 0, 500, k1).project([(300, 200, 0)])[0] - (500, 400) for k1 in (0.0, -0.06))
    assert np.linalg.norm(bent) < np.linalg.norm(straight)


def test_no_points_give_no_pixels() -> None:
    assert above(0, 0, 500).project(np.empty((0, 3))).shape == (0, 2)

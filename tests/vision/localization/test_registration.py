"""Markers, light and planes on rendered tables."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.narrow import there
from tests.vision.readings import table_view
from tests.vision.recognition.scenes import BOARD, pictured, scene
from vision.board import shipped_board, shipped_games
from vision.geometry import Floats
from vision.localization.locate import ScaledImage, search, still_there
from vision.localization.markers import find_markers, find_near, of_board
from vision.localization.planes import CELL_PX, choose_source, warp_planes
from vision.simulation.optics import render
from vision.simulation.scene import Scene, camera_over

ALL = [shipped_board(game) for game in shipped_games()]


def markers_px(made: Scene) -> Floats:
    """Each marker's corners in the picture, (4 markers, 4 corners, xy)."""
    return made.camera.pose.project_at(BOARD.markers.corners_mm().reshape(-1, 2), 0.0).reshape(4, 4, 2)


@pytest.mark.parametrize(("tilt_deg", "turn_deg"), [(2.0, 0.0), (20.0, 12.0), (42.0, 200.0)])
def test_all_markers_are_found_to_half_a_pixel_from_any_side(tilt_deg: float, turn_deg: float) -> None:
    image_bgr, _truth, made = pictured(tilt_deg, turn_deg)
    found = table_view(BOARD, image_bgr).located
    assert sorted(found.detections) == list(BOARD.markers.ids)
    for marker_id, corners_px in zip(BOARD.markers.ids, markers_px(made), strict=True):
        middle_px = found.detections[marker_id].mean(axis=0)
        assert middle_px == pytest.approx(corners_px.mean(axis=0), abs=0.5)


def test_a_marker_is_found_near_where_it_must_be_and_nowhere_else() -> None:
    image_bgr, _truth, made = pictured()
    gray, third_px = ScaledImage(image_bgr).gray, markers_px(made)[2]
    near = there(find_near(gray, third_px + 3.0, BOARD.markers.ids[2], BOARD.markers.dictionary))
    assert near.mean(axis=0) == pytest.approx(third_px.mean(axis=0), abs=0.5)
    assert find_near(gray, third_px, BOARD.markers.ids[0], BOARD.markers.dictionary) is None
    assert find_near(gray, third_px + 5000, BOARD.markers.ids[2], BOARD.markers.dictionary) is None


def test_a_marker_whose_white_blooms_is_found_near_where_it_must_be() -> None:
    image_bgr, _truth, made = pictured(tilt_deg=42.0)
    bloomed = np.asarray(cv2.dilate(ScaledImage(image_bgr).gray, np.ones((3, 3), np.uint8)), np.uint8)
    searched = find_markers(bloomed, bloomed, BOARD.markers.dictionary)
    expected_px = dict(zip(BOARD.markers.ids, markers_px(made), strict=True))
    missed = {number: at for number, at in expected_px.items() if number not in searched}
    assert missed
    for number, at in missed.items():
        near = there(find_near(bloomed, at + 3.0, number, BOARD.markers.dictionary))
        assert near.mean(axis=0) == pytest.approx(at.mean(axis=0), abs=1.0)


def test_markers_that_are_small_in_a_large_picture_are_searched_for_again() -> None:
    board = shipped_board("royal-racers")
    camera = camera_over(board, (3280, 2464), tilt_deg=25.0, turn_deg=8.0, distance_mm=1800.0)
    view = table_view(board, render(Scene(board, camera), np.random.default_rng(5)))
    assert len(of_board(find_markers(view.scaled.gray, view.scaled.reduced_gray), board)) < 2
    assert sorted(view.located.detections) == list(board.markers.ids)


def test_the_markers_show_whose_board_it_is() -> None:
    seen = search(ScaledImage(pictured()[0]))
    assert [board for board in ALL if of_board(seen, board)] == [BOARD]


def test_a_board_that_has_not_moved_is_still_there_and_one_that_has_is_not() -> None:
    image_bgr = pictured()[0]
    found = table_view(BOARD, image_bgr).located
    brighter = cv2.convertScaleAbs(image_bgr, alpha=1.1, beta=4)
    moved = np.roll(image_bgr, (3, 2), axis=(0, 1))
    assert still_there(ScaledImage(image_bgr), BOARD, found)
    assert still_there(ScaledImage(np.asarray(brighter, dtype=np.uint8)), BOARD, found)
    assert not still_there(ScaledImage(moved), BOARD, found)
    assert not still_there(ScaledImage(np.zeros_like(image_bgr)), BOARD, found)


def test_a_board_is_still_there_while_a_hand_covers_two_of_its_markers() -> None:
    image_bgr = pictured()[0].copy()
    found = table_view(BOARD, image_bgr).located
    for marker_id in BOARD.markers.ids[:2]:
        x, y = found.detections[marker_id].mean(axis=0).astype(int)
        image_bgr[y - 40 : y + 40, x - 40 : x + 40] = (90, 120, 180)
    assert still_there(ScaledImage(image_bgr), BOARD, found)


def test_paper_is_white_after_the_light_is_taken_out_whatever_the_lamp() -> None:
    image_bgr = pictured()[0]
    warm = np.clip(image_bgr * np.array([0.55, 0.8, 1.0]), 0, 255).astype(np.uint8)
    views = []
    for image in (image_bgr, warm):
        view = table_view(BOARD, image)
        source = choose_source(image, view.scaled.reduced_bgr, BOARD, view.pose)
        views.append(warp_planes(source, BOARD, view.pose, view.light, (0.0,)))
    assert np.abs(views[0] - views[1]).mean() < 0.03


def test_a_head_lies_in_the_middle_of_its_cell_at_its_own_height_only() -> None:
    image_bgr = render(scene(40.0, 30.0), np.random.default_rng(5))
    view = table_view(BOARD, image_bgr)
    source = choose_source(image_bgr, view.scaled.reduced_bgr, BOARD, view.pose)
    planes = warp_planes(source, BOARD, view.pose, view.light, (0.0, 22.0))
    x, y = (8 * CELL_PX, 9 * CELL_PX)  # the middle of H9, half a cell of margin included
    redness = [float((seen[2] - seen[1])[y - 2 : y + 2, x - 2 : x + 2].mean()) for seen in (planes[:3], planes[3:])]
    assert redness[1] > redness[0] + 0.15


@pytest.mark.parametrize("width", [640, 1280, 3000])
def test_a_picture_is_shrunk_to_little_more_than_the_planes_need(width: int) -> None:
    image_bgr = pictured()[0]
    resized = np.asarray(cv2.resize(image_bgr, (width, width * 3 // 4)), dtype=np.uint8)
    view = table_view(BOARD, resized)
    source = choose_source(resized, view.scaled.reduced_bgr, BOARD, view.pose)
    sides = view.pose.project_at(np.array([(213.0, 228.0), (243.0, 228.0)]), 0.0) * source.scale
    cell_px = np.linalg.norm(sides[1] - sides[0])
    assert cell_px < 1.8 * CELL_PX
    assert source.image_bgr.shape[1] <= width

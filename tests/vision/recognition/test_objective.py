"""The objective card: always right, or not there."""

from __future__ import annotations

from itertools import product
from typing import Literal

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.localization.markers import Gray, MarkerDetections
from vision.recognition import objective
from vision.recognition.objective import CardFinder, ObjectiveCard, find_card, has_objective_cards
from vision.simulation.scene import camera_over

BOARD = shipped_board("royal-study")
PX_PER_MM = 8


def pose(tilt_deg: float = 20.0, turn_deg: float = 0.0) -> Pose:
    return camera_over(BOARD, (1640, 1232), tilt_deg=tilt_deg, turn_deg=turn_deg, distance_mm=560.0).pose


def face_of_card(marker_id: int) -> Gray:
    """A card seen from above, 8 pixels a mm: its marker on white, and squares below it."""
    width, height = (int(s * PX_PER_MM) for s in BOARD.cards["size"])
    image = np.full((height, width), 235, np.uint8)
    side = int(BOARD.cards["marker_side"] * PX_PER_MM)
    x, y = (int(c * PX_PER_MM - side / 2) for c in BOARD.cards["marker_centre"])
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, BOARD.markers.dictionary))
    image[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(known, marker_id, side)
    image[34 * PX_PER_MM : 82 * PX_PER_MM, 6 * PX_PER_MM : 54 * PX_PER_MM] = 120
    return image


def picture(seen_from: Pose, *cards: tuple[int, tuple[float, float], float], scale: float = 1.0) -> Gray:
    """A table in grey on which cards lie: marker id, middle in mm, and degrees turned clockwise seen from above."""
    table = np.full((1232, 1640), 90, np.uint8)
    for marker_id, middle_mm, degrees in cards:
        image = face_of_card(marker_id)
        w, h = (s * scale for s in BOARD.cards["size"])
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        ends = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2 @ np.array([(c, s), (-s, c)]) + middle_mm
        flat = np.array([(0, 0), (image.shape[1], 0), image.shape[::-1], (0, image.shape[0])], np.float32)
        matrix = cv2.getPerspectiveTransform(flat, seen_from.project_at(ends, 0.0).astype(np.float32))
        shown = cv2.warpPerspective(image, matrix, (1640, 1232), flags=cv2.INTER_AREA)
        inside = cv2.warpPerspective(np.full_like(image, 255), matrix, (1640, 1232)) > 127
        table[inside] = shown[inside]
    return cv2.GaussianBlur(table, (0, 0), 0.8).astype(np.uint8)


BELOW = (120.0, 300.0)


@pytest.mark.parametrize("turn_deg", [0.0, 130.0])
@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
@pytest.mark.parametrize(("marker_id", "number", "side"), [(117, 17, "face"), (160, 0, "back"), (219, 59, "back")])
def test_number_side_and_turns_are_reported_from_any_side(
    marker_id: int, number: int, side: Literal["face", "back"], quarters: int, turn_deg: float
) -> None:
    seen_from = pose(turn_deg=turn_deg)
    beside = (120.0, -50.0) if turn_deg else BELOW
    found = find_card(picture(seen_from, (marker_id, beside, 90.0 * quarters + 11.0)), BOARD, seen_from, {})
    assert found == ObjectiveCard(number, side, quarters)


def noisy(image: Gray, seed: int) -> Gray:
    noise = np.random.default_rng(seed).normal(0.0, 3.0, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def far(tilt_deg: float = 5.0) -> Pose:
    """A camera so far away that the side of a card's marker is 25 to 30 px."""
    return camera_over(BOARD, (1640, 1232), tilt_deg=tilt_deg, distance_mm=760.0).pose


@pytest.mark.parametrize("marker_id", [100, 117, 160, 219])
def test_a_marker_of_less_than_30_px_is_searched_for_at_full_size(marker_id: int) -> None:
    seen_from = far()
    outline = seen_from.project_at(np.array([(0.0, 0.0), (BOARD.cards["marker_side"], 0.0)]), 0.0)
    assert 25 < np.linalg.norm(outline[1] - outline[0]) < 30
    side: Literal["face", "back"] = "face" if marker_id < 160 else "back"
    found = find_card(noisy(picture(seen_from, (marker_id, BELOW, 5.0)), 1), BOARD, seen_from, {})
    assert found == ObjectiveCard(marker_id - (100 if side == "face" else 160), side, 0)


def test_cards_are_read_although_blurred_white_blooms_over_the_black_of_their_markers() -> None:
    read = 0
    for number, tilt_deg in product((0, 17, 31, 59), (0.0, 5.0, 10.0, 15.0)):
        seen_from = camera_over(BOARD, (1640, 1232), tilt_deg=tilt_deg, distance_mm=680.0).pose
        sharp = picture(seen_from, (100 + number, BELOW, 5.0)).astype(np.float32)
        bloomed = np.clip(1.5 * cv2.GaussianBlur(sharp, (0, 0), 1.2), 0, 255).astype(np.uint8)
        found = find_card(noisy(bloomed, number), BOARD, seen_from, {})
        assert found in (None, ObjectiveCard(number, "face", 0))
        read += found is not None
    assert read > 8, "of 16"


def test_a_card_is_searched_for_again_only_where_something_looks_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_from, searches = far(), 0

    def counted(gray: Gray, board: Board, pose: Pose, hints: MarkerDetections) -> ObjectiveCard | None:
        nonlocal searches
        searches += 1
        return find_card(gray, board, pose, hints)

    monkeypatch.setattr(objective, "find_card", counted)
    finder = CardFinder(BOARD)
    one, other = picture(seen_from, (117, BELOW, 0.0)), picture(seen_from, (118, BELOW, 0.0))
    seen = [finder.find(noisy(image, seed), seen_from, {}) for seed, image in enumerate((one, one, other, other))]
    assert [card.number if card else None for card in seen] == [17, 17, 18, 18]
    assert searches == 2
    assert finder.find(noisy(picture(seen_from), 4), seen_from, {}) is None
    moved = far(tilt_deg=6.0)
    assert finder.find(noisy(picture(moved, (117, BELOW, 0.0)), 5), moved, {}) == ObjectiveCard(17, "face", 0)


def test_a_card_that_was_missed_in_one_frame_is_searched_for_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_from, finder = far(), CardFinder(BOARD)
    there = picture(seen_from, (117, BELOW, 0.0))
    monkeypatch.setattr(objective, "find_card", lambda *_given: None)
    assert finder.find(noisy(there, 1), seen_from, {}) is None
    monkeypatch.undo()
    assert finder.find(noisy(there, 2), seen_from, {}) == ObjectiveCard(17, "face", 0)


def test_no_card_on_the_table_is_none() -> None:
    assert find_card(picture(pose()), BOARD, pose(), {}) is None


def test_two_cards_are_none_for_it_is_not_known_which_is_meant() -> None:
    cards = ((117, (60.0, 300.0), 0.0), (118, (180.0, 300.0), 0.0))
    assert find_card(picture(pose(), *cards), BOARD, pose(), {}) is None


@pytest.mark.parametrize("degrees", [42.0, 45.0, 48.0, 135.0, -45.0])
def test_a_card_half_way_between_two_turns_is_none(degrees: float) -> None:
    assert find_card(picture(pose(), (117, BELOW, degrees)), BOARD, pose(), {}) is None


@pytest.mark.parametrize("scale", [0.6, 1.5])
def test_a_marker_of_another_size_is_no_card_s(scale: float) -> None:
    assert find_card(picture(pose(), (117, BELOW, 0.0), scale=scale), BOARD, pose(), {}) is None


@pytest.mark.parametrize("marker_id", [30, 99, 220, 400])
def test_a_marker_of_another_number_is_no_card_s(marker_id: int) -> None:
    assert find_card(picture(pose(), (marker_id, BELOW, 0.0)), BOARD, pose(), {}) is None


def test_a_hint_that_is_wrong_leads_to_the_card_that_lies_there() -> None:
    image = picture(pose(), (117, BELOW, 0.0))
    corners = np.array([(300, 300), (340, 300), (340, 340), (300, 340)], np.float32)
    assert find_card(image, BOARD, pose(), {118: corners}) == ObjectiveCard(17, "face", 0)


@settings(max_examples=10, deadline=None)
@given(arrays.arrays(np.uint8, (60, 80)), st.floats(0, 45), st.floats(-180, 180))
def test_nothing_is_seen_in_noise(noise: ImageBgr, tilt_deg: float, turn_deg: float) -> None:
    image = cv2.resize(noise, (1640, 1232), interpolation=cv2.INTER_NEAREST)
    assert find_card(np.asarray(image, np.uint8), BOARD, pose(tilt_deg, turn_deg), {}) is None


def test_only_a_table_file_with_markers_on_cards_has_such_cards() -> None:
    assert has_objective_cards(BOARD)
    assert not has_objective_cards(shipped_board("royal-racers"))
    assert not has_objective_cards(shipped_board("royal-tee"))

"""The truth about a scene agrees with what its picture shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.board import shipped_board
from vision.simulation.occluders import coverage
from vision.simulation.random_scene import random_labels, random_scene
from vision.simulation.scene import Mug, Scene, camera_over
from vision.simulation.truth import label_of, piece_of_label, stand_pieces, truth_of

_BOARD = shipped_board("royal-tee")


def _scene(*occluders: object, labels: dict[str, str] | None = None) -> Scene:
    pieces = stand_pieces(_BOARD, labels or {}, np.random.default_rng(1))
    return Scene(_BOARD, camera_over(_BOARD, (640, 480), tilt_deg=10), pieces, occluders=occluders)  # type: ignore[arg-type] # Occluder


def test_a_mug_hides_the_cells_under_it_and_no_far_ones() -> None:
    truth = truth_of(_scene(Mug(213.0, 213.0, 0.0, 40.0, 90.0, (200, 0, 0)), labels={"F6": "red"}))
    hidden = {cell for cell, gone in zip(_BOARD.cells, truth.hidden, strict=True) if gone}
    assert {"F6", "E6", "F5"} <= hidden
    assert truth.labels[_BOARD.cells.index("F6")] == "red"
    assert not hidden & {"A1", "L1", "A12", "L12", "F12"}


def test_a_mug_does_not_hide_the_piece_before_it() -> None:
    labels = {"F8": "red-royal"}
    truth = truth_of(_scene(Mug(213.0, 213.0, 0.0, 30.0, 90.0, (200, 0, 0)), labels=labels))
    assert truth.visible[_BOARD.cells.index("F8")] == 1


def test_cells_beyond_the_edges_of_the_picture_are_hidden_also_with_a_mug_in_it() -> None:
    whole = _scene(Mug(213.0, 213.0, 0.0, 40.0, 90.0, (200, 0, 0)))
    part = replace(whole, camera=replace(whole.camera, size_wh=(320, 240)))
    gone, pixels = truth_of(part).hidden, np.round(whole.camera.pose.project_at(_BOARD.centres_mm(), 0.0))
    beyond = (pixels >= (320, 240)).any(axis=1)
    assert beyond.sum() > 72
    assert (gone == (beyond | truth_of(whole).hidden)).all()


def test_a_mug_below_a_slanted_camera_hides_nothing() -> None:
    camera = camera_over(_BOARD, (640, 480), tilt_deg=60)
    x, y = camera.pose.eye_mm[:2] - (0.0, 140.0 * np.sign(camera.pose.board_to_camera[2, 1]))
    assert not coverage(Mug(float(x), float(y), 0.0, 40.0, 90.0, (200, 0, 0)), camera).any()


@pytest.mark.parametrize("label", _BOARD.label_words)
def test_a_label_and_its_piece_report_of_one_another(label: str) -> None:
    pieces = stand_pieces(_BOARD, {"C4": label}, np.random.default_rng(1))
    assert (piece_of_label(_BOARD, label) is None) == (label == "empty")
    assert [label_of(_BOARD, piece) for piece in pieces] == ([] if label == "empty" else [label])


def test_random_positions_have_every_cell_and_one_royal_piece_of_a_colour_at_most() -> None:
    filled = []
    for seed in range(40):
        labels = random_labels(_BOARD, np.random.default_rng(seed))
        assert tuple(labels) == _BOARD.cells
        assert set(labels.values()) <= set(_BOARD.label_words)
        royals = [label for label in labels.values() if label.endswith("-royal")]
        assert len(royals) == len(set(royals))
        filled.append(sum(label != "empty" for label in labels.values()))
    assert min(filled) < 20
    assert max(filled) == len(_BOARD.cells)


@pytest.mark.parametrize(("tier", "steepest_deg"), [("easy", 15), ("medium", 30), ("hard", 45), ("occluded", 32)])
def test_random_cameras_see_all_markers_within_the_tier_s_tilt(tier: str, steepest_deg: float) -> None:
    for seed in range(10):
        camera = random_scene(_BOARD, np.random.default_rng(seed), tier=tier).camera
        pixels = camera.pose.project_at(_BOARD.markers.corners_mm().reshape(-1, 2), 0.0)
        assert (pixels > 0).all()
        assert (pixels < np.array(camera.size_wh)).all()
        assert np.degrees(np.arccos(-camera.pose.board_to_camera[2, 2])) <= steepest_deg + 1e-6

"""Cards, flags and pawns of a simulated table lie where its truth says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.recognition.cards.scenes import ART, BOARD, FACE_DOWN, FLAGS, pictured, scene
from vision.geometry import Floats
from vision.simulation.card_art import CARD_TOP_MM
from vision.simulation.card_table import random_card_scene
from vision.simulation.optics import render
from vision.simulation.scene import Mug, SceneTile
from vision.simulation.truth import card_truth_of


def test_the_truth_s_labels_join_card_flag_and_pawn() -> None:
    _, truth, _ = pictured()
    read_as = dict(zip(BOARD.cells, truth.labels, strict=True))

    assert set(read_as.values()) <= set(BOARD.label_words)
    assert read_as["A1"] == f"{BOARD.card_words[0]}+pawn-crowns"
    assert read_as["C5"] == "covered+flag-crowns+pawn-suns"
    assert {cell for cell, word in read_as.items() if word == "back"} == set(FACE_DOWN)


def test_half_a_turn_is_no_turn_of_a_card() -> None:
    made = scene()
    assert made.layout is not None
    cards = tuple(replace(card, turn_rad=card.turn_rad + np.pi) for card in made.layout.cards)
    upside_down = replace(made, layout=replace(made.layout, cards=cards))

    np.testing.assert_allclose(card_truth_of(upside_down).place, card_truth_of(made).place, atol=1e-9)


def test_a_mug_hides_the_card_under_it() -> None:
    x, y = BOARD.centres_mm()[BOARD.cells.index("C3")]
    truth = card_truth_of(scene(occluders=(Mug(float(x), float(y), 0.0, 42.0, 90.0, (200, 0, 0)),)))

    assert truth.visible[BOARD.cells.index("C3")] < 0.5
    assert truth.visible[BOARD.cells.index("F6")] == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("cell", FLAGS)
def test_a_flag_s_face_appears_where_the_pose_puts_its_height(cell: str) -> None:
    image_bgr, _, made = pictured()
    assert made.layout is not None
    tile = next(tile for tile in made.layout.tiles if tile.cell == cell)
    bare = replace(made, layout=replace(made.layout, tiles=()), pieces=())
    changed = np.abs(image_bgr.astype(int) - render(bare, np.random.default_rng(5))).max(axis=2) > 40
    top = CARD_TOP_MM + ART.height_mm

    assert _share(changed, made.camera.pose.project_at(_square(tile, 20.0), top)) > 0.5
    assert _share(changed, made.camera.pose.project_at(_square(tile, 34.0), 0.0)) < 0.3


def _square(tile: SceneTile, half_mm: float) -> Floats:
    """Points on the rim of a square about a tile's middle."""
    sides = np.linspace(-half_mm, half_mm, 21)
    flat = np.concatenate([[(s, end) for s in sides] + [(end, s) for s in sides] for end in (-half_mm, half_mm)])
    return np.asarray(flat + np.array([tile.x_mm, tile.y_mm]), np.float64)


def _share(mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], pixels: Floats) -> float:
    x, y = np.round(pixels).astype(int).T
    return float(mask[y, x].mean())


@pytest.mark.parametrize("tier", ["easy", "medium", "hard", "occluded"])
def test_scenes_made_up_have_words_of_the_board_and_lie_in_their_cells(tier: str) -> None:
    made = random_card_scene(BOARD, np.random.default_rng(4), tier=tier, size_wh=(640, 480))
    truth = card_truth_of(made)

    cards = [word.partition("+")[0] for word in truth.labels]
    faces = [card for card in cards if card in BOARD.card_words]
    assert {word for word in truth.labels if word} <= set(BOARD.label_words)
    assert len(set(faces)) == len(faces)
    assert np.nanmax(np.abs(truth.place[:, :2])) <= 4.5

"""Figures are recognised by their looks, each once; what cannot be recognised is marked unsure."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.readings import read_table
from vision.board import parse_board, shipped_board
from vision.errors import BoardFileError
from vision.image_file import load_image
from vision.recognition.figure_labeller import FigureLabeller, stands_one_of_each
from vision.recognition.figure_patches import PATCH_WH
from vision.simulation.occluders import reaching_arm
from vision.simulation.optics import render
from vision.simulation.truth import truth_of
from vision.training.figures import random_figure_scene

BOARD = shipped_board("royal-study")
LABELLER = FigureLabeller(BOARD)
RECORDED = Path(__file__).parents[2] / "recorded" / "royal-study"


@pytest.mark.parametrize("name", ["hard-02", "medium-04"])
def test_no_piece_is_reported_to_stand_on_two_squares(name: str) -> None:
    seen = read_table(BOARD, load_image(RECORDED / f"{name}.jpg"))
    assert (seen.p[:, 1:].sum(axis=0) < 1.1).all()


def test_what_an_arm_hides_is_unsure() -> None:
    rng = np.random.default_rng(5_000_100)
    scene = random_figure_scene(BOARD, rng, tier="easy")
    arm = reaching_arm(BOARD, (120.0, 100.0), side="bottom")
    covered = replace(scene, occluders=(arm,))
    truth = truth_of(covered)
    seen = read_table(BOARD, render(covered, rng))
    assert seen.unsure()[truth.visible < 0.1].all()


def test_patches_of_nothing_but_noise_give_probabilities_and_no_error() -> None:
    noise = np.random.default_rng(0).uniform(0, 1.4, (9, 4, *PATCH_WH[::-1])).astype(np.float32)
    labelled = LABELLER.label_patches(noise)
    assert labelled.p.sum(axis=1) == pytest.approx(np.ones(9))
    assert ((labelled.p_visible >= 0) & (labelled.p_visible <= 1)).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 3.0))
def test_nothing_is_more_certain_than_the_residual_allows(seed: int, strength: float) -> None:
    patches = np.random.default_rng(seed).normal(0.5, strength, (9, 4, *PATCH_WH[::-1])).astype(np.float32)
    p = LABELLER.label_patches(patches).p
    assert p.min() > 0
    assert p.max() <= 0.9995


def test_only_a_table_whose_labels_are_its_pieces_has_one_of_each() -> None:
    others = ("royal-tee", "territory", "royal-racers", "royal-ur")
    assert stands_one_of_each(BOARD)
    assert not any(stands_one_of_each(shipped_board(game)) for game in others)


def test_a_table_with_other_pieces_than_those_learned_is_reported_so() -> None:
    text = resources.files("vision.boards").joinpath("royal_study", "board.toml").read_text(encoding="utf-8")
    other = parse_board(text.replace("bishop", "archbishop"), "other.toml")
    with pytest.raises(BoardFileError, match=r"royal-study: labels: expected .*bishop.*, found .*archbishop"):
        FigureLabeller(other)

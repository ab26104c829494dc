"""Temperatures and levels of doubt are fitted to pictures that the model was not trained on, and to no others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from vision.board import shipped_board
from vision.recognition.reader import labeller_of
from vision.shipped_network import describe
from vision.training.calibrate import choose_level, fit_temperature, judge, main, set_parameters, show
from vision.training.risk import LEVELS

_RECORDED = Path(__file__).parents[2] / "recorded" / "royal-study"
_BOARD = shipped_board("royal-study")


@pytest.mark.parametrize("name", ["easy-01", "medium-04", "occluded-05"])
def test_cells_are_judged_where_they_can_be_seen(name: str) -> None:
    shown = show(_BOARD, _RECORDED / f"{name}.jpg")
    assert shown is not None
    confidence, right = judge(labeller_of(_BOARD), [shown])
    truth = json.loads((_RECORDED / f"{name}.json").read_text())
    assert len(confidence) == len(right) <= len(truth["cells"]) - len(truth["hidden"])
    assert right.mean() > 0.8


def test_a_picture_without_a_board_is_left_out() -> None:
    assert show(_BOARD, _RECORDED / "refuse-02.jpg") is None


@pytest.mark.long
def test_the_fitted_temperature_is_likelier_than_others() -> None:
    shown = [one for name in ("easy-01", "hard-02") if (one := show(_BOARD, _RECORDED / f"{name}.jpg")) is not None]
    labeller = labeller_of(_BOARD)
    fitted = fit_temperature(labeller, shown)
    set_parameters(labeller, temperature=fitted)
    best = judge(labeller, shown)[0].mean()
    set_parameters(labeller, temperature=4 * fitted)
    assert judge(labeller, shown)[0].mean() < best


def test_the_level_is_the_lowest_without_an_error_where_cells_are_few() -> None:
    confidence = np.array([0.999] * 200 + [0.72, 0.6])
    assert choose_level(confidence, np.arange(202) != 200, 1e-3) == 0.73
    assert choose_level(confidence, np.ones(202, bool), 1e-3) == LEVELS[-1]


def test_scenes_that_a_model_was_trained_on_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained = next(name for name in ("royal-tee", "territory", "royal-ur") if describe(name).training.pictures)
    scene = describe(trained).training.pictures[0]
    shutil.copy(_RECORDED / "easy-01.jpg", tmp_path / "one.jpg")
    truth = {"game": trained, "tier": "easy", "cells": {}, "hidden": [], "scene": scene}
    (tmp_path / "one.json").write_text(json.dumps(truth))
    assert main([trained, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"vision.training.calibrate: {trained}: was trained on {scene}\n"


def test_a_folder_without_pictures_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["royal-study", str(tmp_path)]) == 2
    assert "expected pictures with truth" in capsys.readouterr().err

"""The eye is no worse on the recorded pictures than when their baseline was written."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from companion.cli import main
from tests.evaluate import tables
from tests.evaluate.figures import worse
from tests.evaluate.truth import find_cases
from tests.vision.recognition.scenes import out_of_focus
from vision.board import shipped_board
from vision.image_file import load_image
from vision.observation import BlindReason
from vision.recognition.reader import Reading, TableReader

_FOLDER = Path(__file__).parent


def test_every_tier_is_recorded() -> None:
    cases = find_cases(_FOLDER)
    assert {case.tier for case in cases} == {"easy", "medium", "hard", "occluded", "refuse"}
    assert len(cases) >= 15


def test_nothing_is_worse_than_the_baseline() -> None:
    report = tables.evaluate(_FOLDER, timed=False)
    baseline = json.loads((_FOLDER / "baseline.json").read_text())
    assert worse(report, baseline[report.kind]) == []


def test_a_recorded_picture_is_read_and_scored_as_its_truth_says(capsys: pytest.CaptureFixture[str]) -> None:
    image = _FOLDER / "royal-tee" / "easy-06.jpg"
    truth = json.loads(image.with_suffix(".json").read_text())["cells"]
    assert main(["read", "--json", str(image)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {cell: seen["label"] for cell, seen in told["cells"].items()} == truth
    assert main(["score", "--json", str(image)]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert scores == {seat: sum(label.split("-")[0] == seat for label in truth.values()) for seat in scores}
    assert sum(scores.values()) == sum(label != "empty" for label in truth.values())


def test_no_board_a_little_out_of_focus_is_told_as_missing() -> None:
    """Some of its markers may still show, others only blurred: too few to tell where the cells lie, not none."""
    for case in find_cases(_FOLDER):
        if case.tier != "refuse":
            read = TableReader(shipped_board(case.game)).read(out_of_focus(load_image(case.image), 2.1))
            assert isinstance(read, Reading) or read.reason is BlindReason.BLURRED, case.image


def test_confidence_is_the_share_that_is_right() -> None:
    """Calibrated within a hundredth, over all cells that can be seen."""
    reader = TableReader(shipped_board("royal-tee"))
    told: list[float] = []
    right: list[bool] = []
    for path in sorted((_FOLDER / "royal-tee").glob("[emho]*.json")):
        truth = json.loads(path.read_text())
        reader.forget()
        reading = reader.read(load_image(path.with_suffix(".jpg")))
        assert isinstance(reading, Reading)
        seen = reading.observation
        for cell, label, confidence in zip(seen.cells, seen.best(), seen.confidence(), strict=True):
            if cell not in truth["hidden"]:
                told.append(float(confidence))
                right.append(label == truth["cells"][cell])
    assert len(told) > 1000
    assert fmean(told) == pytest.approx(fmean(right), abs=0.01)

"""The reader is no worse on the recorded pictures than when their baseline was written."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from companion.cli import main
from tests.evaluate import dice, studies, tables
from tests.evaluate.figures import Report, worse
from tests.evaluate.truth import find_cases
from tests.vision.recognition.scenes import out_of_focus
from vision.board import shipped_board
from vision.image_file import load_image
from vision.labels import parse_label
from vision.observation import BlindReason
from vision.recognition.reader import Reading, TableReader

_FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def outcomes() -> list[tables.Outcome]:
    """What became of every picture of a table."""
    return tables.measure_all(_FOLDER, timed=False)


def worse_than_the_baseline(report: Report) -> list[str]:
    return worse(report, json.loads((_FOLDER / "baseline.json").read_text())[report.kind])


def test_every_tier_is_recorded() -> None:
    cases = find_cases(_FOLDER)
    assert {case.tier for case in cases} == {"easy", "medium", "hard", "occluded", "refuse"}
    assert len(cases) >= 15


def test_no_table_is_read_worse_than_the_baseline(outcomes: list[tables.Outcome]) -> None:
    assert worse_than_the_baseline(tables.report(outcomes)) == []


def test_occupancy_identity_and_cards_are_no_worse_and_no_card_is_wrong_or_missed(
    outcomes: list[tables.Outcome],
) -> None:
    report = studies.report(outcomes)
    assert worse_than_the_baseline(report) == []
    assert all(row["cards_right"] == 1.0 for row in report.figures.values())


def test_dice_are_read_no_worse_than_the_baseline_and_none_is_reported_wrongly() -> None:
    report = dice.evaluate(_FOLDER, timed=False)
    assert worse_than_the_baseline(report) == []
    assert report.figures["dice"]["dice"] >= 40
    assert report.figures["dice"]["wrong"] == 0


def test_a_recorded_picture_is_read_and_scored_as_its_truth_says(capsys: pytest.CaptureFixture[str]) -> None:
    image = _FOLDER / "royal-tee" / "easy-31.jpg"
    truth = json.loads(image.with_suffix(".json").read_text())["cells"]
    assert main(["read", "--json", str(image)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {cell: seen["label"] for cell, seen in answer["cells"].items()} == truth
    assert main(["score", "--json", str(image)]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert scores == {seat: sum(label.split("-")[0] == seat for label in truth.values()) for seat in scores}
    assert sum(scores.values()) == sum(label != "empty" for label in truth.values())


def test_stacks_whose_number_cannot_be_seen_leave_a_range_of_points(capsys: pytest.CaptureFixture[str]) -> None:
    image = _FOLDER / "royal-ur" / "medium-34.jpg"
    truth = json.loads(image.with_suffix(".json").read_text())["cells"]
    assert main(["score", "--json", str(image)]) == 0
    score = json.loads(capsys.readouterr().out)
    stacks = {cell: parse_label(label).height for cell, label in truth.items() if "*" in label}
    assert stacks.keys() <= score["heights"].keys()
    assert all(least <= stacks.get(cell, 1) <= most for cell, (least, most) in score["heights"].items())
    assert score["scores"]["black"] < score["scores_most"]["black"]


@pytest.mark.long
def test_a_board_a_little_out_of_focus_is_read_or_called_blurred() -> None:
    """Some of its markers may still show, others only blurred. One small board in a wide picture is called missing.

    If an arm hides markers, it is as true that too few are in sight.
    """
    wrong = []
    for case in find_cases(_FOLDER):
        if case.tier != "refuse":
            read = TableReader(shipped_board(case.game)).read(out_of_focus(load_image(case.image), 2.1))
            hidden = json.loads(case.image.with_suffix(".json").read_text())["markers_hidden"]
            true = {BlindReason.BLURRED, *([BlindReason.MARKERS] if hidden else [])}
            if not isinstance(read, Reading) and read.reason not in true:
                wrong.append(case.image)
    assert len(wrong) <= 1, wrong


def test_confidence_is_the_share_that_is_right(outcomes: list[tables.Outcome]) -> None:
    """Calibrated within a hundredth, over all visible cells of pictures that no model was trained on."""
    found: list[float] = []
    right: list[bool] = []
    for outcome in outcomes:
        cells = zip(outcome.cells, outcome.read, outcome.confidence.tolist(), outcome.hidden.tolist(), strict=True)
        for cell, label, confidence, hidden in cells if outcome.refused is None else ():
            if not hidden:
                found.append(confidence)
                right.append(parse_label(label).single == parse_label(outcome.case.cells[cell]).single)
    assert len(found) > 1000
    assert fmean(found) == pytest.approx(fmean(right), abs=0.01)

"""The evaluation counts what it says, and nothing worse than the baseline slips through."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.evaluate import tables
from tests.evaluate.__main__ import main
from tests.evaluate.figures import Figure, Report, worse
from tests.evaluate.truth import UnusableTruthError, find_cases
from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.geometry import Lens, Pose
from vision.observation import Blind, BlindReason, Observation
from vision.recognition.reader import Reading

_BOARD = shipped_board("royal-tee")
_POSE = Pose(Lens(500.0, (320.0, 240.0)), np.zeros(3), np.zeros(3))


def _reading(labels: dict[str, str], confidence: float = 0.999, visible: frozenset[str] = frozenset()) -> Reading:
    """Make a reading of these labels, empty elsewhere; where `visible` is given, all other cells are hidden."""
    cells, words = _BOARD.cells, _BOARD.label_words
    p = np.full((len(cells), len(words)), (1 - confidence) / (len(words) - 1))
    p[range(len(cells)), [words.index(labels.get(cell, "empty")) for cell in cells]] = confidence
    seen = np.array([not visible or cell in visible for cell in cells])
    return Reading(_BOARD.game, Observation(cells, words, p, seen), _POSE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two easy pictures of an empty table with A1 hidden, and one that is to be refused."""
    truth = {"game": "royal-tee", "cells": dict.fromkeys(_BOARD.cells, "empty"), "hidden": ["A1"]}
    for name, more in {
        "easy-1": {"tier": "easy"},
        "easy-2": {"tier": "easy"},
        "refuse-1": {"tier": "refuse", "refuse": "lens-covered", "asked": "royal-tee"},
    }.items():
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), np.zeros((64, 64, 3), np.uint8))
        (tmp_path / f"{name}.json").write_text(json.dumps(truth | more))
    return tmp_path


def _sees(monkeypatch: pytest.MonkeyPatch, *results: Reading | Blind) -> None:
    """Let the reader make this of the pictures, in the order of their names."""
    queue = list(results)

    class Reader:
        def __init__(self, _board: Board, *, kit: Board | None) -> None:
            del kit

        def read(self, _image: ImageBgr) -> Reading | Blind:
            return queue.pop(0)

    monkeypatch.setattr(tables, "TableReader", Reader)


_DARK = Blind(BlindReason.DARK)


_DOUBTED = frozenset(_BOARD.cells) - {"B1"}
_RIGHT, _HALF_WRONG = _reading({}), _reading(dict.fromkeys(_BOARD.cells[:72], "red"), 0.95)
_READINGS: Mapping[str, tuple[list[Reading | Blind], dict[str, float], str]] = {
    "all right": ([_RIGHT], {"boards_right": 1.0, "cells_right": 1.0, "silent": 0, "unsure": 0.0, "refused": 0}, ""),
    "a visible error": (
        [_reading({"B1": "red"})],
        {"pictures": 2, "boards_right": 0.5, "cells_right": 285 / 286, "silent": 1, "silent_hidden": 0},
        "royal-tee (all): 1 of 286, 0.89 to 193.26 in 10,000",
    ),
    "an error under a hand": ([_reading({"A1": "red"})], {"boards_right": 1.0, "silent": 1, "silent_hidden": 1}, ""),
    "doubt reported": (
        [_reading({"A1": "red", "B1": "red"}, visible=_DOUBTED - {"A1"})],
        {"boards_right": 0.5, "silent": 0, "silent_hidden": 0, "unsure": 1 / 286},
        "",
    ),
    "refused": ([_DARK], {"boards_right": 0.5, "cells_right": 0.5, "silent": 0, "unsure": 0.5, "refused": 1}, ""),
    "right and unsure": (
        [_reading({}, visible=_DOUBTED)],
        {"boards_right": 1.0, "boards_exact": 0.5, "unsure_right": 1 / 286},
        "royal-tee (all): 2 of 2, 15.8% to 100.0%; 1 of 2, 1.3% to 98.7%",
    ),
    "too sure": (
        [_HALF_WRONG, _HALF_WRONG],
        {"calibration_error": 0.95 - 144 / 286},
        "confidence 0.9 to 1.0: 286 cells, mean 0.9500, right 0.5035",
    ),
}


@pytest.mark.parametrize(("results", "expected", "note"), _READINGS.values(), ids=_READINGS)
def test_cells_boards_silence_doubt_and_confidence_are_counted(
    results: list[Reading | Blind], expected: dict[str, float], note: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[Reading | Blind] = [_RIGHT, _DARK]
    _sees(monkeypatch, *results, *others[len(results) - 1 :])
    report = tables.report(tables.measure_all(folder, timed=False))
    assert {name: report.figures["royal-tee easy"][name] for name in expected} == pytest.approx(expected)
    assert note in ["", *report.notes]


@pytest.mark.parametrize(("result", "rightly"), [(_DARK, 1.0), (Blind(BlindReason.NO_BOARD), 0.0), (_RIGHT, 0.0)])
def test_a_refusal_counts_only_with_its_reason(
    result: Reading | Blind, rightly: float, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sees(monkeypatch, _RIGHT, _RIGHT, result)
    figures = tables.report(tables.measure_all(folder, timed=False)).figures["royal-tee refuse"]
    assert (figures["refused_rightly"], "cells_right" in figures) == (rightly, False)


def test_pictures_from_above_have_rows_of_their_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, tilt in (("easy-1", 3.0), ("easy-2", 20.0)):
        path = folder / f"{name}.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"camera": {"tilt_deg": tilt}}))
    _sees(monkeypatch, _reading({}), _reading({}), _DARK)
    figures = tables.report(tables.measure_all(folder, timed=False)).figures
    counts = {row: figures[row]["pictures"] for row in figures}
    assert counts == {
        "(all)": 2, "(from above)": 1, "royal-tee (all)": 2, "royal-tee (from above)": 1, "royal-tee easy": 2,
        "royal-tee refuse": 1,
    }  # fmt: skip


_COLUMNS = (
    Figure("pictures", "pictures", "same"),
    Figure("right", "right", "more"),
    Figure("slow", "slow", "less", 0.3),
)


@pytest.mark.parametrize(
    ("now", "complaints"),
    [
        ({"pictures": 3, "right": 0.9, "slow": 1.0}, 0),
        ({"pictures": 3, "right": 1.0, "slow": 0.5}, 0),
        ({"pictures": 3, "right": 0.8, "slow": 1.0}, 1),
        ({"pictures": 3, "right": 0.9, "slow": 1.2}, 0),
        ({"pictures": 3, "right": 0.9, "slow": 1.4}, 1),
        ({"pictures": 2, "right": 0.9, "slow": 1.0}, 1),
        ({"pictures": 3, "right": 0.9}, 0),
    ],
)
def test_only_what_is_worse_is_complained_of(now: dict[str, float], complaints: int) -> None:
    baseline = {"easy": {"pictures": 3, "right": 0.9, "slow": 1.0}}
    assert len(worse(Report("k", _COLUMNS, {"easy": now}), baseline)) == complaints


def test_a_tier_that_is_gone_is_complained_of() -> None:
    assert worse(Report("k", _COLUMNS, {}), {"easy": {"pictures": 3}}) == ["easy: not measured"]


def test_the_command_fails_when_it_is_worse_than_its_own_baseline(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = folder / "baseline.json"
    _sees(monkeypatch, _reading({}), _reading({}), _DARK)
    assert main([str(folder), "--write-baseline", str(baseline)]) == 0
    _sees(monkeypatch, _reading({}), _reading({"B1": "red"}), _DARK)
    assert main([str(folder), "--baseline", str(baseline), "--untimed"]) == 1
    assert "WORSE  royal-tee easy: silent errors 1, in the baseline 0" in capsys.readouterr().out


def test_pictures_in_folders_below_are_found(folder: Path) -> None:
    below = folder / "one" / "more"
    below.mkdir(parents=True)
    for kind in ("jpg", "json"):
        (folder / f"easy-1.{kind}").rename(below / f"easy-1.{kind}")
    assert [case.image.parent for case in find_cases(folder)].count(below) == 1
    assert len(find_cases(folder)) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "malformed|truncated"),
        ('{"game": "royal-tee", "cells": {}}', "tier"),
        ('{"game": null, "tier": "x", "cells": {}}', "ask for"),
    ],
)
def test_a_truth_file_that_is_none_is_reported(text: str, said: str, folder: Path) -> None:
    (folder / "easy-1.json").write_text(text)
    with pytest.raises(UnusableTruthError, match=said):
        find_cases(folder)


def test_a_folder_without_pictures_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "found none" in capsys.readouterr().err

"""`companion dice` says what the protocol promises, whatever the eye has seen."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, REFUSED
from companion.ui.picture import annotate_dice
from vision.markerless.dice import DiceReader, LooseDie
from vision.observation import Blind, BlindReason

_FOUR = LooseDie(4, 0.99, (81.4, 44.2), 20.0)
_FIVE = LooseDie(5, 0.987, (120.0, 60.0), 20.0)
_DOUBTFUL = LooseDie(None, 0.6, (150.0, 90.0), 20.0)


@pytest.fixture
def image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("t.png", np.full((120, 200, 3), 200, np.uint8))
    return "t.png"


def _sees(monkeypatch: pytest.MonkeyPatch, *dice: LooseDie) -> None:
    monkeypatch.setattr(DiceReader, "read", lambda _self, _image: dice)


def test_every_die_has_value_confidence_and_place_and_those_reported_are_added(
    image: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _sees(monkeypatch, _FOUR, _FIVE, _DOUBTFUL)
    assert main(["dice", "--json", image]) == DONE
    answer = json.loads(capsys.readouterr().out)
    assert answer.pop("milliseconds") >= 0
    assert answer == {
        "image": image,
        "status": "ok",
        "dice": [
            {"value": 4, "confidence": 0.99, "centre_px": [81, 44]},
            {"value": 5, "confidence": 0.987, "centre_px": [120, 60]},
            {"value": None, "confidence": 0.6, "centre_px": [150, 90]},
        ],
        "total": 9,
        "unsure": 1,
    }


@pytest.mark.parametrize(
    ("dice", "last_line"),
    [
        ((_FOUR, _FIVE), "2 dice, total 9"),
        ((_FOUR,), "1 die, total 4"),
        ((_FOUR, _DOUBTFUL), "1 die, total 4; 1 die that cannot be read"),
        ((_DOUBTFUL, _DOUBTFUL), "0 dice, total 0; 2 dice that cannot be read"),
        ((), "no dice"),
    ],
)
def test_a_person_is_reported_every_die_the_total_and_the_doubt(
    dice: tuple[LooseDie, ...],
    last_line: str,
    image: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _sees(monkeypatch, *dice)
    assert main(["dice", image]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == last_line
    assert len(lines) == 2 + len(dice)


def test_a_refused_picture_is_reported_with_its_reason(
    image: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(DiceReader, "read", lambda _self, _image: Blind(BlindReason.DARK))
    assert main(["dice", "--json", image]) == REFUSED
    assert json.loads(capsys.readouterr().out)["reason"] == "dark"


def test_the_picture_is_written_and_shows_doubt_by_form(image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _sees(monkeypatch, _FOUR)
    assert main(["dice", "--picture", "read.png", image]) == DONE
    plain = cv2.imread(image)
    assert plain is not None
    written = cv2.imread("read.png")
    assert written is not None
    assert (written != plain).any()
    sure, unsure = (
        annotate_dice(np.asarray(plain, np.uint8), [LooseDie(value, 0.5, (100.0, 60.0), 40.0)]) for value in (4, None)
    )
    assert (sure != unsure).any()

"""`companion calibrate`: the sheet, the measuring, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE
from companion.shell.config_files import find_calibration
from vision.calibration import Calibration, sheet


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sheet under five homographies that a lens of 1000 px can see."""
    monkeypatch.chdir(tmp_path)
    face = sheet().generateImage((700, 500))
    names = []
    for k, (tilt, turn) in enumerate(((0.0, 0.0), (0.5, 0.0), (-0.5, 0.3), (0.0, 0.6), (0.35, -0.6))):
        turned, _ = cv2.Rodrigues(np.array((tilt, turn, 0.1 * k)))
        plane = np.column_stack([turned[:, 0], turned[:, 1], (0.0, 0.0, 900.0)])
        lens = np.array([(1000.0, 0.0, 500.0), (0.0, 1000.0, 400.0), (0.0, 0.0, 1.0)])
        middle = np.array([(1.0, 0.0, -350.0), (0.0, 1.0, -250.0), (0.0, 0.0, 1.0)])
        image = cv2.warpPerspective(face, lens @ plane @ middle, (1001, 801), borderValue=128)
        names.append(f"sheet-{k}.png")
        cv2.imwrite(names[-1], image)
    return names


def test_a_lens_is_measured_reported_and_kept(pictures: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--output", "lens.toml", *pictures]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("good: ")
    assert lines[-1] == "kept in lens.toml"
    calibration = find_calibration(Path("lens.toml"), {})
    assert isinstance(calibration, Calibration)
    assert calibration.focal_px == pytest.approx(1000, rel=0.01)


def test_what_was_measured_is_written_as_json(pictures: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--json", "--sheet", "sheet.svg", "--output", "lens.toml", *pictures]) == DONE
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["file"], answer["pictures"], answer["good"]) == ("ok", "lens.toml", 5, True)
    assert answer["focal_px"] == pytest.approx(1000, rel=0.01)
    assert main(["calibrate", "--json", "--sheet", "sheet.svg"]) == DONE
    assert json.loads(capsys.readouterr().out) == {"status": "ok", "sheet": "sheet.svg"}


def test_the_sheet_is_written(tmp_path: Path) -> None:
    assert main(["calibrate", "--sheet", str(tmp_path / "sheet.svg")]) == DONE
    assert 'width="297mm"' in (tmp_path / "sheet.svg").read_text(encoding="utf-8")

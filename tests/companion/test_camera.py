"""`companion camera`: the list, the test, and what to change."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.exits import REFUSED
from companion.shell import devices
from companion.shell.config_files import find_calibration
from companion.shell.devices import webcams
from tests.companion.conftest import Answered, Told
from tests.narrow import narrowed
from tests.vision.drawn_tables import draw, pose_above
from tests.vision.test_any_board import MARKED, MARKED_TEXT
from vision.board import shipped_board
from vision.calibration import Calibration, sheet
from vision.camera.check import LEAST_PX_PER_MM, MOST_SLANT_DEG, CameraAdvice, CameraMeasures, advice

_RECORDED = Path(__file__).parents[1] / "recorded" / "royal-tee"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures of a table, for the camera that plays pictures."""
    for picture in sorted(_RECORDED.glob("easy*.jpg"))[:2]:
        shutil.copy(picture, tmp_path)
    return tmp_path


def test_a_good_sight_has_figures_a_reading_and_nothing_to_change(folder: Path, answered: Answered) -> None:
    answer = answered("camera", "test", "--camera", f"files:{folder}")
    assert answer["status"] == "ok"
    assert answer["game"] == "royal-tee"
    assert answer["markers"] == 4
    assert 0 <= answer["slant_deg"] < 20
    assert answer["advice"] == []


def test_a_person_is_reported_the_same_in_words_and_the_picture_is_written(folder: Path, told: Told) -> None:
    out = folder / "seen.png"
    assert (
        told("camera", "test", "--camera", f"files:{folder}", "--picture", out).splitlines()[-1] == "nothing to change"
    )
    assert cv2.imread(str(out)) is not None


@pytest.mark.parametrize(
    ("level", "expected"), [(20, ["more-light", "show-table"]), (255, ["show-table", "less-glare"])]
)
def test_a_sight_without_a_table_reports_what_to_change(
    level: int, expected: list[str], tmp_path: Path, answered: Answered
) -> None:
    cv2.imwrite(str(tmp_path / "plain.png"), np.full((480, 640, 3), level, np.uint8))
    assert answered("camera", "test", "--camera", f"files:{tmp_path}", code=REFUSED)["advice"] == expected


def test_every_webcam_is_listed_once_with_its_number_and_name(tmp_path: Path) -> None:
    for node, name, index in (
        ("video0", "Desk Cam", "0"),
        ("video1", "Desk Cam", "1"),
        ("video12", "Other", "0"),
        ("video20", "unicam", "0"),
    ):
        folder = tmp_path / "sys" / "class" / "video4linux" / node
        folder.mkdir(parents=True)
        (folder / "name").write_text(f"{name}\n")
        (folder / "index").write_text(f"{index}\n")
    assert webcams(tmp_path) == [("webcam:0", "Desk Cam"), ("webcam:12", "Other")]


def _connect(monkeypatch: pytest.MonkeyPatch, connected: list[tuple[str, str]]) -> None:
    kinds = {**devices.CAMERAS, "webcam": replace(devices.CAMERAS["webcam"], connected=lambda _root: connected)}
    monkeypatch.setattr(devices, "CAMERAS", kinds)


@pytest.mark.parametrize("connected", [[], [("webcam:0", "Desk Cam")]])
def test_the_list_has_what_is_connected_and_for_people_the_cameras_that_no_cable_connects(
    connected: list[tuple[str, str]], told: Told, answered: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    _connect(monkeypatch, connected)
    assert ({"camera": "webcam:0", "name": "Desk Cam"} in answered("camera", "list")["cameras"]) == bool(connected)
    listed = told("camera", "list")
    assert "stream:http://" in listed
    assert "files:" in listed


def test_a_table_file_can_be_tested_and_a_picture_in_which_marks_are_too_small_is_not_called_good(
    tmp_path: Path, answered: Answered
) -> None:
    (tmp_path / "own.toml").write_text(MARKED_TEXT, encoding="utf-8")
    size_wh = (800, 600)
    cv2.imwrite(
        str(tmp_path / "small.png"), draw(MARKED, pose=pose_above(MARKED, 15.0, size_wh=size_wh), size_wh=size_wh)
    )
    answer = answered("camera", "test", "--camera", f"files:{tmp_path}", "--table", tmp_path / "own.toml")
    assert (answer["game"], answer["playable"]) == ("marked", False)
    assert len(answer["small"]) == 25
    assert "nearer" in answer["advice"]


@pytest.mark.parametrize(
    ("px_per_mm", "slant_deg", "unsure", "told"),
    [
        (2.0, 30.0, (), ()),
        (1.9, 30.0, (), ()),
        (1.9, 30.0, ("A1",), (CameraAdvice.NEARER,)),
        (2.0, 30.0, ("A1",), (CameraAdvice.CLEAR_BOARD,)),
        (2.0, 31.0, (), (CameraAdvice.LESS_SLANT,)),
        (1.9, 45.0, ("A1",), (CameraAdvice.NEARER, CameraAdvice.LESS_SLANT)),
    ],
)
def test_a_view_is_as_near_and_as_steep_as_the_guide_asks_unless_all_is_read_for_certain(
    px_per_mm: float, slant_deg: float, unsure: tuple[str, ...], told: tuple[CameraAdvice, ...]
) -> None:
    guide = (Path(__file__).parents[2] / "deploy" / "CAMERA.md").read_text()
    assert f"at least {LEAST_PX_PER_MM:g} pixels a millimetre" in guide
    assert f"up to {MOST_SLANT_DEG:g}\ndegrees" in guide
    measures = CameraMeasures((1640, 1232), 2.0, 200.0, 0.0, 4, 40.0, px_per_mm, slant_deg, unsure=unsure)
    assert advice(measures, shipped_board("royal-tee")) == told


# ---- `companion calibrate`: the sheet, the measuring, and what it says when it cannot


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


def test_a_lens_is_measured_reported_and_kept(pictures: list[str], told: Told) -> None:
    lines = told("calibrate", "--output", "lens.toml", *pictures).splitlines()
    assert lines[-2].startswith("good: ")
    assert lines[-1] == "kept in lens.toml"
    calibration = narrowed(find_calibration(Path("lens.toml"), {}), Calibration)
    assert calibration.focal_px == pytest.approx(1000, rel=0.01)


def test_what_was_measured_is_written_as_json(pictures: list[str], answered: Answered) -> None:
    answer = answered("calibrate", "--sheet", "sheet.svg", "--output", "lens.toml", *pictures)
    assert (answer["status"], answer["file"], answer["pictures"], answer["good"]) == ("ok", "lens.toml", 5, True)
    assert answer["focal_px"] == pytest.approx(1000, rel=0.01)
    assert answered("calibrate", "--sheet", "sheet.svg") == {"status": "ok", "sheet": "sheet.svg"}

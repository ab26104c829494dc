"""`companion camera`: the list, the test, and what to change."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from rich.console import RenderableType

from companion.app.evening import _front
from companion.app.line_display import LineDisplay
from companion.cli import main
from companion.cli.exits import DONE, REFUSED
from companion.core.display import view as view_of
from companion.core.state import new_state
from companion.core.verdicts import Refused, Waiting
from companion.core.view import View
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell import devices
from companion.shell.config_files import find_calibration
from companion.shell.devices import webcams
from companion.shell.effects import ShownView
from companion.shell.session import screen_display
from companion.ui.console import SafeConsole
from engines.kernel import Cell, Seat
from tests.companion.conftest import Answered, Told
from tests.companion.shell.clocks import ManualClock
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


def test_the_list_is_reported_as_json(answered: Answered, monkeypatch: pytest.MonkeyPatch) -> None:
    _connect(monkeypatch, [("webcam:0", "Desk Cam")])
    answer = answered("camera", "list")
    assert {"camera": "webcam:0", "name": "Desk Cam"} in answer["cameras"]


@pytest.mark.parametrize("connected", [[], [("webcam:0", "Desk Cam")]])
def test_the_list_for_people_names_the_cameras_that_no_cable_connects(
    connected: list[tuple[str, str]], told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    _connect(monkeypatch, connected)
    listed = told("camera", "list")
    assert "stream:http://" in listed
    assert "files:" in listed


def test_a_table_file_can_be_tested_and_a_picture_in_which_marks_are_too_small_is_not_called_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text(MARKED_TEXT, encoding="utf-8")
    size_wh = (800, 600)
    cv2.imwrite(
        str(tmp_path / "small.png"), draw(MARKED, pose=pose_above(MARKED, 15.0, size_wh=size_wh), size_wh=size_wh)
    )
    main(["camera", "test", "--camera", f"files:{tmp_path}", "--table", str(tmp_path / "own.toml"), "--json"])
    answer = json.loads(capsys.readouterr().out)
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


def test_the_sheet_is_written(tmp_path: Path) -> None:
    assert main(["calibrate", "--sheet", str(tmp_path / "sheet.svg")]) == DONE
    assert 'width="297mm"' in (tmp_path / "sheet.svg").read_text(encoding="utf-8")


# ---- the lines beside a camera, for pipes and screen readers: nothing is repeated that has not changed


ENGINE = ENGINES["royal-ur"]
OPENING = ENGINE.game.new([Seat("white"), Seat("black")], ENGINE.turns.options, 4)
THROWN = OPENING
for roll in ("roll 2", "roll 1", "roll 3"):
    THROWN = ENGINE.game.after(THROWN, ENGINE.notation.read_action(roll)).position
VIEW = replace(view_of(new_state(GAMES["royal-ur"], OPENING)), waiting=None)
OTHER = replace(view_of(new_state(GAMES["royal-ur"], THROWN)), waiting=None)
MOVES = Waiting("moving")
DOUBT = "I can't see E3 well. Straighten what stands there, and take your hands away."


def doubtful(view: View) -> View:
    return replace(view, doubt=(Cell("E3"),))


def refused(view: View) -> View:
    return replace(view, verdict=Refused("not-as-asked", "", (Cell("E3"),)))


def written(*views: View, draws: bool = False) -> list[str]:
    lines: list[str] = []

    def say(*parts: RenderableType) -> int:
        lines.extend(line for part in parts for line in str(part).splitlines())
        return len(parts)

    display = LineDisplay(draws=draws, say=say)
    for view in views:
        display.show(ShownView(view))
    return lines


def test_a_doubt_that_comes_and_goes_is_written_once_a_turn() -> None:
    looks = [VIEW, doubtful(VIEW), replace(VIEW), doubtful(VIEW), replace(VIEW)]
    assert written(*looks).count(DOUBT) == 1
    assert written(*looks, OTHER, doubtful(OTHER)).count(DOUBT) == 2
    assert written(doubtful(VIEW), doubtful(OTHER)).count(DOUBT) == 1, "it has not gone in between"


def test_a_refusal_is_written_again_only_after_hands_were_over_the_table() -> None:
    untouched = written(refused(VIEW), replace(VIEW), refused(VIEW))
    touched = written(refused(VIEW), replace(VIEW), replace(VIEW, waiting=MOVES), refused(VIEW))
    numbers = [sum("another move than" in line for line in lines) for lines in (untouched, touched)]
    assert numbers == [1, 2]


def test_points_and_turn_are_written_when_they_change() -> None:
    scored = replace(VIEW, score={Seat("white"): 1, Seat("black"): 0})
    lines = written(VIEW, replace(VIEW), scored)
    assert [line[:9] for line in lines if "Black" in line] == ["w White 0", "w White 1"]
    assert sum("throw the three dice" in line for line in lines) == 1


def test_the_clock_is_written_with_a_new_turn_and_near_its_end_even_where_a_second_was_missed() -> None:
    left = [replace(VIEW, remaining_s=seconds) for seconds in (60, 59, 31, 29, 28, 10, 9)]
    lines = written(VIEW, *left, replace(OTHER, remaining_s=9))
    assert [line[-10:] for line in lines if "Clock" in line] == ["Clock 0:29", "Clock 0:10", "Clock 0:09"]


@pytest.mark.parametrize("draws", [True, False])
def test_the_board_and_what_is_possible_stand_with_each_new_turn_on_a_terminal(draws: bool) -> None:
    moved = replace(OTHER, board={**OTHER.board, Cell("E3"): "white"}, choices=(), shown=None, buttons={})
    seen = [VIEW, replace(VIEW, board=moved.board), moved]
    lines = written(*seen, draws=draws)
    assert sum(line.startswith("   A ") for line in lines) == 2 * draws
    assert any(line.startswith("1: ") for line in lines) == draws


@pytest.mark.parametrize(
    ("terminal", "term", "plain", "full"),
    [
        (True, "xterm", False, True),
        (True, "xterm", True, False),
        (True, "dumb", False, False),
        (False, "", False, False),
    ],
)
def test_a_terminal_that_can_be_redrawn_has_the_screen_and_others_lines(
    terminal: bool, term: str, plain: bool, full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    devices = SimpleNamespace(sees=True)
    plan: Any = SimpleNamespace(voice=None, plain=plain, devices=devices, clock=ManualClock())
    opened: Any = _front(plan, SafeConsole(terminal=terminal), None)._open_writer
    assert (opened.func is screen_display) == full

"""`companion print` and `companion table new`: what they write, and what they say when they cannot."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from companion.printing.table_file import PAPER_MM
from tests.companion.conftest import Told
from tests.narrow import there
from tests.vision.drawn_tables import draw, pose_above
from vision.board import Markers, load_board, shipped_board, shipped_games
from vision.board_sections import PlacedMarker


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_board_is_written(told: Told) -> None:
    assert told("print", "royal-tee") == "royal-tee-board.pdf: 6 pages; print them at 100 %\n"
    assert Path("royal-tee-board.pdf").read_bytes().startswith(b"%PDF")


def test_the_list_has_every_game_and_every_sheet(told: Told) -> None:
    listed = told("print", "--list")
    for word in (*shipped_games(), "kit", "charuco", "grey", "panel", "calibrate", "measure", "--no-marks"):
        assert word in listed


def test_a_preview_has_a_picture_of_every_page(told: Told) -> None:
    assert "aid.png: written" in told("print", "royal-tee", "aid", "--preview", "--out", "aid.pdf")
    assert Path("aid.png").read_bytes().startswith(b"\x89PNG")


def test_a_kit_comes_with_the_table_file_of_its_pieces() -> None:
    assert main(["print", "kit", "royal-tee", "--no-marks"]) == DONE
    board = load_board(Path("royal-tee-paper.toml"))
    assert {piece.shape for piece in board.pieces.values()} == {"disc"}
    assert board.markers == shipped_board("royal-tee").markers
    assert board.label_words == shipped_board("royal-tee").label_words


@pytest.mark.parametrize("game", ["royal-ur"])
def test_pieces_that_are_not_read_without_markers_get_no_table_file(game: str, told: Told) -> None:
    assert "for the camera, print them with markers" in told("print", game, "pieces", "--no-marks")
    assert not Path(f"{game}-paper.toml").exists()


@pytest.mark.parametrize("word", ["charuco", "grey", "page", "panel", "manual", "calibrate"])
def test_sheets_for_camera_panel_and_printer_are_written(word: str) -> None:
    assert main(["print", word, "--out", "sheet.pdf"]) == DONE
    assert Path("sheet.pdf").read_bytes().startswith(b"%PDF")


def test_a_table_file_is_made_from_measures_and_its_markers_are_printed() -> None:
    measures = ["--size", "300x310", "--origin", "60x62", "--cell", "60x61", "--marker", "25"]
    assert main(["table", "new", "royal-study", *measures, "--out", "own.toml"]) == DONE
    board = load_board(Path("own.toml"))
    assert (board.size, board.grid.origin, board.grid.pitch) == ((300.0, 310.0), (60.0, 62.0), (60.0, 61.0))
    assert board.markers.side == 25.0
    assert main(["print", "royal-study", "markers", "board", "--table", "own.toml", "--out", "own.pdf"]) == DONE


def test_stickers_and_paper_pieces_for_a_board_of_ones_own_come_with_its_table_file() -> None:
    measures = ["--size", "300x310", "--origin", "50x50", "--cell", "66x66", "--marker", "25"]
    assert main(["table", "new", "royal-racers", "--size", "700x800", "--origin", "90x90", "--cell", "80x100",
                 "--marker", "40", "--out", "racers.toml"]) == DONE  # fmt: skip
    assert main(["table", "new", "royal-study", *measures, "--out", "own.toml"]) == DONE
    assert main(["print", "royal-study", "stickers", "pieces", "--table", "own.toml"]) == DONE
    assert main(["print", "royal-racers", "stickers", "--table", "racers.toml"]) == DONE
    stuck, paper = (load_board(Path(f"royal-study-{name}.toml")) for name in ("stickers", "marked"))
    assert {stuck.size, paper.size} == {(300, 310)}
    assert (stuck.pieces["king"].height, paper.pieces["king"].height) == (75, PAPER_MM)
    racers = load_board(Path("royal-racers-stickers.toml"))
    assert set(there(racers.marks).ids) == {f"pawn-{colour}" for colour in racers.colours}


def test_a_table_file_is_made_from_answers(told: Told) -> None:
    asked = told("table", "new", "royal-tee", typed="500x500\nwide\n33x33\n52x52\n\n")
    assert 'expected two lengths in mm such as 300x250, not "wide"' in asked
    board = load_board(Path("royal-tee-own.toml"))
    assert board.size == (500.0, 500.0)
    assert board.seat[0].zone is not None
    left, top, width, height = board.seat[0].zone
    assert left >= 0
    assert left + width <= 500
    assert top >= 52 + 12 * 33
    assert top + height <= 500


def test_no_table_file_is_written_that_does_not_fit_its_own_photograph(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = shipped_board("territory")
    pose = pose_above(shipped, 25.0)
    cv2.imwrite("one.png", draw(shipped, pose=pose))
    corners = [f"{x:.0f},{y:.0f}" for x, y in pose.project_at([(52, 52), (348, 52), (348, 348), (52, 348)], 0.0)]
    new = partial(told, "table", "new", "territory", "--from", "one.png", "--dictionary", shipped.markers.dictionary)
    anticlockwise, clockwise = (("--corners", " ".join(order), "--out") for order in (reversed(corners), corners))
    assert "clockwise from its top left" in new(*anticlockwise, "own.toml", code=UNUSABLE)
    assert "there is no folder nowhere" in new(*clockwise, "nowhere/own.toml", code=UNUSABLE)
    with monkeypatch.context() as patched:
        patched.setattr("companion.cli.table.locate", lambda *_: None)
        assert "is not found where the corners are" in new(*clockwise, "own.toml", code=UNUSABLE)
    assert not Path("own.toml").exists()
    new(*clockwise, "own.toml")


@pytest.mark.parametrize("how", [[], ["--no-markers"]])
def test_a_photograph_that_is_not_there_is_refused_before_its_corners_are_asked_for(
    how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", "new", "territory", *how, "--from", "nowhere.png"]) == UNUSABLE
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("companion: nowhere.png: there is no such file")


@pytest.mark.long
def test_a_table_file_is_measured_from_photographs(told: Told) -> None:
    """Markers of another dictionary lie anywhere about the board; one is moved before the last photograph.

    All four are in sight there: of three, leaving out either of two would fit.
    """
    shipped = shipped_board("territory")
    places = (
        (3, (-30.0, 10.0), 10.0),
        (9, (430.0, 20.0), 100.0),
        (11, (425.0, 420.0), 200.0),
        (17, (-28.0, 390.0), 0.0),
    )
    truth = [PlacedMarker(id=number, centre=centre, angle=angle) for number, centre, angle in places]
    pose = pose_above(shipped, 25.0)
    for name, moved_mm, slant_deg in (("one", 0.0, 25.0), ("two", 0.0, 5.0), ("three", 15.0, 32.0)):
        placed = (*truth[:3], msgspec.structs.replace(truth[3], centre=(-28.0 + moved_mm, 390.0)))
        markers = Markers(dictionary="DICT_5X5_100", side=30.0, placed=placed)
        table = msgspec.structs.replace(shipped, markers=markers)
        cv2.imwrite(f"{name}.png", draw(table, pose=pose_above(shipped, slant_deg)))
    corners = " ".join(
        f"{x:.0f},{y:.0f}" for x, y in pose.project_at([(52, 52), (348, 52), (348, 348), (52, 348)], 0.0)
    )
    photographs = ["--from", "one.png", "two.png", "three.png"]
    assert "three.png: marker 17 is" in told(
        "table", "new", "territory", *photographs, "--corners", corners, "--out", "own.toml", code=REFUSED
    )
    board = load_board(Path("own.toml"))
    for found, one in zip(board.markers.each, truth, strict=True):
        assert np.abs(np.subtract(found.centre, one.centre)).max() < 4.0  # the corners were named to a pixel only
    assert main(["table", "new", "territory", "--from", "one.png", "--corners", "1,1 2,2 3,3 4,4"]) == UNUSABLE

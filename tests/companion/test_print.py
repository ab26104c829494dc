"""`companion print` and `companion table new`: what they write, and what they say when they cannot."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from companion.printing.table_file import PAPER_MM
from vision.board import load_board, shipped_board, shipped_games


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_board_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "royal-tee"]) == DONE
    assert Path("royal-tee-board.pdf").read_bytes().startswith(b"%PDF")
    assert capsys.readouterr().out == "royal-tee-board.pdf: 6 pages; print them at 100 %\n"


def test_the_list_has_every_game_and_every_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "--list"]) == DONE
    listed = capsys.readouterr().out
    for word in (*shipped_games(), "kit", "charuco", "grey", "panel", "calibrate", "measure", "--no-marks"):
        assert word in listed


def test_a_preview_has_a_picture_of_every_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "royal-tee", "aid", "--preview", "--out", "aid.pdf"]) == DONE
    assert Path("aid.png").read_bytes().startswith(b"\x89PNG")
    assert "aid.png: written" in capsys.readouterr().out


def test_a_kit_comes_with_the_table_file_of_its_pieces() -> None:
    assert main(["print", "kit", "royal-tee", "--no-marks"]) == DONE
    board = load_board(Path("royal-tee-paper.toml"))
    assert {piece.shape for piece in board.pieces.values()} == {"disc"}
    assert board.markers == shipped_board("royal-tee").markers
    assert board.label_words == shipped_board("royal-tee").label_words


@pytest.mark.parametrize("game", ["royal-ur"])
def test_pieces_that_are_not_read_without_markers_get_no_table_file(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", game, "pieces", "--no-marks"]) == DONE
    assert "for the camera, print them with markers" in capsys.readouterr().out
    assert not Path(f"{game}-paper.toml").exists()


@pytest.mark.parametrize("word", ["charuco", "grey", "panel", "calibrate"])
def test_sheets_for_camera_panel_and_printer_are_written(word: str) -> None:
    assert main(["print", word, "--out", "sheet.pdf"]) == DONE
    assert Path("sheet.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["print"], "expected what to print; see companion print --list"),
        (["print", "royal-te"], 'unknown thing to print "royal-te"; did you mean "royal-tee"?'),
        (["print", "royal-tee", "bord"], 'unknown part "bord"; did you mean "board"?'),
        (["print", "kit"], "expected one game after kit, as in: companion print kit royal-tee"),
        (["print", "kit", "chess"], 'unknown game "chess"'),
        (["print", "royal-tee", "--paper", "a9"], 'unknown paper "a9"'),
        (["print", "royal-tee", "--bleed", "-1"], "expected a length in mm from 0 to 20"),
        (["print", "measure", "none.jpg", "--bar", "0"], 'expected a length in mm from 50 to 150, not "0"'),
        (["print", "royal-tee", "--table", "none.toml"], "none.toml: the table file cannot be read"),
        (["print", "measure"], "expected a picture of the front and one of the back"),
        (["print", "measure", "none.jpg", "none.jpg"], "none.jpg"),
        (["print", "charuco", "a3"], 'unknown argument "a3"'),
        (["table", "new", "royal-tee", "--size", "big"], "expected two lengths in mm such as 300x250"),
        (["table", "new", "royal-tee", "--size", "9999x500"], "expected two lengths in mm such as 300x250"),
        (["table", "new", "royal-tee", "--marker", "2"], "expected a length in mm such as 30"),
    ],
)
def test_bad_arguments_get_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == UNUSABLE
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1


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
    assert racers.marks is not None
    assert set(racers.marks.ids) == {f"pawn-{colour}" for colour in racers.colours}


def test_a_table_file_is_made_from_answers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("500x500\nwide\n33x33\n52x52\n\n"))
    assert main(["table", "new", "royal-tee"]) == DONE
    asked = capsys.readouterr().out
    assert 'expected two lengths in mm such as 300x250, not "wide"' in asked
    board = load_board(Path("royal-tee-own.toml"))
    assert board.size == (500.0, 500.0)
    assert board.seat[0].zone is not None
    left, top, width, height = board.seat[0].zone
    assert left >= 0
    assert left + width <= 500
    assert top >= 52 + 12 * 33
    assert top + height <= 500


@pytest.mark.parametrize("part", ["pieces", "board"])
def test_another_games_table_file_is_refused(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    measures = ["--size", "300x310", "--origin", "60x62", "--cell", "60x61", "--marker", "25"]
    assert main(["table", "new", "royal-study", *measures, "--out", "own.toml"]) == DONE
    assert main(["print", "royal-tee", part, "--table", "own.toml"]) == UNUSABLE
    assert 'own.toml: game: expected "royal-tee", found "royal-study"' in capsys.readouterr().err


def test_markers_over_cells_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    measures = ["--size", "200x200", "--origin", "10x10", "--cell", "60x60", "--marker", "30"]
    assert main(["table", "new", "royal-study", *measures]) == UNUSABLE
    assert "would cover cells" in capsys.readouterr().err


def test_answers_that_end_too_soon_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["table", "new", "royal-tee"]) == UNUSABLE
    assert "expected an answer, or the options" in capsys.readouterr().err

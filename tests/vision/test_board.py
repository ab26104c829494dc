"""The table contract: what ships is sound, and what is wrong in a file is reported in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.board import cell_column_row, cell_name, load_board, parse_board, shipped_board, shipped_games
from vision.errors import BoardFileError
from vision.recognition.reader import labeller_of

TEXT = (Path(__file__).parents[2] / "vision" / "boards" / "royal_tee" / "board.toml").read_text(encoding="utf-8")

_TEE = 'shape = "tee", head_diameter = 12.0'
_CENTRES = "centres = [[24.0, 24.0], [432.0, 24.0], [432.0, 432.0], [24.0, 432.0]]"
_IN_LINE = "centres = [[24.0, 24.0], [124.0, 24.0], [224.0, 34.0], [324.0, 24.0]]"


@pytest.mark.parametrize("game", shipped_games())
def test_every_shipped_board_has_its_cells_and_four_markers(game: str) -> None:
    board = shipped_board(game)
    assert board.game == game
    assert board.centres_mm().shape == (len(board.cells), 2)
    assert (board.centres_mm() < board.size).all()
    assert board.markers.corners_mm().shape == (4, 4, 2)


def test_no_two_shipped_boards_share_a_marker() -> None:
    ids = [i for game in shipped_games() for i in shipped_board(game).markers.ids]
    assert len(ids) == len(set(ids))


def test_labels_are_spelt_out_for_each_colour() -> None:
    words = shipped_board("royal-tee").label_words
    assert words[:2] == ("empty", "red")
    assert len(words) == 9
    assert "yellow-royal" in words


@pytest.mark.parametrize("cell", ["A1", "L12", "Z99", "H3"])
def test_a_cell_s_name_and_its_place_are_one(cell: str) -> None:
    assert cell_name(*cell_column_row(cell)) == cell


@pytest.mark.parametrize("cell", ["", "a1", "A0", "1A", "A100", "AA1"])
def test_what_is_no_cell_is_said_so(cell: str) -> None:
    with pytest.raises(ValueError, match="is no cell"):
        cell_column_row(cell)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("base = 10\n", "", 'markers: expected either "base" and "centres"'),
        ("base = 10\n", "base = 586\n", "markers: expected ids from 0 to 586, as DICT_APRILTAG_36h11 has, found 587"),
        ("side = 30.0", "sied = 30.0", 'unknown field "sied"; did you mean "side"?'),
        ("columns = 12", 'columns = "twelve"', 'grid.columns: expected "int", got "str"'),
        ("columns = 12", "columns = 40", "grid.columns: expected 1 to 26, found 40"),
        ("pitch = [30.0, 30.0]", "pitch = [60.0, 30.0]", "cells within the board's size"),
        ('start = "F12"', 'start = "F13"', 'seat red: start: expected a cell of the grid, found "F13"'),
        ("[markers]", "[markers", "not a TOML file"),
        ('empty = "empty"', "", 'labels: expected "empty" or "card" among the keys'),
        ("side = 30.0", "side = -30.0", "markers.side: expected a length above 0 mm"),
        ('"DICT_APRILTAG_36h11"', '"DICT_NONE"', "markers.dictionary"),
        ("rgb = [200,", "rgb = [2000,", "seat"),
        ("rgb = [200,", "rgb = [-1,", "seat"),
        ("height = 22.0", "height = 0.0", "pieces.tee.height: expected a length above 0 mm, found 0.0"),
        ("height = 22.0", "height = -8.0", "pieces.tee.height: expected a length above 0 mm, found -8.0"),
        ("height = 22.0", "height = nan", "pieces.tee.height: expected a length above 0 mm, found nan"),
        ("head_diameter = 12.0", "head_diameter = inf", "pieces.tee.head_diameter: expected a length above 0 mm"),
        ("height = 22.0", "height = 800.0", "pieces.tee.height: expected less height than the board is wide, 456 mm"),
        ("height = 22.0", "height = 22.0, stack = 30", "pieces.tee.stack: expected less height than the board is wide"),
        ('shape = "tee"', 'shape = "cube"', "pieces.tee.shape: expected one of turned, tee, pawn, tile, disc"),
        (_TEE, 'shape = "disc", diameter = 0.01', "pieces.tee.diameter: expected at least a sixth of a cell's width"),
        ("rgb = [236, 190, 40]", "rgb = [210, 40, 38]", "seat: expected colours whose rgb differ by 24 or more"),
        ("[432.0, 24.0]", "[24.0, 44.0]", "markers: expected no overlap, found ids 10 and 11 20 mm apart"),
        (_CENTRES, _IN_LINE, "markers: expected middles that are not all in one line"),
    ],
)
def test_what_is_wrong_in_a_table_file_is_reported_with_file_key_and_expectation(
    old: str, new: str, expected: str
) -> None:
    assert old in TEXT
    with pytest.raises(BoardFileError) as raised:
        parse_board(TEXT.replace(old, new, 1), "mine.toml")
    assert str(raised.value).startswith("mine.toml: ")
    assert expected in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_table_without_a_piece_that_its_network_looks_for_is_refused() -> None:
    lines = [line for line in TEXT.splitlines() if not line.startswith("royal = ")]
    with pytest.raises(BoardFileError, match='pieces: expected "royal" among them'):
        labeller_of(parse_board("\n".join(lines), "mine.toml"))


def test_numbers_that_do_not_fill_the_board_are_reported() -> None:
    text = (Path(__file__).parents[2] / "vision/boards/territory/board.toml").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    lines.remove("  [ 7, 10,  5, 11,  6, 12, 11,  6],\n")
    with pytest.raises(BoardFileError, match=r"grid\.numbers: expected 8 rows of 8 numbers"):
        parse_board("".join(lines), "mine.toml")


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match="cannot be read"):
        load_board(tmp_path / "none.toml")


def test_an_unknown_game_is_reported_with_the_known_ones() -> None:
    with pytest.raises(BoardFileError, match="royal-tee"):
        shipped_board("../../etc")

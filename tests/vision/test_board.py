"""The table contract: what ships is sound, and what is wrong in a file is reported in one sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from vision.board import cell_column_row, cell_name, load_board, parse_board, shipped_board, shipped_games
from vision.board_conversion import converted
from vision.errors import BoardFileError
from vision.labels import Label, parse_label
from vision.recognition.reader import labeller_of

_EARLIER = Path(__file__).parent / "tables"


def table_text(game: str) -> str:
    folder = Path(__file__).parents[2] / "vision" / "boards" / game.replace("-", "_")
    return (folder / "board.toml").read_text(encoding="utf-8")


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
    with pytest.raises(ValueError, match="is not a cell"):
        cell_column_row(cell)


WRONG_IN_ROYAL_TEE = [
    ("base = 10\n", "", 'markers: expected either "base" and "centres"'),
    ("base = 10\n", "base = 586\n", "markers: expected ids from 0 to 586, as DICT_APRILTAG_36h11 has, found 587"),
    ("side = 30.0", "sied = 30.0", 'markers.sied: there is no such key; did you mean "side"?'),
    ("columns = 12", 'columns = "twelve"', 'grid.columns: expected a whole number from 1 to 26, found "twelve"'),
    ("columns = 12", "columns = 40", "grid.columns: expected a whole number from 1 to 26, found 40"),
    ("pitch = [30.0, 30.0]", "pitch = [60.0, 30.0]", "cells within the board's size"),
    ('start = "F12"', 'start = "F13"', 'seat red: start: expected a cell of the grid, found "F13"'),
    ("[markers]", "[markers", "not a TOML file"),
    ('empty = "empty"', "", 'labels: expected "empty" or "card" among the keys'),
    ("side = 30.0", "side = -30.0", "markers.side: expected a length above 0 mm"),
    ('"DICT_APRILTAG_36h11"', '"DICT_NONE"', "markers.dictionary"),
    ("rgb = [200,", "rgb = [2000,", "seat"),
    ("rgb = [200,", "rgb = [-1,", "seat"),
    ("height = 22.0", 'height = "x"', 'pieces.tee.height: expected a length above 0 mm, found "x"'),
    ("height = 22.0", "height = 0.0", "pieces.tee.height: expected a length above 0 mm, found 0.0"),
    ("height = 22.0", "height = -8.0", "pieces.tee.height: expected a length above 0 mm, found -8.0"),
    ("height = 22.0", "height = nan", "pieces.tee.height: expected a length above 0 mm, found NaN"),
    ("head_diameter = 12.0", "head_diameter = inf", "pieces.tee.head_diameter: expected a length above 0 mm"),
    ("height = 22.0", "height = 800.0", "pieces.tee.height: expected less height than the board is wide, 456 mm"),
    ("height = 22.0", "height = 22.0, stack = 30", "pieces.tee.stack: expected less height than the board is wide"),
    ('shape = "tee"', 'shape = "cube"', "pieces.tee.shape: expected one of disc, pawn, tee, tile, turned"),
    (_TEE, 'shape = "disc", diameter = 0.01', "pieces.tee.diameter: expected at least a sixth of a cell's width"),
    ("rgb = [236, 190, 40]", "rgb = [210, 40, 38]", "seat: expected colours whose rgb differ by 24 or more"),
    ("[432.0, 24.0]", "[24.0, 44.0]", "markers: expected no overlap, found ids 10, 11, 20 mm apart"),
    (_CENTRES, _IN_LINE, "markers: expected middles that are not all in one line"),
]


WRONG = [
    *(("royal-tee", *case) for case in WRONG_IN_ROYAL_TEE),
    ("royal-ur", "stack = 7", "stack = 0", "pieces.counter.stack: expected a whole number from 1 to 99, found 0"),
    ("royal-racers", 'on = "card", covers = true', 'on = "roof"', 'pieces.flag.on: expected "card"'),
    ("royal-racers", 'on = "card", covers = true', "covers = true", 'pieces.flag.covers: expected on = "card"'),
    ("royal-ur", 'counter = "{colour}"', 'disc = "{colour}"', "labels: expected names of pieces"),
    ("territory", '"white"]', '"white*x"]', 'labels: expected words such as "red"'),
    ("territory", 'colour = "red"', 'colour = "dark-red"', "seat: expected a colour in one word"),
    ("territory", 'colour = "red"', 'colour = "blue"', "seat: expected colours that differ from one another"),
    ("territory", 'colour = "red"', 'colour = "empty"', 'and from "empty", found ["empty", "yellow", "green", '),
    ("royal-tee", 'empty = "empty"', 'empty = "free"', 'labels.empty: expected the word "empty", found "free"'),
    ("royal-racers", '"spades"]', '"swords"]', "cards: expected ranks and suits"),
    ("royal-racers", "size = [63.0, 88.0]\nranks", "ranks", "cards.size: expected a card's width and height in mm"),
    ("royal-ur", 'black = "E1"', 'black = ".1"', 'pads: expected missing cells of the grid, found ".1"'),
    ("royal-ur", 'black = "E1"', 'black = "A1"', 'pads: expected missing cells of the grid, found "A1"'),
    ("royal-racers", 'suits = ["clubs", "diamonds", "hearts", "spades"]', "suits = 4", "cards.suits: expected"),
    (
        "royal-racers",
        "count = 1\nnull = 6",
        "count = 0",
        "dice.count: expected a whole number from 1 to 12",
    ),
    ("royal-racers", "null = 6", 'faces = "marks"', "dice.marks: expected ids by value"),
    ("royal-racers", "null = 6", 'faces = "runes"', 'dice.faces: expected one of dots, marks, pips, found "runes"'),
    ("royal-racers", "null = 6", 'faces = "marks"\nmarks = { six = 1 }', "dice.marks: expected values as numbers"),
    (
        "royal-racers",
        "null = 6",
        "[tray]\nrectangle = [0.0, 0.0, 0.0, 10.0]",
        "tray.rectangle[2]: expected a length above 0 mm",
    ),
    ("territory", "  [ 7, 10,  5, 11,  6, 12, 11,  6],\n", "", "grid.numbers: expected 8 rows of 8 numbers"),
]


@pytest.mark.parametrize(("game", "old", "new", "expected"), WRONG)
def test_what_is_wrong_in_a_table_file_is_reported_with_file_key_and_expectation(
    game: str, old: str, new: str, expected: str
) -> None:
    assert old in table_text(game)
    with pytest.raises(BoardFileError) as raised:
        parse_board(table_text(game).replace(old, new, 1), "mine.toml")
    assert str(raised.value).startswith("mine.toml: ")
    assert expected in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_table_without_a_piece_that_its_network_looks_for_is_refused() -> None:
    lines = [line for line in table_text("royal-tee").splitlines() if not line.startswith("royal = ")]
    with pytest.raises(BoardFileError, match='pieces: expected "royal" among them'):
        labeller_of(parse_board("\n".join(lines), "mine.toml"))


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match=r"none\.toml: No such file or directory"):
        load_board(tmp_path / "none.toml")


def test_an_unknown_game_is_reported_with_the_known_ones() -> None:
    with pytest.raises(BoardFileError, match="royal-tee"):
        shipped_board("../../etc")


# ---- what pieces can do, and files of earlier versions


@pytest.mark.parametrize("file", sorted(_EARLIER.glob("*.toml")), ids=lambda file: file.stem)
def test_a_table_file_of_an_earlier_version_is_the_same_table(file: Path) -> None:
    earlier, shipped = load_board(file), shipped_board(file.stem)

    assert earlier == msgspec.structs.replace(shipped, tray=earlier.tray, dice=earlier.dice)  # these came later
    assert earlier.label_words == shipped.label_words


@pytest.mark.parametrize("game", shipped_games())
def test_a_table_file_in_today_s_form_is_not_changed(game: str) -> None:
    table = tomllib.loads(table_text(game))
    assert converted(table) is table


def test_pieces_declare_what_they_can_do() -> None:
    stacked, walking = shipped_board("royal-ur"), shipped_board("royal-tee")
    assert Label("white", height=7) in stacked.cell_labels
    assert Label("white", height=8) not in stacked.cell_labels
    assert walking.walkers == ("royal",)
    assert str(walking.label_of("royal", "blue")) == "blue-royal"
    with_cards = shipped_board("royal-racers")
    assert with_cards.parts_on_cards(covers=True)[:2] == ("flag-suns", "flag-moons")
    assert with_cards.parts_on_cards(covers=False)[:2] == ("pawn-suns", "pawn-moons")


def test_a_label_names_its_piece_and_its_seat() -> None:
    board = shipped_board("territory")
    assert board.piece_of(parse_label("white")) == "marker"
    assert board.seat_of(parse_label("white")) is board.saved
    assert board.piece_of(Label()) is None
    assert str(board.label_of("marker", "white")) == "white"
    with pytest.raises(KeyError):
        board.label_of("marker", "orange")


def test_another_number_of_stacked_pieces_is_another_number_of_labels() -> None:
    words = parse_board(table_text("royal-ur").replace("stack = 7", "stack = 9"), "mine.toml").label_words
    assert (words[-1], len(words)) == ("black*9", 1 + 2 * 9)


@pytest.mark.parametrize("labels", ['labels = "x"', "labels = {a = 1}", "labels = {claimed = [[1]]}"])
def test_labels_of_a_wrong_type_are_reported(labels: str) -> None:
    text = table_text("territory")
    with pytest.raises(BoardFileError, match=r"mine\.toml: "):
        parse_board(labels + "\n" + text[: text.index("[labels]")], "mine.toml")

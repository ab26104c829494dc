"""What pieces can do is declared in the table file; files of earlier versions mean what they meant."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from vision.board import Board, load_board, parse_board, shipped_board, shipped_games
from vision.board_conversion import converted
from vision.errors import BoardFileError
from vision.labels import Label, parse_label

_EARLIER = Path(__file__).parent / "tables"
_BOARDS = Path(__file__).parents[2] / "vision" / "boards"


def _text(game: str) -> str:
    return (_BOARDS / game.replace("-", "_") / "board.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted(_EARLIER.glob("*.toml")), ids=lambda file: file.stem)
def test_a_table_file_of_an_earlier_version_is_the_same_table(file: Path) -> None:
    earlier, shipped = load_board(file), shipped_board(file.stem)

    assert earlier == msgspec.structs.replace(shipped, tray=earlier.tray, dice=earlier.dice)  # these came later
    assert earlier.label_words == shipped.label_words


@pytest.mark.parametrize("game", shipped_games())
def test_a_table_file_in_today_s_form_is_not_changed(game: str) -> None:
    table = tomllib.loads(_text(game))
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


def _nine_stacked() -> Board:
    return parse_board(_text("royal-ur").replace("stack = 7", "stack = 9"), "mine.toml")


def test_another_number_of_stacked_pieces_is_another_number_of_labels() -> None:
    assert _nine_stacked().label_words[-1] == "black*9"
    assert len(_nine_stacked().label_words) == 1 + 2 * 9


@pytest.mark.parametrize(
    ("game", "old", "new", "expected"),
    [
        ("royal-ur", "stack = 7", "stack = 0", "pieces.counter.stack: expected 1 to 99, found 0"),
        ("royal-racers", 'on = "card", covers = true', 'on = "roof"', 'pieces.flag.on: expected "card"'),
        ("royal-racers", 'on = "card", covers = true', "covers = true", 'pieces.flag.covers: expected on = "card"'),
        ("royal-ur", 'counter = "{colour}"', 'disc = "{colour}"', "labels: expected names of pieces"),
        ("territory", '"white"]', '"white*x"]', 'labels: expected words such as "red"'),
        ("territory", 'colour = "red"', 'colour = "dark-red"', "seat: expected a colour in one word"),
        ("royal-tee", 'empty = "empty"', 'empty = "free"', 'labels.empty: expected "empty", found free'),
        ("royal-racers", '"spades"]', '"swords"]', "cards: expected ranks and suits"),
        ("royal-racers", 'suits = ["clubs", "diamonds", "hearts", "spades"]', "suits = 4", "cards.suits: expected"),
    ],
)
def test_what_cannot_be_is_reported_in_one_sentence(game: str, old: str, new: str, expected: str) -> None:
    assert old in _text(game)
    with pytest.raises(BoardFileError) as raised:
        parse_board(_text(game).replace(old, new, 1), "mine.toml")
    assert expected in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("labels", ['labels = "x"', "labels = {a = 1}", "labels = {claimed = [[1]]}"])
def test_labels_of_a_wrong_type_are_reported(labels: str) -> None:
    text = _text("territory")
    with pytest.raises(BoardFileError, match=r"mine\.toml: "):
        parse_board(labels + "\n" + text[: text.index("[labels]")], "mine.toml")

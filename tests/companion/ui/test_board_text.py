from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.locale import translated
from companion.ui.board_text import BoardLook, CellMarks, board_size, board_text, letter, unlike_initials
from tests.companion.languages import TRANSLATED, spoken
from vision.board import shipped_board, shipped_games

ROYAL_TEE = shipped_board("royal-tee")


@pytest.mark.parametrize(
    ("label", "expected"),
    [("empty", "·"), ("red", "r"), ("blue", "b"), ("red-royal", "R"), ("yellow-royal", "Y")],
)
def test_a_label_is_reported_by_its_letter_without_colour(label: str, expected: str) -> None:
    assert letter(ROYAL_TEE, label) == expected


@pytest.mark.parametrize(
    ("game", "labels", "expected"),
    [
        ("territory", ("blue", "black", "purple", "white"), "bkpw"),
        ("royal-ur", ("white", "white*2", "black*7"), ("w", "w2", "k7")),
    ],
)
def test_every_colour_has_its_own_letter_and_a_stack_its_number(
    game: str, labels: tuple[str, ...], expected: Sequence[str]
) -> None:
    assert [letter(shipped_board(game), label) for label in labels] == list(expected)


def test_letters_that_are_no_initials_are_reported() -> None:
    board = shipped_board("territory")
    assert unlike_initials(board, ["black", "red", "empty"]) == {"k": "black"}
    assert unlike_initials(board, ["red", "empty"]) == {}


@pytest.mark.parametrize("language", TRANSLATED)
def test_letters_are_of_the_words_of_the_language_and_no_two_alike(language: str) -> None:
    with spoken(language):
        for board in map(shipped_board, shipped_games()):
            letters = {place.colour: letter(board, place.colour) for place in board.seats_and_saved}
            assert len({*letters.values()}) == len(letters), board.game
            assert all(own in translated(colour).lower() for colour, own in letters.items()), letters


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_a_colour_has_the_same_letter_at_every_table(language: str) -> None:
    letters: dict[str, set[str]] = {}
    with spoken(language):
        for board in map(shipped_board, shipped_games()):
            for place in board.seats_and_saved:
                letters.setdefault(place.colour, set()).add(letter(board, place.colour))
    assert all(len(own) == 1 for own in letters.values()), letters


def test_strips_along_the_board_are_drawn_on_their_sides() -> None:
    labels = dict.fromkeys(ROYAL_TEE.cells, "empty")
    look = BoardLook(edges={"top": "green", "left": "yellow"})
    lines = board_text(ROYAL_TEE, labels, look=look).plain.splitlines()
    assert len(lines) == board_size(ROYAL_TEE, look)[1] == 14
    assert set(lines[1].strip()) == {"▄"}
    assert all(line[2] == "▐" and "▌" not in line for line in lines[2:])


def test_pieces_have_the_letters_that_chess_players_of_the_language_know() -> None:
    pieces, drawn = ("king", "queen", "rook", "bishop", "knight"), {}
    for language in ("en", "de", "fr", "es", "it", "nl"):
        with spoken(language):
            drawn[language] = "".join(letter(shipped_board("royal-study"), piece) for piece in pieces)
    expected = {"en": "KQRBN", "de": "KDTLS", "fr": "RDTFC", "es": "RDTAC", "it": "RDTAC", "nl": "KDTLP"}
    assert drawn == expected


def test_empty_spaces_show_their_numbers_and_pads_what_lies_on_them() -> None:
    territory = board_text(
        shipped_board("territory"), {"A1": "empty", "B1": "empty", "C1": "red"}, CellMarks(doubt={"B1"})
    )
    assert territory.plain.split("\n")[1].startswith(" 1 7  10?r  ")
    ur = board_text(shipped_board("royal-ur"), {"D3": "empty", "E3": "white*2", "G3": "empty"})
    assert ur.plain.split("\n")[3][12:] == "·  w2    ·     "


def test_every_cell_stands_under_its_column_and_beside_its_row() -> None:
    lines = board_text(ROYAL_TEE, {"C2": "red", "L12": "green-royal"}).plain.split("\n")
    assert len(lines) == 13
    assert lines[2][lines[0].index("C")] == "r"
    assert lines[2].startswith(" 2 ")
    assert lines[12][lines[0].index("L")] == "G"


@pytest.mark.parametrize(
    ("marks", "sign"),
    [
        (CellMarks(), " "),
        (CellMarks(doubt={"B1"}), "?"),
        (CellMarks(doubt={"B1"}, to_place={"B1"}), "+"),
        (CellMarks(doubt={"B1"}, to_place={"B1"}, wrong={"B1"}), "!"),
        (CellMarks(wrong={"A1"}), " "),
    ],
    ids=str,
)
def test_the_most_pressing_sign_stands_beside_the_letter(marks: CellMarks, sign: str) -> None:
    top, row, *_rest = board_text(ROYAL_TEE, {"B1": "red"}, marks).plain.split("\n")
    assert row[top.index("B") :][:2] == f"r{sign}"


@pytest.mark.parametrize("game", shipped_games())
def test_every_table_can_be_drawn_with_all_its_labels(game: str) -> None:
    board = shipped_board(game)
    words = board.label_words
    labels = {cell: words[i % len(words)] for i, cell in enumerate(board.cells)}
    lines = board_text(board, labels).plain.split("\n")
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == board.grid.rows + 1


@pytest.mark.parametrize(
    ("game", "label", "expected"),
    [
        ("royal-study", "king", "K"),
        ("royal-study", "knight", "N"),
        ("royal-racers", "7-hearts", "7♥"),
        ("royal-racers", "back+pawn-moons", "[]+m"),
        ("royal-racers", "covered+flag-suns+pawn-crowns", "Fs+c"),
    ],
)
def test_figures_and_cards_have_short_signs_of_their_own(game: str, label: str, expected: str) -> None:
    assert letter(shipped_board(game), label) == expected

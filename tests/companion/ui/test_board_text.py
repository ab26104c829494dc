from __future__ import annotations

import pytest

from companion.ui.board_text import Marks, board_text, letter
from vision.board import shipped_board, shipped_games

ROYAL_TEE = shipped_board("royal-tee")


@pytest.mark.parametrize(
    ("label", "expected"),
    [("empty", "·"), ("red", "r"), ("blue", "b"), ("red-royal", "R"), ("yellow-royal", "Y")],
)
def test_a_label_is_told_by_its_letter_without_colour(label: str, expected: str) -> None:
    assert letter(ROYAL_TEE, label) == expected


def test_every_cell_stands_under_its_column_and_beside_its_row() -> None:
    lines = board_text(ROYAL_TEE, {"C2": "red", "L12": "green-royal"}).plain.split("\n")
    assert len(lines) == 13
    assert lines[2][lines[0].index("C")] == "r"
    assert lines[2].startswith(" 2 ")
    assert lines[12][lines[0].index("L")] == "G"


@pytest.mark.parametrize(
    ("marks", "sign"),
    [
        (Marks(), " "),
        (Marks(doubt={"B1"}), "?"),
        (Marks(doubt={"B1"}, to_place={"B1"}), "+"),
        (Marks(doubt={"B1"}, to_place={"B1"}, wrong={"B1"}), "!"),
        (Marks(wrong={"A1"}), " "),
    ],
    ids=str,
)
def test_the_most_pressing_sign_stands_beside_the_letter(marks: Marks, sign: str) -> None:
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

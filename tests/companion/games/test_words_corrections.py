"""A table that is out of step is put right by instructions, square by square."""

from __future__ import annotations

import pytest

from companion.core.verdicts import PendingPlacement
from companion.games import GAMES
from companion.ui.corrections import MOST_CORRECTIONS, corrections
from engines.kernel import Cell
from vision.board import shipped_board
from vision.labels import parse_label


def differs(*cells: tuple[str, str, str]) -> list[PendingPlacement]:
    return [PendingPlacement(Cell(cell), expected, observed) for cell, expected, observed in cells]


@pytest.mark.parametrize(
    ("game", "cells", "sentences"),
    [
        (
            "royal-ur",
            [("D2", "white", "empty"), ("E2", "empty", "white")],
            ["The white counter on E2 belongs on D2."],
        ),
        ("royal-tee", [("G9", "empty", "red")], ["G9 should be empty."]),
        ("royal-tee", [("G9", "empty", "red"), ("B2", "empty", "blue")], ["B2 and G9 should be empty."]),
        ("royal-tee", [("G9", "red-royal", "empty")], ["The red Royal Tee is missing on G9."]),
        (
            "royal-tee",
            [("G9", "red", "green")],
            ["The green tee does not belong on G9.", "The red tee is missing on G9."],
        ),
        ("royal-ur", [("A2", "black*3", "black*2")], ["The black counter is missing on A2."]),
        (
            "royal-ur",
            [("A2", "black*3", "black"), ("B2", "empty", "black*2")],
            ["The black counter on B2 belongs on A2."] * 2,
        ),
        ("royal-study", [("A1", "king", "rook"), ("B1", "rook", "king")], None),
        (
            "royal-racers",
            [("B4", "back", "7-hearts")],
            ["The card on B4 should be face down."],
        ),
        ("royal-racers", [("B4", "7-hearts", "back")], ["The card on B4 should be face up."]),
        (
            "royal-racers",
            [("B4", "7-hearts", "8-hearts")],
            ["On B4 there should be another card: 7 of hearts."],
        ),
        (
            "royal-racers",
            [("B4", "7-hearts+pawn-suns", "7-hearts"), ("C4", "8-hearts", "8-hearts+pawn-suns")],
            ["The pawn with the sun on C4 belongs on B4."],
        ),
        ("royal-racers", [("B4", "covered+flag-suns", "7-hearts")], ["The flag with the sun is missing on B4."]),
    ],
)
def test_a_table_is_put_right_piece_by_piece(
    game: str, cells: list[tuple[str, str, str]], sentences: list[str] | None
) -> None:
    expected = sentences or ["The king on B1 belongs on A1.", "The rook on A1 belongs on B1."]
    assert corrections(differs(*cells), GAMES[game].words.thing) == expected


def test_many_corrections_are_shortened() -> None:
    cells = [(f"{column}5", "red", "empty") for column in "ABCDEFGHI"]
    reported = corrections(differs(*cells), GAMES["royal-tee"].words.thing)
    assert len(reported) == MOST_CORRECTIONS + 1
    assert reported[-1] == "And 3 more."


def test_a_table_in_step_needs_nothing() -> None:
    assert corrections([]) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_of_the_table_has_a_name_of_its_own(game: str) -> None:
    words = GAMES[game].words
    labels = map(parse_label, shipped_board(game).label_words)
    pieces = {part for label in labels for part in (label.parts()[1:] if label.card else [str(label.single)])}
    pieces -= {"empty"}
    for number in (1, 2):
        names = {words.thing(piece, number) for piece in pieces}
        assert len(names) == len(pieces)
        assert not any("-" in name or "*" in name for name in names)

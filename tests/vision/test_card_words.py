"""The words of a table on which cards lie."""

from __future__ import annotations

from vision.board import shipped_board

_BOARD = shipped_board("royal-racers")


def test_the_words_join_a_card_the_flag_on_it_and_the_pawn_on_it() -> None:
    examples = ("A-spades", "back", "7-hearts+pawn-moons", "covered+flag-suns", "covered+flag-suns+pawn-suns", "empty")

    assert set(examples) <= set(_BOARD.label_words)
    assert len(_BOARD.label_words) == (36 + 1 + 4) * 5 + 1


def test_a_card_under_a_flag_is_covered_and_nothing_else_covers_it() -> None:
    assert all(("covered" in word) == ("flag" in word) for word in _BOARD.label_words)


def test_tables_without_cards_on_their_cells_know_no_card() -> None:
    assert shipped_board("royal-tee").card_words == ()
    assert shipped_board("royal-study").card_words == ()

"""Labels: every word of every table survives being parsed and printed, and what is not a label is rejected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board import known_boards
from vision.labels import BACK, COVERED, FACES, Label, parse_label, split_card

_NAMES = st.text("abcdefghijklmnopqrstuvwxyzäé", min_size=1, max_size=8).filter(
    lambda name: name not in ("empty", BACK, COVERED)
)
_PIECES = st.builds(Label, piece=_NAMES, kind=st.one_of(st.just(""), _NAMES), height=st.integers(1, 99))
_CARDS = st.builds(
    Label,
    card=st.sampled_from((*FACES, BACK, COVERED)),
    on_card=st.lists(st.tuples(_NAMES, _NAMES), max_size=3).map(tuple),
)


@pytest.mark.parametrize("board", known_boards(), ids=lambda board: board.game)
def test_every_word_of_every_table_is_parsed_and_printed_again(board) -> None:  # type: ignore[no-untyped-def]
    assert [str(parse_label(word)) for word in board.label_words] == list(board.label_words)
    assert tuple(map(parse_label, board.label_words)) == board.cell_labels


@given(st.one_of(_PIECES, _CARDS, st.just(Label())))
def test_every_label_is_printed_and_parsed_again(label: Label) -> None:
    assert parse_label(str(label)) == label


@given(st.text(max_size=12))
def test_any_text_is_a_label_s_word_or_rejected_in_one_sentence(text: str) -> None:
    try:
        label = parse_label(text)
    except ValueError as error:
        assert "is not a label" in str(error)
    else:
        assert str(label) == text


@pytest.mark.parametrize(
    "word", ["", "red*", "red*1", "red*0", "+flag-suns", "back+", "back+flag", "a b", "7-hearts*2"]
)
def test_what_is_no_label_is_rejected(word: str) -> None:
    with pytest.raises(ValueError, match="is not a label"):
        parse_label(word)


def test_a_label_says_what_is_on_the_cell() -> None:
    assert parse_label("empty").is_empty
    assert parse_label("red-royal") == Label("red", "royal")
    assert parse_label("white*3").single == Label("white")
    covered = parse_label("covered+flag-suns+pawn-moons")
    assert (covered.colour_on_card("flag"), covered.colour_on_card("pawn")) == ("suns", "moons")
    assert covered.colour_on_card("crown") is None
    assert covered.parts() == ("covered", "flag-suns", "pawn-moons")
    assert not covered.is_face
    assert parse_label("10-spades+pawn-moons").is_face


def test_only_faces_have_a_rank_and_a_suit() -> None:
    assert split_card("10-spades") == ("10", "spades")
    with pytest.raises(ValueError, match="expected one such as"):
        split_card(BACK)

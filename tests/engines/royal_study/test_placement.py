from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import BadRequestError, Refusal
from engines.royal_study.placement import Placement, Way, read_pieces, read_placement, turned, write_placement
from engines.royal_study.position import Card, Move, Side
from engines.royal_study.rules import moved, moves, refuse_move
from tests.engines.royal_study import reference, strategies
from tests.engines.royal_study.strategies import EVERY_PLACEMENT, pictures, placements


@given(pictures())
def test_turning_agrees_with_the_reference(picture: Placement) -> None:
    text = write_placement(picture)
    assert write_placement(turned(picture, Way.CLOCKWISE)) == reference.clockwise(text)
    assert write_placement(turned(picture, Way.LEFT_RIGHT)) == reference.left_right(text)
    assert write_placement(turned(picture, Way.TOP_BOTTOM)) == reference.top_bottom(text)


@given(pictures(), st.sampled_from(Side), st.integers(0, 3), st.sampled_from(Way))
def test_a_printed_card_shows_its_picture_turned_after_it_was_turned(
    face: Placement, side: Side, turns: int, way: Way
) -> None:
    card = Card(5, side, turns)
    assert card.turned(way).lay(face) == turned(card.lay(face), way)


@given(placements)
def test_a_placement_read_from_its_text_is_the_same(pieces: Placement) -> None:
    assert read_pieces(write_placement(pieces), "it") == pieces


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it must be three rows"),
        ("KQB/N../R", "it must be three rows"),
        ("KQB/N../R../...", "it must be three rows"),
        ("KQB/N../P..", "it must be three rows"),
        ("kqb/n../r..", "it must be three rows"),
        ("KQB/N../K..", "it must have one K at most, not 2"),
        ("KQB/.N./R..", "it has the knight on B2"),
    ],
)
def test_what_is_no_placement_is_reported_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadRequestError, match=re.escape(sentence)):
        read_placement(text, "it")


# ---- moves


def test_there_are_7560_positions_and_33248_moves_to_and_fro() -> None:
    assert len(EVERY_PLACEMENT) == 7560
    assert sorted(map(write_placement, EVERY_PLACEMENT)) == sorted(reference.every_position())
    assert sum(len(moves(pieces)) for pieces in EVERY_PLACEMENT) == 2 * 33248


@given(placements)
def test_moves_agree_with_going_square_by_square(pieces: Placement) -> None:
    listed = sorted(write_placement(moved(pieces, move)) for move in moves(pieces))
    assert listed == sorted(reference.neighbours(write_placement(pieces)))


@given(placements, strategies.moves)
def test_a_move_is_refused_if_and_only_if_it_is_not_listed(pieces: Placement, move: Move) -> None:
    refusal = refuse_move(pieces, move)
    assert (refusal is None) == (move in moves(pieces))
    assert refusal is None or isinstance(refusal, Refusal)

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engines.grid import Bitboard
from engines.royal_tee.board import ALL_SPACES, Side
from engines.royal_tee.rules import enclosed
from tests.engines.royal_tee import reference
from tests.engines.royal_tee.strategies import boards

zones = st.sampled_from(Side)


@given(boards(), zones)
def test_flooding_all_spaces_at_once_agrees_with_flooding_place_by_place(own: Bitboard, zone: Side) -> None:
    assert enclosed(own, zone) == reference.enclosed(own, zone)


@given(boards(), zones)
def test_filling_never_makes_more_to_fill(own: Bitboard, zone: Side) -> None:
    assert enclosed(own | enclosed(own, zone), zone) == 0


@given(boards(), boards(), zones)
def test_more_own_spaces_never_open_what_was_closed(own: Bitboard, more: Bitboard, zone: Side) -> None:
    assert enclosed(own, zone) & ~(own | more | enclosed(own | more, zone)) == 0


def test_an_empty_board_and_a_full_one_enclose_nothing() -> None:
    assert [enclosed(own, zone) for own in (0, ALL_SPACES) for zone in Side] == [0] * 8

"""What lies under a face-down card is known to the engine alone (RULES.md 3.9)."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engines.grid import CellIndex, cells_in
from engines.kernel import Seat
from engines.royal_racers import GAME, search
from engines.royal_racers.board import DECK, card_name
from engines.royal_racers.codec import public
from engines.royal_racers.position import Position
from tests.engines.royal_racers.strategies import SEATS, positions, tables

viewers = st.none() | st.sampled_from(SEATS)


@st.composite
def _twins(draw: st.DrawFn) -> tuple[Position, Position]:
    """Two tables that differ only in which of the face-down cards lies where."""
    position = draw(tables())
    hidden = cells_in(position.down)
    lying = dict(zip(hidden, draw(st.permutations(hidden)), strict=True))
    cards = tuple(position.cards[lying.get(CellIndex(i), CellIndex(i))] for i in range(36))
    return position, replace(position, cards=cards)


@given(_twins(), viewers)
def test_what_is_shown_of_two_tables_that_differ_only_in_face_down_cards_is_the_same(
    twins: tuple[Position, Position], viewer: Seat | None
) -> None:
    one, other = twins
    assert public(one, viewer) == public(other, viewer)


@given(_twins())
def test_neither_the_legal_actions_nor_the_advice_distinguish_such_tables(twins: tuple[Position, Position]) -> None:
    one, other = twins
    assert GAME.actions_to_json(one) == GAME.actions_to_json(other)
    assert search.advise(one) == search.advise(other)


@given(positions, viewers)
def test_no_face_down_card_is_named_in_what_is_shown(position: Position, viewer: Seat | None) -> None:
    shown = json.dumps(public(position, viewer))
    hidden = {card_name(position.cards[cell]) for cell in cells_in(position.down)}
    assert [card_name(card) for card in DECK if (card_name(card) in shown) == (card_name(card) in hidden)] == []


def test_the_layouts_of_races_to_come_are_not_shown() -> None:
    one, other = (GAME.new(SEATS[:2], {"races": 3}, seed) for seed in (1, 2))
    assert public(replace(one, coming=other.coming), None) == public(one, None)

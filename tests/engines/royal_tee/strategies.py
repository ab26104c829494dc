"""Positions and walks for property tests: any position that could lie on a table, not only those of played games."""

from __future__ import annotations

from hypothesis import strategies as st

from engines.grid import Bitboard, CellIndex, bit, set_of
from engines.royal_tee import GAME
from engines.royal_tee.board import ALL_SPACES, SIZE
from engines.royal_tee.position import DEFAULT_SEATS, Action, Position

_TABLES = (DEFAULT_SEATS, DEFAULT_SEATS[::2], DEFAULT_SEATS[1::2])
ANY_SLIDER = st.integers(1, 9)


def cells() -> st.SearchStrategy[CellIndex]:
    return st.integers(0, SIZE**2 - 1).map(CellIndex)


def boards() -> st.SearchStrategy[Bitboard]:
    """Sets of spaces: scattered, dense, and drawn with straight lines, which is what closes walls."""
    scattered = st.integers(0, ALL_SPACES)
    dense = st.builds(int.__or__, scattered, scattered)
    return scattered | dense | st.lists(_rings(), min_size=1, max_size=4).map(_union)


def _union(sets: list[Bitboard]) -> Bitboard:
    spaces = 0
    for one in sets:
        spaces |= one
    return spaces


@st.composite
def _rings(draw: st.DrawFn) -> Bitboard:
    """The border of a rectangle, sometimes with a gap."""
    left, right = sorted(draw(st.tuples(*[st.integers(0, SIZE - 1)] * 2)))
    top, bottom = sorted(draw(st.tuples(*[st.integers(0, SIZE - 1)] * 2)))
    border = [
        CellIndex(row * SIZE + column)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
        if row in (top, bottom) or column in (left, right)
    ]
    gap = draw(st.none() | st.sampled_from(border))
    return set_of(cell for cell in border if cell != gap)


@st.composite
def positions(draw: st.DrawFn, sliders: st.SearchStrategy[int] = ANY_SLIDER) -> Position:
    plans = draw(st.sampled_from(_TABLES))
    royals = draw(st.lists(cells(), min_size=len(plans), max_size=len(plans), unique=True))
    left = ALL_SPACES & ~set_of(royals)
    claimed = []
    for royal in royals:
        mine = left & draw(boards())
        left &= ~mine
        claimed.append(mine | bit(royal))
    return Position(
        players=tuple(plan.seat for plan in plans),
        turn=draw(st.sampled_from(plans)).seat,
        slider=draw(sliders),
        royals=tuple(royals),
        claimed=tuple(claimed),
        zones=tuple(plan.zone for plan in plans),
    )


@st.composite
def turns(draw: st.DrawFn, sliders: st.SearchStrategy[int] = ANY_SLIDER) -> tuple[Position, Action]:
    """A position of an unfinished game and a legal action of whose turn it is."""
    position = draw(positions(sliders).filter(lambda position: not position.over))
    return position, GAME.any_action(position, draw(st.randoms(use_true_random=False)))

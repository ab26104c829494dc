"""The 6 by 6 grid of cards as data: its spaces, quadrants, start spaces, and the 36 cards, ace to 9 in four suits."""

from __future__ import annotations

from typing import NewType, TypeAlias

from engines.grid import Bitboard, CellGrid, CellIndex, set_of
from engines.kernel import BadRequestError

SIZE = 6
"""Columns and rows: 36 cards, a rule of the game."""

ALL_CELLS = tuple(CellIndex(i) for i in range(SIZE * SIZE))

ALL_SPACES: Bitboard = (1 << SIZE * SIZE) - 1

_GRID = CellGrid(SIZE, SIZE)
NAMES = _GRID.names
"""The name of each space, by its number."""

on_board, cell_index, names_in = _GRID.has, _GRID.cell_index, _GRID.names_in


NEIGHBOURS: tuple[Bitboard, ...] = tuple(set_of(_GRID.neighbours(i)) for i in ALL_CELLS)
"""The spaces one orthogonal step away, by the number of the space."""


def quadrant_of(index: CellIndex) -> int:
    """Return a space's quadrant: 0 to 3, clockwise from the top left."""
    row, column = divmod(index, SIZE)
    below, right = row >= SIZE // 2, column >= SIZE // 2
    return 3 - right if below else int(right)


QUADRANTS: tuple[Bitboard, ...] = tuple(set_of(i for i in ALL_CELLS if quadrant_of(i) == q) for q in range(4))
"""The nine spaces of each quadrant, clockwise from the top left."""

START_SPACES: tuple[CellIndex, ...] = tuple(cell_index(name) for name in ("C3", "D3", "D4", "C4"))
"""The four spaces in the middle, by their quadrant."""


Card = NewType("Card", int)
"""A card by its number: (rank - 1) * 4 + suit."""

Rank: TypeAlias = int
"""1 (the ace) to 9."""

Layout: TypeAlias = "tuple[Card, ...]"
"""The card on each space, by the number of the space."""

SUITS = ("clubs", "diamonds", "hearts", "spades")
_RANKS = "A23456789"
DECK: Layout = tuple(Card(i) for i in range(len(_RANKS) * len(SUITS)))

LAST_TURNING_RANK: Rank = 5
"""Ranks above it cannot be rolled, so that their cards always lie face up (RULES.md 3.7)."""


def rank_of(card: Card) -> Rank:
    """Return a card's rank."""
    return card // len(SUITS) + 1


def card_name(card: Card) -> str:
    """Return a card's name as the table file writes it: "7-hearts", "A-spades"."""
    return f"{_RANKS[card // len(SUITS)]}-{SUITS[card % len(SUITS)]}"


def short_name(card: Card) -> str:
    """Return a card's rank and the initial of its suit: "7H"."""
    rank, suit = card_name(card).split("-")
    return rank + suit[0].upper()


_BY_NAME = {card_name(card): card for card in DECK}


def card_named(name: str) -> Card:
    """Return the card with a name.

    Raises:
        BadRequestError: there is no such card.
    """
    if name not in _BY_NAME:
        raise BadRequestError(f'there is no card {name[:20]!r}; cards are "A-clubs" to "9-spades"')
    return _BY_NAME[name]

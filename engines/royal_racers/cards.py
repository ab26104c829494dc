"""The 36 cards of the race, ace to 9 in four suits, and their names."""

from __future__ import annotations

from typing import NewType, TypeAlias

from engines.kernel import BadRequestError

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


_BY_NAME = {card_name(card): card for card in DECK}


def card_named(name: str) -> Card:
    """Return the card with a name.

    Raises:
        BadRequestError: there is no such card.
    """
    if name not in _BY_NAME:
        raise BadRequestError(f'there is no card {name[:20]!r}; cards are "A-clubs" to "9-spades"')
    return _BY_NAME[name]

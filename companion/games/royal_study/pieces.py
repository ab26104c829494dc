"""The Royal Study's pieces and cards in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from companion.locale import _
from companion.ui.board_text import initials
from engines.royal_study.board import SIZE
from engines.royal_study.placement import Way
from engines.royal_study.position import Card, Position, Side, Target, puzzle_of

__all__ = [
    "card_laid",
    "card_lines",
    "card_number",
    "picture_drawn",
    "piece_named",
    "piece_signs",
    "the_card",
    "the_piece",
    "way_named",
]


def the_piece(letter: str) -> str:
    """Return a piece with its article, by its letter: "the king"."""
    names = {
        "K": _("the king"),
        "Q": _("the queen"),
        "R": _("the rook"),
        "B": _("the bishop"),
        "N": _("the knight"),
    }
    return names[letter]


def piece_named(letter: str) -> str:
    """Return a piece without its article, by its letter: "king"."""
    names = {"K": _("king"), "Q": _("queen"), "R": _("rook"), "B": _("bishop"), "N": _("knight")}
    return names[letter]


def piece_signs() -> Mapping[str, str]:
    """Return what is drawn for each piece in the user's language, by its letter: "K" for the king."""
    words = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
    drawn = initials(words.values())
    return {letter: drawn[word] for letter, word in words.items()}


def picture_drawn(rows: str) -> str:
    """Return the rows of a card's picture as they are drawn, points for the other squares."""
    signs = {**piece_signs(), ".": "\u00b7"}
    return "".join(signs.get(letter, letter) for letter in rows)


def way_named(way: str) -> str:
    """Return a way to turn or mirror a card, as the card itself moves."""
    names = {
        Way.CLOCKWISE.value: _("a quarter to the right"),
        Way.COUNTER_CLOCKWISE.value: _("a quarter to the left"),
        Way.LEFT_RIGHT.value: _("over, left to right"),
        Way.TOP_BOTTOM.value: _("over, top to bottom"),
    }
    return names[way]


def the_card(position: Position, target: int) -> str:
    """Return what a card of this round is called: "the card" where there is one only."""
    if len(puzzle_of(position).targets) == 1:
        return _("the card")
    return card_number(target)


def card_number(target: int) -> str:
    """Return a card by its place among the cards of the round."""
    return _("the second card") if target else _("the first card")


def card_laid(card: Card) -> str:
    """Return a printed card as it is: number, side, turns."""
    side = _("its face up") if card.side is Side.FACE else _("its back up")
    turned = {
        0: _("not turned"),
        1: _("turned a quarter to the right"),
        2: _("turned upside down"),
        3: _("turned a quarter to the left"),
    }
    return _("card {number}, {side}, {turned}").format(number=card.number, side=side, turned=turned[card.turns])


def card_lines(position: Position) -> list[str]:
    """Return the cards of this round as they are: the number, and the three rows of the picture."""
    return [line for target in puzzle_of(position).targets for line in _card(target)]


def _card(target: Target) -> list[str]:
    title = _("The card") if target.card is None else card_laid(target.card)
    met = _("{card} (met)").format(card=title) if target.done else title
    rows = [target.picture[first : first + SIZE] for first in range(0, len(target.picture), SIZE)]
    names = "   " + "  ".join("ABC")
    drawn = [f"{number:>2} " + "  ".join(picture_drawn(row)) for number, row in enumerate(rows, 1)]
    return [met[:1].upper() + met[1:], names, *drawn]

"""Labels as values. The words of table files are parsed and printed only here.

A label's word is one of

- `empty`;
- a piece: `red`, `king`; with its kind, `red-royal`; with the height of its stack, `white*3`;
- a card with the pieces on it, from the lowest to the highest: `7-hearts`, `back+pawn-moons`, `covered+flag-suns`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("clubs", "diamonds", "hearts", "spades")

FACES: Final = tuple(f"{rank}-{suit}" for rank in RANKS for suit in SUITS)
"""The 52 playing cards: "A-clubs", "A-diamonds", ... "K-spades"."""

BACK: Final = "back"
"""The word for a card that is face down."""

COVERED: Final = "covered"
"""The word for a card that a piece covers, so that neither side is visible."""

EMPTY: Final = "empty"
"""The word for an empty cell."""

_CARDS = frozenset((*FACES, BACK, COVERED))
_NO_PIECES = _CARDS | {EMPTY}
_PIECE = re.compile(r"(?P<piece>[^\s*+-]+)(?:-(?P<kind>[^\s*+]+))?(?:\*(?P<height>[1-9][0-9]?))?")
_ON_CARD = re.compile(r"(?P<kind>[^\s*+-]+)-(?P<colour>[^\s*+]+)")


@dataclass(frozen=True, slots=True)
class Label:
    """The contents of a cell. `str()` of a label is its word; `parse_label` is the inverse.

    Attributes:
        piece: the colour of a piece, or the name of one without a colour ("red", "king"); "" if there is none.
        kind: the kind of a special piece ("royal"); "" for the plain piece of a colour.
        height: the number of pieces stacked.
        card: a face such as "7-hearts", `BACK` or `COVERED`; "" if there is no card. A card excludes `piece`.
        on_card: kind and colour of each piece on the card, from the lowest to the highest: (("flag", "suns"),).
    """

    piece: str = ""
    kind: str = ""
    height: int = 1
    card: str = ""
    on_card: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """Return the label's word."""
        if self.card:
            return "+".join(self.parts())
        word = f"{self.piece}-{self.kind}" if self.kind else self.piece
        return (f"{word}*{self.height}" if self.height > 1 else word) or EMPTY

    @property
    def is_empty(self) -> bool:
        """Whether the cell is empty."""
        return not self.piece and not self.card

    @property
    def is_face(self) -> bool:
        """Whether there is a card whose face is visible."""
        return bool(self.card) and self.card not in (BACK, COVERED)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of its pieces, from the lowest to the highest; a piece without a colour counts by its name."""
        return tuple(colour for colour in (self.piece, *(colour for _kind, colour in self.on_card)) if colour)

    @property
    def single(self) -> Label:
        """The label of one of the stacked pieces."""
        return self if self.height == 1 else replace(self, height=1)

    def colour_on_card(self, kind: str) -> str | None:
        """Return the colour of the piece of a kind on the card; None if there is none."""
        return next((colour for other, colour in self.on_card if other == kind), None)

    @property
    def covering(self) -> int:
        """The number of pieces that cover the card."""
        return int(self.card == COVERED)

    def parts(self) -> tuple[str, ...]:
        """Return the words of all parts, from the lowest to the highest; none for an empty cell."""
        if self.is_empty:
            return ()
        return (self.card or str(self), *(part_word(kind, colour) for kind, colour in self.on_card))


def part_word(kind: str, colour: str) -> str:
    """Return the word of a piece on a card, such as "flag-suns"."""
    return f"{kind}-{colour}"


@lru_cache(maxsize=4096)
def parse_label(word: str) -> Label:
    """Parse a label's word.

    Raises:
        ValueError: it is not a label's word; the message is one sentence.
    """
    if word == EMPTY:
        return Label()
    card, *on_card = word.split("+")
    if card in _CARDS:
        matches = [_ON_CARD.fullmatch(part) for part in on_card]
        if all(matches):
            return Label(card=card, on_card=tuple((m["kind"], m["colour"]) for m in matches if m))
    elif (match := _PIECE.fullmatch(word)) and match["height"] != "1" and word.partition("*")[0] not in _NO_PIECES:
        return Label(match["piece"], match["kind"] or "", int(match["height"] or 1))
    message = f'"{word}" is not a label: expected a word such as "empty", "red", "white*3" or "back+pawn-moons"'
    raise ValueError(message)


def bare_label(label: str) -> str | None:
    """Return the label of a card and what covers it, without what stands on it; None if there is no card."""
    parsed = parse_label(label)
    return str(Label(card=parsed.card, on_card=parsed.on_card[: parsed.covering])) if parsed.card else None


def lacking(label: str, other: str) -> tuple[str, ...]:
    """Return the words of the parts that a label has and another lacks, from the lowest to the highest.

    The card itself is left out if it is covered in one of them.
    """
    seen, instead = parse_label(label), parse_label(other)
    unseen = COVERED in (seen.card, instead.card)
    return tuple(part for part in seen.parts()[int(unseen) :] if part not in instead.parts())


def split_card(card: str) -> tuple[str, str]:
    """Return the rank and the suit of a card's face, such as "7-hearts".

    Raises:
        ValueError: it is not one of the 52 faces.
    """
    if card not in FACES:
        message = f'card: expected one such as "7-hearts", found {card!r}'
        raise ValueError(message)
    rank, suit = card.split("-")
    return rank, suit


@lru_cache(maxsize=64)
def stacks(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a table without heights of stacks, each once, in their order."""
    return tuple(dict.fromkeys(single_words(words)))


@lru_cache(maxsize=64)
def single_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return each word of a table without the height of its stack."""
    return tuple(str(parse_label(word).single) for word in words)

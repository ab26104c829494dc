"""Playing cards from ace to nine as drawings: corner signs, and pips as on common decks, or markers instead of pips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.kit import SCALE_PT, Colour, Drawing, Item, Mark, Point, Symbol, Words
from companion.games.kit_shapes import CARD_MM, card, card_back, piece_mark

_INKS: Mapping[str, Colour] = {
    "clubs": (24, 26, 28),
    "spades": (24, 26, 28),
    "hearts": (196, 24, 32),
    "diamonds": (196, 24, 32),
}
_LEFT, _MIDDLE, _RIGHT = 0.32, 0.5, 0.68
_TWO = ((_MIDDLE, 0.2), (_MIDDLE, 0.8))
_FOUR = ((_LEFT, 0.2), (_RIGHT, 0.2), (_LEFT, 0.8), (_RIGHT, 0.8))
_SIX = (*_FOUR, (_LEFT, 0.5), (_RIGHT, 0.5))
_EIGHT = (*_FOUR, (_LEFT, 0.4), (_RIGHT, 0.4), (_LEFT, 0.6), (_RIGHT, 0.6))
_PIPS: Mapping[str, tuple[Point, ...]] = {
    "2": _TWO,
    "3": (*_TWO, (_MIDDLE, 0.5)),
    "4": _FOUR,
    "5": (*_FOUR, (_MIDDLE, 0.5)),
    "6": _SIX,
    "7": (*_SIX, (_MIDDLE, 0.35)),
    "8": (*_SIX, (_MIDDLE, 0.35), (_MIDDLE, 0.65)),
    "9": (*_EIGHT, (_MIDDLE, 0.5)),
}
MARK_MM = 25.0
_EDGE_MM = MARK_MM / 6
"""White between a marker and the card's edge: one module, so that a pawn of 26 mm fits between the two markers."""


def face(rank: str, suit: str, mark: int | None = None) -> Drawing:
    """Return a card's face; with a marker's number the marker is there twice, so that a pawn leaves one to be seen."""
    inside = _marked(suit, mark) if mark is not None else _pips(rank, suit)
    return card((*_corners(rank, suit), *inside), frame=mark is None)


def back(colour: Colour, mark: int | None = None) -> Drawing:
    """Return the back that all cards share."""
    return card_back("diamond", colour, tuple(_marks(mark)) if mark is not None else ())


def _corners(rank: str, suit: str) -> Iterator[Item]:
    width, height = CARD_MM
    ink = _INKS[suit]
    for turn, x, y in ((0.0, 7.4, 8.6), (180.0, width - 7.4, height - 8.6)):
        down = 1 if turn == 0 else -1
        yield Words((x - 4.5, y - 4.5, 9.0, 9.0), rank, SCALE_PT["title"], ink, "centre", "bold", turn)
        yield Symbol(suit, (x, y + 7.4 * down), 5.6, (ink,), turn)


def _pips(rank: str, suit: str) -> Iterator[Item]:
    width, height = CARD_MM
    ink = _INKS[suit]
    if rank == "A":
        yield Symbol(suit, (width / 2, height / 2), 26.0, (ink,))
    for x, y in _PIPS.get(rank, ()):
        yield Symbol(suit, (x * width, y * height), 11.5, (ink,), 180.0 if y > 0.55 else 0.0)


def _marked(suit: str, number: int) -> Iterator[Item]:
    """The markers, and the suit between them where a pawn has room."""
    width, height = CARD_MM
    yield from _marks(number)
    yield Symbol(suit, (width / 2, height / 2), 15.0, (_INKS[suit],))


def _marks(number: int) -> Iterator[Mark]:
    """The same marker at both ends of the card: a pawn in the middle hides neither, and one at an end leaves one."""
    width, height = CARD_MM
    reach = MARK_MM / 2 + _EDGE_MM
    for y in (reach, height - reach):
        yield piece_mark(number, (width / 2, y), MARK_MM)

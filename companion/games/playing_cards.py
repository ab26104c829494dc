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
    width, height = CARD_MM
    ink = _INKS[suit]
    corners: list[Item] = []
    for turn, x, y, down in ((0.0, 7.4, 8.6, 1), (180.0, width - 7.4, height - 8.6, -1)):
        corners.append(Words((x - 4.5, y - 4.5, 9.0, 9.0), rank, SCALE_PT["title"], ink, "centre", "bold", turn))
        corners.append(Symbol(suit, (x, y + 7.4 * down), 5.6, (ink,), turn))
    if mark is None:
        middle = [Symbol(suit, (width / 2, height / 2), 26.0, (ink,))] if rank == "A" else []
        places = _PIPS.get(rank, ())
        pips = (Symbol(suit, (x * width, y * height), 11.5, (ink,), 180.0 if y > 0.55 else 0.0) for x, y in places)
        return card((*corners, *middle, *pips))
    # the suit is between the markers, where a pawn has room
    return card((*corners, *_marks(mark), Symbol(suit, (width / 2, height / 2), 15.0, (ink,))), frame=False)


def back(colour: Colour, mark: int | None = None) -> Drawing:
    """Return the back that all cards share."""
    return card_back("diamond", colour, tuple(_marks(mark)) if mark is not None else ())


def _marks(number: int) -> Iterator[Mark]:
    """Yield a marker for each end of the card: a pawn in the middle hides neither, and one at an end leaves one."""
    width, height = CARD_MM
    reach = MARK_MM / 2 + _EDGE_MM
    for y in (reach, height - reach):
        yield piece_mark(number, (width / 2, y), MARK_MM)

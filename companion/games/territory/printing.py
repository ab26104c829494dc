"""Territory on paper: markers as discs, the deck of round cards, the point table, dice, the turn in six sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.kit import (
    BoardDetails,
    Colour,
    Drawing,
    FlatPiece,
    Item,
    Kit,
    KitLine,
    KitMarks,
    KitSheet,
    Rectangle,
    Rgb,
    Symbol,
    Words,
)
from companion.games.kit_shapes import card, card_back, cube_net, marked_face, piece_mark
from companion.games.territory.card_words import card_text, card_title
from companion.locale import _
from companion.ui.names import seat_name
from engines.territory.cards import DECK, Card
from engines.territory.scoring import POINTS
from vision.board import shipped_board

_SYMBOLS: Mapping[str, str] = {
    "red": "triangle",
    "yellow": "sun",
    "green": "leaf",
    "blue": "drop",
    "purple": "diamond",
    "black": "square",
    "white": "ring",
}
_PIECES, _WHITE_PIECES = 24, 12
_DIE_MM = 28.0
_DIE_ORDER = ("1", "2", "6", "5", "3", "4")
"""Faces of a cube's net, opposite ones adding up to seven."""


def kit() -> Kit:
    """Return what is printed, in the language of the moment."""
    places = shipped_board("territory").seats_and_saved
    pieces = tuple(_piece(place.colour, place.rgb) for place in places)
    return Kit(
        title="Territory",
        board=BoardDetails(),
        pieces=pieces,
        marks=_marks(),
        flat={"marker": 26.0},
        sheets=_sheets,
        turn=_turn(),
        also_needed=(_("two dice, or the paper ones in this kit"),),
    )


def _piece(colour: str, rgb: Rgb) -> FlatPiece:
    count = _WHITE_PIECES if colour == "white" else _PIECES
    return FlatPiece(colour, seat_name(colour), count, rgb, _SYMBOLS[colour], 26.0)


def _marks() -> KitMarks:
    places = shipped_board("territory").seats_and_saved
    return KitMarks(
        10, tuple(place.colour for place in places), 18.0, dice=("1", "2", "3", "4", "5", "6"), dice_count=2
    )


def _turn() -> tuple[str, ...]:
    return (
        _("Roll both dice three times; after each roll put a white piece on a free space with that number."),
        _("Then you may stop, or go on rolling."),
        _("From the fourth roll on, a number that you already rolled in this turn ends it: all its white pieces go."),
        _("Instead of a free space you may take another player's: your piece replaces it and the turn ends."),
        _("If no space of the number is free you must take one."),
        _("When you stop, your colour replaces the white pieces; at the end the best connected group counts."),
    )


def _sheets(marked: bool) -> tuple[KitSheet, ...]:  # noqa: FBT001 - the kit's signature
    fronts = tuple(_card(entry) for entry in DECK)
    back = card_back("hexagon", "accent-2")
    return (
        KitSheet("cards", _("Round cards"), (*fronts, _points()), (back,) * (len(fronts) + 1)),
        KitSheet(
            "dice", _("Dice"), (_die(marked), _die(marked)), (), _("Cut along the outline, fold, and glue the flaps.")
        ),
    )


def _card(entry: Card) -> Drawing:
    return card(
        (
            Symbol(_picture(entry), (31.5, 24.0), 22.0, ("accent-2", "accent")),
            Words((6, 38, 51, 14), card_title(entry), 14.0, "ink", "centre", "bold"),
            KitLine((20, 53), (43, 53), "hairline"),
            Words((7, 55, 49, 28), card_text(entry), 10.0, "ink"),
        )
    )


def _picture(entry: Card) -> str:
    """Choose an ornament by what a card changes."""
    changed = (
        (entry.mirrored, "target"),
        (entry.reversed, "moon"),
        (bool(entry.doubled), "grid"),
        (bool(entry.closed), "zigzag"),
        (entry.pardons > 0 or entry.bust_keeps, "hearts"),
        (entry.captures != Card("").captures, "crown"),
        (entry.most_rolls is not None or entry.stop_from is not None, "pips-5"),
        (entry.free_rolls != 0, "sun"),
    )
    return next((name for holds, name in changed if holds), "rosette")


def _points() -> Drawing:
    """The card with what each space is worth."""
    rows: list[Item] = [Words((6, 6, 51, 10), _("Points of a space"), 12.0, "ink", "centre", "bold")]
    for k, numbers in enumerate(((2, 12), (3, 11), (4, 10), (5, 9), (6, 8), (7,))):
        rows += _row(18.0 + 10.4 * k, " · ".join(map(str, numbers)), POINTS[numbers[0]], "tint" if k % 2 else "white")
    return card(rows)


def _row(top: float, numbers: str, value: int, fill: Colour) -> Iterator[Item]:
    yield Rectangle((6, top, 51, 9.6), fill=fill)
    yield Words((8, top, 28, 9.6), numbers, 12.0, "ink", "left")
    yield Words((38, top, 17, 9.6), str(value), 14.0, "accent", "right", "bold")


def _die(marked: bool) -> Drawing:  # noqa: FBT001
    middle, marks = (_DIE_MM / 2, _DIE_MM / 2), _marks()
    if marked:
        faces = [
            marked_face(piece_mark(marks.dice_ids[value], middle, marks.dice_mark_mm), value) for value in _DIE_ORDER
        ]
        return cube_net(faces, _DIE_MM)
    return cube_net([(Symbol(f"pips-{value}", middle, 0.86 * _DIE_MM, ("ink",)),) for value in _DIE_ORDER], _DIE_MM)

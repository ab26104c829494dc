"""Territory on paper: markers as discs, the deck of round cards, the point table, dice, the turn in six sentences."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games import kit_shapes
from companion.games.kit import (
    SCALE_PT,
    BoardDetails,
    Circle,
    Drawing,
    FlatPiece,
    Item,
    Kit,
    KitLine,
    KitMarks,
    KitSheet,
    Symbol,
    Words,
)
from companion.games.territory.speech import card_text, card_title
from companion.games.territory.table import NUMBERS
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
_PIP_MM = 2.4
_DIE_ORDER = ("1", "2", "6", "5", "3", "4")
"""Faces of a die's net, opposite ones adding up to seven."""


def kit() -> Kit:
    """Return the kit in the current language."""
    pieces = tuple(
        FlatPiece(
            place.colour,
            seat_name(place.colour),
            _WHITE_PIECES if place.colour == "white" else _PIECES,
            place.rgb,
            _SYMBOLS[place.colour],
            26.0,
        )
        for place in shipped_board("territory").seats_and_saved
    )
    return Kit(
        board=BoardDetails(),
        pieces=pieces,
        marks=_marks(),
        flat={"marker": 26.0},
        sheets=_sheets,
        also_needed=(_("two dice, or the paper ones in this kit"),),
    )


def _marks() -> KitMarks:
    places = shipped_board("territory").seats_and_saved
    return KitMarks(
        10, tuple(place.colour for place in places), 18.0, dice=("1", "2", "3", "4", "5", "6"), dice_count=2
    )


def _sheets(marked: bool) -> tuple[KitSheet, ...]:  # noqa: FBT001 - the kit's signature
    fronts = tuple(_card(entry) for entry in DECK)
    back = kit_shapes.card_back("hexagon", "accent-2")
    # the card with the points of the spaces by their numbers
    rows = [
        (Words((0, 0, 0, 0), " · ".join(map(str, numbers)), SCALE_PT["heading"]), POINTS[numbers[0]])
        for numbers in ((2, 12), (3, 11), (4, 10), (5, 9), (6, 8), (7,))
    ]
    points = kit_shapes.points_card(_("Points of a space"), rows, 10.4)
    middle = (kit_shapes.DIE_MM / 2, kit_shapes.DIE_MM / 2)
    faces = [(Symbol(f"pips-{value}", middle, 0.86 * kit_shapes.DIE_MM, ("ink",)),) for value in _DIE_ORDER]
    die = kit_shapes.marked_die(_marks(), _DIE_ORDER, _pips) if marked else kit_shapes.die_net(faces)
    return (
        KitSheet("cards", _("Round cards"), (*fronts, points), (back,) * (len(fronts) + 1)),
        kit_shapes.dice_sheet((die, die), marked=marked),
    )


def _card(entry: Card) -> Drawing:
    # an ornament by what a card changes
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
    ornament = next((name for holds, name in changed if holds), "rosette")
    return kit_shapes.card(
        (
            Symbol(ornament, (31.5, 24.0), 22.0, ("accent-2", "accent")),
            Words((5, 4, 12, 9), str(NUMBERS[entry.id]), SCALE_PT["heading"], "ink", "left", "bold"),
            Words((6, 38, 51, 14), card_title(entry), SCALE_PT["heading"], "ink", "centre", "bold"),
            KitLine((20, 53), (43, 53), "hairline"),
            Words((7, 55, 49, 28), card_text(entry), SCALE_PT["text"], "ink"),
        )
    )


def _pips(value: str) -> tuple[Item, ...]:
    return tuple(Circle(place, _PIP_MM, fill="ink") for place in kit_shapes.strip_places(int(value)))

"""The Royal Game of Ur on paper: the signs of its squares, counters, dice, the turn in six sentences."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games import kit_shapes
from companion.games.kit import SCALE_PT, BoardDetails, Circle, FlatPiece, Item, Kit, KitMarks, KitSheet, Symbol, Words
from companion.locale import _
from companion.ui.names import seat_name
from engines.royal_ur.board import COUNTERS, DEFAULT_SQUARES, DEFAULT_WAYS
from vision.board import shipped_board

_DISC_MM, _DICE = 34.0, 3
_MARKS = KitMarks(90, ("white", "black"), 18.0, dice=("0", "1"), dice_count=_DICE)
_SYMBOLS: Mapping[str, str] = {"white": "circles", "black": "rosette"}


def kit() -> Kit:
    """Return the kit in the current language."""
    pieces = tuple(
        FlatPiece(seat.colour, seat_name(seat.colour), COUNTERS, seat.rgb, _SYMBOLS[seat.colour], _DISC_MM)
        for seat in shipped_board("royal-ur").seat
    )
    squares = {
        str(cell): square
        for way in DEFAULT_WAYS.values()
        for cell, square in zip(way[1:], DEFAULT_SQUARES, strict=False)
    }
    return Kit(
        board=BoardDetails(
            ornaments={cell: square.sign.value for cell, square in squares.items()},
            values={cell: square.value for cell, square in squares.items()},
            pads={"start": "S", "home": "H"},
        ),
        pieces=pieces,
        marks=_MARKS,
        flat={"counter": _DISC_MM},
        sheets=_sheets,
        plain=False,
    )


def _sheets(marked: bool) -> tuple[KitSheet, ...]:  # noqa: FBT001 - the kit's signature
    # dice with a dot on three of the faces; opposite faces differ
    values, middle = ("1", "1", "0", "0", "1", "0"), (kit_shapes.DIE_MM / 2,) * 2
    plain = kit_shapes.die_net([(Circle(middle, 5.0, fill="accent"),) if v == "1" else () for v in values])
    cubes = (kit_shapes.marked_die(_MARKS, values, _sign) if marked else plain,) * _DICE
    # a card with the points that the winner gets for a loser's counter on each sign
    signs = {square.sign: square.value for square in DEFAULT_SQUARES}
    rows = [(Symbol(sign.value, (0, 0), 7.6, ("accent-2", "accent", "white")), value) for sign, value in signs.items()]
    below = Words((6, 75, 51, 9), _("on S: 10; not on the board: 25"), SCALE_PT["text"], "ink")
    title = _("Points of a square")
    points = kit_shapes.points_card(title, rows, 9.6, (below,))
    sheets = [kit_shapes.dice_sheet(cubes, marked=marked), KitSheet("table", title, (points,), ())]
    if not marked:
        pyramids = (kit_shapes.tetrahedron_net(38.0),) * _DICE
        note = _("The corner on top counts: dot or none.")
        sheets.insert(1, KitSheet("pyramids", _("Dice as pyramids"), pyramids, (), note))
    return tuple(sheets)


def _sign(value: str) -> tuple[Item, ...]:
    """Return a dot, or a ring for none, between the markers of a die's face."""
    [centre] = kit_shapes.strip_places(1)
    radius = kit_shapes.STRIP_MM / 2 - 0.3
    return (Circle(centre, radius, fill="ink"),) if value == "1" else kit_shapes.ring(centre, radius, "soft")

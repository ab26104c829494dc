"""Royal Tee on paper: tees as discs, the slider, the turn in six sentences."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.kit import (
    SCALE_PT,
    BoardDetails,
    Drawing,
    FlatPiece,
    Item,
    Kit,
    KitMarks,
    KitSheet,
    Rectangle,
    Symbol,
    Words,
)
from companion.locale import _
from companion.ui.names import label_name
from engines.royal_tee.position import LAST_SLIDER
from vision.board import shipped_board

_SYMBOLS: Mapping[str, str] = {"red": "triangle", "blue": "drop", "green": "leaf", "yellow": "sun"}
_TEES = 76
"""Tees of each colour: a player who claims more than half of the 144 spaces has won."""

_BOX_MM = 20.0


def kit() -> Kit:
    """Return the kit in the current language."""
    seats = shipped_board("royal-tee").seat
    colours = tuple(seat.colour for seat in seats)
    tees = tuple(
        FlatPiece(seat.colour, label_name(seat.colour), _TEES, seat.rgb, _SYMBOLS[seat.colour], 15.0) for seat in seats
    )
    royals = tuple(
        FlatPiece(label, label_name(label), 1, seat.rgb, _SYMBOLS[seat.colour], 22.0, ring=True)
        for seat in seats
        for label in [f"{seat.colour}-royal"]
    )
    return Kit(
        board=BoardDetails(),
        pieces=(*royals, *tees),
        marks=KitMarks(0, (*colours, *(f"{colour}-royal" for colour in colours)), 18.0),
        flat={"tee": 15.0, "royal": 22.0},
        sheets=_sheets,
    )


def _sheets(marked: bool) -> tuple[KitSheet, ...]:  # noqa: FBT001 - the kit's signature
    del marked  # the slider bears none
    note = _("Cut out the strip and the frame, fold the frame's flaps back and glue them, then push the strip through.")
    items: list[Item] = []
    for step in range(1, LAST_SLIDER + 1):
        box = ((step - 1) * _BOX_MM, 0.0, _BOX_MM, _BOX_MM)
        items.append(Rectangle(box, fill="white" if step % 2 else "tint", line="hairline"))
        items.append(Words(box, str(step), SCALE_PT["display"], "ink", "centre", "bold"))
    strip = Drawing(LAST_SLIDER * _BOX_MM, _BOX_MM, tuple(items))
    # a frame with a window of one box, and a flap above and below to fold round the strip
    rim, flap = 6.0, 14.0
    width, height = _BOX_MM + 2 * rim, _BOX_MM + 2 * rim + 2 * flap
    window = (rim, rim + flap, _BOX_MM, _BOX_MM)
    frame = Drawing(
        width,
        height,
        (
            Rectangle((0, 0, width, height), fill="tint", line="hairline"),
            Rectangle((0, flap, width, height - 2 * flap), fill=(44, 42, 40)),
            Rectangle(window, fill="white", line="ink"),
            Words(window, _("cut out"), SCALE_PT["small"], "soft", "centre", "italic"),
            Symbol("crown", (width / 2, flap / 2), 7.0, ("soft",)),
        ),
    )
    return (KitSheet("slider", _("Slider"), (strip, frame), (), note),)

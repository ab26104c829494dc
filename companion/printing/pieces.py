"""Flat paper pieces: discs of a colour with a symbol, or squares with a marker and a frame of the colour."""

from __future__ import annotations

import math
from collections.abc import Mapping

from companion.games.kit import Circle, Drawing, FlatPiece, Item, Kit, KitSheet, Rectangle, Symbol
from companion.games.kit_shapes import piece_mark
from companion.locale import _
from companion.printing.themes import BLACK, Theme, blend, readable_on

_FRAME_MM, _ROYAL_FRAME_MM = 2.0, 2.6
_SYMBOL_ROOM_MM = 12.0
_RIM_MM, _RIM_SHADE = 2.0, 0.85
"""Width and brightness of a disc's darker rim, by which a pale disc is seen on a pale board."""

_SYMBOL, _DOT = 0.36, 0.42
"""Size of a symbol (small, so that the disc's colour dominates) and of the white dot, over the disc's."""

_BORDER = 4 / 3
"""A marker with its white border of one module on each side, over its own side."""

_LINE_MM = 0.6
"""Width of the coloured line round a larger marked piece."""

_RING_MM, _CORNER_MM = 1.0, 1.2
"""Widths of the coloured ring of a round marked piece, and of the white between it and the marker's corners."""


def piece_sheet(kit: Kit, theme: Theme, *, marked: bool) -> KitSheet:
    """Return a sheet with all flat pieces of one set."""
    fronts = tuple(
        drawing
        for piece in kit.pieces
        for drawing in [marked_piece(kit, piece, theme) if marked else disc(piece, theme)] * piece.count
    )
    note = _("Glue the sheet on card of 1 to 2 mm before you cut.")
    return KitSheet("pieces", _("Pieces with markers") if marked else _("Pieces"), fronts, (), note, declared=True)


def sticker_sheet(kit: Kit) -> KitSheet:
    """Return a sheet with a marker for every piece of a set, to be stuck on users' own pieces."""
    fronts: list[Drawing] = []
    for piece in kit.pieces:
        side = kit.marks.size_of(piece.label)
        whole = side * _BORDER
        mark = piece_mark(kit.marks.ids[piece.label], (whole / 2, whole / 2), side)
        fronts += [Drawing(whole, whole, (mark,))] * piece.count
    note = _("Print on a sheet of labels, matt if you can.")
    return KitSheet("stickers", _("Markers for your own pieces"), tuple(fronts), (), note, declared=True)


def disc(piece: FlatPiece, theme: Theme) -> Drawing:
    """Return a disc of a piece's colour with its symbol; the special one has a white dot and a crown."""
    radius = piece.size_mm / 2
    ground = theme.rgb(piece.colour)
    ink = readable_on(ground)
    items: list[Item] = [
        Circle((radius, radius), radius, fill=ground),
        Circle((radius, radius), radius - _RIM_MM / 2, line=blend(ground, BLACK, _RIM_SHADE), line_mm=_RIM_MM),
    ]
    if piece.ring:
        items += [
            Circle((radius, radius), _DOT * radius, fill="white"),
            Symbol(piece.symbol, (radius, radius), 1.2 * _DOT * radius, ("ink",)),
            Symbol("crown", (radius, 0.33 * radius), 0.4 * radius, (ink,)),
        ]
    else:
        items.append(Symbol(piece.symbol, (radius, radius), _SYMBOL * piece.size_mm, (ink,)))
    return Drawing(piece.size_mm, piece.size_mm, tuple(items), outline="circle")


def marked_side(kit: Kit, piece: FlatPiece) -> float:
    """Return the side of a marked piece in mm."""
    mark_side = kit.marks.size_of(piece.label)
    whole = mark_side * _BORDER
    if piece.size_mm >= whole + _SYMBOL_ROOM_MM or _is_round(piece, mark_side):
        return piece.size_mm
    return whole + 2 * (_ROYAL_FRAME_MM if piece.ring else _FRAME_MM)


def _is_round(piece: FlatPiece, mark_side: float) -> bool:
    """Return whether a disc of the piece's size has room for a whole marker within its ring."""
    return piece.size_mm >= math.sqrt(2) * mark_side + 2 * (_RING_MM + _CORNER_MM)


def marked_piece(kit: Kit, piece: FlatPiece, theme: Theme) -> Drawing:
    """Return a disc or a square with a marker and an edge of its colour; a square's edge has notches by colour."""
    side, mark_side = marked_side(kit, piece), kit.marks.size_of(piece.label)
    whole = mark_side * _BORDER
    colour = theme.rgb(piece.colour)
    number, middle = kit.marks.ids[piece.label], (side / 2, side / 2)
    if piece.size_mm >= whole + _SYMBOL_ROOM_MM:
        return _with_symbol(piece, number, mark_side, side)
    if _is_round(piece, mark_side):
        # in its colour with a darker rim, or white with a ring of its colour if there is less room
        fills = side >= math.sqrt(2) * mark_side * _BORDER
        edge = blend(colour, BLACK, _RIM_SHADE) if fills else colour
        rim = Circle(middle, (side - _RING_MM) / 2, line=edge, line_mm=_RING_MM)
        ground = Circle(middle, side / 2, fill=colour if fills else "white")
        items = (ground, piece_mark(number, middle, mark_side), rim)
        return Drawing(side, side, items, outline="circle")
    square = Rectangle((0, 0, side, side), fill=colour)
    if piece.ring:  # with a crown in a band above the marker
        band = side - whole - _LINE_MM
        crown = Symbol("crown", (side / 2, band / 2), band - 0.4, (readable_on(colour),))
        return Drawing(side, side, (square, crown, piece_mark(number, (side / 2, band + whole / 2), mark_side)))
    colours = list(dict.fromkeys(theme.rgb(other.colour) for other in kit.pieces))
    # as many white notches in each side of the frame as there are colours before its own
    count, width, depth = colours.index(colour), 1.4, (side - whole) / 2 * 0.7
    notches: list[Item] = []
    for at in (side / 2 + (k - (count - 1) / 2) * 2.6 - width / 2 for k in range(count)):
        boxes = [(at, 0.0, width, depth), (at, side - depth, width, depth)]
        boxes += [(0.0, at, depth, width), (side - depth, at, depth, width)]
        notches += (Rectangle(box, fill="white") for box in boxes)
    return Drawing(side, side, (square, *notches, piece_mark(number, middle, mark_side)))


def _with_symbol(piece: FlatPiece, number: int, mark_side: float, side: float) -> Drawing:
    """Return a larger piece with markers in two opposite corners, so that a lamp's reflection rarely hides both."""
    whole = mark_side * _BORDER
    near, far = _LINE_MM + whole / 2, side - _LINE_MM - whole / 2
    room = side - whole - 2 * _LINE_MM
    symbol = (side - _LINE_MM - room / 2, _LINE_MM + room / 2)
    return Drawing(
        side,
        side,
        (
            Rectangle((0, 0, side, side), fill="white"),
            Symbol(piece.symbol, symbol, room * 0.85, (piece.colour,)),
            Symbol(piece.symbol, symbol[::-1], room * 0.85, (piece.colour,), turn_deg=180.0),
            piece_mark(number, (near, near), mark_side),
            piece_mark(number, (far, far), mark_side),
            Rectangle((0.4, 0.4, side - 0.8, side - 0.8), line=piece.colour, line_mm=_LINE_MM, corner_mm=2.0),
        ),
    )


def flat_sizes(kit: Kit, *, marked: bool) -> Mapping[str, float]:
    """Return the diameter, or the side if marked, of the paper piece for each piece of the table file in mm."""
    if not marked:
        return kit.flat
    smallest = min(marked_side(kit, piece) for piece in kit.pieces)
    largest = max(marked_side(kit, piece) for piece in kit.pieces)
    least = min(kit.flat.values())
    return {name: smallest if size == least else largest for name, size in kit.flat.items()}

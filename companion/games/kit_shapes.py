"""Parts that kits share: framed cards, markers of pieces, nets of dice, as values; nothing here knows a game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from companion.games.kit import (
    SCALE_PT,
    Circle,
    Colour,
    Drawing,
    Item,
    KitLine,
    KitMarks,
    KitSheet,
    Mark,
    Point,
    Polygon,
    Rectangle,
    Symbol,
    Words,
)
from companion.locale import _

PIECES_DICTIONARY = "DICT_4X4_250"
"""The dictionary of marked pieces: another one than the boards', and with the largest modules there are."""

CARD_MM = (63.0, 88.0)
"""Width and height of a playing card."""


def piece_mark(number: int, centre: Point, side_mm: float) -> Mark:
    """Return a piece's marker, with a white border of one module."""
    return Mark(PIECES_DICTIONARY, number, centre, side_mm, side_mm / 6)


def card(items: Sequence[Item], *, frame: bool = True) -> Drawing:
    """Return a card with these items on it, and with a fine frame inside its edge where nothing needs that room."""
    width, height = CARD_MM
    line = Rectangle((2.2, 2.2, width - 4.4, height - 4.4), line="hairline", line_mm=0.3, corner_mm=2.0)
    return Drawing(width, height, (Rectangle((0, 0, width, height), fill="white"), *([line] if frame else []), *items))


def card_back(symbol: str, colour: Colour, marks: Sequence[Mark] = ()) -> Drawing:
    """Return a back of small ornaments in rows that leave room for markers, alike when it is turned by half a turn."""
    width, height = CARD_MM
    step = 7.0
    columns, rows = int((width - 9) // step), int((height - 9) // step)
    left, top = (width - (columns - 1) * step) / 2, (height - (rows - 1) * step) / 2
    places = [(left + step * k, top + step * row) for row in range(rows) for k in range(columns) if (row + k) % 2 == 0]
    # none of them under the white border of a marker, or between two markers
    kept_free = [(mark.centre, mark.side_mm / 2 + mark.border_mm + 2.6) for mark in marks]
    pattern = [
        Symbol(symbol, (x, y), 4.6, (colour, "white"))
        for x, y in places
        if not any(abs(x - centre[0]) < reach and abs(y - centre[1]) < reach for centre, reach in kept_free)
    ]
    frame = Rectangle((3.2, 3.2, width - 6.4, height - 6.4), line=colour, line_mm=0.7, corner_mm=2.0)
    ground = Rectangle((0, 0, width, height), fill="white")
    return Drawing(width, height, (ground, *([] if marks else [frame]), *pattern, *marks))


_EDGE_MM = 0.6
"""Between the edge of a die's face and its marker's white border."""


DIE_MM = KitMarks.dice_mm
STRIP_MM = DIE_MM - 4 * KitMarks.dice_mark_mm / 3 - _EDGE_MM
"""Width of the strip that a marker leaves free along two sides of a die's face."""


def strip_places(count: int) -> list[Point]:
    """Return up to six places in the strip beside a die's marker: an odd one in the corner, others on both arms."""
    along, corner = DIE_MM - STRIP_MM / 2, [(DIE_MM - STRIP_MM / 2,) * 2] if count % 2 else []
    each = count // 2
    steps = [(DIE_MM - STRIP_MM) * (k + 0.5) / each for k in range(each)]
    return [*((along, step) for step in steps), *((step, along) for step in steps), *corner]


def ring(centre: Point, radius_mm: float, colour: Colour = "ink") -> tuple[Item, ...]:
    """Return a ring with a stroke through it: a face that shows nothing, and is not blank by mistake."""
    x, y = centre
    reach = 0.7 * radius_mm
    return (
        Circle(centre, radius_mm - 0.3, line=colour, line_mm=0.6),
        KitLine((x - reach, y + reach), (x + reach, y - reach), colour, 0.6),
    )


def tray_net(width_mm: float, height_mm: float, wall_mm: float, title: str) -> Drawing:
    """Return the net of an open box: a bottom with four walls, and flaps to glue at its corners."""
    flap = 0.7 * wall_mm
    left, top, right, bottom = wall_mm, wall_mm, wall_mm + width_mm, wall_mm + height_mm
    across, down = width_mm + 2 * wall_mm, height_mm + 2 * wall_mm
    flaps = (
        _flap((left - wall_mm, top), (left, top), flap),
        _flap((left, bottom), (left - wall_mm, bottom), flap),
        _flap((right, top), (right + wall_mm, top), flap),
        _flap((right + wall_mm, bottom), (right, bottom), flap),
    )
    outline = ((left, 0), (right, 0), (right, top), (across, top), (across, bottom), (right, bottom), (right, down))
    ring_of = (*outline, (left, down), (left, bottom), (0, bottom), (0, top), (left, top))
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    folds = zip(corners, (*corners[1:], corners[0]), strict=True)
    return Drawing(
        across,
        down,
        (
            *flaps,
            Polygon(ring_of, fill="white", line="ink", line_mm=0.3),
            *(KitLine(start, end, "hairline", 0.3, 1.5) for start, end in folds),
            Words((left, top, width_mm, height_mm), title, SCALE_PT["heading"], "soft", "centre", "italic"),
        ),
        outline="none",
    )


def die_net(faces: Sequence[Sequence[Item]]) -> Drawing:
    """Return the net of a die: a cross of six faces, opposite ones two apart, with flaps to glue.

    `faces` are the items on each face, mm from its top-left corner; the first and third, second and fourth, fifth and
    sixth face are opposite one another.
    """
    side_mm, flap = DIE_MM, 5.0  # four nets fit on a page
    places = [(1, 0), (1, 1), (1, 2), (1, 3), (0, 1), (2, 1)]
    # flaps along the free edges that meet another edge when the cube is folded
    left, right = flap + side_mm, flap + 2 * side_mm
    items: list[Item] = [_flap((left, flap), (right, flap), flap)]
    for y in (flap + row * side_mm for row in (0, 2, 3)):
        items += [_flap((left, y + side_mm), (left, y), flap), _flap((right, y), (right, y + side_mm), flap)]
    for (column, row), face in zip(places, faces, strict=True):
        x, y = flap + column * side_mm, flap + row * side_mm
        items.append(Rectangle((x, y, side_mm, side_mm), fill="white", line="hairline", line_mm=0.25))
        items += [moved(item, x, y) for item in face]
    return Drawing(3 * side_mm + 2 * flap, 4 * side_mm + 2 * flap, tuple(items), outline="none")


def _flap(start: Point, end: Point, depth: float) -> Polygon:
    """Return a trapezium on the left of the way from start to end."""
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    out = (along[1] * depth, -along[0] * depth)
    inset = (along[0] * depth * 0.7, along[1] * depth * 0.7)
    first = (start[0] + inset[0] + out[0], start[1] + inset[1] + out[1])
    last = (end[0] - inset[0] + out[0], end[1] - inset[1] + out[1])
    return Polygon((start, first, last, end), fill="tint", line="hairline", line_mm=0.25)


def tetrahedron_net(side_mm: float) -> Drawing:
    """Return the net of a tetrahedron, a strip of four triangles, with a dot at two of its four corners."""
    height, flap = side_mm * math.sqrt(3) / 2, 6.0
    low, high = flap + height, flap
    upper = [(flap + side_mm * (k + 0.5), high) for k in range(3)]
    lower = [(flap + side_mm * k, low) for k in range(3)]
    ring = (lower[0], upper[0], upper[1], upper[2], lower[2], lower[1])
    items: list[Item] = [
        _flap(lower[0], upper[0], flap),
        _flap(upper[2], lower[2], flap),
        _flap(upper[1], upper[2], flap),
        Polygon(ring, fill="white", line="ink", line_mm=0.3),
        *(
            KitLine(a, b, "hairline", 0.25, 1.0)
            for a, b in ((upper[0], lower[1]), (upper[1], lower[1]), (upper[1], lower[2]))
        ),
    ]
    strip = (lower[0], upper[0], lower[1], upper[1], lower[2], upper[2])  # folded, every fourth is the same corner
    for first in range(4):
        triangle = strip[first : first + 3]
        middle = (sum(x for x, _y in triangle) / 3, sum(y for _x, y in triangle) / 3)
        for point in (triangle[k] for k in range(3) if (first + k) % 4 < 2):
            x, y = (point[k] + (middle[k] - point[k]) * 0.36 for k in range(2))
            items.append(Circle((x, y), 2.2, fill="accent"))
    return Drawing(2 * flap + 2.5 * side_mm, 2 * flap + height, tuple(items), outline="none")


def moved(item: Item, x: float, y: float) -> Item:
    """Return an item at another place."""
    match item:
        case Rectangle() | Words():
            return replace(item, box=(item.box[0] + x, item.box[1] + y, *item.box[2:]))
        case Circle() | Symbol() | Mark():
            return replace(item, centre=(item.centre[0] + x, item.centre[1] + y))
        case KitLine(start=start, end=end):
            return replace(item, start=(start[0] + x, start[1] + y), end=(end[0] + x, end[1] + y))
        case Polygon(points=points):
            return replace(item, points=tuple((u + x, v + y) for u, v in points))


# ---- what several kits have: dice of card, standing figures to fold, cards with a table of points, pieces of the sea


_LEFT, _WIDTH = 6.0, 51.0
"""Of a table on a card, in mm."""


def fold_note() -> str:
    """Return how a net becomes a die."""
    return _("Cut along the outline, fold, and glue the flaps.")


def dice_sheet(nets: Sequence[Drawing], *, marked: bool) -> KitSheet:
    """Return a sheet of nets of dice; a table file declares those with markers."""
    return KitSheet("dice", _("Dice"), tuple(nets), (), fold_note(), declared=marked)


def marked_die(marks: KitMarks, values: Sequence[str], sign: Callable[[str], Iterable[Item]]) -> Drawing:
    """Draw the net of a die with a marker on each face.

    Args:
        marks: of the game.
        values: of the faces, in the order of `die_net`.
        sign: gives what the players see of a value, in the strip beside the marker.
    """
    # a marker in one corner of each face, and the sign in the strip beside it
    place = 2 * marks.dice_mark_mm / 3 + _EDGE_MM
    faces = [(piece_mark(marks.dice_ids[value], (place, place), marks.dice_mark_mm), *sign(value)) for value in values]
    return die_net(faces)


def standing_figure(figure: Symbol, foot: tuple[float, float], figure_mm: float, on_foot: Sequence[Item]) -> Drawing:
    """Draw a strip to fold: foot, figure upside down, figure, foot; one foot is in front of the figure, one behind it.

    Args:
        figure: drawn twice; its place does not matter.
        foot: width and height of a foot.
        figure_mm: height of the part of the strip that bears a figure.
        on_foot: what is on each foot, mm from its top-left corner.
    """
    width, base = foot
    middle, height = width / 2, 2 * (base + figure_mm)
    folds = (base, base + figure_mm, base + 2 * figure_mm)
    items: list[Item] = [
        replace(figure, centre=(middle, base + figure_mm / 2), turn_deg=180.0),
        replace(figure, centre=(middle, base + 1.5 * figure_mm)),
        *on_foot,
        *(moved(item, 0.0, folds[2]) for item in on_foot),
        *(KitLine((0, y), (width, y), "hairline", 0.3, 1.5) for y in folds),
    ]
    return Drawing(width, height, tuple(items))


def points_card(
    title: str, rows: Sequence[tuple[Symbol | Words, int]], pitch_mm: float, below: Sequence[Item] = ()
) -> Drawing:
    """Draw a card with a table of what something is worth.

    Args:
        title: above the table.
        rows: a symbol or words, whose place does not matter, and the points.
        pitch_mm: from one row to the next.
        below: what else is on the card.
    """
    items: list[Item] = [Words((_LEFT, 6, _WIDTH, 10), title, SCALE_PT["heading"], "ink", "centre", "bold")]
    for k, (sign, value) in enumerate(rows):
        top, height = 17.5 + pitch_mm * k, pitch_mm - 0.6
        items.append(Rectangle((_LEFT, top, _WIDTH, height), fill="tint" if k % 2 else "white"))
        if isinstance(sign, Symbol):
            items.append(replace(sign, centre=(14, top + height / 2)))
        else:
            items.append(replace(sign, box=(8, top, 28, height), align="left"))
        items.append(Words((38, top, 17, height), str(value), SCALE_PT["heading"], "accent", "right", "bold"))
    return card((*items, *below))

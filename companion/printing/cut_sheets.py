"""Many small drawings on pages, to be cut out: in rows with shared cutting lines, backs mirrored for the other side.

For printers that do not align both sides, "fold" prints back and front side by side with a line to fold along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from companion.games.kit import SCALE_PT, Box, Circle, Drawing, Item, KitLine, KitSheet, Point, Rectangle, Words
from companion.games.kit_shapes import moved
from companion.locale import _
from companion.printing.document import Document
from companion.printing.page_marks import check_line
from companion.printing.paper import Options, Paper, PrintingError
from companion.printing.pen import Pen


def draw_sheet(document: Document, sheet: KitSheet, options: Options, game: str) -> None:
    """Draw all parts of a sheet over as many pages as they need, each page followed by its backs.

    Pages are turned if that saves some, except those with backs, because both sides must match.

    Raises:
        PrintingError: a part is larger than the paper.
    """
    if sheet.backs and options.backs == "fold":
        folded = []
        for front, back in zip(sheet.fronts, sheet.backs, strict=True):  # side by side, with a line to fold along
            width, height = front.width_mm, front.height_mm
            line = KitLine((width, 0), (width, height), "soft", 0.3, 1.5)
            items = (*front.items, *(moved(item, width, 0.0) for item in back.items), line)
            folded.append(Drawing(2 * width, height, items))
        note = _("Fold each along its dashed line and glue it.")
        sheet = KitSheet(sheet.key, sheet.title, tuple(folded), (), note)
    backs, flip, paper = iter(sheet.backs), options.flip if sheet.backs else None, options.paper
    ways = (paper,) if flip else (paper, paper.turned())
    choices = [
        (pages, way) for way in ways if (pages := pack(sheet.fronts, way, options, centred=bool(flip))) is not None
    ]
    if not choices:
        widest = max(sheet.fronts, key=lambda part: part.width_mm)
        message = _("{paper}: too small for a part of {width:.0f} x {height:.0f} mm; expected larger paper")
        raise PrintingError(message.format(paper=paper.title, width=widest.width_mm, height=widest.height_mm))
    pages, way = min(choices, key=lambda choice: len(choice[0]))
    for placed in pages:
        with document.page(way) as pen:
            _draw_parts(pen, placed, options)
            pen.items(_head(way, f"{game} · {sheet.title}", sheet.note))
        if flip:
            behind: list[Placed] = []
            turned_on_side = (flip == "long") == (way.height_mm >= way.width_mm)
            for (part, (x, y)), back in zip(placed, backs, strict=False):  # where it is on the other side of the sheet
                over = (way.width_mm - x - part.width_mm, y), (x, way.height_mm - y - part.height_mm)
                behind.append((back, over[0] if turned_on_side else over[1]))
            with document.page(way, back=True) as pen:
                _draw_parts(pen, behind, replace(options, cutting=False))


def _draw_parts(pen: Pen, placed: Sequence[Placed], options: Options) -> None:
    """Draw parts with their bleed, and then their cutting lines."""
    for part, place in placed:
        bleed = options.bleed_mm if part.outline == "rectangle" else 0.0
        match part.items[:1]:  # a ground that fills the part goes on beyond its edges
            case (Rectangle((x, y, w, h), fill),) if bleed and fill and (w, h) == (part.width_mm, part.height_mm):
                pen.moved(*place).items([Rectangle((x - bleed, y - bleed, w + 2 * bleed, h + 2 * bleed), fill=fill)])
        pen.moved(*place).items(part.items)
    for part, place in placed if options.cutting else ():
        radius = part.width_mm / 2
        if part.outline == "rectangle":
            cut: Item = Rectangle((0, 0, part.width_mm, part.height_mm), line="hairline", line_mm=0.15)
        elif part.outline == "circle":
            cut = Circle((radius, radius), radius, line="hairline", line_mm=0.15)
        else:
            continue
        pen.moved(*place).items([cut])


def _head(paper: Paper, title: str, note: str) -> Iterator[Item]:
    """Yield a line of text above the parts, and the check bar below them."""
    left, width = paper.margin_mm + 1, paper.width_mm - 2 * paper.margin_mm - 2
    yield Words((left, paper.margin_mm, width * 0.4, 4.6), title, SCALE_PT["text"], "ink", "left", "bold")
    yield Words(
        (left + width * 0.4, paper.margin_mm, width * 0.6, 4.6), note, SCALE_PT["small"], "soft", "right", "italic"
    )
    yield from check_line(left, paper.height_mm - paper.margin_mm - 2.0)


# ---- parts of different sizes in rows on pages, in the order given; the parts of a row are equally high

Placed = tuple[Drawing, Point]

_HEAD_MM, _FOOT_MM = 5.5, 5.5
"""Room for a page's title above the parts, and for its check bar below."""

_LOOSE_GAP_MM = 4.0
"""Gap between parts that are not cut along shared lines."""


def room_of(paper: Paper, bleed_mm: float = 0.0) -> Box:
    """Return the room for parts on a page, inside their bleed: left, top, width, height."""
    left, top = paper.margin_mm + bleed_mm, paper.margin_mm + _HEAD_MM + bleed_mm
    return left, top, paper.width_mm - 2 * left, paper.height_mm - top - paper.margin_mm - _FOOT_MM - bleed_mm


def gap_of(part: Drawing, options: Options) -> float:
    """Return the gap between a part and the next one in mm."""
    return 2 * options.bleed_mm if part.outline == "rectangle" else _LOOSE_GAP_MM


def pack(
    parts: Sequence[Drawing], paper: Paper, options: Options, *, centred: bool = False
) -> list[list[Placed]] | None:
    """Return the parts of each page with their top-left corners in mm, rows centred; None if one is too large.

    `centred`: centre the rows vertically, too, so that equal backs match whichever way a full sheet is turned.
    """
    _left, _top, width, height = room_of(paper, options.bleed_mm)
    if any(part.width_mm > width + 0.01 or part.height_mm > height + 0.01 for part in parts):
        return None
    rows: list[list[Drawing]] = []
    for part in parts:  # a part of another height than the one before it begins a new row
        row = rows[-1] if rows else []
        fits = _width([*row, part], options) <= width + 0.01
        if row and fits and abs(row[0].height_mm - part.height_mm) < 0.01:
            row.append(part)
        else:
            rows.append([part])
    pages: list[list[list[Drawing]]] = [[]]
    for row in rows:
        if pages[-1] and _height([*pages[-1], row], options) > height + 0.01:
            pages.append([])
        pages[-1].append(row)
    return [_place_rows(page, paper, options, centred=centred) for page in pages]


def _width(row: Sequence[Drawing], options: Options) -> float:
    return sum(part.width_mm + gap_of(part, options) for part in row) - gap_of(row[-1], options)


def _height(rows: Sequence[Sequence[Drawing]], options: Options) -> float:
    between = sum(max(gap_of(row[0], options), _row_gap(row, following)) for row, following in pairwise(rows))
    return sum(row[0].height_mm for row in rows) + between


def _row_gap(row: Sequence[Drawing], following: Sequence[Drawing]) -> float:
    """Return the least gap between two rows: none if their parts are equally high and share a cutting line."""
    return 0.0 if row[0].height_mm == following[0].height_mm else _LOOSE_GAP_MM


def _place_rows(rows: Sequence[Sequence[Drawing]], paper: Paper, options: Options, *, centred: bool) -> list[Placed]:
    left, top, width, height = room_of(paper, options.bleed_mm)
    spare = height - _height(rows, options)
    widest = max(_width(row, options) for row in rows)
    start = left + (width - widest) / 2
    placed: list[Placed] = []
    y = top + (spare / 2 if centred else 2.0 if spare >= 2.0 else 0.0)
    for number, row in enumerate(rows):
        x = start
        for part in row:
            placed.append((part, (x, y)))
            x += part.width_mm + gap_of(part, options)
        if number + 1 < len(rows):
            y += row[0].height_mm + max(gap_of(row[0], options), _row_gap(row, rows[number + 1]))
    return placed

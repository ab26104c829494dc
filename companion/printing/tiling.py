"""A large drawing over several pages: equal tiles that overlap, with marks for cutting and gluing, and a check bar.

Each tile repeats a strip of its right and lower neighbour, which is cut along its left and upper line and glued over
that strip. Tiles are equally large, so that no seam is near a corner, where the markers are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from companion.games.kit import SCALE_PT, Box, Drawing, Item, KitLine, Point, Rectangle, Symbol, Words
from companion.locale import _
from companion.printing.document import Document
from companion.printing.page_marks import CHECK_MM, check_bar
from companion.printing.paper import Options, Paper

OVERLAP_MM = 10.0
_CAPTION_MM = 14.0
"""Height of the strip below a tile with its caption and the check bar."""

_MARKS_MM = 5.0
"""Room for marks round a tile."""

_GAP_MM, _TICK_MM = 1.0, 3.6
"""Distance of marks from the drawing or its bleed, and their length."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One page's part of a drawing.

    Attributes:
        column, row: its place among the tiles.
        window: its part in the drawing's mm.
        corner: its top-left corner on the page, in mm.
        bleeds: its bleed beyond the edges of the drawing: left, top, right, bottom.
    """

    column: int
    row: int
    window: Box
    corner: Point
    bleeds: Box


@dataclass(frozen=True, slots=True)
class Tiling:
    """The tiles of a drawing on pages of one paper."""

    paper: Paper
    columns: int
    rows: int
    tiles: tuple[Tile, ...]

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return len(self.tiles)


def tile(width_mm: float, height_mm: float, paper: Paper, bleed_mm: float = 0.0) -> Tiling:
    """Return the tiling of a drawing with the fewest pages, upright or turned; each tile is centred on its page."""
    choices = []
    for sheet in (paper, paper.turned()):
        edge = sheet.margin_mm + _MARKS_MM + bleed_mm
        room_w, room_h = sheet.width_mm - 2 * edge, sheet.height_mm - 2 * edge - _CAPTION_MM
        (columns, w), (rows, h) = _equal(width_mm, room_w), _equal(height_mm, room_h)
        corner = edge + (room_w - w) / 2, edge + max(0.0, (room_h - h) / 2)
        tiles = []
        for y, x in product(range(rows), range(columns)):
            left, top, right, bottom = (bleed_mm * at for at in (x == 0, y == 0, x == columns - 1, y == rows - 1))
            window = (x * (w - OVERLAP_MM), y * (h - OVERLAP_MM), w, h)
            tiles.append(Tile(x, y, window, corner, (left, top, right, bottom)))
        choices.append(Tiling(sheet, columns, rows, tuple(tiles)))
    return min(choices, key=lambda tiling: tiling.pages)


def _equal(length: float, room: float) -> tuple[int, float]:
    """Return the number of equal, overlapping parts that a length needs, and the length of each."""
    count = 1 if length <= room else math.ceil((length - OVERLAP_MM) / (room - OVERLAP_MM))
    return count, (length + (count - 1) * OVERLAP_MM) / count


def draw_tiled(document: Document, drawing: Drawing, options: Options, title: str) -> None:
    """Draw a drawing over as many pages as it needs."""
    tiling = tile(drawing.width_mm, drawing.height_mm, options.paper, options.bleed_mm)
    for one in tiling.tiles:
        with document.page(tiling.paper) as pen:
            (left, top), (x, y, w, h), bleed = one.corner, one.window, one.bleeds
            window = (x - bleed[0], y - bleed[1], w + bleed[0] + bleed[2], h + bleed[1] + bleed[3])
            pen.moved(left - x, top - y).clipped(drawing, window)
            if options.cutting:
                pen.moved(left, top).items(_edge_marks(one, tiling))
            pen.items(_caption(one, tiling, title))


def _edge_marks(one: Tile, tiling: Tiling) -> Iterator[Item]:
    """Yield cutting marks at a tile's corners and where its neighbours' edges are glued, outside the bleed."""
    _x, _y, w, h = one.window
    left, top, right, bottom = one.bleeds
    for x, across, beyond in ((0.0, -1, left), (w, 1, right)):
        for y, down, below in ((0.0, -1, top), (h, 1, bottom)):
            yield _tick((x, y), (across, 0), beyond)
            yield _tick((x, y), (0, down), below)
    if one.column < tiling.columns - 1:
        seam = w - OVERLAP_MM
        yield from (_tick((seam, 0.0), (0, -1), top, "accent"), _tick((seam, h), (0, 1), bottom, "accent"))
        yield _glue((seam, -_MARKS_MM - top, OVERLAP_MM, 4.0))
    if one.row < tiling.rows - 1:
        seam = h - OVERLAP_MM
        yield from (_tick((0.0, seam), (-1, 0), left, "accent"), _tick((w, seam), (1, 0), right, "accent"))
        yield _glue((-_MARKS_MM - left - 3.0, h - OVERLAP_MM / 2 - 2.0, OVERLAP_MM, 4.0), turn=-90.0)
    if one.column > 0:
        yield Symbol("scissors", (-2.6, h / 2), 4.4, ("soft",), -90.0)
    if one.row > 0:
        yield Symbol("scissors", (w / 2, -2.6), 4.4, ("soft",))


def _tick(start: Point, way: tuple[int, int], bleed: float, colour: str = "ink") -> KitLine:
    """Return a line outwards that begins outside the bleed."""
    first, last = bleed + _GAP_MM, bleed + _GAP_MM + _TICK_MM
    ends = [(start[0] + way[0] * far, start[1] + way[1] * far) for far in (first, last)]
    return KitLine(ends[0], ends[1], colour, 0.2 if colour == "ink" else 0.5)


def _glue(box: Box, turn: float = 0.0) -> Words:
    return Words(box, _("glue"), SCALE_PT["small"], "accent", "centre", "italic", turn)


def _caption(one: Tile, tiling: Tiling, title: str) -> Iterator[Item]:
    """Yield the title and number of a page, a small map of the tiles, and the check bar."""
    paper = tiling.paper
    left, width = paper.margin_mm + _MARKS_MM, paper.width_mm - 2 * (paper.margin_mm + _MARKS_MM)
    top = paper.height_mm - paper.margin_mm - _CAPTION_MM + 5.0
    yield from check_bar(left + width - CHECK_MM, top + 1.0)
    room = width - CHECK_MM - 6.0
    if tiling.pages > 1:
        size = min(13.0 / tiling.columns, 9.0 / tiling.rows)
        for other in tiling.tiles:
            box = (left + other.column * size, top - 0.5 + other.row * size, size, size)
            yield Rectangle(box, fill="accent" if other == one else None, line="soft", line_mm=0.2)
        place = _("page {number} of {pages}").format(number=tiling.tiles.index(one) + 1, pages=tiling.pages)
        yield Words((left + 16.0, top + 4.0, room - 16.0, 4.0), place, SCALE_PT["small"], "soft", "left")
        yield Words((left + 16.0, top, room - 16.0, 4.4), title, SCALE_PT["text"], "ink", "left", "bold")
    else:
        yield Words((left, top, room, 9.0), title, SCALE_PT["text"], "ink", "left", "bold")

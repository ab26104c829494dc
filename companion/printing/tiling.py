"""A large drawing over several pages: equal tiles that overlap, with marks for cutting and gluing, and a check bar.

Each tile shows a little of its right and lower neighbour. The neighbour is cut along its left and upper line and glued
over that strip. Tiles are equally large, so no seam comes near a corner, where the markers are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.kit import SCALE_PT, Box, Drawing, Item, KitLine, Rectangle, Symbol, Words
from companion.locale import _
from companion.printing.document import Document
from companion.printing.page_marks import CHECK_MM, check_bar
from companion.printing.paper import Paper

OVERLAP_MM = 10.0
_CAPTION_MM = 14.0
"""Height of the strip below a tile with its caption and the check bar."""

_MARKS_MM = 5.0
"""Room for marks round a tile."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One page's part of a drawing: its place in the tiling, and its window in the drawing's mm."""

    column: int
    row: int
    window: Box


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a drawing is spread over pages of one paper."""

    paper: Paper
    columns: int
    rows: int
    tiles: tuple[Tile, ...]

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return len(self.tiles)


@dataclass(frozen=True, slots=True)
class TileMarks:
    """Which marks are printed: bleed over the drawing's edge, marks for cutting and gluing."""

    bleed_mm: float = 0.0
    cutting: bool = True


def tile(width_mm: float, height_mm: float, paper: Paper) -> Tiling:
    """Spread a drawing over as few pages as possible, upright or turned."""
    choices = [_tiling(width_mm, height_mm, sheet) for sheet in (paper, paper.turned())]
    return min(choices, key=lambda tiling: tiling.pages)


def _room(paper: Paper) -> tuple[float, float]:
    edge = 2 * (paper.margin_mm + _MARKS_MM)
    return paper.width_mm - edge, paper.height_mm - edge - _CAPTION_MM


def _tiling(width: float, height: float, paper: Paper) -> Tiling:
    (columns, w), (rows, h) = (_equal(length, room) for length, room in zip((width, height), _room(paper), strict=True))
    tiles = tuple(
        Tile(column, row, (column * (w - OVERLAP_MM), row * (h - OVERLAP_MM), w, h))
        for row in range(rows)
        for column in range(columns)
    )
    return Tiling(paper, columns, rows, tiles)


def _equal(length: float, room: float) -> tuple[int, float]:
    """Return how many equal parts with overlaps are needed, and how long each is."""
    count = 1 if length <= room else math.ceil((length - OVERLAP_MM) / (room - OVERLAP_MM))
    return count, (length + (count - 1) * OVERLAP_MM) / count


def draw_tiled(document: Document, drawing: Drawing, paper: Paper, title: str, marks: TileMarks) -> Tiling:
    """Draw a drawing over as many pages as it needs; return how it is spread."""
    tiling = tile(drawing.width_mm, drawing.height_mm, paper)
    for one in tiling.tiles:
        with document.page(tiling.paper) as pen:
            left, top = tile_corner(tiling, one)
            window = _bled(one, tiling, marks.bleed_mm)
            x, y = left - one.window[0], top - one.window[1]
            pen.moved(x, y).clipped(drawing, window)
            if marks.cutting:
                pen.moved(left, top).items(_edge_marks(one, tiling))
            pen.items(_caption(one, tiling, title))
    return tiling


def tile_corner(tiling: Tiling, one: Tile) -> tuple[float, float]:
    """Return where a tile's upper left corner is on its page: in the middle of the room for it."""
    room_w, room_h = _room(tiling.paper)
    edge = tiling.paper.margin_mm + _MARKS_MM
    return edge + (room_w - one.window[2]) / 2, edge + max(0.0, (room_h - one.window[3]) / 2)


def _bled(one: Tile, tiling: Tiling, bleed: float) -> Box:
    """Return a tile's window, extended over the edges of the drawing by the bleed."""
    x, y, w, h = one.window
    left, top = bleed * (one.column == 0), bleed * (one.row == 0)
    right, bottom = bleed * (one.column == tiling.columns - 1), bleed * (one.row == tiling.rows - 1)
    return x - left, y - top, w + left + right, h + top + bottom


def _edge_marks(one: Tile, tiling: Tiling) -> Iterator[Item]:
    """Cutting marks at the corners of what is cut, and where the neighbours' edges come to be."""
    _x, _y, w, h = one.window
    for x in (0.0, w):
        for y in (0.0, h):
            yield from _crop(x, y, (-1 if x == 0 else 1), (-1 if y == 0 else 1))
    if one.column < tiling.columns - 1:
        yield from _seam((w - OVERLAP_MM, 0.0), (w - OVERLAP_MM, h), along=(0.0, 1.0))
        yield _glue((w - OVERLAP_MM, -_MARKS_MM, OVERLAP_MM, 4.0))
    if one.row < tiling.rows - 1:
        yield from _seam((0.0, h - OVERLAP_MM), (w, h - OVERLAP_MM), along=(1.0, 0.0))
        yield _glue((-_MARKS_MM - 3.0, h - OVERLAP_MM / 2 - 2.0, OVERLAP_MM, 4.0), turn=-90.0)
    if one.column > 0:
        yield Symbol("scissors", (-2.6, h / 2), 4.4, ("soft",), -90.0)
    if one.row > 0:
        yield Symbol("scissors", (w / 2, -2.6), 4.4, ("soft",))


def _crop(x: float, y: float, right: int, down: int) -> Iterator[Item]:
    gap, length = 1.0, 3.6
    yield KitLine((x + right * gap, y), (x + right * (gap + length), y), "ink", 0.2)
    yield KitLine((x, y + down * gap), (x, y + down * (gap + length)), "ink", 0.2)


def _seam(start: tuple[float, float], end: tuple[float, float], along: tuple[float, float]) -> Iterator[Item]:
    """Ticks outside the drawing where the neighbour's cut edge comes to be."""
    gap, length = 1.0, 3.6
    for (x, y), sign in ((start, -1), (end, 1)):
        first = (x + sign * along[0] * gap, y + sign * along[1] * gap)
        last = (x + sign * along[0] * (gap + length), y + sign * along[1] * (gap + length))
        yield KitLine(first, last, "accent", 0.5)


def _glue(box: Box, turn: float = 0.0) -> Words:
    return Words(box, _("glue"), SCALE_PT["small"], "accent", "centre", "italic", turn)


def _caption(one: Tile, tiling: Tiling, title: str) -> Iterator[Item]:
    """The page's name, a small map of the tiles, and the bar to check the scale with."""
    paper = tiling.paper
    left, width = paper.margin_mm + _MARKS_MM, paper.width_mm - 2 * (paper.margin_mm + _MARKS_MM)
    top = paper.height_mm - paper.margin_mm - _CAPTION_MM + 5.0
    yield from check_bar(left + width - CHECK_MM, top + 1.0)
    room = width - CHECK_MM - 6.0
    if tiling.pages > 1:
        yield from _map(one, tiling, left, top - 0.5)
        place = _("page {number} of {pages}").format(number=tiling.tiles.index(one) + 1, pages=tiling.pages)
        yield Words((left + 16.0, top + 4.0, room - 16.0, 4.0), place, SCALE_PT["small"], "soft", "left")
        yield Words((left + 16.0, top, room - 16.0, 4.4), title, SCALE_PT["text"], "ink", "left", "bold")
    else:
        yield Words((left, top, room, 9.0), title, SCALE_PT["text"], "ink", "left", "bold")


def _map(one: Tile, tiling: Tiling, left: float, top: float) -> Iterator[Item]:
    size = min(13.0 / tiling.columns, 9.0 / tiling.rows)
    for other in tiling.tiles:
        box = (left + other.column * size, top + other.row * size, size, size)
        yield Rectangle(box, fill="accent" if other == one else None, line="soft", line_mm=0.2)

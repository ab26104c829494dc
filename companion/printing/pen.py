"""Draws the items of a kit on a page of a PDF, in mm from the page's top-left corner."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import FILL_NON_ZERO

from companion.games import kit
from companion.games.kit import Box, Colour, Drawing, Item, Point
from companion.printing.ornaments import placed_symbol
from companion.printing.page_marks import runs
from companion.printing.text import LEADING, MM, font_file, font_name, set_text, width_mm
from companion.printing.themes import Theme
from vision.localization.markers import module_is_white

_OVERLAP_MM = 0.01
"""How far the rows of a marker overlap, so that no hair is seen between them."""

_ASCENT = 0.74
"""Height of letters above the base line, over their size, by which lines are centred vertically."""


@cache
def font(weight: str) -> str:
    """Return the name of an embedded font, registered with the PDF library."""
    pdfmetrics.registerFont(TTFont(font_name(weight), io.BytesIO(font_file(weight))))
    return font_name(weight)


class Pen:
    """Draws on one page.

    Args:
        canvas: reportlab's canvas.
        height_mm: the page's height, since PDF counts from the bottom.
        theme: the colours of roles.
        at: the origin of drawings, mm from the page's top-left corner.
    """

    def __init__(self, canvas: Any, height_mm: float, theme: Theme, at: Point = (0.0, 0.0)) -> None:
        self._canvas, self._height, self._theme, self._at = canvas, height_mm, theme, at

    def moved(self, x: float, y: float) -> Pen:
        """Return a pen with its origin at another place of the same page, mm from the page's top-left corner."""
        return Pen(self._canvas, self._height, self._theme, (x, y))

    def fitted(self, drawing: Drawing, box: Box) -> None:
        """Draw a drawing as large as a box allows, in the middle of its upper edge."""
        scale = min(box[2] / drawing.width_mm, box[3] / drawing.height_mm)
        self._canvas.saveState()
        self._canvas.translate(*self._pt((box[0] + (box[2] - scale * drawing.width_mm) / 2, box[1])))
        self._canvas.scale(scale, scale)
        Pen(self._canvas, 0.0, self._theme).clipped(drawing, (0.0, 0.0, drawing.width_mm, drawing.height_mm))
        self._canvas.restoreState()

    def clipped(self, drawing: Drawing, window: Box) -> None:
        """Draw the part of a drawing within a window: left, top, width, height in the drawing's mm."""
        self._canvas.saveState()
        path = self._canvas.beginPath()
        x, y, w, h = window
        left, bottom = self._pt((x, y + h))
        path.rect(left, bottom, w * MM, h * MM)
        self._canvas.clipPath(path, stroke=0, fill=0)
        self.items(drawing.items)
        self._canvas.restoreState()

    def items(self, items: Iterable[Item]) -> None:
        """Draw items, in mm from this pen's origin."""
        for item in items:
            self._item(item)

    def _item(self, item: Item) -> None:
        match item:
            case kit.Rectangle((x, y, w, h), fill, line, line_mm, corner_mm):
                how = self._ink(fill, line, line_mm)
                place = (*self._pt((x, y + h)), w * MM, h * MM)
                if corner_mm:
                    self._canvas.roundRect(*place, corner_mm * MM, **how)
                else:
                    self._canvas.rect(*place, **how)
            case kit.Circle(centre, radius_mm, fill, line, line_mm):
                how = self._ink(fill, line, line_mm)
                self._canvas.circle(*self._pt(centre), radius_mm * MM, **how)
            case kit.KitLine(start, end, colour, line_mm, dash_mm):
                self._ink(None, colour, line_mm)
                self._canvas.setDash([dash_mm * MM] if dash_mm else [])
                self._canvas.line(*self._pt(start), *self._pt(end))
                self._canvas.setDash([])
            case kit.Polygon(points, fill, line, line_mm):
                self._area([points], fill, line, line_mm)
            case kit.Symbol():
                for colour, outlines in placed_symbol(item):
                    self._area(outlines, colour)
            case kit.Words():
                self._words(item)
            case kit.Mark():
                self._mark(item)

    def _pt(self, point: Point) -> Point:
        return (self._at[0] + point[0]) * MM, (self._height - self._at[1] - point[1]) * MM

    def _ink(self, fill: Colour | None, line: Colour | None, line_mm: float) -> dict[str, int]:
        if fill is not None:
            self._canvas.setFillColorRGB(*(v / 255 for v in self._theme.rgb(fill)))
        if line is not None:
            self._canvas.setStrokeColorRGB(*(v / 255 for v in self._theme.rgb(line)))
            self._canvas.setLineWidth(line_mm * MM)
        return {"fill": int(fill is not None), "stroke": int(line is not None)}

    def _area(
        self, outlines: Sequence[Sequence[Point]], fill: Colour | None, line: Colour | None = None, line_mm: float = 0.3
    ) -> None:
        path = self._canvas.beginPath()
        for outline in outlines:
            path.moveTo(*self._pt(outline[0]))
            for point in outline[1:]:
                path.lineTo(*self._pt(point))
            path.close()
        self._canvas.drawPath(path, **self._ink(fill, line, line_mm), fillMode=0)

    def _words(self, item: kit.Words) -> None:
        x, y, w, h = item.box
        found = set_text(item)
        self._canvas.saveState()
        if item.turn_deg:
            centre = self._pt((x + w / 2, y + h / 2))
            self._canvas.translate(*centre)
            self._canvas.rotate(-item.turn_deg)
            self._canvas.translate(-centre[0], -centre[1])
        self._ink(item.colour, None, 0)
        self._canvas.setFont(font(item.weight), found.size_pt)
        # the base line of the first line, and the distance of lines
        step = found.size_pt * LEADING / MM
        top = y if item.upright == "top" else y + (h - found.height_mm) / 2
        drop = (step + _ASCENT * found.size_pt / MM) / 2 - 0.02 * found.size_pt
        for k, line in enumerate(found.lines):
            room = w - width_mm(line, item.weight, found.size_pt)
            left = x + {"left": 0.0, "centre": room / 2, "right": room}[item.align]
            self._canvas.drawString(*self._pt((left, top + k * step + drop)), line)
        self._canvas.restoreState()

    def _mark(self, item: kit.Mark) -> None:
        """Draw a marker's black modules on its white border, as one path."""
        (x, y), half = item.centre, item.side_mm / 2
        reach = half + item.border_mm
        self._item(kit.Rectangle((x - reach, y - reach, 2 * reach, 2 * reach), fill="page"))
        black = ~module_is_white(item.dictionary, item.number)
        module, path = item.side_mm / len(black), self._canvas.beginPath()
        for row, cells in enumerate(black):
            height = module if row == len(black) - 1 else module + _OVERLAP_MM
            for start, end in runs(cells):
                left, bottom = self._pt((x - half + start * module, y - half + row * module + height))
                path.rect(left, bottom, (end - start) * module * MM, height * MM)
        self._canvas.drawPath(path, fillMode=FILL_NON_ZERO, **self._ink((0, 0, 0), None, 0.0))

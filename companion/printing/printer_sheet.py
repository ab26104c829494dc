"""The two-sided sheet that measures the printer: markers at known places on both sides, read from a photograph."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.kit import SCALE_PT, Box, Item, KitLine, Mark, Point, Rectangle, Words
from companion.locale import _
from companion.printing.document import Document
from companion.printing.page_marks import CHECK_MM, check_bar
from companion.printing.paper import Paper

DICTIONARY = "DICT_5X5_100"
FRONT_BASE, BACK_BASE = 60, 70
"""Ids of the four markers of each side, clockwise from the top left; those of the lens' sheet are smaller."""

MARKER_MM = 30.0
_INSET_MM = 34.0
CARD_MM = (85.60, 53.98)
"""A bank card (ISO/IEC 7810 ID-1)."""


def marker_middles(paper: Paper) -> tuple[Point, Point, Point, Point]:
    """Return where the middles of a side's markers are on a true print, mm from the top-left corner."""
    x, y = paper.width_mm - _INSET_MM, paper.height_mm - _INSET_MM
    return (_INSET_MM, _INSET_MM), (x, _INSET_MM), (x, y), (_INSET_MM, y)


def draw_printer_sheet(document: Document, paper: Paper) -> None:
    """Draw both sides of the test sheet."""
    for back, base in ((False, FRONT_BASE), (True, BACK_BASE)):
        with document.page(paper, back=back) as pen:
            pen.items(_side(paper, base, back=back))


def _side(paper: Paper, base: int, *, back: bool) -> Iterator[Item]:
    for number, middle in enumerate(marker_middles(paper)):
        yield Mark(DICTIONARY, base + number, middle, MARKER_MM, 5.0)
    width, middle_y = paper.width_mm - 2 * 26.0, paper.height_mm / 2
    title = _("Printer test: back") if back else _("Printer test: front")
    yield Words((26.0, middle_y - 58, width, 12.0), title, SCALE_PT["title"], "ink", "centre", "bold")
    for number, step in enumerate(_steps(paper), 1):
        y = middle_y - 42 + (number - 1) * 15.0
        yield Words((26.0, y, 8.0, 13.0), str(number), SCALE_PT["heading"], "accent", "left", "bold", upright="top")
        yield Words((34.0, y + 0.6, width - 8, 13.0), step, SCALE_PT["text"], "ink", "left", upright="top")
    yield Rectangle((26.0, middle_y + 20, width, 22.0), line="hairline", corner_mm=2.0)
    yield from check_bar((paper.width_mm - CHECK_MM) / 2, middle_y + 26)
    yield from _card_corners(card_place(paper))


def card_place(paper: Paper) -> Box:
    """Return where a bank card is put if an edge of the paper is out of the picture: left, top, width, height."""
    width, height = CARD_MM
    return (paper.width_mm - width) / 2, paper.height_mm / 2 + 47.0, width, height


def _card_corners(box: Box) -> Iterator[Item]:
    """Corner ticks outside of the card's place, away from its edges, and what it is for."""
    x, y, w, h = box
    gap, length = 2.5, 6.0
    for cx, cy, right, down in ((x, y, -1, -1), (x + w, y, 1, -1), (x + w, y + h, 1, 1), (x, y + h, -1, 1)):
        corner = (cx + right * gap, cy + down * gap)
        yield KitLine(corner, (corner[0] - right * length, corner[1]), "hairline", 0.3)
        yield KitLine(corner, (corner[0], corner[1] - down * length), "hairline", 0.3)
    text = _("a bank card (85.60 x 53.98 mm) goes here if an edge of the paper is out of the picture")
    yield Words((x + 8, y + 18, w - 16, 18.0), text, SCALE_PT["text"], "soft", "centre", "italic")


def measuring_option(paper: Paper) -> str:
    """Return what `companion print measure` needs besides the pictures, with a space before it; nothing for A4."""
    return "" if paper.name == "a4" else f" --paper {paper.name}"


def _steps(paper: Paper) -> Iterator[str]:
    yield _("Print this sheet on both sides, at 100 %, turned on the edge that you use for cards.")
    yield _("Put it flat on something dark. Photograph each side from above with the whole sheet in the picture.")
    yield _("companion print measure FRONT.jpg BACK.jpg") + measuring_option(paper)
    yield _("If an edge of the paper cannot be seen, measure this bar and give its length: --bar 99.4")

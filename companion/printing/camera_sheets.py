"""Sheets for the camera: the ChArUco board that measures its lens, and grey patches for its white balance."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.kit import SCALE_PT, Item, Mark, Rectangle, Words
from companion.locale import _
from companion.printing.document import Document
from companion.printing.page_marks import CHECK_MM, check_bar
from companion.printing.paper import Paper, PrintingError
from vision.calibration import MARKER_MM, SHEET_DICTIONARY, SQUARE_MM, SQUARES_WH

_GREYS = (243, 200, 160, 122, 85, 52)
"""Steps from white to black, as on common charts."""


def draw_charuco(document: Document, paper: Paper) -> None:
    """Draw the sheet that `companion calibrate` finds: the same squares and markers, to scale, on a page on its side.

    Raises:
        PrintingError: the paper is too small for it.
    """
    page = paper.turned()
    columns, rows = SQUARES_WH
    width, height = columns * SQUARE_MM, rows * SQUARE_MM
    if width > page.width_mm or height > page.height_mm:
        message = _("{paper}: too small for the sheet of {width:.0f} x {height:.0f} mm; expected larger paper")
        raise PrintingError(message.format(paper=paper.title, width=width, height=height))
    left, top = (page.width_mm - width) / 2, (page.height_mm - height) / 2
    with document.page(page) as pen:
        pen.moved(left, top).items(_squares())
        pen.items(_charuco_words(page, top + height))


def _squares() -> Iterator[Item]:
    columns, rows = SQUARES_WH
    whites = []
    for row in range(rows):
        for column in range(columns):
            x, y = column * SQUARE_MM, row * SQUARE_MM
            if (row + column) % 2 == 0:
                yield Rectangle((x, y, SQUARE_MM, SQUARE_MM), fill=(0, 0, 0))
            else:
                whites.append((x + SQUARE_MM / 2, y + SQUARE_MM / 2))
    for number, middle in enumerate(whites):
        yield Mark(SHEET_DICTIONARY, number, middle, MARKER_MM, 0.0)


def _charuco_words(page: Paper, bottom: float) -> Iterator[Item]:
    room = page.height_mm - bottom
    if room >= 9.0:
        text = _("companion calibrate: squares of {size:.0f} mm; print at 100 %, glue it flat").format(size=SQUARE_MM)
        yield Words((page.margin_mm, bottom + 0.5, page.width_mm - 16, 5.0), text, SCALE_PT["small"], "soft")


def draw_grey(document: Document, paper: Paper) -> None:
    """Draw grey patches and one large neutral one, to set white balance and to see whether the light is even."""
    with document.page(paper) as pen:
        pen.items(_grey_items(paper))


def _grey_items(paper: Paper) -> Iterator[Item]:
    edge = paper.margin_mm + 8
    width = paper.width_mm - 2 * edge
    title = _("Grey patch")
    note = _(
        "Put it flat where the board will be, in the light that you play in. The white balance is right if the patches"
        " have no tint; the light is even if the large one is equally bright on all sides. Print in black only."
    )
    yield Words((edge, edge, width, 9.0), title, SCALE_PT["title"], "ink", "left", "bold")
    yield Words((edge, edge + 11, width, 14.0), note, SCALE_PT["text"], "soft", "left", upright="top")
    step = width / len(_GREYS)
    for k, grey in enumerate(_GREYS):
        yield Rectangle((edge + k * step, edge + 28, step, 34.0), fill=(grey, grey, grey))
    yield Rectangle((edge, edge + 28, width, 34.0), line="ink", line_mm=0.3)
    large = (edge, edge + 68, width, paper.height_mm - 2 * edge - 68 - 16)
    yield Rectangle(large, fill=(122, 122, 122), line="ink", line_mm=0.3)
    yield from check_bar((paper.width_mm - CHECK_MM) / 2, paper.height_mm - edge - 8)

"""A page on a display of 128 by 64 dots, as leaves that follow one another, most important first.

Nothing is left out: what does not fit on one leaf is on the next.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import resources

from PIL import Image, ImageDraw, ImageFont

from companion.core.verdicts import Figures
from companion.ui.page import ExtraDrawing, Page, button_name, clock_words
from companion.ui.phrases import joined
from hardware.panel import Button

WIDTH_PX, HEIGHT_PX = 128, 64
LINES = 5
"""Lines below the heading."""

_LINE_PX, _HEADING_PX = 10, 13
_SIZE_PX, _LARGE_PX = 9, 26


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a display shows at a time.

    Attributes:
        heading: whose turn it is, inverted.
        corner: the clock, at the right end of the heading.
        lines: the text, at most `LINES`.
        number: the throw, or the number being counted, in large figures next to the text.
        rows: a drawing of cells, such as a card, instead of text.
    """

    heading: str
    corner: str = ""
    lines: tuple[str, ...] = ()
    number: str = ""
    rows: tuple[str, ...] = ()


def leaves_of(page: Page, figures: Figures | None = None) -> tuple[Leaf, ...]:
    """Return a page as leaves: the text, the cards, the buttons and the points."""
    # what DONE would play comes first, with its place among several choices
    done, choice = button_name(Button.DONE), ""
    if page.shown is not None and (meaning := dict(page.buttons).get(done)):
        choice = f"{done} {meaning}" + (f" ({page.shown + 1}/{len(page.choices)})" if page.choices else "")
    first = [choice, page.message, page.turn, *page.notes, *page.extras.facts, *page.answer]
    notes = {str(seat): f" · {text}" for seat, text in page.extras.of_player.items()}
    points = [f"{page.names.get(seat, seat)} {score}{notes.get(seat, '')}" for seat, score in page.scores.items()]
    number = "" if figures is None or figures.choice or figures.cards else "+".join(map(str, figures.numbers))
    return leaves(
        page.banner,
        [[*filter(None, first)], [f"{name} {meaning}" for name, meaning in page.buttons], points],
        corner=clock_words(page.remaining_s).rpartition(" ")[2],
        number=number,
        drawings=page.extras.drawings,
    )


def leaves(
    heading: str,
    texts: Iterable[Sequence[str]],
    *,
    corner: str = "",
    number: str = "",
    drawings: Sequence[ExtraDrawing] = (),
) -> tuple[Leaf, ...]:
    """Return the leaves of texts, each beginning a new leaf, with the drawings after the first text."""
    found: list[Leaf] = []
    for place, text in enumerate(texts):
        width = WIDTH_PX - 3 - (_large_px(number) + 3 if number and not place else 0)
        lines = list[str]()
        for sentence in text:  # broken at spaces; a word that is wider than a line is broken, too
            parts = (part for word in sentence.split() for part in _broken(word, width))
            lines += joined(parts, " ", partial(_fits, width_px=width))
        shown = [lines[start : start + LINES] for start in range(0, len(lines), LINES)] or ([] if place else [[]])
        found += [Leaf(heading, corner, tuple(part), number if not place else "") for part in shown]
        for drawing in () if place else drawings:  # without their frames
            rows = (row.strip("│").replace(" ", "") for row in drawing.rows if not {*row} & {*"┌└─"})
            found.append(Leaf(heading, drawing.title, rows=tuple(rows)))
    return tuple(found)


def _broken(word: str, width_px: int) -> list[str]:
    """Split a word into parts that fit on a line."""
    cut = next((cut for cut in range(len(word), 1, -1) if _fits(word[:cut], width_px)), 1)
    return [word[:cut], *(_broken(word[cut:], width_px) if word[cut:] else ())]


def _fits(text: str, width_px: int) -> bool:
    return _font(_SIZE_PX).getlength(text, mode="1") <= width_px


def _large_px(number: str) -> int:
    return round(_font(_LARGE_PX if len(number) <= 2 else _LARGE_PX // 2).getlength(number, mode="1"))


@lru_cache(maxsize=4)
def _font(size_px: int) -> ImageFont.FreeTypeFont:
    # Bitstream Vera comes with reportlab; it has the letters of all our languages and is readable at this size
    vera = resources.files("reportlab").joinpath("fonts", "Vera.ttf").read_bytes()
    return ImageFont.truetype(io.BytesIO(vera), size_px, layout_engine=ImageFont.Layout.BASIC)


def draw(leaf: Leaf, place: int = 0, count: int = 1) -> Image.Image:
    """Draw a leaf, mode "1", 128 by 64; a line below the heading shows its place among several."""
    image = Image.new("1", (WIDTH_PX, HEIGHT_PX))
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    font = _font(_SIZE_PX)
    pen.rectangle((0, 0, WIDTH_PX - 1, _HEADING_PX - 3), fill=1)
    corner_px = round(font.getlength(leaf.corner, mode="1")) + 2 if leaf.corner else 0
    pen.text((WIDTH_PX - corner_px, 0), leaf.corner, font=font, fill=0)
    room_px, heading = WIDTH_PX - corner_px - 4, leaf.heading
    while heading.rstrip("…") and not _fits(heading, room_px):
        heading = f"{heading.rstrip('…')[:-1].rstrip()}…"
    pen.text((2, 0), heading, font=font, fill=0)
    for row, line in enumerate(leaf.lines):
        pen.text((1, _HEADING_PX + row * _LINE_PX), line, font=font, fill=1)
    if leaf.number:
        large = _font(_LARGE_PX if len(leaf.number) <= 2 else _LARGE_PX // 2)
        pen.text((WIDTH_PX - _large_px(leaf.number) - 1, _HEADING_PX + 6), leaf.number, font=large, fill=1)
    if rows := leaf.rows:  # framed cells in the middle, as large as possible
        size = min((HEIGHT_PX - _HEADING_PX - 3) // len(rows), WIDTH_PX // max(map(len, rows)), 16)
        left, small = (WIDTH_PX - size * max(map(len, rows))) // 2, _font(min(size - 3, 11))
        for y, cells in enumerate(rows):
            for x, sign in enumerate(cells):
                box = (left + x * size, _HEADING_PX + y * size, left + (x + 1) * size, _HEADING_PX + (y + 1) * size)
                pen.rectangle(box, outline=1)
                if sign != "·":
                    pen.text((box[0] + size / 2 + 1, box[1] + size / 2), sign, font=small, fill=1, anchor="mm")
    if count > 1:
        left, right = (round(WIDTH_PX * part / count) for part in (place, place + 1))
        pen.line((left, _HEADING_PX - 1, right - 1, _HEADING_PX - 1), fill=1)
    return image

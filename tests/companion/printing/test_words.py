"""Words on paper: inside their boxes in every language, apart from one another, and readable on their grounds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.games.kit import SCALE_PT, Box, Circle, Item, Point, Polygon, Rectangle, Rgb, Words
from companion.locale import speaking
from companion.printing.contents import parts_of, print_kit, print_parts
from companion.printing.cover import aid_sheet, cover_items
from companion.printing.cut_sheets import draw_sheet
from companion.printing.document import Document
from companion.printing.kits import kit_of
from companion.printing.measure import draw_printer_sheet
from companion.printing.paper import PAPERS, Options
from companion.printing.pen import Pen
from companion.printing.sheets import draw_charuco, draw_grey, draw_manual, panel_sheets
from companion.printing.text import set_text, width_mm
from companion.printing.themes import THEMES, contrast
from hardware.pins import DEFAULT_PINS
from tests.companion.languages import LANGUAGES, Lengthened
from vision.board import shipped_games

Seen = list[tuple[Words, Box, Rgb]]
"""Words of one page where they are, each with the fill under it."""


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Seen]:
    """The pages of the next prints, on which nothing is drawn."""
    pages: list[Seen] = []
    fills: list[tuple[Item, Point]] = []
    begin = Document.page

    def page(document: Document, *args: object, **options: object):  # type: ignore[no-untyped-def]
        pages.append([])
        fills.clear()
        return begin(document, *args, **options)  # type: ignore[arg-type]

    def item(pen: Pen, drawn: Item) -> None:
        at = pen._at
        if isinstance(drawn, Words):
            x, y, w, h = drawn.box
            middle, extent = (at[0] + x + w / 2, at[1] + y + h / 2), _extent(drawn)
            moved = (extent[0] + at[0], extent[1] + at[1], *extent[2:])
            pages[-1].append((drawn, moved, _ground(fills, middle, pen)))
        elif isinstance(drawn, Rectangle | Circle | Polygon) and drawn.fill is not None:
            fills.append((drawn, at))

    monkeypatch.setattr(Pen, "_item", item)
    monkeypatch.setattr(Document, "page", page)
    return pages


def _extent(words: Words) -> Box:
    """The room that the letters take, turned as they are."""
    found = set_text(words)
    wide = max((width_mm(line, words.weight, found.size_pt) for line in found.lines), default=0.0)
    x, y, w, h = words.box
    high = found.height_mm * 0.8
    top = y + found.height_mm * 0.1 if words.upright == "top" else y + (h - high) / 2
    left = x + {"left": 0.0, "centre": (w - wide) / 2, "right": w - wide}[words.align]
    if words.turn_deg % 180 == 0:
        return left, top, wide, high
    return x + w / 2 - high / 2, y + h / 2 - wide / 2, high, wide


def _ground(fills: list[tuple[Item, Point]], point: Point, pen: Pen) -> Rgb:
    """The colour of what was filled last under a point."""
    colour: object = "page"
    for drawn, at in fills:
        if _covers(drawn, (point[0] - at[0], point[1] - at[1])):
            colour = drawn.fill  # type: ignore[union-attr]
    return pen._theme.rgb(colour)  # type: ignore[arg-type]


def _covers(drawn: Item, point: Point) -> bool:
    if isinstance(drawn, Rectangle):
        x, y, w, h = drawn.box
        return x <= point[0] <= x + w and y <= point[1] <= y + h
    if isinstance(drawn, Circle):
        return (point[0] - drawn.centre[0]) ** 2 + (point[1] - drawn.centre[1]) ** 2 <= drawn.radius_mm**2
    return False


def _print_all(theme: str = "paper", paper: str = "a4", *, marked: bool = True) -> None:
    options = Options(theme=THEMES[theme], paper=PAPERS[paper], marked=marked, whole=True)
    for game in shipped_games():
        print_kit(game, options, "table.toml")
        extra = [part for part in parts_of(game, options) if part.key in ("markers", "stickers")]
        print_parts("", extra, options)
    document = Document("", THEMES[theme])
    for draw in (draw_charuco, draw_grey, draw_printer_sheet, draw_manual):
        draw(document, PAPERS[paper])
    for sheet in panel_sheets(DEFAULT_PINS):
        draw_sheet(document, sheet, options, "Panel")


def _too_long(pages: list[Seen]) -> Iterator[str]:
    for page in pages:
        yield from (words.text for words, _extent, _ground in page if not set_text(words).fits)


def _overlapping(pages: list[Seen]) -> Iterator[tuple[str, str]]:
    for page in pages:
        placed = [(words.text, extent) for words, extent, _ground in page if words.text.strip()]
        for k, (text, (x, y, w, h)) in enumerate(placed):
            for other, (u, v, a, b) in placed[:k]:
                if min(x + w, u + a) - max(x, u) > 0.3 and min(y + h, v + b) - max(y, v) > 0.3:
                    yield other, text


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_words_are_inside_their_boxes_though_a_language_is_long(seen: list[Seen], paper: str) -> None:
    with speaking(Lengthened()):
        _print_all(paper=paper, marked=paper == "letter")
    assert sum(len(page) for page in seen) > 800
    assert sorted(set(_too_long(seen))) == []
    assert sorted(set(_overlapping(seen))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_inside_their_boxes_in_every_language(seen: list[Seen], language: str) -> None:
    with speaking(language):
        _print_all()
    assert sorted(set(_too_long(seen))) == []
    assert sorted(set(_overlapping(seen))) == []


def test_no_line_begins_with_a_sign_that_french_sets_after_a_space() -> None:
    text = "plus de case libre ; qui en a 100 % a raison : l'autre dit « non »"
    lines = [line for width in range(10, 60) for line in set_text(Words((0, 0, width, 200), text, 9.0)).lines]
    assert not [line for line in lines if line[0] in ";:%»" or line[-1] == "«" or "'" in line]


def test_no_word_is_alone_in_a_last_line_if_narrower_lines_are_as_many() -> None:
    assert set_text(Words((0, 0, 20.0, 40.0), "Three words here", 9.0)).lines == ("Three", "words here")
    assert set_text(Words((0, 0, 15.0, 40.0), "Three words here", 9.0)).lines == ("Three", "words", "here")


def test_all_words_but_those_of_boards_have_sizes_of_one_scale() -> None:
    kits = [kit_of(game) for game in shipped_games()]
    sheets = [sheet for kit in kits for sheet in (*kit.sheets(True), *kit.sheets(False), aid_sheet(kit))]
    drawn = [item for sheet in sheets for drawing in (*sheet.fronts, *sheet.backs) for item in drawing.items]
    sizes = {item.size_pt for item in drawn if isinstance(item, Words)}
    assert sizes <= set(SCALE_PT.values())
    assert len(sizes) > 3


@pytest.mark.parametrize("theme", THEMES)
def test_words_contrast_with_what_they_are_printed_on(seen: list[Seen], theme: str) -> None:
    _print_all(theme, marked=False)
    faint = {
        (words.text[:30], round(ratio, 1))
        for page in seen
        for words, _extent, ground in page
        if (ratio := contrast(THEMES[theme].rgb(words.colour), ground)) < 4.5
    }
    assert faint == set()


@pytest.mark.parametrize("cutting", [True, False])
def test_the_cover_names_cutting_lines_only_where_they_are_printed(cutting: bool) -> None:
    cover = cover_items(kit_of("royal-tee"), Options(cutting=cutting), ())
    text = " ".join(item.text for item in cover if isinstance(item, Words))
    assert ("crop marks" in text, "fine lines" in text) == (cutting, cutting)

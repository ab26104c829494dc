"""Sheets for camera and box: lens sheet, grey patches, the page's card, the manual, drill plan and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.kit import SCALE_PT, Circle, Drawing, Item, KitLine, KitSheet, Mark, Point, Rectangle, Words
from companion.locale import _
from companion.printing.challenge import code_items
from companion.printing.document import Document
from companion.printing.page_marks import CHECK_MM, check_bar
from companion.printing.paper import Paper, PrintingError
from companion.ui.page import button_name, rhythm_meanings
from hardware.panel import BEAT_S, Button
from hardware.pins import Part, PinMap
from vision.calibration import MARKER_MM, SHEET_DICTIONARY, SQUARE_MM, SQUARES_WH

_GREYS = (243, 200, 160, 122, 85, 52)
"""Steps from white to black, as on common charts."""


def draw_charuco(document: Document, paper: Paper) -> None:
    """Draw the sheet of squares and markers that `companion calibrate` detects, to scale, in landscape.

    Raises:
        PrintingError: the paper is too small.
    """
    page = paper.turned()
    columns, rows = SQUARES_WH
    width, height = columns * SQUARE_MM, rows * SQUARE_MM
    if width > page.width_mm or height > page.height_mm:
        message = _("{paper}: too small for the sheet of {width:.0f} x {height:.0f} mm; expected larger paper")
        raise PrintingError(message.format(paper=paper.title, width=width, height=height))
    left, top = (page.width_mm - width) / 2, (page.height_mm - height) / 2
    text = _("companion calibrate: squares of {size:.0f} mm; print at 100 %, glue it flat").format(size=SQUARE_MM)
    box = (page.margin_mm, top + height + 0.5, page.width_mm - 16, 5.0)
    with document.page(page) as pen:
        cells = [(column, row) for row in range(rows) for column in range(columns)]
        dark, white = ([(x * SQUARE_MM, y * SQUARE_MM) for x, y in cells if (x + y) % 2 == odd] for odd in (0, 1))
        board = pen.moved(left, top)
        board.items(Rectangle((x, y, SQUARE_MM, SQUARE_MM), fill=(0, 0, 0)) for x, y in dark)
        middles = ((x + SQUARE_MM / 2, y + SQUARE_MM / 2) for x, y in white)
        board.items(Mark(SHEET_DICTIONARY, number, at, MARKER_MM, 0.0) for number, at in enumerate(middles))
        if top >= 9.0:  # there is room for words
            pen.items([Words(box, text, SCALE_PT["small"], "soft")])


def draw_grey(document: Document, paper: Paper) -> None:
    """Draw grey patches and a large one, to set the white balance and to check that the light is even."""
    edge = paper.margin_mm + 8
    width = paper.width_mm - 2 * edge
    note = _(
        "Put it flat where the board will be, in the light that you play in. The white balance is right if the patches"
        " have no tint; the light is even if the large one is equally bright on all sides. Print in black only."
    )
    step = width / len(_GREYS)
    patches = [
        Rectangle((edge + k * step, edge + 28, step, 34.0), fill=(grey, grey, grey)) for k, grey in enumerate(_GREYS)
    ]
    large = (edge, edge + 68, width, paper.height_mm - 2 * edge - 68 - 16)
    items = (
        Words((edge, edge, width, 9.0), _("Grey patch"), SCALE_PT["title"], "ink", "left", "bold"),
        Words((edge, edge + 11, width, 14.0), note, SCALE_PT["text"], "soft", "left", upright="top"),
        *patches,
        Rectangle((edge, edge + 28, width, 34.0), line="ink", line_mm=0.3),
        Rectangle(large, fill=(122, 122, 122), line="ink", line_mm=0.3),
        *check_bar((paper.width_mm - CHECK_MM) / 2, paper.height_mm - edge - 8),
    )
    with document.page(paper) as pen:
        pen.items(items)


PAGE_ADDRESS = "http://companion.local"


def draw_page_card(document: Document, paper: Paper) -> None:
    """Draw the card that leads a phone to the page: a QR code, the address, and instructions."""
    left, top, side = paper.margin_mm + 8, paper.margin_mm + 8, 52.0
    right, width = left + side + 6, paper.width_mm - 2 * left - side - 6
    steps = _(
        "Scan the code with a phone in the same Wi-Fi, choose “Ask at the table instead”, and press DONE at the table."
        " If there is no Wi-Fi, join “companion” with the phone: it shows the page by itself."
    )
    with document.page(paper) as pen:
        pen.moved(left, top).items(code_items(PAGE_ADDRESS, side))
        pen.items(
            [
                Rectangle((left - 4, top - 4, paper.width_mm - 2 * left + 8, side + 8), line="line", line_mm=0.3),
                Words((right, top, width, 14.0), PAGE_ADDRESS, SCALE_PT["title"], "ink", "left", "bold"),
                Words((right, top + 16, width, side - 16), steps, SCALE_PT["text"], "ink", "left", upright="top"),
            ]
        )


# ---- the box's manual: buttons, rhythms and an evening, on one page

_BEAT_MM = 1.7
_BEATS = 36


def draw_manual(document: Document, paper: Paper) -> None:
    """Draw the manual of the box: buttons, lamp rhythms, and an evening, in the words of panel and screen."""
    with document.page(paper) as pen:
        pen.items(_manual_items(paper, {button.value: button_name(button) for button in Button}))


def _manual_items(paper: Paper, buttons: Mapping[str, str]) -> Iterator[Item]:
    left = paper.margin_mm + 10
    width, top = paper.width_mm - 2 * left, left
    yield Words((left, top, width, 11.0), _("The box on one page"), SCALE_PT["title"], "ink", "left", "bold")
    top += 17
    yield _heading(left, top, width, _("Buttons"))
    uses = {
        "roll": _("throws the dice, or counts up; in a pause and after the end it shows the points"),
        "done": _("judges the table, or takes the choice that is shown"),
        "back": _("takes the last move back, or counts down; kept down it plays the move again"),
        "mode": _("shows the next choice; kept down it pauses the game"),
    }
    for button, does in uses.items():
        top += 8.5
        yield Words((left, top, 26.0, 8.0), buttons[button], SCALE_PT["text"], "ink", "left", "bold")
        yield Words((left + 28, top, width - 28, 8.0), does, SCALE_PT["text"], "ink", "left")
    top += 14
    yield _heading(left, top, width, _("Lamps"))
    top += 5.5
    for rhythm, means in rhythm_meanings().items():
        top += 6.4
        # the beginning of the rhythm from left to right, dark while the lamp is lit
        yield Rectangle((left, top - 1.6, _BEATS * _BEAT_MM, 3.2), line="hairline", line_mm=0.15)
        lit = (beat for beat in range(_BEATS) if rhythm.lit_at((beat + 0.5) * BEAT_S))
        yield from (Rectangle((left + beat * _BEAT_MM, top - 1.6, _BEAT_MM, 3.2), fill="ink") for beat in lit)
        yield Words((left + 66, top - 3, width - 66, 6.0), means, SCALE_PT["text"], "ink", "left")
    top += 5
    counts = _(
        "A lamp counts a number out in flashes; one long flash is 0. A card's number has two figures: 07 is a long "
        "flash, then seven. Digits and display show numbers as they are."
    )
    yield Words((left, top, width, 9.0), counts, SCALE_PT["text"], "ink", "left")
    top += 14
    yield _heading(left, top, width, _("An evening"))
    for number, step in enumerate(_evening_words(buttons), 1):
        top += 11.5 if number > 1 else 8.5
        yield Words((left, top, 6.0, 5.0), f"{number}.", SCALE_PT["text"], "ink", "left", "bold")
        yield Words((left + 8, top, width - 8, 11.0), step, SCALE_PT["text"], "ink", "left", upright="top")


def _heading(left: float, top: float, width: float, text: str) -> Words:
    return Words((left, top, width, 7.0), text, SCALE_PT["heading"], "ink", "left", "bold")


def _evening_words(buttons: Mapping[str, str]) -> Iterator[str]:
    steps = (
        _("Switch on, and lay a board in front of the camera. The lamps of those who play flash slowly."),
        _(
            "{mode} shows the next offer, {roll} goes to a player, an option or the language, {back} changes it. "
            "{done} begins."
        ),
        _("Set the table up. Then play as ever: each move is judged as soon as the hands have left the board."),
        _(
            "Quick flashes: the rules forbid it. Put it back as it was. If the camera is wrong, {mode} offers "
            "corrections."
        ),
        _("Keep {mode} down for a pause: go on, keep the game for another day, a hint, the points, switch off."),
        _("After the end {mode} leads to another game, or to switching off. Pull the plug only when all is dark."),
    )
    return (step.format(**buttons) for step in steps)


# ---- the panel on paper: a drill plan to scale and its labels, for the parts of the wiring

_WIDTH_MM = 180.0
_ROW_MM = 30.0
_EDGE_MM = 12.0


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole to drill, or a window to cut if `window` has a width and height; all in mm."""

    name: str
    diameter_mm: float
    window: Point | None = None


def panel_sheets(pins: PinMap) -> tuple[KitSheet, ...]:
    """Return the drill plan and the labels of a panel: rows of lamps, the bar, then other parts, the buttons below."""
    wires = list(pins.wires())
    there = {wire.part for wire in wires}
    lamps = dict.fromkeys(wire.name.partition(" ")[0] for wire in wires if wire.part is Part.LAMP)
    digits_mm = (12.6 * max(1, len((pins.digits and pins.digits.selects) or ())), 19.2)
    others = (
        (Part.DIGITS, Hole(_("digits"), 0.0, digits_mm)),
        (Part.BUZZER, Hole(_("buzzer"), 3.0)),
        (Part.ENCODER, Hole(_("encoder"), 7.2)),
        (Part.POTENTIOMETER, Hole(_("slide potentiometer"), 0.0, (62.0, 4.0))),
        (Part.DISPLAY, Hole(_("display"), 0.0, (26.0, 14.0))),
    )
    rows = (
        [Hole(_("lamp {number}").format(number=number), 5.2) for number in lamps],
        [Hole(wire.name, 5.2) for wire in wires if wire.part is Part.BAR],
        [hole for part, hole in others if part in there],
        [Hole(button_name(Button(wire.name)), 12.2) for wire in wires if wire.part is Part.BUTTON],
    )
    holes = [row for row in rows if row]
    note = _("Glue or tape the plan on the panel, punch the crosses, drill; windows are sawn along their outlines.")
    width, height = 28.0, 9.0
    ground = Rectangle((0, 0, width, height), fill="white")
    frame = Rectangle((0.7, 0.7, width - 1.4, height - 1.4), line="hairline", line_mm=0.2, corner_mm=1.2)
    words = Words((2, 1, width - 4, height - 2), "", SCALE_PT["text"], "ink", "centre", "bold")
    texts = (replace(words, text=hole.name) for row in holes for hole in row)
    labels = tuple(Drawing(width, height, (ground, frame, text)) for text in texts)
    return (
        KitSheet("drill-plan", _("Drill plan"), (_plan(holes),), (), note),
        KitSheet("labels", _("Labels"), labels, (), _("Cut out and glue below the part.")),
    )


def _plan(rows: Sequence[Sequence[Hole]]) -> Drawing:
    height = len(rows) * _ROW_MM + 2 * _EDGE_MM
    items: list[Item] = [
        Rectangle((0, 0, _WIDTH_MM, height), fill="white", line="ink", corner_mm=4.0),
        *(Circle((x, y), 1.6, line="ink", line_mm=0.2) for x in (6.0, _WIDTH_MM - 6.0) for y in (6.0, height - 6.0)),
    ]
    for number, row in enumerate(rows):
        y = _EDGE_MM + (number + 0.4) * _ROW_MM
        step = (_WIDTH_MM - 2 * _EDGE_MM) / len(row)
        for k, hole in enumerate(row):
            # the hole or window, with its name and size below
            x = _EDGE_MM + (k + 0.5) * step
            w, h = hole.window or (hole.diameter_mm, hole.diameter_mm)
            if hole.window is not None:
                items.append(Rectangle((x - w / 2, y - h / 2, w, h), line="ink", line_mm=0.25))
            else:
                items.append(Circle((x, y), h / 2, line="ink", line_mm=0.25))
                items.append(KitLine((x - 3, y), (x + 3, y), "accent", 0.15))
                items.append(KitLine((x, y - 3), (x, y + 3), "accent", 0.15))
            size, below = f"{w:g} x {h:g}" if hole.window else f"Ø {h:g}", y + max(h / 2, 3.0) + 1.0
            items.append(Words((x - step / 2 + 0.5, below, step - 1, 3.6), hole.name, SCALE_PT["small"], "ink"))
            items.append(Words((x - step / 2 + 0.5, below + 3.4, step - 1, 3.2), size, SCALE_PT["small"], "soft"))
    return Drawing(_WIDTH_MM, height, tuple(items))

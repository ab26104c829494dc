"""The panel on paper: a drill plan to scale and its labels, for the parts that the wiring has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.kit import SCALE_PT, Circle, Drawing, Item, KitLine, KitSheet, Point, Rectangle, Words
from companion.locale import _
from hardware.pins import Part, PinMap, Wire

_WIDTH_MM = 180.0
_ROW_MM = 30.0
_EDGE_MM = 12.0


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole to drill, or a window to cut where `window` has a width and height; both in mm."""

    name: str
    diameter_mm: float
    window: Point | None = None


def panel_sheets(pins: PinMap) -> tuple[KitSheet, ...]:
    """Return the drill plan and the labels of a panel."""
    rows = [row for row in _rows(pins) if row]
    note = _("Glue or tape the plan on the panel, punch the crosses, drill; windows are sawn along their outlines.")
    labels = tuple(_label(hole.name) for row in rows for hole in row)
    return (
        KitSheet("drill-plan", _("Drill plan"), (_plan(rows),), (), note),
        KitSheet("labels", _("Labels"), labels, (), _("Cut out and glue below the part.")),
    )


def _rows(pins: PinMap) -> Iterator[list[Hole]]:
    """Arrange the parts in rows: lamps above, then the bar, the digits and the buzzer, the knobs, the buttons below."""
    wires = list(pins.wires())
    lamps = list(dict.fromkeys(wire.name.partition(" ")[0] for wire in wires if wire.part is Part.LAMP))
    yield [Hole(_("lamp {number}").format(number=number), 5.2) for number in lamps]
    yield [Hole(wire.name, 5.2) for wire in wires if wire.part is Part.BAR]
    yield [*_digits(pins), *_others(wires)]
    yield [Hole(button_name(wire.name), 12.2) for wire in wires if wire.part is Part.BUTTON]


def button_name(button: str) -> str:
    """Return what is written below a button."""
    names = {"roll": _("roll"), "done": _("done"), "back": _("take back"), "mode": _("mode")}
    return names.get(button, button)


def _digits(pins: PinMap) -> Iterator[Hole]:
    if pins.digits is not None:
        count = max(1, len(pins.digits.selects or ()))
        yield Hole(_("digits"), 0.0, (12.6 * count, 19.2))


def _others(wires: Sequence[Wire]) -> Iterator[Hole]:
    there = {wire.part for wire in wires}
    if Part.BUZZER in there:
        yield Hole(_("buzzer"), 3.0)
    if Part.ENCODER in there:
        yield Hole(_("encoder"), 7.2)
    if Part.POTENTIOMETER in there:
        yield Hole(_("slide potentiometer"), 0.0, (62.0, 4.0))
    if Part.DISPLAY in there:
        yield Hole(_("display"), 0.0, (26.0, 14.0))


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
            items += _hole(hole, _EDGE_MM + (k + 0.5) * step, y, step)
    return Drawing(_WIDTH_MM, height, tuple(items))


def _hole(hole: Hole, x: float, y: float, room: float) -> Iterator[Item]:
    """Draw a hole with its cross and size, and its name below."""
    if hole.window is not None:
        w, h = hole.window
        yield Rectangle((x - w / 2, y - h / 2, w, h), line="ink", line_mm=0.25)
        size = f"{w:g} x {h:g}"
    else:
        h = hole.diameter_mm
        yield Circle((x, y), h / 2, line="ink", line_mm=0.25)
        yield KitLine((x - 3, y), (x + 3, y), "accent", 0.15)
        yield KitLine((x, y - 3), (x, y + 3), "accent", 0.15)
        size = f"Ø {h:g}"
    below = y + max(h / 2, 3.0) + 1.0
    yield Words((x - room / 2 + 0.5, below, room - 1, 3.6), hole.name, SCALE_PT["small"], "ink")
    yield Words((x - room / 2 + 0.5, below + 3.4, room - 1, 3.2), size, SCALE_PT["small"], "soft")


def _label(name: str) -> Drawing:
    width, height = 28.0, 9.0
    frame = Rectangle((0.7, 0.7, width - 1.4, height - 1.4), line="hairline", line_mm=0.2, corner_mm=1.2)
    text = Words((2, 1, width - 4, height - 2), name, SCALE_PT["text"], "ink", "centre", "bold")
    return Drawing(width, height, (Rectangle((0, 0, width, height), fill="white"), frame, text))

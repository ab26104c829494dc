"""The panel's wiring as drawings: the header with its wires, the circuit diagram, and the parts on a breadboard."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from companion.games.kit import Align, Circle, Drawing, Item, KitLine, Polygon, Rectangle, Rgb, Words
from companion.locale import _, translated
from companion.printing.text import MM
from companion.ui.wiring import users_of_pins, way
from hardware.pins import HEADER, PIN_OF_GPIO, Part, PinMap, Wire

_LIT: Rgb = (255, 200, 0)
_BLACK: Rgb = (0, 0, 0)


def _text(
    x_mm: float, base_mm: float, text: str, size_mm: float, align: Align = "centre", *, bold: bool = False
) -> Words:
    """Return a line of text that begins, ends, or has its middle at a place on its base line."""
    width, height = 90.0, 1.5 * size_mm
    left = x_mm - {"left": 0.0, "centre": width / 2, "right": width}[align]
    box = (left, base_mm - 0.34 * size_mm - height / 2, width, height)
    return Words(box, text, size_mm * MM, _BLACK, align, "bold" if bold else "regular")


def _sheet(width_mm: float, height_mm: float, items: Iterable[Item]) -> Drawing:
    return Drawing(width_mm, height_mm, (Rectangle((0, 0, width_mm, height_mm), fill="page"), *items))


_ROW_MM, _TOP_MM, _MIDDLE_MM, _WIDTH_MM = 7.0, 16.0, 80.0, 160.0


def header_drawing(pins: PinMap) -> Drawing:
    """Draw the header, 160 mm wide: wired pins filled and named; pin 1 square, as on the board."""
    height_mm = _TOP_MM + _ROW_MM * len(HEADER) / 2 + 6
    items: list[Item] = [
        _text(_MIDDLE_MM, 8, _("Raspberry Pi header, pin 1 at the corner of the board"), 4),
        Rectangle((_MIDDLE_MM - 8, _TOP_MM - 5, 16, height_mm - _TOP_MM), fill=(48, 48, 48)),
    ]
    users = users_of_pins(pins)
    for place, name in enumerate(HEADER):
        align: Align = "left" if place % 2 else "right"
        outward = 1 if place % 2 else -1
        x_mm, y_mm = _MIDDLE_MM + outward * 3.5, _TOP_MM + place // 2 * _ROW_MM
        colour = _LIT if name in users else "white"
        square = Rectangle((x_mm - 2.2, y_mm - 2.2, 4.4, 4.4), fill=colour)
        items.append(Circle((x_mm, y_mm), 2.2, fill=colour) if place else square)
        items.append(_text(x_mm, y_mm + 0.9, str(place + 1), 2.4))
        items.append(_text(_MIDDLE_MM + outward * 10, y_mm + 1.1, name, 3.2, align))
        if name in users:
            items.append(_text(_MIDDLE_MM + outward * 26, y_mm + 1.1, users[name], 3.6, align, bold=True))
    return _sheet(_WIDTH_MM, height_mm, items)


# ---- the circuit diagram: a row for each wire, from its pin through resistor, LED or contact to its rail

_STEP_MM, _LEFT_MM, _RIGHT_MM = 11.0, 62.0, 150.0


def schematic_drawing(pins: PinMap) -> Drawing:
    """Draw the circuit diagram."""
    wires = list(pins.wires())
    supplied = [part for part in _SUPPLIES if any(wire.part is part for wire in wires)]
    legs = [(part, leg, rail) for part in supplied for leg, rail in _SUPPLIES[part].items()]
    height_mm = 24 + _STEP_MM * (len(wires) + len(legs))
    items: list[Item] = []
    for row, wire in enumerate(wires):
        y_mm = 18 + row * _STEP_MM
        items.append(_text(_LEFT_MM - 3, y_mm + 1.1, translated(str(wire)), 3.2, "right"))
        items.append(_text(_LEFT_MM + 1, y_mm - 1.2, f"GPIO{wire.gpio} ({PIN_OF_GPIO[wire.gpio]})", 2.6, "left"))
        items += _way(pins, wire, y_mm)
    for row, (part, leg, rail) in enumerate(legs, start=len(wires)):
        y_mm = 18 + row * _STEP_MM
        items.append(KitLine((108, y_mm), (_RIGHT_MM + 14 * (rail == "3.3 V"), y_mm), _BLACK))
        items += (*_box(part.value.split()[0], y_mm), _text(100, y_mm + 1.1, leg, 3.2, "right"))
    for rail, x_mm in (("GND", _RIGHT_MM), ("3.3 V", _RIGHT_MM + 14)):
        items += (KitLine((x_mm, 10), (x_mm, height_mm - 6), _BLACK), _text(x_mm, 8, rail, 3.2))
    return _sheet(180, height_mm, items)


def _way(pins: PinMap, wire: Wire, y_mm: float) -> Iterator[Item]:
    """Yield a wire: a box for its resistor, a triangle with a bar for an LED, an open contact for a button."""
    resistor, rail = _resistor(pins, wire), _rail(pins, wire)
    high = rail == "3.3 V"
    yield KitLine((_LEFT_MM, y_mm), (118 if rail is None else _RIGHT_MM + 14 * high, y_mm), _BLACK)
    if resistor:
        yield Rectangle((84, y_mm - 1.8, 12, 3.6), fill="white", line=_BLACK)
        yield _text(90, y_mm + 0.9, resistor, 2.4)
    if wire.part in _LEDS:  # it points in the direction of the current: away from a high pin, towards a low one
        tip, back = (104.0, 110.0) if high else (110.0, 104.0)
        yield Polygon(((back, y_mm - 2.2), (back, y_mm + 2.2), (tip, y_mm)), fill=_LIT, line=_BLACK)
        yield KitLine((tip, y_mm - 2.2), (tip, y_mm + 2.2), _BLACK)
    elif wire.part is Part.BUTTON:
        yield Rectangle((101, y_mm - 2.5, 8, 3.2), fill="white")
        yield KitLine((101, y_mm), (108, y_mm - 3), _BLACK)
    elif kind := _transistor(pins, wire):
        yield from _box(kind, y_mm)
        yield KitLine((112, y_mm - 2.6), (112, y_mm - 5), _BLACK)
        yield _text(113, y_mm - 3.4, _collector(wire), 2.2, "left")
        yield _text(116, y_mm - 0.8, "E", 2.2, "left")
    else:
        yield from _box(wire.part.value.split()[0], y_mm)


def _box(words: str, y_mm: float) -> tuple[Item, Item]:
    return Rectangle((101, y_mm - 2.6, 14, 5.2), fill="white", line=_BLACK), _text(108, y_mm + 0.9, words, 2.2)


_LEDS = (Part.LAMP, Part.BAR)

_SUPPLIES: Mapping[Part, Mapping[str, str]] = {
    Part.DISPLAY: {"VCC": "3.3 V", "GND": "GND"},
    Part.POTENTIOMETER: {"VDD 16, VREF 15": "3.3 V", "AGND 14, DGND 9": "GND"},
}
"""The rails of parts that have legs of their own for both, by leg."""


def _transistor(pins: PinMap, wire: Wire) -> str:
    """Return the kind of transistor whose base a wire goes to, "" for none."""
    found = re.search("NPN|PNP", way(wire, pins))
    return found[0] if found else ""


def _collector(wire: Wire) -> str:
    """Return what a transistor's collector goes to, such as "C: digits 1"."""
    return f"C: {wire.part.value} {wire.name.partition(' ')[2]}".rstrip()


def _resistor(pins: PinMap, wire: Wire) -> str:
    """Return a wire's resistor, "" for none."""
    found = re.match(r"([\d.,]+ k?Ω)", way(wire, pins))
    return found[1] if found else ""


def _rail(pins: PinMap, wire: Wire) -> str | None:
    """Return the rail at a wire's end; None if the part has its own connections to both, or a transistor to one."""
    switched = wire.part is Part.DIGITS and pins.digits is not None and bool(pins.digits.selects)
    if wire.part in _SUPPLIES or (switched and not _transistor(pins, wire)):
        return None
    high = {
        Part.LAMP: not pins.lamps.active_high,
        Part.BAR: pins.bar is not None and not pins.bar.active_high,
        Part.DIGITS: pins.digits is not None and pins.digits.common == "anode",
    }.get(wire.part, False)
    return "3.3 V" if high else "GND"


# ---- the same parts on a breadboard: six columns of five joined holes for each wire, with the rails below

_HOLE_MM, _COLUMNS, _OF_A_WIRE, _BOARD_MM = 4.0, 60, 6, 62.0
_RAIL_ROWS: Mapping[str, tuple[int, Rgb]] = {"GND": (7, (31, 95, 191)), "3.3 V": (8, (192, 32, 31))}
_RAIL_PINS = {"GND": 6, "3.3 V": 1}


def breadboard_drawing(pins: PinMap) -> Drawing:
    """Draw the panel on breadboards: wires from the header above, parts, rails below."""
    wires, fit = list(pins.wires()), _COLUMNS // _OF_A_WIRE
    boards = [wires[start : start + fit] for start in range(0, len(wires), fit)]
    items: list[Item] = []
    for board, held in enumerate(boards):
        top_mm, size = 20 + board * _BOARD_MM, (_COLUMNS * _HOLE_MM + 4, 9 * _HOLE_MM + 3)
        items.append(Rectangle((22, top_mm - 4, *size), fill=(244, 241, 234), line=(144, 144, 144)))
        rows = (*range(5), *(row for row, _colour in _RAIL_ROWS.values()))
        holes = ((26 + column * _HOLE_MM, top_mm + row * _HOLE_MM) for row in rows for column in range(_COLUMNS))
        items += (Circle(hole, 0.5, fill=(112, 112, 112)) for hole in holes)
        for name, (row, colour) in _RAIL_ROWS.items():
            y_mm = top_mm + row * _HOLE_MM
            items.append(KitLine((24, y_mm + 1.4), (24 + _COLUMNS * _HOLE_MM, y_mm + 1.4), colour))
            items.append(_text(21, y_mm + 1, f"{name} ({_RAIL_PINS[name]})", 2.6, "right"))
        for place, wire in enumerate(held):
            items += _on_board(pins, wire, 26 + place * _OF_A_WIRE * _HOLE_MM, top_mm)
    return _sheet(_COLUMNS * _HOLE_MM + 40, len(boards) * _BOARD_MM + 4, items)


def _on_board(pins: PinMap, wire: Wire, left_mm: float, top_mm: float) -> Iterator[Item]:
    """Yield the parts of a wire: resistor, the part across two columns, and the connection to its rail."""
    resistor, rail = _resistor(pins, wire), _rail(pins, wire)
    part_mm = left_mm + (3 * _HOLE_MM if resistor else 0)
    yield KitLine((left_mm, top_mm - 8), (left_mm, top_mm), (16, 128, 64), 0.8)
    yield _text(left_mm - 1, top_mm - 12.5, translated(str(wire)), 2.6, "left", bold=True)
    pin = _("pin {pin}").format(pin=PIN_OF_GPIO[wire.gpio])
    yield _text(left_mm - 1, top_mm - 9.2, f"{pin} · GPIO{wire.gpio}", 2.4, "left")
    if resistor:
        yield KitLine((left_mm, top_mm + _HOLE_MM), (part_mm, top_mm + _HOLE_MM), _BLACK, 0.5)
        yield Rectangle((left_mm + 1.5, top_mm + _HOLE_MM - 1.4, 9, 2.8), fill=(224, 207, 160), line=_BLACK)
        yield _text(left_mm + 6, top_mm + _HOLE_MM + 0.8, resistor, 2.2)
    leg_mm, y_mm = part_mm + _HOLE_MM, top_mm + 3 * _HOLE_MM
    if wire.part in _LEDS:  # the long leg goes to the positive side
        yield Circle((part_mm + _HOLE_MM / 2, y_mm), 2.6, fill=_LIT)
        yield _text(part_mm if rail == "GND" else leg_mm, y_mm - 3.0, "+", 3.2, bold=True)
    elif wire.part is Part.BUTTON:
        leg_mm = part_mm + 2 * _HOLE_MM
        yield Rectangle((part_mm - 1, y_mm - 3, 2 * _HOLE_MM + 2, 6), fill=(64, 64, 64))
        yield Circle((part_mm + _HOLE_MM, y_mm), 1.8, fill=(208, 208, 208))
    else:
        leg_mm = part_mm + (2 * _HOLE_MM if rail else 0)
        yield Rectangle((part_mm - 1.5, y_mm - 2.2, 11, 4.4), fill=(216, 228, 244), line=_BLACK)
        kind = _transistor(pins, wire)
        words, leg = (kind, "E") if kind else (wire.name or wire.part.value, "")
        yield _text(part_mm + 4, y_mm + 0.9, words, 2.2)
        if kind:
            yield _text(part_mm - 1.5, y_mm - 3.0, _collector(wire), 2.2, "left")
        if wire.name in ("SDA", "SCL"):  # the display's other two legs, drawn with the one that is next to each
            leg, rail = ("VCC", "3.3 V") if wire.name == "SDA" else ("GND", "GND")
            leg_mm = part_mm + 2 * _HOLE_MM
        yield _text(leg_mm + 1, top_mm + 5.4 * _HOLE_MM, leg, 2.2, "left")
    if rail is not None:
        row, colour = _RAIL_ROWS[rail]
        yield KitLine((leg_mm, top_mm + 4 * _HOLE_MM), (leg_mm, top_mm + row * _HOLE_MM), colour, 0.8)

"""The panel's wiring as text and drawings: each wire, where it goes, and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from xml.etree import ElementTree as Xml

from rich.table import Table
from rich.text import Text

from companion.locale import _
from companion.ui.names import seat_name
from engines.kernel import Json, JsonObject
from hardware.pins import HEADER, PIN_OF_GPIO, BuzzerKind, Common, LampKind, Part, PinMap, Wire

LED_MA = 2.8
"""The current of a red LED of 2.0 V with 470 Ω at a pin of 3.3 V; other colours need less."""

PINS_MA = 50
"""The most that all pins together should supply."""


_CHIP_PINS = {"CLK": 13, "DOUT": 12, "DIN": 11, "CS": 10}
"""The MCP3008's own pins, by its data sheet (Microchip DS21295)."""


def wiring_table(pins: PinMap) -> Table:
    """Return a table of all wires with GPIO, header pin, and destination."""
    table = Table(box=None, pad_edge=False)
    for heading, style in ((_("part"), "bold"), ("GPIO", ""), (_("pin"), ""), (_("from the pin to"), "")):
        table.add_column(heading, style=style, no_wrap=heading != _("from the pin to"))
    for wire in pins.wires():
        table.add_row(wire_words(wire), str(wire.gpio), str(PIN_OF_GPIO[wire.gpio]), way(wire, pins))
    return table


def wire_words(wire: Wire) -> str:
    """Return the name of a wire, such as "lamp 3 red"."""
    number, _space, line = wire.name.partition(" ")
    match wire.part:
        case Part.LAMP:
            lamp = _("lamp {number}").format(number=number)
            return f"{lamp} {seat_name(line) if line else ''}".rstrip()
        case Part.DIGITS if line:
            return _("select digit {number}").format(number=line)
    sentences = {
        Part.BUTTON: _("button {name}"),
        Part.BAR: _("slider step {name}"),
        Part.DIGITS: _("segment {name}"),
        Part.BUZZER: _("buzzer"),
        Part.ENCODER: _("encoder {name}"),
        Part.POTENTIOMETER: _("MCP3008 {name}"),
        Part.DISPLAY: _("display {name}"),
    }
    return sentences[wire.part].format(name=wire.name)


def way(wire: Wire, pins: PinMap) -> str:
    """Return the destination of a wire, with its resistor."""
    ways: Mapping[Part, Callable[[], str]] = {
        Part.BUTTON: lambda: _("push-button, ground"),
        Part.LAMP: lambda: _led(wire.name.partition(" ")[2], active_high=pins.lamps.active_high),
        Part.BAR: lambda: _led(active_high=pins.bar is None or pins.bar.active_high),
        Part.DIGITS: lambda: _digits(wire, pins),
        Part.BUZZER: lambda: _buzzer(pins),
        Part.ENCODER: lambda: _("contact {name} of the encoder; its third contact to ground").format(
            name=wire.name.upper()
        ),
        Part.POTENTIOMETER: lambda: _("pin {pin} of the MCP3008 ({name})").format(
            pin=_CHIP_PINS[wire.name], name=wire.name
        ),
        Part.DISPLAY: lambda: _("{name} of the display; its VCC to 3.3 V, its GND to ground").format(name=wire.name),
    }
    return ways[wire.part]()


def _buzzer(pins: PinMap) -> str:
    if pins.buzzer is not None and pins.buzzer.kind is BuzzerKind.PLAIN:
        return _("1 kΩ, base of an NPN transistor that switches the buzzer")
    return _("220 Ω, piezo disc, ground")


def _led(colour: str = "", *, active_high: bool) -> str:
    if colour:
        sentence = (
            _("470 Ω, {colour} leg; common leg to ground")
            if active_high
            else _("470 Ω, {colour} leg; common leg to 3.3 V")
        )
        return sentence.format(colour=seat_name(colour))
    return _("470 Ω, LED (long leg first), ground") if active_high else _("470 Ω, LED (short leg first), 3.3 V")


def _digits(wire: Wire, pins: PinMap) -> str:
    if not wire.name.startswith("select"):
        return _("470 Ω, segment {name}").format(name=wire.name)
    if pins.digits is not None and pins.digits.common is Common.CATHODE:
        return _("1 kΩ, base of an NPN transistor: the digit's common to its collector, ground to its emitter")
    return _("1 kΩ, base of a PNP transistor: the digit's common to its collector, 3.3 V to its emitter")


def notes(pins: PinMap) -> Iterator[str]:
    """Yield wiring notes."""
    if pins.digits and not pins.digits.selects:
        cathode = pins.digits.common is Common.CATHODE
        yield _("The digit's common legs go to ground.") if cathode else _("The digit's common legs go to 3.3 V.")
    if pins.potentiometer:
        yield _(
            "MCP3008: 15 and 16 to 3.3 V, 9 and 14 to ground; the slide potentiometer's ends to 3.3 V and ground, its"
            " middle to pin {pin} (CH{channel}). SPI is switched on by: sudo raspi-config nonint do_spi 0"
        ).format(pin=pins.potentiometer.channel + 1, channel=pins.potentiometer.channel)
    if pins.display:
        yield _("I2C is switched on by: {command}").format(command="sudo raspi-config nonint do_i2c 0")
    if not pins.shows_numbers:
        yield shows_nothing_words()
    # count what may be lit at once; of multiplexed digits only one is
    lamps = len(pins.lamps.pins) * (3 if pins.lamps.kind is LampKind.RGB else 1)
    current_ma = round((lamps + (len(pins.bar.pins) if pins.bar else 0) + (7 if pins.digits else 0)) * LED_MA)
    if current_ma:
        yield _("All lit at once: about {current} mA of the {most} mA that the pins should give together.").format(
            current=current_ma, most=PINS_MA
        )
    if current_ma > PINS_MA:
        yield _("That is too much: take 1 kΩ instead of 470 Ω.")
    if absent := list(_absent(pins)):
        yield _("Not in this wiring: {parts}.").format(parts=", ".join(absent))


def shows_nothing_words() -> str:
    """Return what to add to a panel that cannot show a throw."""
    return _("This panel can show no throw of dice: add a display, a digit, the bar, a lamp or a buzzer to it.")


def _absent(pins: PinMap) -> Iterator[str]:
    there = {wire.part for wire in pins.wires()}
    names = {
        Part.BUTTON: _("buttons"),
        Part.LAMP: _("lamps"),
        Part.BAR: _("slider bar"),
        Part.DIGITS: _("digits"),
        Part.BUZZER: _("buzzer"),
        Part.ENCODER: _("encoder"),
        Part.POTENTIOMETER: _("slide potentiometer"),
        Part.DISPLAY: _("display"),
    }
    yield from (name for part, name in names.items() if part not in there)


# ---- the 40-pin header with its wires: as text for a terminal and as SVG for paper


_ROW_MM, _TOP_MM, _MIDDLE_MM, _WIDTH_MM = 7.0, 16.0, 80.0, 160.0


def header_text(pins: PinMap) -> Table:
    """Draw the header with pin 1 at the top left."""
    users = _users(pins)
    table = Table.grid(padding=(0, 1))
    for justify in ("right", "right", "left", "left", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for left in range(1, len(HEADER), 2):
        signs = Text(f"{_sign(left, users)} {_sign(left + 1, users)}")
        table.add_row(_label(left, users), str(left), signs, str(left + 1), _label(left + 1, users))
    return table


def header_svg(pins: PinMap) -> str:
    """Draw the header as an SVG of 160 mm width: wired pins filled and named; pin 1 square, as on the board."""
    users = _users(pins)
    height_mm = _TOP_MM + _ROW_MM * len(HEADER) / 2 + 6
    svg = _sheet(_WIDTH_MM, height_mm)
    _text(svg, _MIDDLE_MM, 8, _("Raspberry Pi header, pin 1 at the corner of the board"), anchor="middle", size_mm=4)
    _rect(svg, _MIDDLE_MM - 8, _TOP_MM - 5, 16, height_mm - _TOP_MM, fill="#303030")
    for pin in range(1, len(HEADER) + 1):
        _draw_pin(svg, pin, users)
    Xml.indent(svg)
    return Xml.tostring(svg, encoding="unicode") + "\n"


def wiring_json(pins: PinMap) -> JsonObject:
    """Return wires, notes, and whether a throw can be shown, as JSON."""
    wires: list[Json] = [
        {
            "part": wire.part.value,
            "name": wire.name,
            "gpio": wire.gpio,
            "pin": PIN_OF_GPIO[wire.gpio],
            "to": way(wire, pins),
        }
        for wire in pins.wires()
    ]
    return {"wires": wires, "notes": list(notes(pins)), "shows_throws": pins.shows_numbers}


_STEP_MM, _LEFT_MM, _RIGHT_MM = 11.0, 62.0, 150.0


def schematic_svg(pins: PinMap) -> str:
    """Draw the circuit diagram as an SVG: every wire from its pin through resistor, LED or contact to its rail."""
    wires = list(pins.wires())
    supplied = [part for part in _SUPPLIES if any(wire.part is part for wire in wires)]
    legs = [(part, leg, rail) for part in supplied for leg, rail in _SUPPLIES[part].items()]
    height_mm = 24 + _STEP_MM * (len(wires) + len(legs))
    svg = _sheet(180, height_mm)
    for row, wire in enumerate(wires):
        y_mm = 18 + row * _STEP_MM
        _text(svg, _LEFT_MM - 3, y_mm + 1.1, wire_words(wire), anchor="end", size_mm=3.2)
        _text(svg, _LEFT_MM + 1, y_mm - 1.2, f"GPIO{wire.gpio} ({PIN_OF_GPIO[wire.gpio]})", anchor="start", size_mm=2.6)
        _draw_way(svg, pins, wire, y_mm)
    for row, (part, leg, rail) in enumerate(legs, start=len(wires)):
        y_mm = 18 + row * _STEP_MM
        _line(svg, 108, y_mm, _RIGHT_MM + 14 * (rail == "3.3 V"), y_mm)
        _draw_box(svg, part.value.split()[0], y_mm)
        _text(svg, 100, y_mm + 1.1, leg, anchor="end", size_mm=3.2)
    for rail, x_mm in (("GND", _RIGHT_MM), ("3.3 V", _RIGHT_MM + 14)):
        _line(svg, x_mm, 10, x_mm, height_mm - 6)
        _text(svg, x_mm, 8, rail, anchor="middle", size_mm=3.2)
    Xml.indent(svg)
    return Xml.tostring(svg, encoding="unicode") + "\n"


def _draw_way(svg: Xml.Element, pins: PinMap, wire: Wire, y_mm: float) -> None:
    """Draw a wire: a box for its resistor, a triangle with a bar for an LED, an open contact for a button."""
    resistor, rail = _resistor(pins, wire), _rail(pins, wire)
    high = rail == "3.3 V"
    end_mm = 118 if rail is None else _RIGHT_MM + 14 * high
    _line(svg, _LEFT_MM, y_mm, end_mm, y_mm)
    if resistor:
        _rect(svg, 84, y_mm - 1.8, 12, 3.6, fill="#ffffff", line="#000000")
        _text(svg, 90, y_mm + 0.9, resistor, anchor="middle", size_mm=2.4)
    if wire.part in _LEDS:  # it points in the direction of the current: away from a high pin, towards a low one
        tip, back = (104.0, 110.0) if high else (110.0, 104.0)
        points = f"{back},{y_mm - 2.2} {back},{y_mm + 2.2} {tip},{y_mm}"
        Xml.SubElement(
            svg, "polygon", {"points": points, "fill": "#ffc800", "stroke": "#000000", "stroke-width": "0.3"}
        )
        _line(svg, tip, y_mm - 2.2, tip, y_mm + 2.2)
    elif wire.part is Part.BUTTON:
        _rect(svg, 101, y_mm - 2.5, 8, 3.2, fill="#ffffff")
        _line(svg, 101, y_mm, 108, y_mm - 3)
    elif kind := _transistor(pins, wire):
        _draw_box(svg, kind, y_mm)
        _line(svg, 112, y_mm - 2.6, 112, y_mm - 5)
        _text(svg, 113, y_mm - 3.4, _collector(wire), anchor="start", size_mm=2.2)
        _text(svg, 116, y_mm - 0.8, "E", anchor="start", size_mm=2.2)
    else:
        _draw_box(svg, wire.part.value.split()[0], y_mm)


def _draw_box(svg: Xml.Element, words: str, y_mm: float) -> None:
    _rect(svg, 101, y_mm - 2.6, 14, 5.2, fill="#ffffff", line="#000000")
    _text(svg, 108, y_mm + 0.9, words, anchor="middle", size_mm=2.2)


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
        Part.DIGITS: pins.digits is not None and pins.digits.common is Common.ANODE,
    }.get(wire.part, False)
    return "3.3 V" if high else "GND"


# ---- the same parts on a breadboard: six columns of five joined holes for each wire, with the rails below

_HOLE_MM, _COLUMNS, _OF_A_WIRE, _BOARD_MM = 4.0, 60, 6, 62.0
_RAIL_ROWS = {"GND": (7, "#1f5fbf"), "3.3 V": (8, "#c0201f")}
_RAIL_PINS = {"GND": 6, "3.3 V": 1}


def breadboard_svg(pins: PinMap) -> str:
    """Draw the panel on breadboards, as an SVG: wires from the header above, parts, rails below."""
    wires, fit = list(pins.wires()), _COLUMNS // _OF_A_WIRE
    boards = [wires[start : start + fit] for start in range(0, len(wires), fit)]
    svg = _sheet(_COLUMNS * _HOLE_MM + 40, len(boards) * _BOARD_MM + 4)
    for board, held in enumerate(boards):
        top_mm = 20 + board * _BOARD_MM
        _draw_board(svg, top_mm)
        for place, wire in enumerate(held):
            _draw_on_board(svg, pins, wire, 26 + place * _OF_A_WIRE * _HOLE_MM, top_mm)
    Xml.indent(svg)
    return Xml.tostring(svg, encoding="unicode") + "\n"


def _draw_board(svg: Xml.Element, top_mm: float) -> None:
    _rect(svg, 22, top_mm - 4, _COLUMNS * _HOLE_MM + 4, 9 * _HOLE_MM + 3, fill="#f4f1ea", line="#909090")
    for row in (*range(5), *(row for row, _colour in _RAIL_ROWS.values())):
        for column in range(_COLUMNS):
            _circle(svg, 26 + column * _HOLE_MM, top_mm + row * _HOLE_MM, 0.5, fill="#707070")
    for name, (row, colour) in _RAIL_ROWS.items():
        y_mm = top_mm + row * _HOLE_MM
        _line(svg, 24, y_mm + 1.4, 24 + _COLUMNS * _HOLE_MM, y_mm + 1.4, colour=colour)
        _text(svg, 21, y_mm + 1, f"{name} ({_RAIL_PINS[name]})", anchor="end", size_mm=2.6)


def _draw_on_board(svg: Xml.Element, pins: PinMap, wire: Wire, left_mm: float, top_mm: float) -> None:
    """Draw the parts of a wire: resistor, the part across two columns, and the connection to its rail."""
    resistor, rail = _resistor(pins, wire), _rail(pins, wire)
    part_mm = left_mm + (3 * _HOLE_MM if resistor else 0)
    _line(svg, left_mm, top_mm - 8, left_mm, top_mm, colour="#108040", width_mm=0.8)
    _text(svg, left_mm - 1, top_mm - 12.5, wire_words(wire), anchor="start", size_mm=2.6, weight="bold")
    pin = _("pin {pin}").format(pin=PIN_OF_GPIO[wire.gpio])
    _text(svg, left_mm - 1, top_mm - 9.2, f"{pin} · GPIO{wire.gpio}", anchor="start", size_mm=2.4)
    if resistor:
        _line(svg, left_mm, top_mm + _HOLE_MM, part_mm, top_mm + _HOLE_MM, width_mm=0.5)
        _rect(svg, left_mm + 1.5, top_mm + _HOLE_MM - 1.4, 9, 2.8, fill="#e0cfa0", line="#000000")
        _text(svg, left_mm + 6, top_mm + _HOLE_MM + 0.8, resistor, anchor="middle", size_mm=2.2)
    leg_mm, y_mm = part_mm + _HOLE_MM, top_mm + 3 * _HOLE_MM
    if wire.part in _LEDS:  # the long leg goes to the positive side
        _circle(svg, part_mm + _HOLE_MM / 2, y_mm, 2.6, fill="#ffc800")
        long_mm = part_mm if rail == "GND" else leg_mm
        _text(svg, long_mm, y_mm - 3.0, "+", anchor="middle", size_mm=3.2, weight="bold")
    elif wire.part is Part.BUTTON:
        leg_mm = part_mm + 2 * _HOLE_MM
        _rect(svg, part_mm - 1, y_mm - 3, 2 * _HOLE_MM + 2, 6, fill="#404040")
        _circle(svg, part_mm + _HOLE_MM, y_mm, 1.8, fill="#d0d0d0")
    else:
        leg_mm = part_mm + (2 * _HOLE_MM if rail else 0)
        _rect(svg, part_mm - 1.5, y_mm - 2.2, 11, 4.4, fill="#d8e4f4", line="#000000")
        kind = _transistor(pins, wire)
        words, leg = (kind, "E") if kind else (wire.name or wire.part.value, "")
        _text(svg, part_mm + 4, y_mm + 0.9, words, anchor="middle", size_mm=2.2)
        if kind:
            _text(svg, part_mm - 1.5, y_mm - 3.0, _collector(wire), anchor="start", size_mm=2.2)
        if wire.name in ("SDA", "SCL"):  # the display's other two legs, drawn with the one that is next to each
            leg, rail = ("VCC", "3.3 V") if wire.name == "SDA" else ("GND", "GND")
            leg_mm = part_mm + 2 * _HOLE_MM
        _text(svg, leg_mm + 1, top_mm + 5.4 * _HOLE_MM, leg, anchor="start", size_mm=2.2)
    if rail is not None:
        row, colour = _RAIL_ROWS[rail]
        _line(svg, leg_mm, top_mm + 4 * _HOLE_MM, leg_mm, top_mm + row * _HOLE_MM, colour=colour, width_mm=0.8)


def _sheet(width_mm: float, height_mm: float) -> Xml.Element:
    size = {"width": f"{width_mm}mm", "height": f"{height_mm}mm", "viewBox": f"0 0 {width_mm} {height_mm}"}
    svg = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "font-family": "sans-serif"})
    _rect(svg, 0, 0, width_mm, height_mm, fill="#ffffff")
    return svg


def _circle(svg: Xml.Element, x_mm: float, y_mm: float, radius_mm: float, *, fill: str) -> None:
    Xml.SubElement(svg, "circle", {"cx": f"{x_mm}", "cy": f"{y_mm}", "r": f"{radius_mm}", "fill": fill})


def _line(
    svg: Xml.Element, x1: float, y1: float, x2: float, y2: float, *, colour: str = "#000000", width_mm: float = 0.3
) -> None:
    ends = {"x1": f"{x1}", "y1": f"{y1}", "x2": f"{x2}", "y2": f"{y2}"}
    Xml.SubElement(svg, "line", {**ends, "stroke": colour, "stroke-width": f"{width_mm}"})


def _users(pins: PinMap) -> Mapping[str, str]:
    return {f"GPIO{wire.gpio}": wire_words(wire) for wire in pins.wires()}


def _sign(pin: int, users: Mapping[str, str]) -> str:
    return "●" if HEADER[pin - 1] in users else "○"


def _label(pin: int, users: Mapping[str, str]) -> Text:
    name = HEADER[pin - 1]
    return (
        Text(f"{users[name]}  {name}" if pin % 2 else f"{name}  {users[name]}", style="bold")
        if name in users
        else (Text(name, style="dim"))
    )


def _draw_pin(svg: Xml.Element, pin: int, users: Mapping[str, str]) -> None:
    name, odd = HEADER[pin - 1], pin % 2 == 1
    y_mm = _TOP_MM + (pin - 1) // 2 * _ROW_MM
    outward = -1 if odd else 1
    x_mm = _MIDDLE_MM + outward * 3.5
    colour = "#ffffff" if name not in users else "#ffc800"
    if pin == 1:
        _rect(svg, x_mm - 2.2, y_mm - 2.2, 4.4, 4.4, fill=colour)
    else:
        _circle(svg, x_mm, y_mm, 2.2, fill=colour)
    _text(svg, x_mm, y_mm + 0.9, str(pin), anchor="middle", size_mm=2.4)
    anchor = "end" if odd else "start"
    _text(svg, _MIDDLE_MM + outward * 10, y_mm + 1.1, name, anchor=anchor, size_mm=3.2)
    if name in users:
        _text(svg, _MIDDLE_MM + outward * 26, y_mm + 1.1, users[name], anchor=anchor, size_mm=3.6, weight="bold")


def _rect(
    svg: Xml.Element, x_mm: float, y_mm: float, width_mm: float, height_mm: float, *, fill: str, line: str = "none"
) -> None:
    place = {"x": f"{x_mm}", "y": f"{y_mm}", "width": f"{width_mm}", "height": f"{height_mm}"}
    Xml.SubElement(svg, "rect", {**place, "fill": fill, "stroke": line, "stroke-width": "0.3"})


def _text(
    svg: Xml.Element, x_mm: float, y_mm: float, text: str, *, anchor: str, size_mm: float, weight: str = "normal"
) -> None:
    style = {"text-anchor": anchor, "font-size": f"{size_mm}", "font-weight": weight}
    Xml.SubElement(svg, "text", {"x": f"{x_mm}", "y": f"{y_mm}", **style}).text = text

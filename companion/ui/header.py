"""The 40-pin header drawn, with what is wired to each pin: as text for a terminal and as SVG for paper."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as Xml

from rich.table import Table
from rich.text import Text

from companion.locale import _
from companion.ui.wiring import wire_words
from hardware.pins import HEADER, PinMap

_ROW_MM, _TOP_MM, _MIDDLE_MM, _WIDTH_MM = 7.0, 16.0, 80.0, 160.0


def header_text(pins: PinMap) -> Table:
    """Draw the header as it is with the Pi's corner with pin 1 at the top left."""
    users = _users(pins)
    table = Table.grid(padding=(0, 1))
    for justify in ("right", "right", "left", "left", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for left in range(1, len(HEADER), 2):
        signs = Text(f"{_sign(left, users)} {_sign(left + 1, users)}")
        table.add_row(_label(left, users), str(left), signs, str(left + 1), _label(left + 1, users))
    return table


def header_svg(pins: PinMap) -> str:
    """Draw the header as an SVG of 160 x 162 mm: wired pins filled and named, round; pin 1 square, as on the board."""
    users = _users(pins)
    height_mm = _TOP_MM + _ROW_MM * len(HEADER) / 2 + 6
    size = {"width": f"{_WIDTH_MM}mm", "height": f"{height_mm}mm", "viewBox": f"0 0 {_WIDTH_MM} {height_mm}"}
    svg = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "font-family": "sans-serif"})
    _rect(svg, 0, 0, _WIDTH_MM, height_mm, fill="#ffffff")
    _text(svg, _MIDDLE_MM, 8, _("Raspberry Pi header, pin 1 at the corner of the board"), anchor="middle", size_mm=4)
    _rect(svg, _MIDDLE_MM - 8, _TOP_MM - 5, 16, height_mm - _TOP_MM, fill="#303030")
    for pin in range(1, len(HEADER) + 1):
        _draw_pin(svg, pin, users)
    Xml.indent(svg)
    return Xml.tostring(svg, encoding="unicode") + "\n"


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
        Xml.SubElement(svg, "circle", {"cx": f"{x_mm}", "cy": f"{y_mm}", "r": "2.2", "fill": colour})
    _text(svg, x_mm, y_mm + 0.9, str(pin), anchor="middle", size_mm=2.4)
    anchor = "end" if odd else "start"
    _text(svg, _MIDDLE_MM + outward * 10, y_mm + 1.1, name, anchor=anchor, size_mm=3.2)
    if name in users:
        _text(svg, _MIDDLE_MM + outward * 26, y_mm + 1.1, users[name], anchor=anchor, size_mm=3.6, weight="bold")


def _rect(svg: Xml.Element, x_mm: float, y_mm: float, width_mm: float, height_mm: float, *, fill: str) -> None:
    place = {"x": f"{x_mm}", "y": f"{y_mm}", "width": f"{width_mm}", "height": f"{height_mm}"}
    Xml.SubElement(svg, "rect", {**place, "fill": fill})


def _text(
    svg: Xml.Element, x_mm: float, y_mm: float, text: str, *, anchor: str, size_mm: float, weight: str = "normal"
) -> None:
    style = {"text-anchor": anchor, "font-size": f"{size_mm}", "font-weight": weight}
    Xml.SubElement(svg, "text", {"x": f"{x_mm}", "y": f"{y_mm}", **style}).text = text

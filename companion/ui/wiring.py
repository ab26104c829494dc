"""The panel's wiring in words: what each wire is, where it goes, and what is to be known besides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rich.table import Table

from companion.locale import _
from companion.ui.names import seat_name
from hardware.pins import PIN_OF_GPIO, BuzzerKind, Common, LampKind, Part, PinMap, Wire

LED_MA = 2.8
"""What a red LED of 2.0 V takes behind 470 Ω from a pin of 3.3 V; other colours take less."""

PINS_MA = 50
"""What all pins together should give at most."""


_CHIP_PINS = {"CLK": 13, "DOUT": 12, "DIN": 11, "CS": 10}
"""The MCP3008's own pins, by its data sheet (Microchip DS21295)."""


def wiring_table(pins: PinMap) -> Table:
    """Return every wire with its GPIO, its pin on the header, and where it goes."""
    table = Table(box=None, pad_edge=False)
    for heading, style in ((_("part"), "bold"), ("GPIO", ""), (_("pin"), ""), (_("from the pin to"), "")):
        table.add_column(heading, style=style, no_wrap=heading != _("from the pin to"))
    for wire in pins.wires():
        table.add_row(wire_words(wire), str(wire.gpio), str(PIN_OF_GPIO[wire.gpio]), way(wire, pins))
    return table


def wire_words(wire: Wire) -> str:
    """Name a wire, as in "lamp 3 red"."""
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
    }
    return sentences[wire.part].format(name=wire.name)


def way(wire: Wire, pins: PinMap) -> str:
    """Return where a wire goes, and through which resistor."""
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
    """Return what is to be known besides the wires."""
    if pins.digits and not pins.digits.selects:
        cathode = pins.digits.common is Common.CATHODE
        yield _("The digit's common legs go to ground.") if cathode else _("The digit's common legs go to 3.3 V.")
    if pins.potentiometer:
        yield _(
            "MCP3008: 15 and 16 to 3.3 V, 9 and 14 to ground; the slide potentiometer's ends to 3.3 V and ground, its"
            " middle to pin {pin} (CH{channel}). SPI is switched on by: sudo raspi-config nonint do_spi 0"
        ).format(pin=pins.potentiometer.channel + 1, channel=pins.potentiometer.channel)
    # count what may be lit at once; of digits that take turns only one is
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
    }
    yield from (name for part, name in names.items() if part not in there)

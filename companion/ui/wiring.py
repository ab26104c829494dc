"""The panel's wiring as text: each wire, where it goes, and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.table import Table
from rich.text import Text

from companion.locale import _, translated
from companion.ui.names import seat_name
from engines.kernel import Json, JsonObject
from hardware.pins import HEADER, PIN_OF_GPIO, Part, PinMap, Wire

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
        table.add_row(translated(str(wire)), str(wire.gpio), str(PIN_OF_GPIO[wire.gpio]), way(wire, pins))
    return table


def way(wire: Wire, pins: PinMap) -> str:
    """Return the destination of a wire, with its resistor."""
    match wire.part:
        case Part.LAMP:
            return _led(wire.name.partition(" ")[2], active_high=pins.lamps.active_high)
        case Part.BAR:
            return _led(active_high=pins.bar is None or pins.bar.active_high)
        case Part.DIGITS if not wire.name.startswith("select"):
            sentence = _("470 Ω, segment {name}")
        case Part.DIGITS if pins.digits is not None and pins.digits.common == "cathode":
            sentence = _("1 kΩ, base of an NPN transistor: the digit's common to its collector, ground to its emitter")
        case Part.DIGITS:
            sentence = _("1 kΩ, base of a PNP transistor: the digit's common to its collector, 3.3 V to its emitter")
        case Part.BUZZER if pins.buzzer is not None and pins.buzzer.kind == "plain":
            sentence = _("1 kΩ, base of an NPN transistor that switches the buzzer")
        case Part.BUZZER:
            sentence = _("220 Ω, piezo disc, ground")
        case Part.BUTTON:
            sentence = _("push-button, ground")
        case Part.ENCODER:
            sentence = _("contact {name} of the encoder; its third contact to ground")
        case Part.POTENTIOMETER:
            sentence = _("pin {pin} of the MCP3008 ({name})")
        case Part.DISPLAY:
            sentence = _("{name} of the display; its VCC to 3.3 V, its GND to ground")
    name = wire.name.upper() if wire.part is Part.ENCODER else wire.name
    return sentence.format(name=name, pin=_CHIP_PINS.get(wire.name))


def _led(colour: str = "", *, active_high: bool) -> str:
    if colour:
        sentence = (
            _("470 Ω, {colour} leg; common leg to ground")
            if active_high
            else _("470 Ω, {colour} leg; common leg to 3.3 V")
        )
        return sentence.format(colour=seat_name(colour))
    return _("470 Ω, LED (long leg first), ground") if active_high else _("470 Ω, LED (short leg first), 3.3 V")


def notes(pins: PinMap) -> Iterator[str]:
    """Yield wiring notes."""
    if pins.digits and not pins.digits.selects:
        cathode = pins.digits.common == "cathode"
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
    lamps = len(pins.lamps.pins) * (3 if pins.lamps.kind == "rgb" else 1)
    current_ma = round((lamps + (len(pins.bar.pins) if pins.bar else 0) + (7 if pins.digits else 0)) * LED_MA)
    if current_ma:
        yield _("All lit at once: about {current} mA of the {most} mA that the pins should give together.").format(
            current=current_ma, most=PINS_MA
        )
    if current_ma > PINS_MA:
        yield _("That is too much: take 1 kΩ instead of 470 Ω.")
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
    if absent := [name for part, name in names.items() if part not in there]:
        yield _("Not in this wiring: {parts}.").format(parts=", ".join(absent))


def shows_nothing_words() -> str:
    """Return what to add to a panel that cannot show a throw."""
    return _("This panel can show no throw of dice: add a display, a digit, the bar, a lamp or a buzzer to it.")


# ---- the 40-pin header with its wires: as text


def header_text(pins: PinMap) -> Table:
    """Draw the header with pin 1 at the top left."""
    users = users_of_pins(pins)
    table = Table.grid(padding=(0, 1))
    for justify in ("right", "right", "left", "left", "left"):
        table.add_column(justify=justify)
    for left in range(1, len(HEADER), 2):
        signs = " ".join("●" if HEADER[pin - 1] in users else "○" for pin in (left, left + 1))
        table.add_row(_label(left, users), str(left), Text(signs), str(left + 1), _label(left + 1, users))
    return table


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


def users_of_pins(pins: PinMap) -> Mapping[str, str]:
    """Return the name of the wire at each pin that is used, by the pin's own name."""
    return {f"GPIO{wire.gpio}": translated(str(wire)) for wire in pins.wires()}


def _label(pin: int, users: Mapping[str, str]) -> Text:
    name = HEADER[pin - 1]
    if name not in users:
        return Text(name, style="dim")
    return Text(f"{users[name]}  {name}" if pin % 2 else f"{name}  {users[name]}", style="bold")

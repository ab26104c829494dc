"""The wiring of the panel's parts by GPIO (BCM) number, as read from `hardware.toml`.

Every part is optional. Constraints that types cannot express, such as one part for each pin, are checked on creation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal

from engines.sentence import Sentence, unexpected
from hardware.errors import PinMapError
from hardware.panel import MOST_LAMPS, Button

Rgb = tuple[int, int, int]
"""The pins of red, green and blue."""

Nine = tuple[int, int, int, int, int, int, int, int, int]
Seven = tuple[int, int, int, int, int, int, int]

HEADER: tuple[str, ...] = (
    *("3V3", "5V", "GPIO2", "5V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15"),
    *("GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22", "GPIO23", "3V3", "GPIO24", "GPIO10", "GND"),
    *("GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND"),
    *("GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21"),
)
"""The function of each pin of the 40-pin header, from pin 1; odd numbers are the row nearer to the board's middle.

It is the same on every Raspberry Pi since the B+ (2014); source: the Raspberry Pi documentation.
"""

HEADER_GPIO = range(28)
"""The GPIO (BCM) numbers of the header's pins."""

PIN_OF_GPIO: Mapping[int, int] = MappingProxyType(
    {int(name.removeprefix("GPIO")): pin for pin, name in enumerate(HEADER, start=1) if name.startswith("GPIO")}
)
"""The number on the header, from 1, of each GPIO."""


class Part(StrEnum):
    """A kind of part of the panel."""

    BUTTON = "button"
    LAMP = "lamp"
    BAR = "slider step"
    DIGITS = "digits"
    BUZZER = "buzzer"
    ENCODER = "encoder"
    POTENTIOMETER = "potentiometer"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: its part, its name within the part ("roll", "3 red", "" for the only one), and its GPIO."""

    part: Part
    name: str
    gpio: int

    def __str__(self) -> str:
        """Return its full name, such as "lamp 3 red", as a `Sentence`."""
        number, _space, line = self.name.partition(" ")
        if line and self.part is Part.LAMP:
            return Sentence("lamp {number} {colour}").format(number=number, colour=Sentence(line))
        if line and self.part is Part.DIGITS:
            return Sentence("select digit {number}").format(number=line)
        return _WIRES[self.part].format(name=self.name, number=number)


_WIRES: Mapping[Part, Sentence] = {
    Part.BUTTON: Sentence("button {name}"),
    Part.LAMP: Sentence("lamp {number}"),
    Part.BAR: Sentence("slider step {name}"),
    Part.DIGITS: Sentence("segment {name}"),
    Part.BUZZER: Sentence("buzzer"),
    Part.ENCODER: Sentence("encoder {name}"),
    Part.POTENTIOMETER: Sentence("MCP3008 {name}"),
    Part.DISPLAY: Sentence("display {name}"),
}
"""The full names of wires."""


@dataclass(frozen=True, slots=True)
class Buttons:
    """Push-buttons between a pin and ground; a button that is down for `hold_s` is held."""

    roll: int | None = None
    done: int | None = None
    back: int | None = None
    mode: int | None = None
    hold_s: float = 1.0

    def __post_init__(self) -> None:
        _expect(0.3 <= self.hold_s <= 10, "hold_s", _NUMBER, self.hold_s, least=0.3, most=10)

    @property
    def contacts(self) -> Mapping[Button, int]:
        """The pin of each button that is wired."""
        pins = ((button, getattr(self, button.value)) for button in Button)
        return {button: gpio for button, gpio in pins if gpio is not None}


WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamps of the seats, all of one kind.

    Attributes:
        pins: one pin for each lamp, or three of an RGB lamp: red, green and blue.
        kind: "led" is an LED that is switched, "pwm" one that is dimmed, "rgb" one of three colours.
        brightness: from 0 (dark) to 1; a switched LED only has 1.
        colours: the colours of RGB lamps, "#rrggbb"; white for the lamps that have none.
        active_high: whether a high pin lights it; False between the pin and 3.3 V, or with a common anode.
    """

    pins: tuple[int | Rgb, ...] = ()
    kind: Literal["led", "pwm", "rgb"] = "led"
    brightness: float = 1.0
    colours: tuple[str, ...] = ()
    active_high: bool = True

    def __post_init__(self) -> None:
        three = self.kind == "rgb"
        wanted = Sentence("three pins a lamp, as in [5, 6, 12]") if three else Sentence("one pin a lamp")
        _expect(len(self.pins) <= MOST_LAMPS, "pins", Sentence("at most {most} lamps"), len(self.pins), most=MOST_LAMPS)
        for pins in self.pins:
            _expect(isinstance(pins, int) != three, "pins", wanted, pins)
        _expect(0 < self.brightness <= 1, "brightness", Sentence("more than 0, at most 1"), self.brightness)
        dimmed = Sentence('kind = "pwm" or "rgb" to be dimmed')
        _expect(self.kind != "led" or self.brightness == 1, "brightness", dimmed, self.kind)
        for colour in self.colours:
            _expect(
                bool(re.fullmatch("#[0-9a-fA-F]{6}", colour)), "colours", Sentence('a colour such as "#ff8000"'), colour
            )

    def colour(self, seat_index: int) -> str:
        """Return an RGB lamp's colour, "#rrggbb"."""
        return self.colours[seat_index] if seat_index < len(self.colours) else WHITE


@dataclass(frozen=True, slots=True)
class Bar:
    """The slider bar: nine LEDs, the pin of step 1 first."""

    pins: Nine
    active_high: bool = True


@dataclass(frozen=True, slots=True)
class Digits:
    """One or two seven-segment digits.

    Attributes:
        segments: the pins of the segments a to g, shared by all digits.
        selects: the pin of each multiplexed digit's transistor, left first: to ground (NPN, on if the pin is high) for
            a common cathode, to 3.3 V (PNP, on if it is low) for a common anode. Empty: one digit without a transistor.
        common: the common pole of a digit's segments.
    """

    segments: Seven
    selects: tuple[int, ...] = ()
    common: Literal["cathode", "anode"] = "cathode"

    def __post_init__(self) -> None:
        _expect(len(self.selects) <= 2, "selects", Sentence("at most two digits"), len(self.selects))

    @property
    def count(self) -> int:
        """The number of digits."""
        return len(self.selects) or 1


@dataclass(frozen=True, slots=True)
class Buzzer:
    """A buzzer between a pin and ground.

    Attributes:
        pin: its pin.
        kind: "tonal" is a bare piezo disc or speaker, "plain" one that has its own pitch and is switched.
    """

    pin: int
    kind: Literal["tonal", "plain"] = "tonal"


@dataclass(frozen=True, slots=True)
class Encoder:
    """A rotary encoder that sets the slider: the pins of its two contacts; the third is on ground."""

    a: int
    b: int


@dataclass(frozen=True, slots=True)
class Potentiometer:
    """A slide potentiometer that sets the slider: on a channel (0 to 7) of an MCP3008, selected by CE0 or CE1."""

    channel: int = 0
    select: int = 0

    def __post_init__(self) -> None:
        _expect(self.channel in range(8), "channel", _WHOLE, self.channel, least=0, most=7)
        _expect(self.select in SPI_SELECT, "select", Sentence("0 (CE0) or 1 (CE1)"), self.select)


@dataclass(frozen=True, slots=True)
class SmallDisplay:
    """A display of 128 by 64 dots on the I2C bus; its address is 0x3C, or 0x3D if its jumper was resoldered.

    `kind` is its controller: most displays of 0.96 inch have the first, most of 1.3 inch the second.
    """

    kind: Literal["ssd1306", "sh1106", "ssd1309"] = "ssd1306"
    address: int = 0x3C
    upside_down: bool = False

    def __post_init__(self) -> None:
        _expect(self.address in range(0x08, 0x78), "address", _WHOLE, self.address, least="0x08", most="0x77")


@dataclass(frozen=True, slots=True)
class Buses:
    """The buses whose pins are kept free for other devices; the serial console would write on GPIO14."""

    i2c: bool = True
    spi: bool = True
    serial: bool = False


SPI_SELECT: Mapping[int, int] = {0: 8, 1: 7}
"""The GPIO of each chip select of SPI 0."""

_HAT = {0: Sentence("the HAT's ID memory (data)"), 1: Sentence("the HAT's ID memory (clock)")}
_I2C = {2: "I2C (SDA)", 3: "I2C (SCL)"}
_SPI = {7: "SPI (CE1)", 8: "SPI (CE0)", 9: "SPI (MISO)", 10: "SPI (MOSI)", 11: "SPI (SCLK)"}
_SERIAL = {14: Sentence("the serial port (TXD)"), 15: Sentence("the serial port (RXD)")}


@dataclass(frozen=True, slots=True)
class PinMap:
    """The whole wiring; parts that are not given do not exist.

    Raises:
        PinMapError: a pin has two users or is not on the header.
    """

    buttons: Buttons = field(default_factory=Buttons)
    lamps: Lamps = field(default_factory=Lamps)
    bar: Bar | None = None
    digits: Digits | None = None
    buzzer: Buzzer | None = None
    encoder: Encoder | None = None
    potentiometer: Potentiometer | None = None
    display: SmallDisplay | None = None
    buses: Buses = field(default_factory=Buses)

    def __post_init__(self) -> None:
        if self.encoder and self.potentiometer:
            raise PinMapError(unexpected("encoder, potentiometer", "one of them to set the slider", Sentence("both")))
        users: dict[int, str] = {**_HAT}
        for bus, pins in ((self.buses.i2c, _I2C), (self.buses.spi, _SPI), (self.buses.serial, _SERIAL)):
            users |= pins if bus else {}
        for wire in self._on_buses():  # these pins are kept free for the panel itself
            users.pop(wire.gpio, None)
        for wire in self.wires():
            if wire.gpio not in HEADER_GPIO:
                raise PinMapError(
                    unexpected(str(wire), "a GPIO of the header, 0 to {last}", wire.gpio, last=HEADER_GPIO[-1])
                )
            if wire.gpio in users:
                message = Sentence("{wire}: GPIO{gpio} is already used by {user}")
                raise PinMapError(message.format(wire=str(wire), gpio=wire.gpio, user=users[wire.gpio]))
            users[wire.gpio] = str(wire)

    def wires(self) -> Iterator[Wire]:
        """Yield every wire; those of a bus first, since they cannot be moved."""
        yield from self._on_buses()
        yield from (Wire(Part.BUTTON, button.value, gpio) for button, gpio in self.buttons.contacts.items())
        for seat, pins in enumerate(self.lamps.pins, start=1):
            colours = [("", pins)] if isinstance(pins, int) else zip((" red", " green", " blue"), pins, strict=True)
            yield from (Wire(Part.LAMP, f"{seat}{colour}", gpio) for colour, gpio in colours)
        if self.bar:
            yield from (Wire(Part.BAR, str(step), gpio) for step, gpio in enumerate(self.bar.pins, start=1))
        if self.digits:
            segments, selects = zip("abcdefg", self.digits.segments, strict=True), enumerate(self.digits.selects, 1)
            yield from (Wire(Part.DIGITS, name, gpio) for name, gpio in segments)
            yield from (Wire(Part.DIGITS, f"select {number}", gpio) for number, gpio in selects)
        if self.buzzer:
            yield Wire(Part.BUZZER, "", self.buzzer.pin)
        if self.encoder:
            yield from (Wire(Part.ENCODER, "a", self.encoder.a), Wire(Part.ENCODER, "b", self.encoder.b))

    def wires_of(self, *parts: Part) -> Sequence[Wire]:
        """Return the wires of some parts."""
        return [wire for wire in self.wires() if wire.part in parts]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of `hardware.panel.ALL_PARTS` that are wired."""
        wired = {"lamps": self.lamps.pins, "bar": self.bar, "digits": self.digits, "buzzer": self.buzzer}
        return tuple(name for name, part in wired.items() if part)

    @property
    def shows_numbers(self) -> bool:
        """Whether a part can show a throw."""
        return bool(self.parts or self.display)

    def _on_buses(self) -> Iterator[Wire]:
        if self.display:
            yield from (Wire(Part.DISPLAY, name, gpio) for name, gpio in (("SDA", 2), ("SCL", 3)))
        if self.potentiometer:
            lines = {"CLK": 11, "DOUT": 9, "DIN": 10, "CS": SPI_SELECT[self.potentiometer.select]}
            yield from (Wire(Part.POTENTIOMETER, name, gpio) for name, gpio in lines.items())


_NUMBER, _WHOLE = Sentence("a number from {least} to {most}"), Sentence("a whole number from {least} to {most}")


def _expect(holds: bool, key: str, expected: Sentence, found: object, **named: Any) -> None:  # noqa: FBT001 - a sentence
    if not holds:
        raise PinMapError(unexpected(key, expected, found, **named))


DEFAULT_PINS = PinMap(
    buttons=Buttons(roll=17, done=27, back=22, mode=23),
    lamps=Lamps((24, 25, 5, 6)),
    bar=Bar((13, 19, 26, 21, 20, 16, 18, 15, 4)),
    buzzer=Buzzer(12),
)
"""Four buttons, four lamps, the bar and a buzzer, with I2C and SPI kept free; one pin, GPIO14, is left.

There are no pins for lamps 5 and 6, digits, encoder and potentiometer.
"""

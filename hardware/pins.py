"""Which part of the panel is wired to which pin, by GPIO (BCM) number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hardware.errors import PinMapError
from hardware.panel import SLIDER_STEPS, Button

RESERVED: Mapping[int, str] = MappingProxyType(
    {0: "the HAT's ID memory (data)", 1: "the HAT's ID memory (clock)", 2: "I2C (SDA)", 3: "I2C (SCL)"}
    | {7: "SPI (CE1)", 8: "SPI (CE0)", 9: "SPI (MISO)", 10: "SPI (MOSI)", 11: "SPI (SCLK)"}
)
"""Pins that are kept free for the header's buses, and what they are for."""

HEADER_GPIO = range(28)
"""The GPIO numbers that the 40-pin header of every Raspberry Pi since the B+ brings out."""


def _default_buttons() -> Mapping[Button, int]:
    return MappingProxyType({Button.ROLL: 17, Button.DONE: 27, Button.BACK: 22, Button.MODE: 23})


@dataclass(frozen=True, slots=True)
class PinMap:
    """The wiring: a pin a button (to ground), a lamp a seat, the slider bar from 1 to 9, a buzzer if there is one.

    The default leaves I2C, SPI and GPIO14, on which a serial console would write, free.

    Raises:
        PinMapError: a pin has two users, belongs to a bus, or is not on the header; or the bar has not nine.
    """

    buttons: Mapping[Button, int] = field(default_factory=_default_buttons)
    lamps: tuple[int, ...] = (24, 25, 5, 6)
    bar: tuple[int, ...] = (13, 19, 26, 21, 20, 16, 18, 15, 4)
    buzzer: int | None = 12
    tonal: bool = True

    def __post_init__(self) -> None:
        if len(self.bar) != SLIDER_STEPS:
            message = f"the slider bar needs {SLIDER_STEPS} pins, found {len(self.bar)}"
            raise PinMapError(message)
        users = dict(RESERVED)
        for user, gpio in self.users():
            _check(user, gpio, users.get(gpio))
            users[gpio] = user

    def users(self) -> Iterator[tuple[str, int]]:
        """Give each part's name and its pin."""
        yield from ((f"button {button}", gpio) for button, gpio in self.buttons.items())
        yield from ((f"lamp {seat}", gpio) for seat, gpio in enumerate(self.lamps, start=1))
        yield from ((f"slider step {step}", gpio) for step, gpio in enumerate(self.bar, start=1))
        if self.buzzer is not None:
            yield "buzzer", self.buzzer


def _check(user: str, gpio: int, other: str | None) -> None:
    if gpio not in HEADER_GPIO:
        message = f"{user}: GPIO{gpio} is not on the header, expected 4 to 27"
        raise PinMapError(message)
    if other is not None:
        message = f"{user}: GPIO{gpio} is already used by {other}"
        raise PinMapError(message)

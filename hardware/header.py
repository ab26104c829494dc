"""The 40-pin header, the same on every Raspberry Pi since the B+ (2014), as the makers' own documentation draws it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

HEADER: tuple[str, ...] = (
    *("3V3", "5V", "GPIO2", "5V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15"),
    *("GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22", "GPIO23", "3V3", "GPIO24", "GPIO10", "GND"),
    *("GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND"),
    *("GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21"),
)
"""What each pin is, from pin 1; odd numbers are the row nearer to the board's middle."""

HEADER_GPIO = range(28)
"""The GPIO (BCM) numbers that the header brings out."""

PIN_OF_GPIO: Mapping[int, int] = MappingProxyType(
    {int(name.removeprefix("GPIO")): pin for pin, name in enumerate(HEADER, start=1) if name.startswith("GPIO")}
)
"""The number on the header, from 1, of each GPIO."""

"""The wiring: what fits the header, and who is named when two parts want one pin."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.errors import PinMapError
from hardware.panel import Button
from hardware.parts import mock_pins
from hardware.pins import (
    DEFAULT_PINS,
    HEADER,
    HEADER_GPIO,
    PIN_OF_GPIO,
    Bar,
    Buses,
    Buttons,
    Buzzer,
    Digits,
    Encoder,
    Lamps,
    PinMap,
    Potentiometer,
)

SEGMENTS = (12, 13, 14, 15, 16, 17, 18)


def test_the_default_wiring_is_on_the_header_and_leaves_the_buses_free() -> None:
    pins = [wire.gpio for wire in DEFAULT_PINS.wires()]
    assert len(pins) == len(set(pins)) == 4 + 4 + 9 + 1
    assert not set(pins) & {0, 1, 2, 3, 7, 8, 9, 10, 11}


def test_every_button_has_a_pin_in_the_default_wiring() -> None:
    assert set(DEFAULT_PINS.buttons.contacts) == set(Button)


def test_six_lamps_two_digits_and_a_potentiometer_fit_at_once() -> None:
    pins = PinMap(
        buttons=Buttons(roll=4, done=27, back=22, mode=23),
        lamps=Lamps((24, 25, 5, 6, 26, 19)),
        digits=Digits(SEGMENTS, selects=(20, 21)),
        potentiometer=Potentiometer(),
    )
    assert len({wire.gpio for wire in pins.wires()}) == len(list(pins.wires())) == 4 + 6 + 7 + 2 + 4


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"buttons": Buttons(roll=17), "buzzer": Buzzer(17)}, "buzzer: GPIO17 is already used by button roll"),
        ({"lamps": Lamps((24, 25, 24))}, "lamp 3: GPIO24 is already used by lamp 1"),
        ({"lamps": Lamps(((5, 6, 12), (4, 5, 13)), kind="rgb")}, "lamp 2 green: GPIO5 is already used by lamp 1 red"),
        (
            {"digits": Digits(SEGMENTS), "bar": Bar((4, 5, 6, 19, 20, 21, 22, 23, 18))},
            "segment g: GPIO18 is already used by slider step 9",
        ),
        ({"encoder": Encoder(4, 4)}, "encoder b: GPIO4 is already used by encoder a"),
        ({"buzzer": Buzzer(28)}, "buzzer: expected a GPIO of the header, 0 to 27, found 28"),
        ({"lamps": Lamps((-1,))}, "lamp 1: expected a GPIO of the header, 0 to 27, found -1"),
        ({"buzzer": Buzzer(1)}, r"buzzer: GPIO1 is already used by the HAT's ID memory \(clock\)"),
        ({"buttons": Buttons(done=2)}, r"button done: GPIO2 is already used by I2C \(SDA\)"),
        ({"buttons": Buttons(done=10)}, r"button done: GPIO10 is already used by SPI \(MOSI\)"),
        (
            {"buzzer": Buzzer(14), "buses": Buses(serial=True)},
            r"buzzer: GPIO14 is already used by the serial port \(TXD\)",
        ),
        (
            {"buzzer": Buzzer(9), "potentiometer": Potentiometer(), "buses": Buses(spi=False)},
            "buzzer: GPIO9 is already used by MCP3008 DOUT",
        ),
        (
            {"buzzer": Buzzer(7), "potentiometer": Potentiometer(select=1), "buses": Buses(spi=False)},
            "buzzer: GPIO7 is already used by MCP3008 CS",
        ),
        (
            {"encoder": Encoder(4, 5), "potentiometer": Potentiometer()},
            "one of them to set the slider, found both",
        ),
    ],
)
def test_an_impossible_wiring_is_reported_with_both_users_of_the_pin(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PinMapError, match=sentence):
        PinMap(**parts)


@pytest.mark.parametrize(
    ("part", "values", "sentence"),
    [
        (Lamps, {"pins": tuple(range(4, 11))}, "pins: expected at most 6 lamps, found 7"),
        (Lamps, {"pins": ((4, 5, 6),)}, r"pins: expected one pin a lamp, found \[4, 5, 6\]"),
        (Lamps, {"pins": (4,), "kind": "rgb"}, "pins: expected three pins a lamp, .*, found 4"),
        (Lamps, {"brightness": 1.5}, "brightness: expected more than 0, at most 1, found 1.5"),
        (Lamps, {"brightness": 0.5}, 'brightness: expected kind = "pwm" or "rgb" to be dimmed, found "led"'),
        (Lamps, {"colours": ("red",)}, 'colours: expected a colour such as "#ff8000", found "red"'),
        (Buttons, {"hold_s": 0.0}, "hold_s: expected a number from 0.3 to 10, found 0.0"),
        (Digits, {"segments": SEGMENTS, "selects": (1, 2, 3)}, "selects: expected at most two digits, found 3"),
        (Potentiometer, {"channel": 8}, "channel: expected a whole number from 0 to 7, found 8"),
        (Potentiometer, {"select": 2}, r"select: expected 0 \(CE0\) or 1 \(CE1\), found 2"),
    ],
)
def test_an_impossible_part_is_reported_with_what_was_expected(
    part: Any, values: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(PinMapError, match=sentence):
        part(**values)


def test_pins_of_a_bus_that_is_not_in_use_are_free() -> None:
    free = Buses(i2c=False, spi=False)
    assert len(list(PinMap(lamps=Lamps((2, 3, 7, 8, 9, 10)), buses=free).wires())) == 6


def test_a_potentiometer_uses_the_bus_that_is_kept_for_it() -> None:
    assert {wire.gpio for wire in PinMap(potentiometer=Potentiometer(select=1)).wires()} == {7, 9, 10, 11}


def test_the_header_is_the_one_that_gpiozero_draws() -> None:
    header = mock_pins().board_info.headers["J8"]
    drawn = [header.pins[number].name for number in range(1, 41)]
    assert drawn == list(HEADER)
    assert set(PIN_OF_GPIO) == set(HEADER_GPIO)

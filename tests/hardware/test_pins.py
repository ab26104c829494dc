"""The wiring: what fits the header, and who is named when two parts want one pin."""

from __future__ import annotations

import pytest

from hardware.errors import PinMapError
from hardware.panel import Button
from hardware.pins import RESERVED, PinMap


def test_the_default_wiring_is_on_the_header_and_leaves_the_buses_free() -> None:
    pins = [gpio for _, gpio in PinMap().users()]
    assert len(pins) == len(set(pins)) == 4 + 4 + 9 + 1
    assert not set(pins) & set(RESERVED)


def test_every_button_has_a_pin() -> None:
    assert set(PinMap().buttons) == set(Button)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"buzzer": 17}, "buzzer: GPIO17 is already used by button roll"),
        ({"lamps": (24, 25, 24)}, "lamp 3: GPIO24 is already used by lamp 1"),
        ({"lamps": (2,)}, "lamp 1: GPIO2 is already used by I2C"),
        ({"buzzer": 8}, "buzzer: GPIO8 is already used by SPI"),
        ({"bar": (13, 19, 26, 21, 20, 16, 18, 15, 5)}, "slider step 9: GPIO5 is already used by lamp 3"),
        ({"buzzer": 28}, "buzzer: GPIO28 is not on the header"),
        ({"lamps": (-1,)}, "lamp 1: GPIO-1 is not on the header"),
        ({"bar": (13, 19)}, "needs 9 pins, found 2"),
    ],
)
def test_an_impossible_wiring_is_told_with_both_users_of_the_pin(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(PinMapError, match=sentence):
        PinMap(**changes)  # type: ignore[arg-type]  # the table's rows differ in type


def test_a_panel_without_a_buzzer_is_a_wiring_too() -> None:
    assert "buzzer" not in dict(PinMap(buzzer=None).users())

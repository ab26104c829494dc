"""The simulated table's panel: the real one, over contacts that bounce."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hardware.errors import PanelError
from hardware.panel import Button, ButtonPressed, PanelInput, SliderMoved
from hardware.pins import DEFAULT_PINS, Buttons, Encoder, PinMap
from hardware.simulated import SimulatedPanel


def test_a_knob_is_stamped_with_the_panels_clock() -> None:
    heard: list[PanelInput] = []
    pins = PinMap(encoder=Encoder(5, 6))
    with SimulatedPanel(heard.append, Random(1), pins=pins, clock_ns=lambda: 70_000_000_000) as panel:
        panel.slider(3)
    assert heard == [SliderMoved(3, 70_000_000_000)]


def test_a_button_that_is_held_is_released_once_its_hold_is_reported() -> None:
    heard: list[PanelInput] = []
    pins = replace(DEFAULT_PINS, buttons=replace(DEFAULT_PINS.buttons, hold_s=0.3))
    with SimulatedPanel(heard.append, Random(1), pins=pins, holds=[Button.BACK], clock_ns=lambda: 7) as panel:
        panel.press(Button.BACK, held=True).result()
        panel.press(Button.DONE).result()
    assert heard[0] == ButtonPressed(Button.BACK, 7, held=True)
    assert [event.button for event in heard if isinstance(event, ButtonPressed) and not event.held] == [Button.DONE]


def test_a_button_that_is_not_there_and_a_panel_that_is_closed_are_reported() -> None:
    panel = SimulatedPanel(lambda _: None, Random(1), pins=PinMap(buttons=Buttons(roll=17)))
    with pytest.raises(PanelError, match="no button mode"):
        panel.press(Button.MODE)
    panel.close()
    with pytest.raises(PanelError, match="closed"):
        panel.press(Button.ROLL)

"""The optional parts on gpiozero's mock pins: colours, dimming, digits, encoder, and an MCP3008 behind mock SPI."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import pi, sin
from typing import Literal

import pytest
from gpiozero.pins.mock import MockFactory, MockSPIDevice

from hardware.panel import PanelInput, Rhythm, Signal, SliderMoved
from hardware.pi import GpioPanel
from hardware.pins import Bar, Buzzer, Digits, Encoder, Lamps, PinMap, Potentiometer
from tests.contracts.pins import eventually

SEGMENTS = (5, 6, 13, 19, 26, 20, 21)


class Mcp3008(MockSPIDevice):  # type: ignore[misc]  # gpiozero brings no types
    """The chip on a wire: after a start bit, "single" and three bits of channel it sends a null bit and ten bits."""

    def __init__(self, factory: MockFactory) -> None:
        super().__init__(11, 10, 9, 8, pin_factory=factory)
        self.values = [0] * 8

    def on_bit(self) -> None:
        if True in self.rx_buf and self.rx_bit == self.rx_buf.index(True) + 5:
            channel = self.rx_word() & 0b111
            self.tx_word(self.values[channel], 12)


def test_a_lamp_of_three_colours_shows_its_own_at_its_brightness(factory: MockFactory) -> None:
    lamps = Lamps(((5, 6, 12), (13, 16, 19)), kind="rgb", brightness=0.5, colours=("#ff8000",))
    with GpioPanel(lambda _: None, PinMap(lamps=lamps), factory=factory) as panel:
        for seat in range(2):
            panel.lamp(seat, Rhythm.STEADY)
        widths = [factory.pin(gpio).state for gpio in (5, 6, 12, 13, 16, 19)]
        panel.lamp(1, Rhythm.OFF)
        assert not any(factory.pin(gpio).state for gpio in (13, 16, 19))
    assert widths == pytest.approx([0.5, 0.25, 0.0, 0.5, 0.5, 0.5], abs=0.01)
    assert not any(factory.pin(gpio).state for gpio in (5, 6, 12))


def test_a_dimmed_lamp_is_lit_by_its_brightness(factory: MockFactory) -> None:
    lamps = Lamps((5,), kind="pwm", brightness=0.3)
    with GpioPanel(lambda _: None, PinMap(lamps=lamps), factory=factory) as panel:
        panel.lamp(0, Rhythm.STEADY)
        assert factory.pin(5).state == pytest.approx(0.3)


def test_lamps_and_bar_to_the_supply_are_lit_when_their_pin_is_low(factory: MockFactory) -> None:
    bar = Bar((4, 6, 12, 13, 16, 17, 18, 19, 20), active_high=False)
    with GpioPanel(lambda _: None, PinMap(lamps=Lamps((5,), active_high=False), bar=bar), factory=factory) as panel:
        assert factory.pin(5).state == 1
        assert all(factory.pin(gpio).state for gpio in bar.pins)
        panel.lamp(0, Rhythm.STEADY)
        panel.slider(2)
        assert factory.pin(5).state == 0
        assert [bool(factory.pin(gpio).state) for gpio in bar.pins] == [False] * 2 + [True] * 7


def test_a_tonal_buzzer_is_as_loud_as_its_duty_cycle_makes_it(factory: MockFactory) -> None:
    duty = []
    with GpioPanel(lambda _: None, PinMap(buzzer=Buzzer(5, kind="tonal")), factory=factory) as panel:
        for loudness in (1.0, 0.4, 0.15):
            panel.loudness = loudness
            panel.buzz(Signal.FAULT)  # begins with a sound at once
            duty.append(factory.pin(5).state)
    amplitudes = [sin(pi * share) for share in duty]
    assert amplitudes == pytest.approx([1.0, 0.4, 0.15])


@pytest.mark.parametrize("common", ["cathode", "anode"])
def test_one_digit_shows_a_minus_for_a_number_that_does_not_fit(
    factory: MockFactory, common: Literal["cathode", "anode"]
) -> None:
    with GpioPanel(lambda _: None, PinMap(digits=Digits(SEGMENTS, common=common)), factory=factory) as panel:
        panel.number(10)
        lit = [bool(factory.pin(gpio).state) is (common == "cathode") for gpio in SEGMENTS]
    assert lit == [False] * 6 + [True]


def test_two_digits_take_turns_and_go_dark_when_closed(factory: MockFactory) -> None:
    seen = set()
    digits = Digits(SEGMENTS, selects=(16, 17))

    def shown() -> tuple[bool, ...]:
        return tuple(bool(factory.pin(gpio).state) for gpio in (*digits.selects, *digits.segments))

    with GpioPanel(lambda _: None, PinMap(digits=digits), factory=factory) as panel:
        panel.number(17)
        end_s = time.monotonic() + 1.0
        while time.monotonic() < end_s:
            seen.add(shown())
        one, seven = (True, False), (False, True)
        assert (*one, False, True, True, False, False, False, False) in seen
        assert (*seven, True, True, True, False, False, False, False) in seen
        panel.buzz(Signal.FAULT)
    assert not any(shown())


def test_an_encoder_sets_the_slider_from_one_to_nine_and_no_further(factory: MockFactory) -> None:
    heard: list[PanelInput] = []
    clockwise = [(5, False), (6, False), (5, True), (6, True)]
    with GpioPanel(heard.append, PinMap(encoder=Encoder(5, 6)), factory=factory):
        for turn in [clockwise] * 11 + [[(6, False), (5, False), (6, True), (5, True)]] * 2:
            for gpio, high in turn:
                (factory.pin(gpio).drive_high if high else factory.pin(gpio).drive_low)()
    assert [event.steps for event in heard if isinstance(event, SliderMoved)] == [*range(2, 10), 8, 7]


def test_an_encoder_that_jiggles_in_its_detent_reports_nothing(factory: MockFactory) -> None:
    heard: list[PanelInput] = []
    with GpioPanel(heard.append, PinMap(encoder=Encoder(5, 6)), factory=factory):
        for _ in range(20):
            factory.pin(5).drive_low()
            factory.pin(5).drive_high()
    assert heard == []


@pytest.mark.parametrize("channel", [0, 5])
def test_a_slide_potentiometer_is_heard_through_its_chip(channel: int) -> None:
    factory, heard = MockFactory(), list[PanelInput]()
    with Mcp3008(factory) as chip:
        chip.values[channel] = 300
        pins = PinMap(potentiometer=Potentiometer(channel))
        with GpioPanel(heard.append, pins, factory=factory):
            for reading, count in [(300, 1), (1023, 2), (920, 2), (0, 3)]:
                chip.values[channel] = reading
                assert eventually(has_heard(heard, count))
                time.sleep(0.12)
    factory.close()
    assert [event.steps for event in heard if isinstance(event, SliderMoved)] == [3, 9, 1]


def has_heard(heard: list[PanelInput], count: int) -> Callable[[], bool]:
    return lambda: len(heard) == count


def test_a_potentiometer_that_fails_is_reported_once_and_the_lamps_go_on(
    factory: MockFactory, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_self: object) -> float:
        message = "no answer from the chip"
        raise OSError(message)

    monkeypatch.setattr("gpiozero.MCP3008.value", property(broken))
    pins = PinMap(lamps=Lamps((5,)), potentiometer=Potentiometer())
    with GpioPanel(lambda _: None, pins, factory=factory) as panel:
        assert eventually(lambda: "not read any more" in caplog.text)
        panel.lamp(0, Rhythm.STEADY)
        assert factory.pin(5).state
    assert caplog.text.count("not read any more") == 1

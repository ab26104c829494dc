"""What every panel on pins does, with any driver: gpiozero's mock pins here, lgpio and a kernel in the rig."""

from __future__ import annotations

import queue
import time

import pytest

from hardware.panel import SLIDER_STEPS, Button, ButtonPressed, PanelInput, Rhythm, Signal
from hardware.pins import DEFAULT_PINS, Buttons, Buzzer, Digits, Encoder, Lamps, PinMap
from tests.contracts.pins import PINS, OpenPins, again_where_the_machine_stalled, eventually, push
from tests.narrow import narrowed

every_driver = pytest.mark.parametrize("open_pins", [pytest.param(pins, id=name) for name, pins in PINS.items()])

CONTACTS = DEFAULT_PINS.buttons.contacts
BAR = DEFAULT_PINS.bar.pins if DEFAULT_PINS.bar else ()
SEGMENTS = (5, 6, 13, 19, 26, 20, 21)
FOUR = (False, True, True, False, False, True, True)
SEVEN = (True, True, True, False, False, False, False)
LETTER_N = (True, True, True, False, True, True, False)
QUICK_HOLD = PinMap(buttons=Buttons(roll=17, mode=23, hold_s=0.4))


def heard_in(inbox: queue.SimpleQueue[PanelInput]) -> list[tuple[Button, bool]]:
    """The button that was pressed, and whether it was held."""
    found = []
    while not inbox.empty():
        event = narrowed(inbox.get(), ButtonPressed)
        found.append((event.button, event.held))
    return found


@every_driver
@pytest.mark.parametrize("holds", [(), tuple(Button)], ids=["presses", "presses-and-holds"])
@again_where_the_machine_stalled
def test_a_push_with_millisecond_bounces_is_one_press(open_pins: OpenPins, holds: tuple[Button, ...]) -> None:
    inbox: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    with open_pins(inbox.put, DEFAULT_PINS, holds) as (_, outside):
        for button in (*Button, Button.DONE):
            push(outside, CONTACTS[button])
        assert eventually(lambda: inbox.qsize() >= 5)
    assert heard_in(inbox) == [(button, False) for button in (*Button, Button.DONE)]


@every_driver
@again_where_the_machine_stalled
def test_a_button_that_is_held_says_so_once_and_is_no_press_then(open_pins: OpenPins) -> None:
    inbox: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    with open_pins(inbox.put, QUICK_HOLD, {Button.MODE}) as (_, outside):
        push(outside, 23, until=lambda: inbox.qsize() >= 1)
        push(outside, 23)
        assert eventually(lambda: inbox.qsize() >= 2)
    assert heard_in(inbox) == [(Button.MODE, True), (Button.MODE, False)]


@every_driver
@again_where_the_machine_stalled
def test_a_button_without_a_second_meaning_is_a_press_however_long_it_is_held(open_pins: OpenPins) -> None:
    inbox: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    with open_pins(inbox.put, QUICK_HOLD, {Button.MODE}) as (_, outside):
        began_s = time.monotonic()
        push(outside, 17, until=lambda: time.monotonic() - began_s > 1.0)
    assert heard_in(inbox) == [(Button.ROLL, False)]


@every_driver
@again_where_the_machine_stalled
def test_a_consumer_that_raises_leaves_presses_and_holds_alive(
    open_pins: OpenPins, caplog: pytest.LogCaptureFixture
) -> None:
    found: list[bool] = []
    caplog.clear()

    def lost() -> int:
        return caplog.text.count("the press of mode was lost")

    def broken(event: PanelInput) -> None:
        assert isinstance(event, ButtonPressed)
        found.append(event.held)
        raise ZeroDivisionError

    with open_pins(broken, QUICK_HOLD, {Button.MODE}) as (_, outside):
        push(outside, 23, until=lambda: lost() == 1)
        push(outside, 23)
        assert eventually(lambda: lost() == 2)
        push(outside, 23, until=lambda: lost() == 3)
    assert found == [True, False, True]


@every_driver
def test_lamps_and_bar_are_seen_from_outside_and_closing_puts_all_out(open_pins: OpenPins) -> None:
    lamps = [gpio for gpio in DEFAULT_PINS.lamps.pins if isinstance(gpio, int)]
    with open_pins(lambda _: None, DEFAULT_PINS, ()) as (panel, outside):
        for seat, gpio in enumerate(lamps):
            assert not outside.is_high(gpio)
            panel.lamp(seat, Rhythm.STEADY)
            assert outside.is_high(gpio)
        for steps in (3, 9, 0, 7):
            panel.slider(steps)
            assert [outside.is_high(gpio) for gpio in BAR] == [step < steps for step in range(SLIDER_STEPS)]
        panel.close()
        assert not any(outside.is_high(gpio) for gpio in (*lamps, *BAR))


@every_driver
def test_a_lamp_flashes_while_nobody_waits_for_it(open_pins: OpenPins) -> None:
    with open_pins(lambda _: None, DEFAULT_PINS, ()) as (panel, outside):
        panel.lamp(0, Rhythm.WRONG)
        for _ in range(2):
            assert eventually(lambda: outside.is_high(24))
            assert eventually(lambda: not outside.is_high(24))


@every_driver
def test_a_digit_shows_a_number_and_a_signals_letter_in_between(open_pins: OpenPins) -> None:
    def lit() -> tuple[bool, ...]:
        return tuple(outside.is_high(gpio) for gpio in SEGMENTS)

    with open_pins(lambda _: None, PinMap(digits=Digits(SEGMENTS)), ()) as (panel, outside):
        panel.number(4)
        assert lit() == FOUR
        panel.buzz(Signal.REFUSED)
        assert lit() == LETTER_N
        assert eventually(lambda: lit() == FOUR)
        panel.number(7)
        assert lit() == SEVEN
        panel.number(None)
        assert not any(lit())


@every_driver
def test_a_buzzer_swings_while_it_sounds_and_is_silent_afterwards(open_pins: OpenPins) -> None:
    with open_pins(lambda _: None, PinMap(buzzer=Buzzer(12)), ()) as (panel, outside):
        panel.buzz(Signal.OVER)
        assert eventually(lambda: outside.is_high(12))
        assert eventually(lambda: not outside.is_high(12))
    assert not outside.is_high(12)


@every_driver
def test_colours_are_mixed_and_dimmed_by_width_of_pulse(open_pins: OpenPins) -> None:
    lamps = Lamps(pins=((5, 6, 12),), kind="rgb", colours=("#ff0000",))
    with open_pins(lambda _: None, PinMap(lamps=lamps), ()) as (panel, outside):
        panel.lamp(0, Rhythm.STEADY)
        assert eventually(lambda: outside.is_high(5))
        assert not outside.is_high(6)
        assert not outside.is_high(12)


@every_driver
def test_an_encoder_that_is_turned_reports_each_step(open_pins: OpenPins) -> None:
    inbox: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    with open_pins(inbox.put, PinMap(encoder=Encoder(a=5, b=6)), ()) as (panel, outside):
        for gpio in (5, 6):
            outside.drive(gpio, high=True)
        panel.slider(4)
        for gpio, high in [(5, False), (6, False), (5, True), (6, True)] * 2:
            outside.drive(gpio, high=high)
            time.sleep(0.002)
        assert eventually(lambda: inbox.qsize() == 3)
    assert [getattr(inbox.get(), "steps", None) for _ in range(3)] == [4, 5, 6]

"""The panel on real pins: gpiozero over lgpio on a real GPIO character device. Run by start.sh, inside the rig only."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature

import pytest

from hardware.panel import BEAT_S, SLIDER_STEPS, Button, ButtonPressed, Enqueue, Panel, PanelInput, Rhythm, Signal
from hardware.pi import GpioPanel
from hardware.pins import DEFAULT_PINS
from tests.contracts import test_panels
from tests.contracts.test_panels import Press
from tests.rig.inside.pins import lit, open_contact, push, seen

CONTACTS = DEFAULT_PINS.buttons.contacts
LAMPS = [pin for pin in DEFAULT_PINS.lamps.pins if isinstance(pin, int)]
BAR = DEFAULT_PINS.bar.pins if DEFAULT_PINS.bar else ()
CONTRACT = [claim for name, claim in vars(test_panels).items() if name.startswith("test_")]


@contextmanager
def real_pins(enqueue: Enqueue) -> Iterator[tuple[Panel, Press]]:
    for gpio in CONTACTS.values():
        open_contact(gpio)
    with GpioPanel(enqueue) as panel:
        yield panel, lambda button: push(CONTACTS[button])


@pytest.mark.parametrize("claim", CONTRACT, ids=lambda claim: claim.__name__.removeprefix("test_"))
def test_real_pins_keep_every_panels_contract(claim: Callable[..., None], request: pytest.FixtureRequest) -> None:
    claim(
        **{
            name: real_pins if name == "open_panel" else request.getfixturevalue(name)
            for name in signature(claim).parameters
        }
    )


def test_twenty_pushes_whose_contact_bounces_for_a_millisecond_a_swing_are_twenty_presses() -> None:
    heard: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    pushes = [*Button] * 5
    with real_pins(heard.put) as (_, press):
        for button in pushes:
            press(button)
        events = [heard.get(timeout=5) for _ in pushes]
        time.sleep(0.3)
    assert [event.button for event in events if isinstance(event, ButtonPressed)] == pushes
    assert heard.empty()


@pytest.mark.parametrize("rhythm", [Rhythm.WRONG, Rhythm.UNSURE, Rhythm.TODO, Rhythm.CONFIRMED, Rhythm.STEADY])
def test_a_lamp_is_seen_from_outside_in_its_rhythm(rhythm: Rhythm) -> None:
    with real_pins(lambda _: None) as (panel, _):
        panel.lamp(1, rhythm)
        watched = seen(LAMPS[1], len(rhythm.beats), BEAT_S)
        others = [lit(gpio) for gpio in (LAMPS[0], *LAMPS[2:])]
    assert watched == list(rhythm.beats)
    assert others == [False] * len(others)


def test_the_bar_is_seen_from_outside_with_as_many_steps_as_ordered() -> None:
    with real_pins(lambda _: None) as (panel, _):
        for steps in (*range(SLIDER_STEPS + 1), 4, 0):
            panel.slider(steps)
            assert [lit(gpio) for gpio in BAR] == [step < steps for step in range(SLIDER_STEPS)]


def test_a_buzzer_swings_while_it_sounds() -> None:
    assert DEFAULT_PINS.buzzer is not None
    buzzer = DEFAULT_PINS.buzzer.pin
    with real_pins(lambda _: None) as (panel, _):
        panel.buzz(Signal.OVER)
        levels = set()
        for _ in range(500):
            levels.add(lit(buzzer))
            time.sleep(0.002)
    assert levels == {False, True}
    assert not lit(buzzer)


def test_a_closed_panel_is_dark() -> None:
    with real_pins(lambda _: None) as (panel, _):
        panel.slider(SLIDER_STEPS)
        for seat in range(len(LAMPS)):
            panel.lamp(seat, Rhythm.STEADY)
        assert all(lit(gpio) for gpio in (*LAMPS, *BAR))
    assert not any(lit(gpio) for gpio in (*LAMPS, *BAR))


def test_a_panel_that_is_opened_again_in_the_same_process_hears_its_buttons() -> None:
    heard: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    for _ in range(3):
        with real_pins(heard.put) as (_panel, press):
            press(Button.DONE)
            assert isinstance(heard.get(timeout=5), ButtonPressed)

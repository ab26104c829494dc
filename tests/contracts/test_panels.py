"""One contract for every panel: a line in `PANELS` puts another one under the same tests, without exemption."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from random import Random
from typing import TypeAlias

import pytest

from hardware.desk import KEYS, DeskPanel
from hardware.panel import MOST_NUMBER, SLIDER_STEPS, Button, ButtonPressed, Enqueue, Panel, PanelInput, Rhythm, Signal
from hardware.parts import mock_pins
from hardware.pi import GpioPanel
from hardware.pins import DEFAULT_PINS
from hardware.simulated import SimulatedPanel

Press: TypeAlias = Callable[[Button], object]
OpenPanel: TypeAlias = Callable[[Enqueue], AbstractContextManager[tuple[Panel, Press]]]
"""Opens a panel whose presses go to the `Enqueue`; `Press` pushes one of its buttons from outside."""


@contextmanager
def simulated(enqueue: Enqueue) -> Iterator[tuple[Panel, Press]]:
    with SimulatedPanel(enqueue, Random(4)) as panel:
        yield panel, lambda button: panel.press(button).result(timeout=10)


@contextmanager
def gpio(enqueue: Enqueue) -> Iterator[tuple[Panel, Press]]:
    factory, edges_ns = mock_pins(), iter(range(0, 10**12, 100_000_000))
    with GpioPanel(enqueue, factory=factory, when_ns=lambda _: next(edges_ns)) as panel:

        def press(button: Button) -> None:
            contact = factory.pin(DEFAULT_PINS.buttons.contacts[button])
            contact.drive_low()
            contact.drive_high()

        yield panel, press
    factory.close()


@contextmanager
def desk(enqueue: Enqueue) -> Iterator[tuple[Panel, Press]]:
    keys = {button: key.encode() for key, button in KEYS.items()}
    read_fd, write_fd = os.pipe()
    with os.fdopen(read_fd, "rb") as typed, DeskPanel(enqueue, keys=typed) as panel:
        yield panel, lambda button: os.write(write_fd, keys[button])
    os.close(write_fd)


PANELS: Mapping[str, OpenPanel] = {"simulated": simulated, "gpio": gpio, "desk": desk}

every_panel = pytest.mark.parametrize("open_panel", [pytest.param(panel, id=name) for name, panel in PANELS.items()])


@every_panel
def test_every_button_is_heard_once_a_push_in_order_at_moments_that_never_run_backwards(
    open_panel: OpenPanel,
) -> None:
    heard: queue.SimpleQueue[PanelInput] = queue.SimpleQueue()
    pushes = [*Button, *reversed(Button), *[Button.DONE] * 3]
    with open_panel(heard.put) as (_, press):
        for button in pushes:
            press(button)
        events = [heard.get(timeout=10) for _ in pushes]
    presses = [event for event in events if isinstance(event, ButtonPressed)]
    assert [press.button for press in presses] == pushes
    assert heard.empty()
    moments_ns = [press.at_ns for press in presses if press.button is Button.DONE]
    assert moments_ns == sorted(moments_ns)


@every_panel
def test_a_consumer_that_fails_loses_one_press_and_no_button(
    open_panel: OpenPanel, caplog: pytest.LogCaptureFixture
) -> None:
    heard: queue.SimpleQueue[Button] = queue.SimpleQueue()

    def hear(event: PanelInput) -> None:
        assert isinstance(event, ButtonPressed)
        if event.button is Button.ROLL:
            raise ValueError(event)
        heard.put(event.button)

    with open_panel(hear) as (_, press):
        for button in (Button.ROLL, Button.DONE, Button.BACK):
            press(button)
        assert [heard.get(timeout=10) for _ in range(2)] == [Button.DONE, Button.BACK]
    assert caplog.text.count("the press of roll was lost") == 1


@every_panel
def test_what_was_ordered_is_what_is_shown(open_panel: OpenPanel) -> None:
    with open_panel(lambda _: None) as (panel, _):
        dark = panel.shown
        assert (set(dark.rhythms), dark.slider, dark.signal) == ({Rhythm.OFF}, 0, None)
        assert len(dark.rhythms) >= 4, "every seat has a lamp"
        for seat in range(len(dark.rhythms)):
            for rhythm in Rhythm:
                panel.lamp(seat, rhythm)
                assert panel.shown.rhythms[seat] is rhythm
        for steps in range(SLIDER_STEPS + 1):
            panel.slider(steps)
            assert panel.shown.slider == steps
        for number in (*range(MOST_NUMBER + 1), None):
            panel.number(number)
            assert panel.shown.number == number
        for signal in Signal:
            panel.buzz(signal)
            assert panel.shown.signal is signal


@every_panel
def test_lamps_and_steps_that_are_not_there_are_refused_and_nothing_changes(open_panel: OpenPanel) -> None:
    with open_panel(lambda _: None) as (panel, _):
        before = panel.shown
        orders: list[Callable[[], None]] = [
            lambda: panel.lamp(len(before.rhythms), Rhythm.STEADY),
            lambda: panel.lamp(-1, Rhythm.STEADY),
            lambda: panel.slider(SLIDER_STEPS + 1),
            lambda: panel.slider(-1),
            lambda: panel.number(MOST_NUMBER + 1),
            lambda: panel.number(-1),
        ]
        for order in orders:
            with pytest.raises(
                ValueError, match=r"has \d lamps, counted from 0|the bar has 0 to 9 steps|digits show 0 to 99"
            ):
                order()
        assert panel.shown == before


@every_panel
def test_closing_twice_does_no_harm(open_panel: OpenPanel) -> None:
    with open_panel(lambda _: None) as (panel, _):
        panel.close()
        panel.close()

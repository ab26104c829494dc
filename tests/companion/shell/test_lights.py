from __future__ import annotations

import queue
from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.core.messages import ButtonPressed, SliderMoved
from companion.core.verdicts import Button, Figures, Lit, Rhythm, Signal
from companion.shell.effects import HOLDS, PanelDisplay, presses_into
from companion.shell.loop import Inbox
from hardware import panel as device
from tests.companion.shell.fakes import GREEN, RED
from tests.companion.shell.tables import KeptPanel


def test_a_seats_orders_go_to_its_own_lamp() -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED, GREEN]).light(Lit({GREEN: Rhythm.WRONG}))
    assert panel.shown.rhythms[:2] == (device.Rhythm.OFF, device.Rhythm.ILLEGAL)


def test_a_seat_without_a_lamp_stays_dark() -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED]).light(Lit({GREEN: Rhythm.WRONG}))
    assert panel.shown == device.all_dark(4)


@pytest.mark.parametrize("rhythm", Rhythm)
def test_every_rhythm_can_be_shown(rhythm: Rhythm) -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED]).light(Lit({RED: rhythm}))
    assert (panel.shown.rhythms[0] is device.Rhythm.OFF) == (rhythm is Rhythm.OFF)


@pytest.mark.parametrize("signal", Signal)
def test_every_signal_can_be_sounded(signal: Signal) -> None:
    panel = KeptPanel()
    PanelDisplay(panel, [RED]).light(Lit(signal=signal))
    assert len(panel.signals) == 1


@pytest.mark.parametrize("button", device.Button)
def test_every_button_of_a_panel_becomes_an_event(button: device.Button) -> None:
    inbox: Inbox = queue.SimpleQueue()
    presses_into(inbox)(device.PanelEvent(button, 5))
    assert inbox.get() == ButtonPressed(Button(button.value), 5)


@pytest.mark.parametrize("button", HOLDS)
def test_a_button_that_is_held_becomes_an_event_that_says_so(button: device.Button) -> None:
    inbox: Inbox = queue.SimpleQueue()
    presses_into(inbox)(device.PanelEvent(button, 5, held=True))
    assert inbox.get() == ButtonPressed(Button(button.value), 5, held=True)


def test_a_slider_that_is_set_by_hand_becomes_an_event() -> None:
    inbox: Inbox = queue.SimpleQueue()
    presses_into(inbox)(device.SliderMoved(4, 5))
    assert inbox.get() == SliderMoved(4, 5)


def test_only_what_has_changed_is_sent_and_everything_after_a_failure() -> None:
    sent: list[object] = []

    class Loose(KeptPanel):
        """A panel whose bar fails at 8."""

        def lamp(self, seat_index: int, rhythm: device.Rhythm | device.Tally) -> None:
            sent.append(seat_index)
            super().lamp(seat_index, rhythm)

        def slider(self, steps: int | device.Tally) -> None:
            if steps == 8:
                raise OSError("a loose contact")
            super().slider(steps)

    panel = Loose()
    display = PanelDisplay(panel.opened(lambda _press: None), [RED, GREEN])
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.OFF}, 7, 23))
    assert (panel.shown.slider, panel.shown.number, sent) == (7, 23, [0, 1])
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 7, 23))
    assert sent == [0, 1, 1]
    with pytest.raises(OSError, match="loose"):
        display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 8, 23))
    display.light(Lit({RED: Rhythm.TURN, GREEN: Rhythm.TODO}, 7, 23))
    assert sent == [0, 1, 1, 0, 1]


# ---- numbers on a panel without digits

THROWN = Lit({RED: Rhythm.TURN, GREEN: Rhythm.OFF}, number=8, signal=Signal.ACCEPTED, figures=Figures((3, 5), RED, 1))
COUNTED = device.Tally((3, 5))


@pytest.mark.parametrize(
    ("parts", "bar", "lamps", "sounds"),
    [
        (("lamps", "bar", "digits", "buzzer"), 0, device.Rhythm.YOUR_TURN, device.Signal.CONFIRMED),
        (("lamps", "bar", "buzzer"), COUNTED, device.Rhythm.YOUR_TURN, device.Signal.CONFIRMED),
        (("lamps", "buzzer"), 0, COUNTED, device.Signal.CONFIRMED),
        (("buzzer",), 0, device.Rhythm.YOUR_TURN, COUNTED),
    ],
)
def test_a_throw_is_shown_with_whatever_there_is(
    parts: Sequence[str], bar: object, lamps: object, sounds: object
) -> None:
    panel = KeptPanel()
    panel.parts = parts
    PanelDisplay(panel, [RED, GREEN]).light(THROWN)
    assert (panel.shown.slider, panel.shown.rhythms[:2]) == (bar, (lamps, device.Rhythm.OFF))
    assert panel.signals == [sounds]


def test_lamps_count_nothing_that_another_display_shows() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    PanelDisplay(panel, [RED, GREEN], read_elsewhere=True).light(THROWN)
    assert panel.shown.rhythms[0] is device.Rhythm.YOUR_TURN


def test_an_equal_throw_is_counted_again_and_the_same_one_goes_on_undisturbed() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    display = PanelDisplay(panel, [RED, GREEN])
    display.light(THROWN)
    first = panel.shown.rhythms[0]
    display.light(replace(THROWN, slider=0))
    assert panel.shown.rhythms[0] is first
    display.light(replace(THROWN, figures=Figures((3, 5), RED, 3)))
    assert panel.shown.rhythms[0] is not first
    display.light(Lit({RED: Rhythm.OFF, GREEN: Rhythm.TURN}))
    assert panel.shown.rhythms[:2] == (device.Rhythm.OFF, device.Rhythm.YOUR_TURN)


def test_a_seat_without_a_lamp_has_its_numbers_counted_on_all_lamps() -> None:
    panel = KeptPanel()
    panel.parts = ("lamps",)
    display = PanelDisplay(panel, [GREEN])
    display.light(THROWN)
    assert panel.shown.rhythms[0] == COUNTED
    display.light(Lit({RED: Rhythm.WRONG, GREEN: Rhythm.OFF}, figures=Figures((3, 5), RED, 1)))
    dark: device.Rhythm | device.Tally = device.Rhythm.OFF
    assert panel.shown.rhythms[0] == dark


@pytest.mark.parametrize("numbers", [(0,), (1,), (4,), (2, 6), (1, 4, 3)])
def test_numbers_are_flashes_that_can_be_counted(numbers: tuple[int, ...]) -> None:
    tally = device.Tally(numbers)
    flashes = [len(run) for run in "".join("x" if lit else "." for lit in tally.beats).split(".") if run]
    assert len(flashes) == sum(number or 1 for number in numbers)
    assert (max(flashes) > 6) == (0 in numbers), "a long one stands for nothing"
    assert len(tally.steps) > 9
    assert {step for step in tally.steps if step} == (set(range(1, 10)) if 0 in numbers else set(numbers))

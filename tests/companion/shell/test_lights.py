from __future__ import annotations

import queue

import pytest

from companion.core.messages import ButtonPressed, SliderMoved
from companion.core.verdicts import Button, Rhythm, Signal
from companion.shell.effects import Lit
from companion.shell.lights import HOLDS, PanelDisplay, presses_into
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

        def lamp(self, seat_index: int, rhythm: device.Rhythm) -> None:
            sent.append(seat_index)
            super().lamp(seat_index, rhythm)

        def slider(self, steps: int) -> None:
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

"""The core's orders in the panel's words: which lamp is whose, which rhythm means what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.messages import ButtonPressed, SliderMoved
from companion.core.verdicts import Button, Rhythm, Signal
from companion.shell.loop import Inbox, LineTyped, Message
from engines.kernel import Seat
from hardware import panel as device

_RHYTHMS: Mapping[Rhythm, device.Rhythm] = {
    Rhythm.OFF: device.Rhythm.OFF,
    Rhythm.TURN: device.Rhythm.YOUR_TURN,
    Rhythm.TODO: device.Rhythm.TO_DO,
    Rhythm.WRONG: device.Rhythm.ILLEGAL,
    Rhythm.UNSURE: device.Rhythm.UNCLEAR,
    Rhythm.WON: device.Rhythm.GAME_OVER,
    Rhythm.FAULT: device.Rhythm.FAULT,
    Rhythm.PAUSED: device.Rhythm.PAUSED,
}

_SIGNALS: Mapping[Signal, device.Signal] = {
    Signal.ACCEPTED: device.Signal.CONFIRMED,
    Signal.REFUSED: device.Signal.ILLEGAL,
    Signal.UNSURE: device.Signal.UNCLEAR,
    Signal.OVER: device.Signal.GAME_OVER,
    Signal.FAULT: device.Signal.FAULT,
}


HOLDS = (device.Button.MODE, device.Button.BACK)
"""The buttons of which a hold means something else: MODE pauses, BACK plays again what was taken back."""


class PanelLights:
    """A panel that takes the core's orders; `seats` name its lamps in their order.

    A seat for which the panel has no lamp stays dark: a panel for two serves a table for four.
    """

    def __init__(self, panel: device.Panel, seats: Sequence[Seat]) -> None:
        self._panel = panel
        self._lamp_of = dict(zip(seats, range(len(panel.shown.rhythms)), strict=False))

    def lamp(self, seat: Seat, rhythm: Rhythm) -> None:
        """Set the rhythm of a seat's lamp."""
        if seat in self._lamp_of:
            self._panel.lamp(self._lamp_of[seat], _RHYTHMS[rhythm])

    def slider(self, steps: int) -> None:
        """Light so many steps of the slider bar."""
        self._panel.slider(steps)

    def number(self, number: int | None) -> None:
        """Show a number on the digits, None for dark ones."""
        self._panel.number(number)

    def buzz(self, signal: Signal) -> None:
        """Sound a signal once."""
        self._panel.buzz(_SIGNALS[signal])


def presses_into(inbox: Inbox) -> device.Enqueue:
    """Return what a panel calls when it is touched: it puts what that means into the inbox and returns."""

    def enqueue(heard: device.PanelInput) -> None:
        inbox.put(_meant(heard))

    return enqueue


def _meant(heard: device.PanelInput) -> Message:
    match heard:
        case device.LineKeyed(text, is_whole, _keyed_ns):
            return LineTyped(text, is_whole)
        case device.SliderMoved(steps, moved_ns):
            return SliderMoved(steps, moved_ns)
        case device.PanelEvent(button, pressed_ns, held):
            return ButtonPressed(Button(button.value), pressed_ns, held)

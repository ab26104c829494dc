"""The core's orders in the panel's words: which lamp is whose, which rhythm means what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.messages import ButtonPressed, KeyPressed, SliderMoved
from companion.core.verdicts import Button, Rhythm, Signal
from companion.shell.effects import Lit, ShownView
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
    Rhythm.BLIND: device.Rhythm.BLIND,
    Rhythm.SET_UP: device.Rhythm.SET_UP,
    Rhythm.CHOICE: device.Rhythm.CHOICE,
    Rhythm.ON_DONE: device.Rhythm.ON_DONE,
}

_SIGNALS: Mapping[Signal, device.Signal] = {
    Signal.ACCEPTED: device.Signal.CONFIRMED,
    Signal.REFUSED: device.Signal.ILLEGAL,
    Signal.UNSURE: device.Signal.UNCLEAR,
    Signal.OVER: device.Signal.GAME_OVER,
    Signal.FAULT: device.Signal.FAULT,
}


HOLDS = (device.Button.MODE, device.Button.BACK)
"""The buttons whose hold means something else: MODE pauses, BACK plays again what was taken back."""


class PanelDisplay:
    """A panel that shows what it is given; `seats` name its lamps in their order.

    A seat for which the panel has no lamp stays dark: a panel for two serves a table for four. Only what has changed is
    sent to the panel; after a failure everything is.
    """

    name, language = "panel", ""

    def __init__(self, panel: device.Panel, seats: Sequence[Seat]) -> None:
        self._panel = panel
        self._lamp_of = dict(zip(seats, range(len(panel.shown.rhythms)), strict=False))
        self._sent: Lit | None = None

    def show(self, shown: ShownView) -> None:
        """Light what a view asks for; raises `OSError` if the panel does not work."""
        self.light(shown.lit)

    def light(self, lit: Lit) -> None:
        """Light lamps, bar and digits, and sound the signal; raises as `show`."""
        sent, self._sent = self._sent, None
        for seat, rhythm in lit.lamps.items():
            if seat in self._lamp_of and not (sent and sent.lamps.get(seat) is rhythm):
                self._panel.lamp(self._lamp_of[seat], _RHYTHMS[rhythm])
        if sent is None or sent.slider != lit.slider:
            self._panel.slider(lit.slider)
        if sent is None or sent.number != lit.number:
            self._panel.number(lit.number)
        if lit.signal is not None:
            self._panel.buzz(_SIGNALS[lit.signal])
        self._sent = lit


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
        case device.PadKey(key, pressed_ns, held):
            return KeyPressed(key, pressed_ns, held)
        case device.PanelEvent(button, pressed_ns, held):
            return ButtonPressed(Button(button.value), pressed_ns, held)

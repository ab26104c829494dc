"""The core's orders in the panel's words: which lamp is whose, which rhythm means what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.core.messages import ButtonPressed, KeyPressed, SliderMoved
from companion.core.verdicts import Button, Figures, Rhythm, Signal
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


_COUNTING = (Rhythm.TURN, Rhythm.CHOICE, Rhythm.ON_DONE, Rhythm.PAUSED, Rhythm.WON)
"""The rhythms in whose place a lamp may count numbers out: nothing is wrong on the table."""


class PanelDisplay:
    """A panel that shows what it is given; `seats` name its lamps in their order.

    A seat for which the panel has no lamp stays dark: a panel for two serves a table for four. Only what has changed is
    sent to the panel; after a failure everything is.

    Numbers are on the digits. Without digits they are shown with what there is, the bar, the lamps or the buzzer,
    unless they are on another display (`read_elsewhere`).
    """

    name, language = "panel", ""

    def __init__(self, panel: device.Panel, seats: Sequence[Seat], *, read_elsewhere: bool = False) -> None:
        self._panel, self._read_elsewhere = panel, read_elsewhere
        self._lamp_of = dict(zip(seats, range(len(panel.shown.rhythms)), strict=False))
        self._sent: Lit | None = None
        self._figures: Figures | None = None
        self._tally: device.Tally | None = None

    def show(self, shown: ShownView) -> None:
        """Light what a view asks for; raises `OSError` if the panel does not work."""
        self.light(shown.lit)

    def light(self, lit: Lit) -> None:
        """Light lamps, bar and digits, and sound the signal; raises as `show`."""
        sent, self._sent = self._sent, None
        way, anew = self._way(lit), self._counts(lit.figures)
        on_lamps = self._on_lamps(lit) if way == "lamps" else ()
        for seat, lamp in self._lamp_of.items():
            before, rhythm = self._panel.shown.rhythms[lamp], _RHYTHMS[lit.lamps.get(seat, Rhythm.OFF)]
            ordered = self._tally if seat in on_lamps and self._tally is not None else rhythm
            if before is not ordered or (sent is None and seat in lit.lamps):
                self._panel.lamp(lamp, ordered)
        if way == "bar" and self._tally is not None:
            if sent is None or anew:
                self._panel.slider(self._tally)
        elif sent is None or anew or sent.slider != lit.slider:
            self._panel.slider(lit.slider)
        if sent is None or sent.number != lit.number:
            self._panel.number(lit.number)
        if way == "buzzer" and anew and self._tally is not None and lit.signal in (None, Signal.ACCEPTED):
            self._panel.buzz(self._tally)
        elif lit.signal is not None:
            self._panel.buzz(_SIGNALS[lit.signal])
        self._sent = lit

    def _counts(self, figures: Figures | None) -> bool:
        """Note what is counted out; return whether that is something else than before."""
        anew, self._figures = figures != self._figures, figures
        if anew:
            self._tally = None if figures is None else device.Tally(figures.numbers)
        return anew

    def _way(self, lit: Lit) -> str:
        """Return the part that numbers are counted out on, "" for none."""
        parts = self._panel.parts
        if lit.figures is None or self._read_elsewhere or "digits" in parts:
            return ""
        if "bar" in parts and lit.slider:
            return ""
        return next((part for part in ("bar", "lamps", "buzzer") if part in parts), "")

    def _on_lamps(self, lit: Lit) -> Collection[Seat]:
        """Return the seats whose lamps count: the one whose numbers they are, or all if it has none."""
        free = [seat for seat in self._lamp_of if lit.lamps.get(seat, Rhythm.OFF) in (*_COUNTING, Rhythm.OFF)]
        busy = any(rhythm not in (*_COUNTING, Rhythm.OFF, Rhythm.TODO) for rhythm in lit.lamps.values())
        own = lit.figures.seat if lit.figures is not None else None
        if busy:
            return ()
        return [own] if own in free and own is not None else free


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

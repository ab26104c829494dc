"""The performer of effects: after the journal entry come the displays, then what takes longer.

Each display shows all changes of one event at once, in its own language; the failure of one is reported to the
others. A display that may be slow or is third-party code runs `Apart`.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from companion.core.messages import Advise, Buzz, Effect, Event, Leave, SavePicture, Show, StartTimer, StopTimer, Throw
from companion.core.verdicts import Figures, Lit, Picture, Position
from companion.core.view import View
from companion.locale import speaking
from companion.shell.clock import Clock, Timers
from companion.shell.loop import DeviceHealth, Inbox, StopLoop
from engines.kernel import Level, Seat
from hardware.panel import Button, Panel, Rhythm, Signal, Tally

_RANK: Mapping[type[Effect], int] = {StartTimer: 1, StopTimer: 1, SavePicture: 2, Throw: 3, Advise: 3, Leave: 4}
"""The order in which the effects of one event are performed, once all changes are shown.

Drawing a picture takes longer than a lamp may wait.
"""


@dataclass(frozen=True, slots=True)
class ShownView:
    """What a display is given: the view and the panel's lights."""

    view: View
    lit: Lit = field(default_factory=Lit)


class Display(Protocol):
    """An output for views: a screen, lines of text, a panel, a page.

    Attributes:
        name: the display's name in events.
        language: the code of its language, "" for that of the table.
    """

    name: str
    language: str

    def show(self, shown: ShownView) -> None:
        """Replace the last view by this one; raise `OSError` if the display fails."""


class Background(ABC):
    """A worker in its own thread that runs until it is closed."""

    def __init__(self, name: str) -> None:
        self._changed, self._closed = threading.Condition(), False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self, timeout_s: float = 0.5) -> None:
        """End the work; after `timeout_s` a thread that hangs is abandoned."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(timeout_s)

    @abstractmethod
    def _run(self) -> None:
        """Work until `_closed`, which is signalled by `_changed`."""


class Apart(Background):
    """A display that runs in its own thread, so that it delays nobody; it shows only the latest view.

    An exception becomes an event for `report`, which must return at once, and the next view is tried again.
    """

    def __init__(self, display: Display, report: Callable[[Event], None]) -> None:
        self._display, self.name, self.language = display, display.name, display.language
        self._health = DeviceHealth(display.name, report)
        self._latest: Callable[[], None] | None = None
        super().__init__(f"display {display.name}")

    def show(self, shown: ShownView) -> None:
        """Queue a view, to be shown in the current language."""
        context = copy_context()
        with self._changed:
            self._latest = lambda: context.run(self._display.show, shown)
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._latest is not None)
                show, self._latest = self._latest, None
            if self._closed or show is None:
                return
            try:
                show()
            except Exception as error:  # its failure must not affect the other displays
                self._health.failed(str(error) or type(error).__name__)
            else:
                self._health.mark_ok()


Adviser = Callable[[Position, Level | None], Event]
"""Returns the advice for a position, at a level; None for the level of the evening."""


class EffectRunner:
    """The performer of effects; a failure becomes an event in the inbox.

    Args:
        displays: the displays, in the order in which they are updated: those that return at once come before a screen,
            which is drawn meanwhile, and a lamp follows the screen that explains it.
        keep_picture: saves the latest frame, annotated, and returns its path, None if there is no frame yet; may raise
            `OSError`.
        throw: throws the dice that a position expects.
        advise: asks the adviser about a position.

    Attributes:
        view: the last view shown.
        pictures: paths of the pictures kept, in order.
    """

    def __init__(
        self,
        *,
        displays: Sequence[Display],
        keep_picture: Callable[[Picture, View], Path | None],
        timers: Timers,
        clock: Clock,
        inbox: Inbox,
        throw: Callable[[Position], Event] | None = None,
        advise: Adviser | None = None,
    ) -> None:
        self._displays, self._keep_picture = displays, keep_picture
        self._timers, self._clock, self._inbox = timers, clock, inbox
        self._throw, self._advise = throw, advise
        devices = ("pictures", *(display.name for display in displays))
        self._health = {name: DeviceHealth(name, inbox.put) for name in devices}
        self._lit = Lit()
        self.view: View | None = None
        self.pictures: list[Path] = []

    def __call__(self, effects: Sequence[Effect]) -> Sequence[Event]:
        """Perform one event's effects; return the events that they cause."""
        # 1. All changes of one event at once, with its signal.
        shown = [effect for effect in effects if isinstance(effect, Show | Buzz)]
        for effect in shown:
            if isinstance(effect, Show):
                self.view, self._lit = effect.view, replace(effect.lit, signal=self._lit.signal)
            else:
                self._lit = replace(self._lit, signal=effect.signal)
        if shown:
            self.redraw()
        self._lit = replace(self._lit, signal=None)
        # 2. What takes longer.
        return [
            event
            for effect in sorted(effects, key=lambda effect: _RANK.get(type(effect), 0))
            for event in self._perform(effect)
        ]

    def _perform(self, effect: Effect) -> Sequence[Event]:
        match effect:
            case Throw(position) if self._throw is not None:
                return [self._throw(position)]
            case Advise(position, level) if self._advise is not None:
                return [self._advise(position, level)]
            case StartTimer(name, seconds):
                self._timers.start(name, self._clock.now_ns() + round(seconds * 1e9))
            case StopTimer(name):
                self._timers.stop(name)
            case SavePicture(kind):
                self._health["pictures"].use(lambda: self._keep(kind))
            case Leave(code):
                self._inbox.put(StopLoop(code=code))
        return []

    def redraw(self) -> None:
        """Show the last view again."""
        if self.view is None:
            return
        shown = ShownView(self.view, self._lit)
        for display in self._displays:
            self._health[display.name].use(partial(self._show_on, display, shown))

    def _show_on(self, display: Display, shown: ShownView) -> None:
        with speaking(display.language):
            try:
                display.show(shown)
            except BrokenPipeError as error:  # the reader has closed the pipe, as "head" does: there will be no other
                self._inbox.put(StopLoop(error))

    def _keep(self, kind: Picture) -> None:
        path = self.view and self._keep_picture(kind, self.view)
        if path:
            self.pictures.append(path)


# ---- a panel as a display: which lamp belongs to which seat, and how numbers are counted out


HOLDS = (Button.MODE, Button.BACK)
"""The buttons with another meaning when held: MODE pauses, BACK redoes the actions that were taken back."""

AGAIN = Button.ROLL
"""The button that, when held, repeats the last sentence for players who listen."""


_COUNTING = (Rhythm.TURN, Rhythm.CHOICE, Rhythm.ON_DONE, Rhythm.PAUSED, Rhythm.WON)
"""The rhythms that a lamp may interrupt to count numbers out: none of them reports a problem."""


class PanelDisplay:
    """A panel as a display; `seats` name its lamps in order.

    A seat without a lamp stays dark, so a panel for two serves a table for four. Only changes are sent to the panel;
    after a failure everything is sent.

    Numbers are shown on the digits. Cards, and all numbers if there are no digits, are counted out on the bar, the
    lamps or the buzzer, unless another display shows them (`read_elsewhere`). With `loudness` 0 no signals sound.
    """

    name, language = "panel", ""

    def __init__(
        self, panel: Panel, seats: Sequence[Seat], *, read_elsewhere: bool = False, loudness: float = 1.0
    ) -> None:
        self._panel, self._read_elsewhere, self._quiet = panel, read_elsewhere, not loudness
        panel.loudness = loudness or 1.0  # numbers that only the buzzer can report still sound
        self._lamp_of = dict(zip(seats, range(len(panel.shown.rhythms)), strict=False))
        self._sent: Lit | None = None
        self._figures: Figures | None = None
        self._tally: Tally | None = None

    def show(self, shown: ShownView) -> None:
        """Light what a view orders; raise `OSError` if the panel fails."""
        self.light(shown.lit)

    def light(self, lit: Lit) -> None:
        """Set lamps, bar and digits, and sound the signal; raises the same as `show`."""
        sent, self._sent = self._sent, None
        is_new, self._figures = lit.figures != self._figures, lit.figures
        if is_new:
            self._tally = None if lit.figures is None else Tally(lit.figures.numbers, pairs=lit.figures.cards)
        # the part that counts the numbers out, if they are on no digits and no other display
        parts, way = self._panel.parts, ""
        on_digits = "digits" in parts and not (lit.figures is not None and lit.figures.cards)
        if lit.figures is not None and not (self._read_elsewhere or on_digits or ("bar" in parts and lit.slider)):
            way = next((part for part in ("bar", "lamps", "buzzer") if part in parts), "")
        on_lamps = self._on_lamps(lit) if way == "lamps" else ()
        for seat, lamp in self._lamp_of.items():
            before, rhythm = self._panel.shown.rhythms[lamp], lit.lamps.get(seat, Rhythm.OFF)
            ordered = self._tally if seat in on_lamps and self._tally is not None else rhythm
            if before is not ordered or (sent is None and seat in lit.lamps):
                self._panel.lamp(lamp, ordered)
        if way == "bar" and self._tally is not None:
            if sent is None or is_new:
                self._panel.slider(self._tally)
        elif sent is None or is_new or sent.slider != lit.slider:
            self._panel.slider(lit.slider)
        if sent is None or sent.number != lit.number:
            self._panel.number(lit.number)
        if way == "buzzer" and is_new and self._tally is not None and lit.signal in (None, Signal.ACCEPTED):
            self._panel.buzz(self._tally)
        elif lit.signal is not None and not self._quiet:
            self._panel.buzz(lit.signal)
        self._sent = lit

    def _on_lamps(self, lit: Lit) -> Collection[Seat]:
        """Return the seats whose lamps count: the seat that the numbers belong to, otherwise all.

        None count while that seat has something left to do: its lamp shows this first.
        """
        free = [seat for seat in self._lamp_of if lit.lamps.get(seat, Rhythm.OFF) in (*_COUNTING, Rhythm.OFF)]
        busy = any(rhythm not in (*_COUNTING, Rhythm.OFF, Rhythm.TODO) for rhythm in lit.lamps.values())
        own = lit.figures.seat if lit.figures is not None else None
        if busy or (own is not None and lit.lamps.get(own) is Rhythm.TODO):
            return ()
        return [own] if own in free and own is not None else free

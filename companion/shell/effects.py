"""Performs what the core orders, once the journal has it: the displays first, then what takes longer.

The displays are a list: each is shown all that one event has changed at once, in its own language, and one that fails
is reported to the others. One that may be slow or is not ours runs `Apart`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from companion.core.messages import (
    Advise,
    Buzz,
    Effect,
    Event,
    Finish,
    Leave,
    Number,
    SavePicture,
    SetLamp,
    Show,
    Slider,
    StartTimer,
    StopTimer,
    Throw,
    WriteEntry,
)
from companion.core.verdicts import Figures, Picture, Position, Rhythm, Signal
from companion.core.view import View
from companion.locale import speaking
from companion.shell.clock import Clock, Timers
from companion.shell.frame_reader import DeviceHealth
from companion.shell.loop import Inbox, Log, StopLoop
from engines.kernel import Level, Seat

_ORDER: Sequence[tuple[type[Effect], ...]] = (
    (WriteEntry, Show, SetLamp, Slider, Number, Buzz),  # the loop has written it, and it is shown first, all at once
    (StartTimer, StopTimer),
    (SavePicture,),  # drawing one takes longer than a lamp may wait
    (Throw, Advise),
    (Finish,),
    (Leave,),
)

StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Lit:
    """What a panel shows: each seat's lamp, the steps of its bar, the number on its digits, None for dark ones.

    `signal` sounds once, None for no sound; `figures` are what is counted out where there are no digits.
    """

    lamps: Mapping[Seat, Rhythm] = field(default_factory=dict)
    slider: int = 0
    number: int | None = None
    signal: Signal | None = None
    figures: Figures | None = None


@dataclass(frozen=True, slots=True)
class ShownView:
    """What a display is given: the view, what a panel shows, and where the kept pictures are."""

    view: View
    lit: Lit = Lit()
    pictures: tuple[Path, ...] = ()


class Display(Protocol):
    """Where views are shown: a screen, lines of text, a panel, a page."""

    @property
    def name(self) -> str:
        """What events call it when it fails."""
        ...

    @property
    def language(self) -> str:
        """The code of the language that it speaks, "" for that of the table."""
        ...

    def show(self, shown: ShownView) -> None:
        """Show a view instead of the last one; raises `OSError` if that does not work."""
        ...


class Apart:
    """A display that runs in a thread of its own, so that nobody waits for it; it shows the latest view only.

    Whatever it raises becomes an event, and the next view is tried again.

    Args:
        display: what is shown on.
        report: takes the events; must return at once.
    """

    def __init__(self, display: Display, report: Callable[[Event], None]) -> None:
        self._display = display
        self._health = DeviceHealth(display.name, report)
        self._changed = threading.Condition()
        self._latest: Callable[[], None] | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"display {display.name}", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """What events call it."""
        return self._display.name

    @property
    def language(self) -> str:
        """The language that it speaks."""
        return self._display.language

    def show(self, shown: ShownView) -> None:
        """Have a view shown soon, in the language that is spoken now."""
        context = copy_context()
        with self._changed:
            self._latest = lambda: context.run(self._display.show, shown)
            self._changed.notify()

    def close(self, timeout_s: float = 0.5) -> None:
        """Show nothing more; a display that hangs is left behind after a moment."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while (show := self._next()) is not None:
            try:
                show()
            except Exception as error:  # whatever is wrong with it must not hurt the others
                self._health.failed(str(error) or type(error).__name__)
            else:
                self._health.mark_ok()

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._latest is not None)
            latest, self._latest = self._latest, None
            return None if self._closed else latest


KeepPicture = Callable[[Picture, View], "Path | None"]
"""Keeps the latest frame, annotated, and returns its path, None if there is no frame yet; may raise `OSError`."""

Answer = Callable[[Position], Event]
"""Answers an order about a position with the event that it causes: a throw."""

Adviser = Callable[[Position, Level | None], Event]
"""Answers what to play in a position, as well as a level does, or as the evening agreed."""


class EffectRunner(Generic[StateT]):
    """Performs effects; whatever fails becomes an event in the inbox.

    Args:
        displays: where views are shown, in their order: a lamp follows the screen that explains it.
        throw: throws the dice that a position expects.
        advise: asks the adviser about a position.

    Attributes:
        view: the last one shown.
        pictures: paths of the pictures kept, in order.
    """

    def __init__(
        self,
        *,
        log: Log[StateT],
        displays: Sequence[Display],
        keep_picture: KeepPicture,
        timers: Timers,
        clock: Clock,
        inbox: Inbox,
        throw: Answer | None = None,
        advise: Adviser | None = None,
    ) -> None:
        self._log, self._displays, self._keep_picture = log, displays, keep_picture
        self._timers, self._clock, self._inbox = timers, clock, inbox
        self._throw, self._advise = throw, advise
        devices = ("journal", "pictures", *(display.name for display in displays))
        self._health = {name: DeviceHealth(name, inbox.put) for name in devices}
        self._lit = Lit()
        self.view: View | None = None
        self.pictures: list[Path] = []

    def __call__(self, state: StateT, effects: Sequence[Effect]) -> Sequence[Event]:
        """Perform one event's effects; return the events that they cause. `state` is the one that they belong to."""
        shown = [effect for effect in effects if isinstance(effect, Show | SetLamp | Slider | Number | Buzz)]
        if shown:
            self._show(shown)
        return [event for effect in sorted(effects, key=_rank) for event in self._perform(effect, state)]

    def _perform(self, effect: Effect, state: StateT) -> Sequence[Event]:
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
            case Finish():
                self._health["journal"].use(lambda: self._log.finish(state))
            case Leave(code):
                self._inbox.put(StopLoop(code=code))
        return []

    def _show(self, effects: Sequence[Show | SetLamp | Slider | Number | Buzz]) -> None:
        """Show what has changed by one event, all of it at once."""
        lit = replace(self._lit, signal=None)
        for effect in effects:
            match effect:
                case Show(view):
                    self.view = view
                case SetLamp(seat, rhythm):
                    lit = replace(lit, lamps={**lit.lamps, seat: rhythm})
                case Slider(steps):
                    lit = replace(lit, slider=steps)
                case Number(number, figures):
                    lit = replace(lit, number=number, figures=figures)
                case Buzz(signal):
                    lit = replace(lit, signal=signal)
        self._lit = lit
        self.redraw()
        self._lit = replace(lit, signal=None)

    def redraw(self) -> None:
        """Show the last view again."""
        if self.view is None:
            return
        shown = ShownView(self.view, self._lit, tuple(self.pictures))
        for display in self._displays:
            self._health[display.name].use(partial(self._show_on, display, shown))

    def _show_on(self, display: Display, shown: ShownView) -> None:
        with speaking(display.language):
            try:
                display.show(shown)
            except BrokenPipeError as error:  # the reader has gone, as "head" does: there will be no other
                self._inbox.put(StopLoop(error))

    def _keep(self, kind: Picture) -> None:
        path = self.view and self._keep_picture(kind, self.view)
        if path:
            self.pictures.append(path)
            self.redraw()


def _rank(effect: Effect) -> int:
    """Return when it is an effect's turn among those of one event."""
    return next(rank for rank, kinds in enumerate(_ORDER) if isinstance(effect, kinds))

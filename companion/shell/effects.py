"""Performs what the core orders: the journal first, then the screen, then the lamps.

While an entry cannot be written, everything that would tell of it waits: lamps, buzzer, pictures, later entries. It is
tried again with every event. Only the screen goes on, to say what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from companion.core.messages import (
    Buzz,
    Effect,
    Entry,
    Finish,
    Lamp,
    Picture,
    Record,
    Rhythm,
    SavePicture,
    Show,
    Signal,
    Slider,
    StartTimer,
    StopTimer,
    View,
)
from companion.shell.clock import Clock
from companion.shell.device_health import DeviceHealth
from companion.shell.loop import Inbox, Stop
from companion.shell.timers import Timers
from engines.kernel import Seat

_ORDER: Sequence[tuple[type[Effect], ...]] = (
    (Record,),
    (Show,),
    (StartTimer, StopTimer, Lamp, Slider, Buzz),
    (SavePicture,),  # drawing one takes longer than a lamp may wait
    (Finish,),
)

StateT = TypeVar("StateT")
StateT_contra = TypeVar("StateT_contra", contravariant=True)


class Log(Protocol[StateT_contra]):
    """The journal of one game. Its methods return when the disk has it, or raise `OSError`."""

    def record(self, entry: Entry, state: StateT_contra) -> None:
        """Add an entry and the state that it leads to."""
        ...

    def finish(self, state: StateT_contra) -> None:
        """Mark the game as ended."""
        ...


class Display(Protocol):
    """Where views are shown."""

    def show(self, view: View, lamps: Mapping[Seat, Rhythm], pictures: Sequence[Path]) -> None:
        """Show a view, how the lamps are lit, and where the kept pictures are."""
        ...


class Lights(Protocol):
    """Lamps, slider bar and buzzer. Its methods return at once, or raise `OSError`."""

    def lamp(self, seat: Seat, rhythm: Rhythm) -> None:
        """Give a seat's lamp a rhythm."""
        ...

    def slider(self, steps: int) -> None:
        """Light so many steps of the slider bar."""
        ...

    def buzz(self, signal: Signal) -> None:
        """Sound a signal once."""
        ...


KeepPicture = Callable[[Picture, View], "Path | None"]
"""Keeps the latest frame, annotated, and gives its path, None when nothing was seen yet; may raise `OSError`."""


class EffectRunner(Generic[StateT]):
    """Performs effects; whatever fails becomes an event in the inbox.

    Attributes:
        view: the last one shown.
        pictures: paths of the pictures kept, in order.
    """

    def __init__(
        self,
        *,
        log: Log[StateT],
        display: Display,
        lights: Lights,
        keep_picture: KeepPicture,
        timers: Timers,
        clock: Clock,
        inbox: Inbox,
    ) -> None:
        self._log, self._display, self._lights, self._keep_picture = log, display, lights, keep_picture
        self._timers, self._clock, self._inbox = timers, clock, inbox
        self._guards = {name: DeviceHealth(name, inbox.put) for name in ("journal", "screen", "panel", "pictures")}
        self._waiting: list[tuple[Effect, StateT]] = []
        self._lamps: dict[Seat, Rhythm] = {}
        self.view: View | None = None
        self.pictures: list[Path] = []

    def __call__(self, state: StateT, effects: Sequence[Effect]) -> None:
        """Perform one event's effects, after those that still wait; `state` is the one that they belong to."""
        due = [*self._waiting, *((effect, state) for effect in sorted(effects, key=_rank))]
        self._waiting = []
        for effect, then in due:
            if not self._perform(effect, then):
                self._waiting.append((effect, then))

    def _perform(self, effect: Effect, state: StateT) -> bool:
        """Perform an effect; tell whether that is done, or must wait for the journal."""
        if self._waiting and not isinstance(effect, Show | StartTimer | StopTimer):
            return False
        match effect:
            case Record(entry):
                return self._guards["journal"].use(lambda: self._log.record(entry, state))
            case Finish():
                return self._finish(state)
            case Show(view):
                self.view = view
                self._redraw()
            case SavePicture(kind):
                self._guards["pictures"].use(lambda: self._keep(kind))
            case StartTimer(name, seconds):
                self._timers.start(name, self._clock.now_ns() + round(seconds * 1e9))
            case StopTimer(name):
                self._timers.stop(name)
            case Lamp() | Slider() | Buzz():
                self._guards["panel"].use(lambda: self._light(effect))
        return True

    def _light(self, effect: Lamp | Slider | Buzz) -> None:
        match effect:
            case Lamp(seat, rhythm):
                self._lamps[seat] = rhythm
                self._redraw()
                self._lights.lamp(seat, rhythm)
            case Slider(steps):
                self._lights.slider(steps)
            case Buzz(signal):
                self._lights.buzz(signal)

    def _redraw(self) -> None:
        if (view := self.view) is not None:
            self._guards["screen"].use(lambda: self._display.show(view, dict(self._lamps), tuple(self.pictures)))

    def _keep(self, kind: Picture) -> None:
        path = self.view and self._keep_picture(kind, self.view)
        if path:
            self.pictures.append(path)
            self._redraw()

    def _finish(self, state: StateT) -> bool:
        """Mark the game as ended, and then let the loop end."""
        if not self._guards["journal"].use(lambda: self._log.finish(state)):
            return False
        self._inbox.put(Stop())
        return True


def _rank(effect: Effect) -> int:
    """Tell when it is an effect's turn among those of one event."""
    return next(rank for rank, kinds in enumerate(_ORDER) if isinstance(effect, kinds))

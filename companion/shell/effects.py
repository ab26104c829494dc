"""Performs what the core orders, once the journal has it: the screen first, then the lamps, then what takes longer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

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
from companion.core.verdicts import Picture, Rhythm, Signal
from companion.core.view import View
from companion.shell.clock import Clock, Timers
from companion.shell.frame_reader import DeviceHealth
from companion.shell.loop import Inbox, Log, StopLoop
from engines.kernel import Seat

_ORDER: Sequence[tuple[type[Effect], ...]] = (
    (WriteEntry, Show),
    (StartTimer, StopTimer, SetLamp, Slider, Number, Buzz),
    (SavePicture,),  # drawing one takes longer than a lamp may wait
    (Throw, Advise),
    (Finish,),
    (Leave,),
)

StateT = TypeVar("StateT")


class Display(Protocol):
    """Where views are shown."""

    def show(self, view: View, lamps: Mapping[Seat, Rhythm], pictures: Sequence[Path]) -> None:
        """Show a view, how the lamps are lit, and where the kept pictures are."""
        ...


class LampOutput(Protocol):
    """Lamps, slider bar, digits and buzzer. Its methods return at once, or raise `OSError`."""

    def lamp(self, seat: Seat, rhythm: Rhythm) -> None:
        """Set the rhythm of a seat's lamp."""
        ...

    def slider(self, steps: int) -> None:
        """Light so many steps of the slider bar."""
        ...

    def number(self, number: int | None) -> None:
        """Show a number on the digits, None for dark ones."""
        ...

    def buzz(self, signal: Signal) -> None:
        """Sound a signal once."""
        ...


KeepPicture = Callable[[Picture, View], "Path | None"]
"""Keeps the latest frame, annotated, and returns its path, None when nothing was seen yet; may raise `OSError`."""

Answer = Callable[[Any], Event]
"""Answers an order about a position with the event that it brings: a throw, or advice."""


class EffectRunner(Generic[StateT]):
    """Performs effects; whatever fails becomes an event in the inbox.

    Args:
        throw: throws the dice that a position awaits.
        advise: asks the adviser about a position.

    Attributes:
        view: the last one shown.
        pictures: paths of the pictures kept, in order.
    """

    def __init__(
        self,
        *,
        log: Log[StateT],
        display: Display,
        lights: LampOutput,
        keep_picture: KeepPicture,
        timers: Timers,
        clock: Clock,
        inbox: Inbox,
        throw: Answer | None = None,
        advise: Answer | None = None,
    ) -> None:
        self._log, self._display, self._lights, self._keep_picture = log, display, lights, keep_picture
        self._timers, self._clock, self._inbox = timers, clock, inbox
        self._throw, self._advise = throw, advise
        self._health = {name: DeviceHealth(name, inbox.put) for name in ("journal", "screen", "panel", "pictures")}
        self._lamps: dict[Seat, Rhythm] = {}
        self.view: View | None = None
        self.pictures: list[Path] = []

    def __call__(self, state: StateT, effects: Sequence[Effect]) -> Sequence[Event]:
        """Perform one event's effects; return the events that they bring. `state` is the one that they belong to.

        What is shown of them is drawn once, before the lamps are lit.
        """
        for effect in effects:
            match effect:
                case Show(view):
                    self.view = view
                case SetLamp(seat, rhythm):
                    self._lamps[seat] = rhythm
        if any(isinstance(effect, Show | SetLamp) for effect in effects):
            self.redraw()
        return [event for effect in sorted(effects, key=_rank) for event in self._perform(effect, state)]

    def _perform(self, effect: Effect, state: StateT) -> Sequence[Event]:
        match effect:
            case Throw(position) if self._throw is not None:
                return [self._throw(position)]
            case Advise(position) if self._advise is not None:
                return [self._advise(position)]
            case StartTimer(name, seconds):
                self._timers.start(name, self._clock.now_ns() + round(seconds * 1e9))
            case StopTimer(name):
                self._timers.stop(name)
            case SetLamp() | Slider() | Number() | Buzz():
                self._health["panel"].use(lambda: self._light(effect))
            case SavePicture(kind):
                self._health["pictures"].use(lambda: self._keep(kind))
            case Finish():
                self._health["journal"].use(lambda: self._log.finish(state))
            case Leave(code):
                self._inbox.put(StopLoop(code=code))
        return []

    def _light(self, effect: SetLamp | Slider | Number | Buzz) -> None:
        match effect:
            case SetLamp(seat, rhythm):
                self._lights.lamp(seat, rhythm)
            case Slider(steps):
                self._lights.slider(steps)
            case Number(number):
                self._lights.number(number)
            case Buzz(signal):
                self._lights.buzz(signal)

    def redraw(self) -> None:
        """Show the last view anew."""
        if (view := self.view) is not None:
            self._health["screen"].use(lambda: self._show(view))

    def _show(self, view: View) -> None:
        try:
            self._display.show(view, dict(self._lamps), tuple(self.pictures))
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

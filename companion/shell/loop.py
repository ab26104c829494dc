"""One queue, one consumer: the only place where events become a new state, one after the other."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from companion.core.messages import Effect, Event, TimerFired
from companion.shell.clock import Clock
from companion.shell.timers import Timers

StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Stop:
    """The loop is to end: asked for, or because a thread broke in a way that is our fault (`error`)."""

    error: Exception | None = None


Inbox: TypeAlias = "queue.SimpleQueue[Event | Stop]"
"""Where threads put what happened. Putting never waits."""


class Loop(Generic[StateT]):
    """Takes events in turn, asks `step` what they mean, and has the effects performed.

    Args:
        state: what the game begins with.
        step: the core's function.
        perform: performs one event's effects; gets the state that they belong to.
        after: told of every event once its effects are performed.
    """

    def __init__(
        self,
        state: StateT,
        *,
        step: Callable[[StateT, Event], tuple[StateT, Sequence[Effect]]],
        perform: Callable[[StateT, Sequence[Effect]], None],
        inbox: Inbox,
        timers: Timers,
        clock: Clock,
        after: Callable[[Event], None] = lambda _event: None,
    ) -> None:
        self.state = state
        self._step = step
        self._perform = perform
        self._inbox = inbox
        self._timers = timers
        self._clock = clock
        self._after = after

    def run(self) -> None:
        """Consume events until a `Stop` comes; raises what the `Stop` brings."""
        while not isinstance(event := self._next(), Stop):
            self.handle(event)
        if event.error is not None:
            raise event.error

    def handle(self, event: Event) -> None:
        """Consume one event."""
        self.state, effects = self._step(self.state, event)
        self._perform(self.state, effects)
        self._after(event)

    def _next(self) -> Event | Stop:
        """Wait for an event or the next timer. A timer that is due goes first, so a busy camera cannot hold it up."""
        while (name := self._timers.pop_due(self._clock.now_ns())) is None:
            try:
                return self._clock.get(self._inbox, self._timers.next_ns())
            except queue.Empty:
                continue
        return TimerFired(name, self._clock.now_ns())

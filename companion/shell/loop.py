"""One queue, one consumer: the only place where events become a new state, one after the other.

An event whose journal entries cannot be written is not accepted: the state stays as it was, players are told, and
what they had put in is tried again until the disk takes it. What a camera sees needs no keeping: it is seen again.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from companion.core.entries import Entry
from companion.core.messages import (
    DeviceFailed,
    DeviceReturned,
    Effect,
    Event,
    FrameBlind,
    FrameRead,
    TimerFired,
    WriteEntry,
)
from companion.shell.clock import Clock, Timers
from hardware.panel import LineTyped

JOURNAL = "journal"
"""What the events call the journal, and the timer after which an entry is tried again."""

RETRY_S = 1.0

StateT = TypeVar("StateT")
StateT_contra = TypeVar("StateT_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class StopLoop:
    """The loop is to end: asked for, or because of `error`: a thread broke by our fault, the screen's reader has gone.

    `code` says what the players want next: "over", "save", "rematch" or "new"; "" where nobody said.
    """

    error: Exception | None = None
    code: str = ""


Message: TypeAlias = "Event | LineTyped | StopLoop"

Inbox: TypeAlias = "queue.SimpleQueue[Message]"
"""Where threads put what happened. Putting never waits."""


class Log(Protocol[StateT_contra]):
    """The journal of one game. Its methods return when the disk has it, or raise `OSError`."""

    def record(self, entries: Sequence[Entry], state: StateT_contra) -> None:
        """Add entries and the state that they lead to, all of them or none."""
        ...


class Loop(Generic[StateT]):
    """Takes events in turn, asks `step` what they mean, writes what must be durable, and has the effects performed.

    Args:
        state: what the game begins with.
        step: the core's function.
        log: the journal.
        perform: performs one event's effects, and returns the events that they cause at once: a throw, or advice.
        interpret: returns the events that a typed line means in a state.
        after: called with every message once its effects are performed.

    Attributes:
        failing: whether the journal cannot be written.
        stopped: what has ended the loop.
    """

    def __init__(
        self,
        state: StateT,
        *,
        step: Callable[[StateT, Event], tuple[StateT, Sequence[Effect]]],
        log: Log[StateT],
        perform: Callable[[Sequence[Effect]], Sequence[Event]],
        inbox: Inbox,
        timers: Timers,
        clock: Clock,
        interpret: Callable[[StateT, LineTyped], Sequence[Event]] = lambda _state, _line: (),
        after: Callable[[Message], None] = lambda _message: None,
    ) -> None:
        self.state = state
        self._step = step
        self._log = log
        self._perform = perform
        self._inbox = inbox
        self._timers = timers
        self._clock = clock
        self._interpret = interpret
        self._after = after
        self._unwritten: list[Event] = []
        self.failing = False
        self.stopped = StopLoop()

    def run(self) -> None:
        """Consume messages until a `StopLoop` comes; raises the exception of the `StopLoop`."""
        while not isinstance(message := self._next(), StopLoop):
            self.handle(message)
        self.stopped = message
        if message.error is not None:
            raise message.error

    def handle(self, message: Event | LineTyped) -> None:
        """Consume one message."""
        if isinstance(message, TimerFired) and message.name == JOURNAL:
            waiting, self._unwritten = self._unwritten, []
            for event in waiting:
                self._take(event)
        elif isinstance(message, LineTyped):
            for event in self._interpret(self.state, message):
                self._take(event)
        else:
            self._take(message)
        self._after(message)

    def _take(self, event: Event) -> None:
        """Accept an event if what it orders to be written is durable; otherwise keep it for later."""
        state, effects = self._step(self.state, event)
        entries = [effect.entry for effect in effects if isinstance(effect, WriteEntry)]
        if entries and not self._written(entries, state):
            if not isinstance(event, FrameRead | FrameBlind):
                self._unwritten.append(event)
            return
        self.state = state
        brought = self._perform(effects)
        if entries and self.failing:
            self.failing = False
            self._shown(DeviceReturned(JOURNAL))
        for came in brought:
            self._take(came)

    def _written(self, entries: Sequence[Entry], state: StateT) -> bool:
        try:
            self._log.record(entries, state)
        except OSError as error:
            self._failed(str(error))
            return False
        return True

    def _failed(self, sentence: str) -> None:
        self._timers.start(JOURNAL, self._clock.now_ns() + round(RETRY_S * 1e9))
        if not self.failing:
            self.failing = True
            self._shown(DeviceFailed(JOURNAL, sentence))

    def _shown(self, event: Event) -> None:
        """Take in an event that orders nothing to be written."""
        self.state, effects = self._step(self.state, event)
        for brought in self._perform(effects):
            self._take(brought)

    def _next(self) -> Message:
        """Wait for a message or the next timer. A timer that is due goes first, so a busy camera cannot hold it up."""
        while (name := self._timers.pop_due(self._clock.now_ns())) is None:
            try:
                return self._clock.get(self._inbox, self._timers.next_ns())
            except queue.Empty:
                continue
        return TimerFired(name, self._clock.now_ns())

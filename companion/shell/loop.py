"""The event loop: one queue with one consumer, the only place where events change the state.

An event is accepted only once its journal entries are written. If that fails, the state stays, the players are told,
and their input is retried, in order, until it is on the disk. Frames are not retried: the camera reads the table again.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeAlias, TypeVar

from companion.core import messages
from companion.core.entries import Entry
from companion.core.messages import Effect, Event, TimerFired
from companion.core.view import View
from companion.shell.clock import Clock, Timers
from hardware.panel import LineTyped

JOURNAL = "journal"
"""The journal's name in events, and of the timer that retries an entry."""

RETRY_S = 1.0

StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class StopLoop:
    """A request to end the loop, or an `error` that ends it: a bug in a thread, or a closed output pipe.

    `code` is what the players want next: "over", "save", "rematch" or "new"; "camera-ended" or "" if nobody chose.
    """

    error: Exception | None = None
    code: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ConditionalEvents:
    """Events that count only if the screen still shows what they answer when the loop comes to them.

    Attributes:
        events: what the players do.
        holds: returns whether a view shows what they answer.
        counted: whether they did, once the loop has come to them.
    """

    events: Sequence[Event]
    holds: Callable[[View], bool]
    counted: Future[bool] = field(default_factory=Future)


Message: TypeAlias = "Event | LineTyped | ConditionalEvents | StopLoop"

Inbox: TypeAlias = "queue.SimpleQueue[Message]"
"""The queue into which threads put events. Putting never blocks."""


class MessageSource(Protocol):
    """A thread that puts messages into the inbox."""

    def start(self) -> None:
        """Start the thread."""

    def stop(self) -> None:
        """End the thread; return when it has ended or only waits for input."""

    def handled(self, message: Message) -> None:
        """Release the source after the loop has handled its message."""


class DeviceHealth:
    """A device, by its name in events, whose failures and returns are reported, once each.

    `report` is called with the events, and must return at once.
    """

    def __init__(self, device: str, report: Callable[[Event], None]) -> None:
        self._device = device
        self._report = report
        self.failing, self._message = False, ""

    def use(self, action: Callable[[], object]) -> bool:
        """Use the device; return whether it worked. Only `OSError` counts as a failure."""
        try:
            action()
        except OSError as error:
            self.failed(str(error))
            return False
        self.mark_ok()
        return True

    def failed(self, message: str, *, again: bool = False) -> None:
        """Report that the device has failed, unless that was reported; with `again`, also if the reason has changed."""
        if not self.failing or (again and message != self._message):
            self.failing, self._message = True, message
            self._report(messages.DeviceFailed(self._device, message))

    def mark_ok(self) -> None:
        """Report that the device works again, if it had failed."""
        if self.failing:
            self.failing = False
            self._report(messages.DeviceReturned(self._device))


class Loop(Generic[StateT]):
    """The consumer: passes each event to `step`, writes the journal entries, then performs the effects.

    Args:
        state: the initial state.
        step: the core's function.
        record: writes entries and the state that they lead to into the journal, all or none; returns when they are on
            the disk, or raises `OSError`.
        perform: performs one event's effects and returns the events that they cause at once: a throw, or advice.
        interpret: returns the events in a state of a typed line, or of an answer to what is shown.
        cannot_keep: called with the state if what people did has to wait for the journal, unless its failure is
            reported just then.
        before: called with every message before it is handled.

    Attributes:
        sources: run while the loop runs, and are told of each message once its effects are performed.
        journal: the journal's health: failing while it cannot be written.
        stopped: the message that ended the loop.
    """

    def __init__(
        self,
        state: StateT,
        *,
        step: Callable[[StateT, Event], tuple[StateT, Sequence[Effect]]],
        record: Callable[[Sequence[Entry], StateT], None],
        perform: Callable[[Sequence[Effect]], Sequence[Event]],
        inbox: Inbox,
        timers: Timers,
        clock: Clock,
        interpret: Callable[[StateT, LineTyped | ConditionalEvents], Sequence[Event]] = lambda _state, _given: (),
        cannot_keep: Callable[[StateT], object] = lambda _state: None,
        before: Callable[[Message], object] = lambda _message: None,
    ) -> None:
        self.state, self.inbox = state, inbox
        self.sources: list[MessageSource] = []
        self._step, self._record, self._perform, self._interpret = step, record, perform, interpret
        self._timers, self._clock, self._before, self._cannot_keep = timers, clock, before, cannot_keep
        self._unwritten: list[Event] = []
        self.journal = DeviceHealth(JOURNAL, self._take)
        self.stopped = StopLoop()

    def run(self) -> None:
        """Handle messages until a `StopLoop` arrives; raise its exception if it has one."""
        for source in self.sources:
            source.start()
        try:
            while not isinstance(message := self._next(), StopLoop):
                self.handle(message)
        finally:
            for source in self.sources:
                source.stop()
        self.stopped = message
        if message.error is not None:
            raise message.error

    def handle(self, message: Event | LineTyped | ConditionalEvents) -> None:
        """Handle one message."""
        self._before(message)
        if not isinstance(message, messages.FrameRead | messages.FrameBlind):  # what waits for the journal comes first
            waiting, self._unwritten = self._unwritten, []
            self._take_in_order(waiting)
        waited, reported = len(self._unwritten), self.journal.failing
        if isinstance(message, LineTyped | ConditionalEvents):
            self._take_in_order(self._interpret(self.state, message))
        elif not (isinstance(message, TimerFired) and message.name == JOURNAL):
            self._take(message)
        if reported and len(self._unwritten) > waited and not isinstance(message, messages.FromProgram):
            self._cannot_keep(self.state)
        for source in self.sources:
            source.handled(message)

    def _take_in_order(self, events: Sequence[Event]) -> None:
        """Accept events; those after one that has to wait for the journal follow from it, and wait as well."""
        for place, event in enumerate(events):
            waited = len(self._unwritten)
            self._take(event)
            if len(self._unwritten) > waited:
                self._unwritten += events[place + 1 :]
                return

    def _take(self, event: Event) -> None:
        """Accept an event if its journal entries are durable; otherwise keep it for a retry."""
        state, effects = self._step(self.state, event)
        entries = [effect.entry for effect in effects if isinstance(effect, messages.WriteEntry)]
        if entries:
            try:
                self._record(entries, state)
            except OSError as error:
                self._timers.start(JOURNAL, self._clock.now_ns() + round(RETRY_S * 1e9))
                self.journal.failed(str(error))
                if not isinstance(event, messages.FrameRead | messages.FrameBlind):
                    self._unwritten.append(event)
                return
        self.state = state
        brought = self._perform(effects)
        if entries:
            self.journal.mark_ok()
        for came in brought:
            self._take(came)

    def _next(self) -> Message:
        """Wait for a message or the next timer. A due timer goes first, so a busy camera cannot delay it."""
        while (name := self._timers.pop_due(self._clock.now_ns())) is None:
            try:
                return self._clock.get(self.inbox, self._timers.next_ns())
            except queue.Empty:
                continue
        return TimerFired(name, self._clock.now_ns())

from __future__ import annotations

import errno
import queue
from collections.abc import Sequence

import pytest

from companion.core.entries import Entry, ModeSet
from companion.core.messages import (
    DeviceFailed,
    DeviceReturned,
    Effect,
    Event,
    FrameBlind,
    FrameRead,
    Light,
    TimerFired,
    WriteEntry,
)
from companion.core.verdicts import Lit, Mode
from companion.shell.clock import Timers
from companion.shell.loop import JOURNAL, Inbox, Loop, Message, StopLoop
from hardware.panel import Button, ButtonPressed
from tests.companion.shell.clocks import ManualClock
from vision.observation import BlindReason

PRESS = ButtonPressed(Button.DONE, 0)


class KeptLog:
    """A journal that takes everything, unless it is broken."""

    def __init__(self) -> None:
        self.broken = False
        self.entries: list[Entry] = []

    def record(self, entries: Sequence[Entry], _state: object) -> None:
        if self.broken:
            raise OSError(errno.ENOSPC, "the disk is full")
        self.entries += entries


class KeptSource:
    """A source that keeps what it is told of."""

    def __init__(self) -> None:
        self.told: list[Message] = []
        self.runs = False

    def start(self) -> None:
        self.runs = True

    def stop(self) -> None:
        self.runs = False

    def handled(self, message: Message) -> None:
        self.told.append(message)


class Bench:
    """A loop whose state is the tuple of the events that it has seen."""

    def __init__(self) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.timers = Timers()
        self.clock = ManualClock()
        self.performed: list[tuple[int, Sequence[Effect]]] = []
        self.source = KeptSource()
        self.loop: Loop[tuple[Event, ...]] = Loop(
            (),
            step=lambda state, event: ((*state, event), (Light(Lit(slider=len(state))),)),
            record=KeptLog().record,
            perform=self.perform,
            inbox=self.inbox,
            timers=self.timers,
            clock=self.clock,
        )
        self.loop.sources.append(self.source)

    def perform(self, effects: Sequence[Effect]) -> Sequence[Event]:
        self.performed.append((len(self.loop.state), effects))
        return []


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_events_are_taken_in_their_order_and_each_ones_effects_before_the_next(bench: Bench) -> None:
    events = [ButtonPressed(button, 0) for button in Button]
    for event in events:
        bench.inbox.put(event)
    bench.inbox.put(StopLoop())

    bench.loop.run()

    assert list(bench.loop.state) == events == bench.source.told
    assert not bench.source.runs
    assert bench.performed == [(n + 1, (Light(Lit(slider=n)),)) for n in range(len(events))]


def test_a_timer_becomes_an_event_at_its_moment(bench: Bench) -> None:
    bench.timers.start("settle", 500)
    event = bench.loop._next()
    assert event == TimerFired("settle", 500)


def test_a_timer_that_is_due_goes_before_what_waits_in_the_queue(bench: Bench) -> None:
    bench.timers.start("settle", 500)
    bench.inbox.put(PRESS)
    bench.inbox.put(StopLoop())
    bench.clock.advance(500)

    bench.loop.run()

    assert bench.loop.state == (TimerFired("settle", 500), PRESS)


def test_a_fault_of_ours_in_a_thread_ends_the_loop_with_it(bench: Bench) -> None:
    bench.inbox.put(StopLoop(ZeroDivisionError("in the eye")))
    with pytest.raises(ZeroDivisionError, match="in the eye"):
        bench.loop.run()


# ---- what cannot be made durable is not accepted


class Recording:
    """A loop that records how many buttons were pressed, and shows that number and which devices have failed."""

    def __init__(self) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.timers, self.clock, self.log = Timers(), ManualClock(), KeptLog()
        self.shown: list[tuple[int, tuple[str, ...]]] = []
        self.loop: Loop[tuple[int, tuple[str, ...]]] = Loop(
            (0, ()),
            step=self.step,
            record=self.log.record,
            perform=self.perform,
            inbox=self.inbox,
            timers=self.timers,
            clock=self.clock,
        )

    def perform(self, _effects: Sequence[Effect]) -> Sequence[Event]:
        self.shown.append(self.loop.state)
        return []

    def step(
        self, state: tuple[int, tuple[str, ...]], event: Event
    ) -> tuple[tuple[int, tuple[str, ...]], Sequence[Effect]]:
        presses, failed = state
        match event:
            case ButtonPressed():
                return (presses + 1, failed), (WriteEntry(ModeSet(Mode.ON_DONE)),)
            case FrameRead() | FrameBlind():
                return (presses + 100, failed), (WriteEntry(ModeSet(Mode.AUTOMATIC)),)
            case DeviceFailed(device):
                return (presses, (*failed, device)), ()
            case DeviceReturned():
                return (presses, ()), ()
        return state, ()


def test_what_the_disk_does_not_take_is_not_accepted_and_people_see_that() -> None:
    table = Recording()
    table.log.broken = True
    table.loop.handle(PRESS)
    assert table.loop.state == (0, ("journal",))
    assert table.shown == [(0, ("journal",))]
    assert table.loop.failing


def test_what_people_put_in_is_accepted_as_soon_as_there_is_room() -> None:
    table = Recording()
    table.log.broken = True
    table.loop.handle(PRESS)
    table.loop.handle(PRESS)
    table.log.broken = False
    assert table.timers.next_ns() is not None
    table.loop.handle(TimerFired(JOURNAL, 0))
    assert table.loop.state == (2, ())
    assert table.log.entries == [ModeSet(Mode.ON_DONE)] * 2
    assert not table.loop.failing


def test_a_frame_that_could_not_be_recorded_is_not_kept_since_the_table_is_seen_again() -> None:
    table = Recording()
    table.log.broken = True
    table.loop.handle(FrameBlind(BlindReason.DARK, 0))
    table.log.broken = False
    table.loop.handle(TimerFired(JOURNAL, 0))
    assert table.loop.state == (0, ("journal",))
    table.loop.handle(FrameBlind(BlindReason.DARK, 1))
    assert list(table.loop.state) == [100, ()]

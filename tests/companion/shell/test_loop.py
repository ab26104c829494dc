from __future__ import annotations

import queue
from collections.abc import Sequence

import pytest

from companion.core.messages import Button, ButtonPressed, Effect, Event, Slider, TimerFired
from companion.shell.clock import ManualClock
from companion.shell.loop import Loop, Stop
from companion.shell.timers import Timers

PRESS = ButtonPressed(Button.DONE, 0)


class Bench:
    """A loop whose state is the tuple of the events that it has seen."""

    def __init__(self) -> None:
        self.inbox: queue.SimpleQueue[Event | Stop] = queue.SimpleQueue()
        self.timers = Timers()
        self.clock = ManualClock()
        self.performed: list[tuple[int, Sequence[Effect]]] = []
        self.handled: list[Event] = []
        self.loop: Loop[tuple[Event, ...]] = Loop(
            (),
            step=lambda state, event: ((*state, event), (Slider(len(state)),)),
            perform=lambda state, effects: self.performed.append((len(state), effects)),
            inbox=self.inbox,
            timers=self.timers,
            clock=self.clock,
            after=self.handled.append,
        )


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_events_are_taken_in_their_order_and_each_ones_effects_before_the_next(bench: Bench) -> None:
    events = [ButtonPressed(button, 0) for button in Button]
    for event in events:
        bench.inbox.put(event)
    bench.inbox.put(Stop())

    bench.loop.run()

    assert list(bench.loop.state) == events == bench.handled
    assert bench.performed == [(n + 1, (Slider(n),)) for n in range(len(events))]


def test_a_timer_becomes_an_event_at_its_moment(bench: Bench) -> None:
    bench.timers.start("settle", 500)
    event = bench.loop._next()
    assert event == TimerFired("settle", 500)


def test_a_timer_that_is_due_goes_before_what_waits_in_the_queue(bench: Bench) -> None:
    bench.timers.start("settle", 500)
    bench.inbox.put(PRESS)
    bench.inbox.put(Stop())
    bench.clock.advance(500)

    bench.loop.run()

    assert bench.loop.state == (TimerFired("settle", 500), PRESS)


def test_a_fault_of_ours_in_a_thread_ends_the_loop_with_it(bench: Bench) -> None:
    bench.inbox.put(Stop(ZeroDivisionError("in the eye")))
    with pytest.raises(ZeroDivisionError, match="in the eye"):
        bench.loop.run()

from __future__ import annotations

import queue

import pytest

from companion.core.messages import DeviceFailed, DeviceReturned, Event
from companion.shell.clock import Clock, Timers
from companion.shell.frame_reader import DeviceHealth
from tests.companion.shell.clocks import ManualClock


def _broken() -> None:
    raise OSError("out of order")


def test_a_device_is_reported_once_when_it_fails_and_once_when_it_returns() -> None:
    events: list[Event] = []
    guard = DeviceHealth("lamp", events.append)

    worked = [guard.use(action) for action in (list, _broken, _broken, list, list)]

    assert worked == [True, False, False, True, True]
    assert events == [DeviceFailed("lamp", "out of order"), DeviceReturned("lamp")]


def test_a_guard_does_not_hide_our_own_faults() -> None:
    with pytest.raises(ZeroDivisionError):
        DeviceHealth("lamp", lambda _event: None).use(lambda: 1 // 0)


def test_timers_fire_in_the_order_of_their_moments_and_only_when_due() -> None:
    timers = Timers()
    timers.start("late", 30)
    timers.start("early", 20)
    timers.start("stopped", 10)
    timers.stop("stopped")

    assert timers.next_ns() == 20
    assert [timers.pop_due(19), timers.pop_due(30), timers.pop_due(30), timers.pop_due(30)] == [
        None,
        "early",
        "late",
        None,
    ]


def test_starting_a_timer_again_begins_anew() -> None:
    timers = Timers()
    timers.start("settle", 10)
    timers.start("settle", 50)
    assert timers.pop_due(49) is None
    assert timers.pop_due(50) == "settle"


def test_a_manual_clock_leaps_to_what_is_waited_for_but_takes_what_is_there_first() -> None:
    clock, items = ManualClock(), queue.SimpleQueue[str]()
    items.put("here")
    assert clock.get(items, 1_000) == "here"
    assert clock.now_ns() == 0
    with pytest.raises(queue.Empty):
        clock.get(items, 1_000)
    assert clock.now_ns() == 1_000


def test_the_real_clock_gives_up_at_a_moment_that_has_passed() -> None:
    clock = Clock()
    with pytest.raises(queue.Empty):
        clock.get(queue.SimpleQueue[str](), clock.now_ns() - 1)
    assert clock.utc().tzinfo is not None

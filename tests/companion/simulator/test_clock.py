"""Simulated time passes with frames; real frames come at a steady rate."""

import queue

from companion.simulator.camera import LiveShutter
from tests.companion.shell.clocks import ManualClock
from tests.companion.simulator.frame_clock import FrameClock


def test_simulated_time_passes_with_frames_and_with_nothing_else() -> None:
    clock = FrameClock(frame_s=0.25)
    items: queue.SimpleQueue[str] = queue.SimpleQueue()
    items.put("look")
    assert clock.get(items, until_ns=10**12) == "look"
    assert clock.now_ns() == 0
    assert [clock.next_frame_ns() for _ in range(3)] == [250_000_000, 500_000_000, 750_000_000]
    assert clock.now_ns() == 750_000_000


def test_frames_come_at_a_steady_rate_and_a_late_one_at_once() -> None:
    clock = ManualClock(at_ns=5_000_000_000)
    shutter = LiveShutter(clock, frame_s=0.5, sleep=lambda seconds: clock.advance(round(seconds * 1e9)))
    assert (shutter(), shutter()) == (5_000_000_000, 5_500_000_000)
    clock.advance(2_000_000_000)
    assert (shutter(), clock.now_ns()) == (7_500_000_000, 7_500_000_000)

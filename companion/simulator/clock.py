"""Simulated time, which passes only when the simulated camera takes a frame, and a shutter in real time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from companion.shell.clock import Clock, FollowingClock


class Shutter(Protocol):
    """Waits for the next frame."""

    def __call__(self) -> int:
        """Wait for the next frame, in real or simulated time; return its time in ns of the clock."""


class FrameClock(FollowingClock):
    """A clock that the camera advances by `frame_s` with every frame."""

    def __init__(self, *, frame_s: float) -> None:
        super().__init__()
        self._frame_ns = round(frame_s * 1e9)

    def next_frame_ns(self) -> int:
        """Advance the clock by a frame; return its time in ns."""
        self.move_to(self.now_ns() + self._frame_ns)
        return self.now_ns()


class LiveShutter:
    """A shutter at a steady rate in real time; a frame that is late is taken at once."""

    def __init__(self, clock: Clock, *, frame_s: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._clock, self._frame_ns, self._sleep = clock, round(frame_s * 1e9), sleep
        self._last_ns = clock.now_ns() - self._frame_ns

    def __call__(self) -> int:
        """Sleep until the next frame is due; return its time in ns of the clock."""
        now_ns = self._clock.now_ns()
        self._last_ns = max(self._last_ns + self._frame_ns, now_ns)
        self._sleep((self._last_ns - now_ns) / 1e9)
        return self._last_ns

"""Simulated time: it passes only when the simulated camera takes a frame, so nobody waits but for computing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from companion.shell.clock import Clock, FollowingClock


class Shutter(Protocol):
    """Says when the next frame is taken."""

    def __call__(self) -> int:
        """Wait for the next frame, in whatever sense, and give its moment in ns of the clock."""


class FrameClock(FollowingClock):
    """A clock that the camera moves: every frame takes `frame_s`."""

    def __init__(self, *, frame_s: float) -> None:
        super().__init__()
        self._frame_ns = round(frame_s * 1e9)

    def next_frame_ns(self) -> int:
        """Let a frame's time pass."""
        self.move_to(self.now_ns() + self._frame_ns)
        return self.now_ns()


class LiveShutter:
    """Takes frames at a steady rate of the real clock, late ones at once."""

    def __init__(self, clock: Clock, *, frame_s: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._clock, self._frame_ns, self._sleep = clock, round(frame_s * 1e9), sleep
        self._last_ns = clock.now_ns() - self._frame_ns

    def __call__(self) -> int:
        """Sleep until the next frame is due, and give its moment."""
        now_ns = self._clock.now_ns()
        self._last_ns = max(self._last_ns + self._frame_ns, now_ns)
        self._sleep((self._last_ns - now_ns) / 1e9)
        return self._last_ns

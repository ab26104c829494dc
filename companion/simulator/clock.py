"""Simulated time: it passes only when the simulated camera takes a frame, so nobody waits but for computing."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from companion.shell.clock import Clock

ItemT = TypeVar("ItemT")


class Shutter(Protocol):
    """Says when the next frame is taken."""

    def __call__(self) -> int:
        """Wait for the next frame, in whatever sense, and give its moment in ns of the clock."""
        ...


class FrameClock:
    """A clock that the camera moves: every frame takes `frame_s`. A consumer of items really waits.

    The eye puts a look into the queue for each frame, so a timer is at most one frame late.
    """

    def __init__(self, *, frame_s: float, utc: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._frame_ns = round(frame_s * 1e9)
        self._now_ns = 0
        self._utc = utc

    def now_ns(self) -> int:
        """The moment of the last frame."""
        return self._now_ns

    def utc(self) -> datetime:
        """Always the same calendar time."""
        return self._utc

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:  # noqa: ARG002 - no time passes here
        """Take the next item."""
        return items.get()

    def next_frame_ns(self) -> int:
        """Let a frame's time pass."""
        self._now_ns += self._frame_ns
        return self._now_ns


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

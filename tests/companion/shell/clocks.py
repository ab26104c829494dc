"""Clocks for tests, which take no time."""

from __future__ import annotations

import queue
from datetime import UTC, datetime

from companion.shell.clock import Clock, FollowingClock, ItemT


class ManualClock(Clock):
    """A clock that stands still until somebody waits: then it jumps to the end of the wait."""

    def __init__(self, *, at_ns: int = 0) -> None:
        self._now_ns = at_ns

    def now_ns(self) -> int:
        """The moment at which the clock stands."""
        return self._now_ns

    def utc(self) -> datetime:
        """Always the same calendar time."""
        return datetime(2026, 1, 1, tzinfo=UTC)

    def advance(self, duration_ns: int) -> None:
        """Advance the clock."""
        self._now_ns += duration_ns

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:
        """Return a queued item; otherwise jump to `until_ns` and raise `queue.Empty`."""
        try:
            return items.get_nowait()
        except queue.Empty:
            self._now_ns = max(self._now_ns, until_ns or 0)
            raise


class FrameClock(FollowingClock):
    """A clock that the camera advances by `frame_s` with every frame."""

    def __init__(self, *, frame_s: float) -> None:
        super().__init__()
        self._frame_ns = round(frame_s * 1e9)

    def next_frame_ns(self) -> int:
        """Advance the clock by a frame; return its time in ns."""
        self.move_to(self.now_ns() + self._frame_ns)
        return self.now_ns()

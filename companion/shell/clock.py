"""Clocks: the real one, and one that the source of the frames moves."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from companion.locale import _

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""Earlier dates are wrong: without a network a Raspberry Pi may believe that it is 1970."""

ItemT = TypeVar("ItemT")


class Clock:
    """The machine's clock, and the methods of every other clock of the shell."""

    def now_ns(self) -> int:
        """Nanoseconds on the monotonic clock, the same as of a frame's `captured_ns`; only differences matter."""
        return time.monotonic_ns()

    def utc(self) -> datetime:
        """The calendar's time, for users; may jump."""
        return datetime.now(UTC)

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:
        """Return the next item; wait for one until `until_ns` (None: for ever).

        Raises:
            queue.Empty: no item arrived in time.
        """
        if until_ns is None:
            return items.get()
        return items.get(timeout=max(0, until_ns - self.now_ns()) / 1e9)


def wall_time(text: str) -> str:
    """Return an ISO 8601 time of the journal or a record as local time; unchanged if it is not a time.

    A time before this program existed, or in the future, is marked as that of a wrong clock.
    """
    try:
        moment = datetime.fromisoformat(text)
        shown = f"{moment.astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return text
    if FIRST_DAY <= moment.astimezone(UTC) < datetime.now(UTC) + timedelta(days=1):
        return shown
    return _("{time} (by a wrong clock)").format(time=shown)


class FollowingClock(Clock):
    """A clock that its frame source moves; waiting for an item really waits.

    A look is queued for every frame, so a timer is at most one frame late.

    Args:
        utc: the calendar's time when the clock stands at `at_ns`.
        at_ns: the first moment.
        got: called with each item, which may move the clock, before it is handled.
    """

    def __init__(
        self, utc: datetime = FIRST_DAY, at_ns: int = 0, *, got: Callable[[object], object] = lambda _item: None
    ) -> None:
        self._utc, self._began_ns, self._now_ns, self._got = utc, at_ns, at_ns, got

    def now_ns(self) -> int:
        """The moment to which the clock was moved."""
        return self._now_ns

    def utc(self) -> datetime:
        """The calendar's time at that moment."""
        return self._utc + timedelta(microseconds=(self._now_ns - self._began_ns) // 1000)

    def move_to(self, at_ns: int) -> None:
        """Move to a moment; never moves back."""
        self._now_ns = max(self._now_ns, at_ns)

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:  # noqa: ARG002 - no time passes here
        """Return the next item."""
        item = items.get()
        self._got(item)
        return item


class Timers:
    """The running timers, by name. Times are nanoseconds of the loop's clock."""

    def __init__(self) -> None:
        self._due_ns: dict[str, int] = {}

    def start(self, name: str, due_ns: int) -> None:
        """Start a timer that fires at `due_ns`, in place of a running one of this name."""
        self._due_ns[name] = due_ns

    def stop(self, name: str) -> None:
        """Stop a timer, if it runs."""
        self._due_ns.pop(name, None)

    def next_ns(self) -> int | None:
        """The moment at which the next timer fires, None if none runs."""
        return min(self._due_ns.values(), default=None)

    def pop_due(self, now_ns: int) -> str | None:
        """Remove and return the timer that is overdue longest, None if none is due."""
        name = min(self._due_ns, key=lambda name: self._due_ns[name], default=None)
        if name is None or self._due_ns[name] > now_ns:
            return None
        del self._due_ns[name]
        return name

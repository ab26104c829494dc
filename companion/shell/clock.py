"""Time, as a parameter: the real clock, and one that tests move by hand."""

from __future__ import annotations

import queue
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

from companion.locale import _

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""No game was begun before: a Raspberry Pi without a network may believe that it is 1970."""

ItemT = TypeVar("ItemT")


class Clock(Protocol):
    """What the shell asks of time."""

    def now_ns(self) -> int:
        """Nanoseconds on a clock that never jumps; only differences mean something."""
        ...

    def utc(self) -> datetime:
        """The calendar's time, for users; may jump."""
        ...

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:
        """Take the next item, waiting for one until `until_ns` (None: for ever).

        Raises:
            queue.Empty: the time came first.
        """
        ...


class RealClock:
    """The machine's clock."""

    def now_ns(self) -> int:
        """Nanoseconds on the monotonic clock, which a frame's `captured_ns` is on too."""
        return time.monotonic_ns()

    def utc(self) -> datetime:
        """The calendar's time."""
        return datetime.now(UTC)

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:
        """Take the next item, or raise `queue.Empty` at `until_ns`."""
        if until_ns is None:
            return items.get()
        return items.get(timeout=max(0, until_ns - self.now_ns()) / 1e9)


def wall_time(text: str) -> str:
    """Return a time of the journal or of a record, ISO 8601, at this place; as it is written if it is no time.

    One before this program existed, or that is still to come, is said to be of a wrong clock.
    """
    try:
        moment = datetime.fromisoformat(text)
        shown = f"{moment.astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return text
    if FIRST_DAY <= moment.astimezone(UTC) < datetime.now(UTC) + timedelta(days=1):
        return shown
    return _("{time} (by a wrong clock)").format(time=shown)


class ManualClock:
    """A clock that stands still until somebody waits: then it leaps to the moment that was waited for."""

    def __init__(self, *, at_ns: int = 0, utc: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._now_ns = at_ns
        self._utc = utc

    def now_ns(self) -> int:
        """The moment that the clock stands at."""
        return self._now_ns

    def utc(self) -> datetime:
        """Always the same calendar time."""
        return self._utc

    def advance(self, duration_ns: int) -> None:
        """Let time pass."""
        self._now_ns += duration_ns

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:
        """Return an item that is there; otherwise leap to `until_ns` and raise `queue.Empty`."""
        try:
            return items.get_nowait()
        except queue.Empty:
            self._now_ns = max(self._now_ns, until_ns or 0)
            raise


class FollowingClock:
    """A clock that somebody else moves, such as what takes the frames. Who waits for an item really waits.

    A look goes into the queue for every frame, so a timer is at most one frame late.

    Args:
        utc: the calendar's time when the clock stands at `at_ns`.
        at_ns: where it stands.
    """

    def __init__(self, utc: datetime = datetime(2026, 1, 1, tzinfo=UTC), at_ns: int = 0) -> None:
        self._utc, self._began_ns, self._now_ns = utc, at_ns, at_ns

    def now_ns(self) -> int:
        """The moment that the clock was moved to."""
        return self._now_ns

    def utc(self) -> datetime:
        """The calendar's time at that moment."""
        return self._utc + timedelta(microseconds=(self._now_ns - self._began_ns) // 1000)

    def move_to(self, at_ns: int) -> None:
        """Stand at a moment; one that is past already moves nothing."""
        self._now_ns = max(self._now_ns, at_ns)

    def get(self, items: queue.SimpleQueue[ItemT], until_ns: int | None) -> ItemT:  # noqa: ARG002 - no time passes here
        """Take the next item."""
        return items.get()


class Timers:
    """What is to fire, and when. Moments are nanoseconds of the loop's clock."""

    def __init__(self) -> None:
        self._due_ns: dict[str, int] = {}

    def start(self, name: str, due_ns: int) -> None:
        """Let a timer fire at `due_ns`; one that runs under this name is forgotten."""
        self._due_ns[name] = due_ns

    def stop(self, name: str) -> None:
        """Forget a timer, running or not."""
        self._due_ns.pop(name, None)

    def next_ns(self) -> int | None:
        """The moment at which the next timer fires, None if none runs."""
        return min(self._due_ns.values(), default=None)

    def pop_due(self, now_ns: int) -> str | None:
        """Take the timer that should have fired longest ago, None if none should have."""
        name = min(self._due_ns, key=lambda name: self._due_ns[name], default=None)
        if name is None or self._due_ns[name] > now_ns:
            return None
        del self._due_ns[name]
        return name

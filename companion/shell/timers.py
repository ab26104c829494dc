"""Timers by name: no thread, only moments that the loop waits for."""

from __future__ import annotations


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
        """The moment at which the next timer fires, None when none runs."""
        return min(self._due_ns.values(), default=None)

    def pop_due(self, now_ns: int) -> str | None:
        """Take the timer that should have fired longest ago, None when none should have."""
        name = min(self._due_ns, key=lambda name: self._due_ns[name], default=None)
        if name is None or self._due_ns[name] > now_ns:
            return None
        del self._due_ns[name]
        return name

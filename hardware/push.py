"""Debouncing: each push of a button is one event, a press or a hold."""

from __future__ import annotations

import threading

from hardware.panel import Button, ButtonPressed

SHORTEST_NS = 30_000_000
"""A contact that closes for a shorter time is disturbed by a switch or a long wire; fingers take over 50 ms."""

QUIET_NS = 50_000_000
"""Time without an edge before the next push; bad contacts bounce for some 40 ms."""


class Push:
    """Turns the edges of a button's contact into one event for each push, however it bounces.

    A push begins when the contact closes after `QUIET_NS` without an edge. It is reported when the contact opens after
    it was closed for `SHORTEST_NS`, or when it was held, whichever comes first. The methods may be called from
    different threads. Unless a hold differs from a press (`holds`), it is reported as a press.
    """

    def __init__(self, button: Button, *, holds: bool) -> None:
        self.button, self._holds = button, holds
        self._edge_ns: int | None = None
        self._begun_ns: int | None = None
        self._lock = threading.Lock()

    def closed(self, at_ns: int) -> None:
        """Record that the contact closed; a push begins if it was quiet before."""
        with self._lock:
            if self._edge_ns is None or at_ns - self._edge_ns >= QUIET_NS:
                self._begun_ns = at_ns
            self._edge_ns = at_ns

    def opened(self, at_ns: int) -> ButtonPressed | None:
        """Record that the contact opened; return the press that this ends."""
        with self._lock:
            closed_ns, self._edge_ns = self._edge_ns, at_ns
        brief = closed_ns is None or at_ns - closed_ns < SHORTEST_NS
        return None if brief else self._event(held=False)

    def held(self) -> ButtonPressed | None:
        """Return the event of a push that has lasted as long as a hold."""
        return self._event(held=self._holds)

    def _event(self, *, held: bool) -> ButtonPressed | None:
        with self._lock:
            begun_ns, self._begun_ns = self._begun_ns, None
        return None if begun_ns is None else ButtonPressed(self.button, begun_ns, held)

"""One push of a button: a press, or a hold if that means something else; never both."""

from __future__ import annotations

import threading

from hardware.panel import Button, ButtonPressed

SHORTEST_NS = 30_000_000
"""A contact that closes for less is disturbed, by a lamp's switch or a long wire; fingers need over fifty."""

QUIET_NS = 50_000_000
"""So long a contact rests before the next push: bad ones chatter for some forty milliseconds."""


class Push:
    """Makes one event out of each push of a button, however its contact chatters.

    A push begins when the contact closes after it was quiet. It is reported when the contact opens again after it was
    closed for long enough without a break, or when it was held, whichever comes first. All buttons do the same, so that
    a spike is a press of none. The methods may be called from different threads.

    Args:
        button: the button.
        holds: whether holding it means something else; if not, a hold is a press.
        quiet_ns, shortest_ns: how long the contact is open before a push, and closed in it, in ns.
    """

    def __init__(
        self, button: Button, *, holds: bool, quiet_ns: int = QUIET_NS, shortest_ns: int = SHORTEST_NS
    ) -> None:
        self.button, self._holds = button, holds
        self._quiet_ns, self._shortest_ns = quiet_ns, shortest_ns
        self._edge_ns: int | None = None
        self._begun_ns: int | None = None
        self._lock = threading.Lock()

    def closed(self, at_ns: int) -> None:
        """Record that the contact closed; both edges count as unrest, so letting go begins no push."""
        with self._lock:
            if self._edge_ns is None or at_ns - self._edge_ns >= self._quiet_ns:
                self._begun_ns = at_ns
            self._edge_ns = at_ns

    def opened(self, at_ns: int) -> ButtonPressed | None:
        """Record that the contact opened; return the press that this ends."""
        with self._lock:
            closed_ns, self._edge_ns = self._edge_ns, at_ns
        brief = closed_ns is None or at_ns - closed_ns < self._shortest_ns
        return None if brief else self._event(held=False)

    def held(self) -> ButtonPressed | None:
        """Return the push that the contact has been closed in for as long as a hold takes."""
        return self._event(held=self._holds)

    def _event(self, *, held: bool) -> ButtonPressed | None:
        with self._lock:
            begun_ns, self._begun_ns = self._begun_ns, None
        return None if begun_ns is None else ButtonPressed(self.button, begun_ns, held)

"""One push of a button: a press, or where that means something else, a hold; never both."""

from __future__ import annotations

import threading

from hardware.panel import Button, PanelEvent

QUIET_NS = 30_000_000
"""Contacts of push-buttons chatter for a few, bad ones for some twenty milliseconds; fingers need over fifty."""


class Debounce:
    """Decides which closings of one button's contact are presses: those after the contact was quiet for `quiet_ns`.

    Both edges count as unrest, so that the chatter of letting go is no press either. A press is reported at its first
    edge, without delay.
    """

    def __init__(self, quiet_ns: int = QUIET_NS) -> None:
        self._quiet_ns = quiet_ns
        self._last_edge_ns: int | None = None

    def closed(self, at_ns: int) -> bool:
        """Record that the contact closed; return whether that is a press."""
        last_ns, self._last_edge_ns = self._last_edge_ns, at_ns
        return last_ns is None or at_ns - last_ns >= self._quiet_ns

    def opened(self, at_ns: int) -> None:
        """Record that the contact opened."""
        self._last_edge_ns = at_ns


class Push:
    """Makes one event out of each push of a button, however its contact chatters.

    A button without a second meaning reports at its first edge, at once. One with a second meaning reports when it
    is let go or when it was held, whichever comes first. The methods may be called from different threads.

    Args:
        button: the button.
        holds: whether holding it means something else.
        quiet_ns: an opening sooner than this after the first closing is chatter; fingers are slower.
    """

    def __init__(self, button: Button, *, holds: bool, quiet_ns: int = QUIET_NS) -> None:
        self.button, self._holds, self._quiet_ns = button, holds, quiet_ns
        self._debounce = Debounce(quiet_ns)
        self._begun_ns: int | None = None
        self._lock = threading.Lock()

    def closed(self, at_ns: int) -> PanelEvent | None:
        """Take note that the contact closed."""
        if not self._debounce.closed(at_ns):
            return None
        if not self._holds:
            return PanelEvent(self.button, at_ns)
        self._begun_ns = at_ns
        return None

    def opened(self, at_ns: int) -> PanelEvent | None:
        """Record that the contact opened."""
        self._debounce.opened(at_ns)
        begun_ns = self._begun_ns
        chatter = begun_ns is not None and at_ns - begun_ns < self._quiet_ns
        return None if chatter else self._event(held=False)

    def held(self) -> PanelEvent | None:
        """Take note that the contact has been closed for as long as a hold takes."""
        return self._event(held=True)

    def _event(self, *, held: bool) -> PanelEvent | None:
        with self._lock:
            begun_ns, self._begun_ns = self._begun_ns, None
        return None if begun_ns is None else PanelEvent(self.button, begun_ns, held)

"""One press for one push, however the contact chatters.

Hardware filters differ (a kernel may debounce, gpiozero's mock pins do not), so the panel decides by itself, on the
moments at which the edges happened and not on those at which they were delivered: a busy machine delivers late.
"""

from __future__ import annotations

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
        """Take note that the contact closed; report whether that is a press."""
        last_ns, self._last_edge_ns = self._last_edge_ns, at_ns
        return last_ns is None or at_ns - last_ns >= self._quiet_ns

    def opened(self, at_ns: int) -> None:
        """Take note that the contact opened."""
        self._last_edge_ns = at_ns

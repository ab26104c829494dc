"""The exceptions of the panel."""

from __future__ import annotations


class HardwareError(Exception):
    """Root of all exceptions that hardware raises."""


class PanelError(HardwareError, OSError):
    """A panel that cannot be opened or has stopped working; the message is one sentence."""


class PinMapError(HardwareError, ValueError):
    """A wiring that is not possible; the message is one sentence and names both users of the pin."""

"""The exceptions of the panel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engines.sentence import Sentence, about


class HardwareError(Exception):
    """Root of all exceptions that hardware raises."""


class PanelError(HardwareError, OSError):
    """A panel that cannot be opened or has stopped working; the message is one sentence."""


@contextmanager
def panel_error(what: Sentence) -> Iterator[None]:
    """Raise a driver's failure as `PanelError`: what does not work, and why.

    gpiozero, lgpio, luma and the kernel have no common exception.
    """
    try:
        yield
    except PanelError:
        raise
    except Exception as error:
        raise PanelError(about(what, str(error))) from error


class PinMapError(HardwareError, ValueError):
    """A wiring that is not possible; the message is one sentence and names both users of the pin."""

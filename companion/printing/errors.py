"""What can go wrong while a print is made or measured; each message is one sentence for people."""

from __future__ import annotations


class PrintingError(ValueError):
    """Something cannot be printed as asked."""


class MeasuringError(PrintingError):
    """A picture of a printed sheet cannot be measured."""

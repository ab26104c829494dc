"""The exceptions of the shell. Their messages are whole sentences for the players, in their language."""

from __future__ import annotations


class ShellError(Exception):
    """Root of all exceptions that the shell raises."""


class JournalError(ShellError, OSError):
    """The journal cannot be opened, read or written; the message is one sentence."""


class SetUpError(ShellError, ValueError):
    """A table cannot be put together from these settings; the message is one sentence."""

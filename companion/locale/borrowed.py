"""Sentences of Python's argparse and of Linux, listed so that the catalogues have them; argparse looks its own up."""

from __future__ import annotations

from typing import Final


def _(message: str) -> str:
    """Mark a sentence for the catalogues and leave it as it is."""
    return message


ARGPARSE: Final = (
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("argument %(argument_name)s: %(message)s"),
    _("the following arguments are required: %s"),
    _("expected one argument"),
    _("expected at least one argument"),
    _("ignored explicit argument %r"),
    _("invalid %(type)s value: %(value)r"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
)

SYSTEM: Final = (
    _("No such file or directory"),
    _("Permission denied"),
    _("Is a directory"),
    _("Not a directory"),
    _("No space left on device"),
    _("Read-only file system"),
    _("File too large"),
    _("Address already in use"),
    _("Cannot assign requested address"),
)

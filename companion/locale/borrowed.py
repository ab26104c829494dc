"""Sentences of Python's argparse, listed so that the catalogues have them; argparse looks them up by itself."""

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

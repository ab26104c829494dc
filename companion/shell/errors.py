"""The exceptions of the shell; their messages are whole sentences for users, in their language."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable

from companion.locale import _, translated


class ShellError(Exception):
    """The base of all exceptions of the shell."""


class JournalError(ShellError, OSError):
    """The journal cannot be opened, read or written; the message is one sentence."""


class UnpreparedJournalError(JournalError):
    """A journal of an older version, or of an interrupted write: opening it for writing repairs it.

    The message is one sentence.
    """


class SetUpError(ShellError, ValueError):
    """The settings do not describe a usable table; the message is one sentence."""


def os_reason(error: OSError) -> str:
    """Return the system's reason, translated if possible, without the file's name."""
    return translated(error.strerror or os.strerror(error.errno or 0))


def close_to(word: str, known: Iterable[str]) -> list[str]:
    """Return the known words that have a part like this word ("royal-ur" for "ur"), or the one spelled most like it."""
    parts = {name: name.split("-") for name in known}
    with_part = [
        name
        for name, own in parts.items()
        if "-" not in word and len(own) > 1 and difflib.get_close_matches(word.lower(), own, n=1, cutoff=0.75)
    ]
    return with_part or difflib.get_close_matches(word, parts, n=1)


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """Return a sentence that a word is unknown and which known one is nearest."""
    known = list(known)
    near = close_to(word, known)
    if len(near) == 1:
        return _('unknown {kind} "{word}"; did you mean "{near}"?').format(kind=kind, word=word, near=near[0])
    listed = ", ".join(near or known)
    return _('unknown {kind} "{word}"; there are: {known}').format(kind=kind, word=word, known=listed)

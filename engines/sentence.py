"""A sentence for people that is raised or reported where their language is not known; it knows no rule."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

_LONGEST_FOUND = 80


class Sentence(str):
    """An English sentence that keeps what its translation is made of.

    `str` of an exception with such a sentence returns it, so that who shows it can look its pattern up.

    >>> error = OSError(Sentence("{camera} is closed").format(camera="webcam 0"))
    >>> str(error), str(error).pattern, str(error).named
    ('webcam 0 is closed', '{camera} is closed', {'camera': 'webcam 0'})

    Attributes:
        pattern: the sentence before names were filled in; "" if none were.
        named: what was filled in.
    """

    pattern: str = ""
    named: Mapping[str, object] = {}

    def format(self, *args: object, **named: object) -> Sentence:
        """Fill in as `str.format` does."""
        if not (args or named):
            return self
        filled = Sentence(super().format(*args, **named))
        filled.pattern, filled.named = self, named
        return filled

    def __str__(self) -> Sentence:
        return self


def about(what: str, reason: str) -> Sentence:
    """Return the sentence about a file, a key or a part."""
    return Sentence("{what}: {reason}").format(what=what, reason=reason)


def unexpected(key: str, expected: str, found: Any, known: Sequence[str] = (), **named: object) -> Sentence:
    """Return a sentence with what a key may have and what it has, and with the known word that is most like it.

    `named` is filled into `expected`. What was found is a value, or a `Sentence` about it.
    """
    wanted = (expected if isinstance(expected, Sentence) else Sentence(expected)).format(**named)
    shown = found if isinstance(found, Sentence) else json.dumps(found, ensure_ascii=False, default=str)
    if len(shown) > _LONGEST_FOUND and shown is not found:
        shown = f"{shown[: _LONGEST_FOUND - 3]}..."
    sentence = Sentence("{key}: expected {expected}, found {found}").format(key=key, expected=wanted, found=shown)
    if near := difflib.get_close_matches(str(found), known, n=1):
        return Sentence('{sentence}; did you mean "{near}"?').format(sentence=sentence, near=near[0])
    return sentence

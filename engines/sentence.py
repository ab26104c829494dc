"""A sentence for people that is raised or reported where their language is not known; it knows no rule."""

from __future__ import annotations

from collections.abc import Mapping


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
        filled = Sentence(super().format(*args, **named))
        filled.pattern, filled.named = self, named
        return filled

    def __str__(self) -> Sentence:
        return self

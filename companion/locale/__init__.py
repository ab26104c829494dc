"""The words in six languages: every sentence that a person sees goes through `_`."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

_DOMAIN = "companion"


@cache
def _catalogue() -> gettext.NullTranslations:
    """Find the catalogue for the environment's language (LANGUAGE, LC_ALL, LC_MESSAGES, LANG); English without one."""
    return gettext.translation(_DOMAIN, localedir=Path(__file__).parent, fallback=True)


def _(message: str) -> str:
    """Give a sentence in the user's language; names in braces are filled in afterwards, with `str.format`."""
    return _catalogue().gettext(message)

"""This process made to speak another language, a real one or a pretended one."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion import locale

ENGLISH = "en"
TRANSLATED = ("de", "es", "fr", "it", "nl")
_CATALOGUES = Path(locale.__file__).parent


@contextmanager
def spoken(language: str) -> Iterator[None]:
    """Speak a language for a while, whatever the environment asks for."""
    with catalogue(gettext.translation("companion", _CATALOGUES, [language], fallback=language == ENGLISH)):
        yield


@contextmanager
def catalogue(sentences: gettext.NullTranslations) -> Iterator[None]:
    """Speak with the sentences of a catalogue for a while."""
    before: Any = locale._users
    locale._users = lambda: sentences  # type: ignore[assignment]  # the cache is put back behind it
    try:
        yield
    finally:
        locale._users = before


class Brackets(gettext.NullTranslations):
    """A language whose every sentence is the English one in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧" if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class Lengthened(Brackets):
    """A language of which every sentence is nearly half as long again as the English one, in words."""

    def gettext(self, message: str) -> str:
        if "|" in message or len(message) <= 3:
            return message
        more = max(1, round(0.4 * len(message)))
        return (
            f"{message} {' '.join(['lorem'] * (1 + more // 6))}"
            if message.endswith((".", "!", "?"))
            else message + "o" * (more // 2)
        )

"""The languages that are spoken, and pretended ones for `companion.locale.speaking`."""

from __future__ import annotations

import gettext
import re

ENGLISH = "en"
TRANSLATED = ("de", "es", "fr", "it", "nl")
LANGUAGES = (ENGLISH, *TRANSLATED)


class Brackets(gettext.NullTranslations):
    """A language whose every sentence is the English one in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧" if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class Dots(gettext.NullTranslations):
    """A language with a dot for each word; what is filled in keeps its letters."""

    def gettext(self, message: str) -> str:
        return re.sub(r"[^\W\d_]+(?![^{}]*\})", "·", message)


def outside(text: str) -> str:
    """Return what is in no brackets."""
    while (left := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = left
    return left


def assert_all_is_translated(text: str) -> None:
    assert not re.search(r"[A-Za-z]{3}", outside(text)), text


class Lengthened(Brackets):
    """A language of which every sentence is two fifths longer than the English one, in words."""

    def gettext(self, message: str) -> str:
        if "|" in message or len(message) <= 3:
            return message
        words = message.split(" ")
        return " ".join([*words, *words[: max(1, round(0.4 * len(words)))]])

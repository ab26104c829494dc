"""The words in six languages: every sentence that a person sees goes through `_` or `ngettext`.

What programs read (JSON, codes, labels of table files) is English whatever the language: see `english`.
"""

from __future__ import annotations

import gettext as _gettext
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import takewhile
from pathlib import Path

from engines.sentence import Sentence

_DOMAIN = "companion"
_FOLDER = Path(__file__).parent
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_ENGLISH = _gettext.NullTranslations()
_spoken: ContextVar[_gettext.NullTranslations | None] = ContextVar("spoken", default=None)


def _(message: str) -> str:
    """Return a sentence in the user's language; names in braces are filled in afterwards, with `str.format`."""
    sentence = _catalogue().gettext(message)
    return _filled_in_well(sentence) if "{" in sentence else sentence


def ngettext(one: str, many: str, number: int) -> str:
    """Return a sentence in the form that goes with a number; the number, too, is filled in afterwards."""
    return _filled_in_well(_catalogue().ngettext(one, many, number))


_NAME = r"[AEIOUHÀÁÂÉÈÊÍÎÓÔÚÛ][a-zà-ÿ]"
_BEFORE_A_NAME = {
    "es": ((re.compile(r"\by (?=(?:I|Í|Hi(?!e))[a-zà-ÿ])"), "e "), (re.compile(r"\bo (?=(?:O|Ó|Ho)[a-zà-ÿ])"), "u ")),
    "fr": ((re.compile(rf"\b([Dd]|[Qq]u)e (?={_NAME})"), r"\1'"), (re.compile(r"\ble (?=as\b)"), "l'")),
    "it": (
        (re.compile(r"\bil (?=asso\b|8)"), "l'"),
        (re.compile(r"\b([aA]) (?=A[a-zà-ÿ])"), r"\1d "),
        (re.compile(r"\b([eE]) (?=E[a-zà-ÿ])"), r"\1d "),
    ),
}
"""How a word changes before a name, or a card's rank, that begins with a vowel: "d'Anna", "ed Elio", "l'as de cœur"."""


class _Joined(str):
    """A sentence of a language whose words change before a name that is filled in."""

    __slots__ = ("_language",)
    _language: str

    def __new__(cls, sentence: str, language: str) -> _Joined:
        """Keep a sentence with its language."""
        joined = super().__new__(cls, sentence)
        joined._language = language
        return joined

    def format(self, *args: object, **named: object) -> str:
        """Fill in as `str.format` does."""
        return _join(super().format(*args, **named), self._language)

    def format_map(self, named: Mapping[str, object], /) -> str:  # type: ignore[override]  # any mapping will do
        """Fill in as `str.format_map` does."""
        return _join(super().format_map(named), self._language)


def _join(text: str, language: str) -> str:
    for pattern, replacement in _BEFORE_A_NAME[language]:
        text = pattern.sub(replacement, text)
    return text


def _filled_in_well(sentence: str) -> str:
    """Return a sentence that is filled in with names by the rules of its language."""
    spoken = language()
    return _Joined(sentence, spoken) if spoken in _BEFORE_A_NAME else sentence


def translated(text: str) -> str:
    """Return a text of a data file, or a `Sentence`, in the user's language, where the catalogue has it."""
    if not isinstance(text, Sentence) or not text.pattern:
        return str.__str__(_catalogue().gettext(text)) if text else ""
    named = {name: translated(found) if isinstance(found, Sentence) else found for name, found in text.named.items()}
    # plain text: what `str` returns of a Sentence is the Sentence
    return str.__str__(_filled_in_well(_catalogue().gettext(text.pattern)).format(**named))


class Catalogue:
    """The sentences of a game that another package has, in the user's language where the package has it.

    Args:
        domain: the name of the package's catalogues.
        folder: where they are: `folder/de/LC_MESSAGES/domain.mo`.
    """

    def __init__(self, domain: str, folder: Path) -> None:
        self._domain, self._folder = domain, folder

    def gettext(self, message: str) -> str:
        """Return a sentence in the user's language."""
        return self._found().gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """Return a sentence in the form that goes with a number."""
        return self._found().ngettext(one, many, number)

    def _found(self) -> _gettext.NullTranslations:
        asked = languages(os.environ) if _spoken.get() is None else [language()]
        return _gettext.translation(self._domain, self._folder, asked, fallback=True)


@contextmanager
def speaking(language: str | _gettext.NullTranslations) -> Iterator[None]:
    """Speak a language for a while, given by its code, "" for the one that is spoken anyway; or a catalogue's.

    Another thread is not concerned: two displays may speak different languages.
    """
    before = _spoken.set(_spoken.get())
    try:
        if language:
            speak(language)
        yield
    finally:
        _spoken.reset(before)


def english() -> AbstractContextManager[None]:
    """Speak English for a while: what programs read does not change with the user's language."""
    return speaking(_ENGLISH)


def languages(environment: Mapping[str, str]) -> list[str]:
    """List the languages that a user asks for, best first; none after English, in which every sentence is there."""
    asked = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return list(takewhile(lambda language: _code(language) not in ("en", "C", "POSIX"), asked.split(":")))


def language() -> str:
    """Return the code of the language in which sentences are written, such as "de"; "en" for English."""
    return _code(_catalogue().info().get("language", "en")) or "en"


def share_with_argparse() -> None:
    """Let Python's argparse find its sentences in our catalogue: it asks the process's own text domain."""
    if isinstance(users_catalogue(), _gettext.GNUTranslations):
        _gettext.bindtextdomain(_DOMAIN, str(_FOLDER))
        _gettext.textdomain(_DOMAIN)


def _catalogue() -> _gettext.NullTranslations:
    return _spoken.get() or users_catalogue()


@cache
def users_catalogue() -> _gettext.NullTranslations:
    """Find the catalogue of the first language asked for that there is; English without one."""
    return _gettext.translation(_DOMAIN, _FOLDER, languages(os.environ), fallback=True)


def speak(language: str | _gettext.NullTranslations) -> None:
    """Write every sentence of this thread in a language from now on, given by its code, or with a catalogue."""
    found = _gettext.translation(_DOMAIN, _FOLDER, [language], fallback=True) if isinstance(language, str) else language
    _spoken.set(found)


def _code(language: str) -> str:
    """Return the language alone of "de_AT.UTF-8@euro"."""
    for mark in "_.@-":
        language = language.partition(mark)[0]
    return language


_HELD_SPACE = re.compile(r" (?=[;:?!%»](?:\s|$))|(?<=«) |(?<=[^\W\d]) (?=\d+(?![\w.]))")
_HELD = "\ue000"
"""Stands for a space that no line is broken at: rich breaks at each character that Python calls a space."""


def held(text: str) -> str:
    """Return a text of the same length in which some spaces are held: no line is broken there.

    They stand before French punctuation, and between a word and the number behind it: "waiting 7".
    """
    return _HELD_SPACE.sub(_HELD, text)


def unbroken(text: str) -> str:
    """Return a text whose held spaces are no-break spaces, for HTML."""
    return _HELD_SPACE.sub("\N{NO-BREAK SPACE}", text)


def freed(text: str) -> str:
    """Return a text with the spaces that `held` took."""
    return text.replace(_HELD, " ")

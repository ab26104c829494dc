"""A typed line split into tokens: known words, cells, numbers, players, and unknown words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from string import ascii_uppercase
from typing import Generic, TypeAlias

from companion.locale import english, language
from companion.ui.hearing import number_words, spelled
from engines.kernel import ActionT, Cell, Seat

Vocabulary: TypeAlias = Mapping[str, str]
"""The meaning of each word, by the word as `plain` writes it."""

_PART = re.compile(r"(?:(?<![^\s,;])[-\u2212])?\d+(?:\.\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\?")
_MINUS = ("-", "\u2212")
_CELL = re.compile(r"[a-z]\d{1,2}")
_NEAR = 0.7
_LEAST_GUESSED = 3
"""Shorter words resemble too many others."""


@dataclass(frozen=True, slots=True)
class Token:
    """One part of a line; one of its meanings is set, or none for an unknown word.

    Attributes:
        text: the token as typed.
        word: the word's meaning.
        cell: the cell that it names.
        digits: a number, as typed: "34" may be two dice; "-1" has no meaning.
        seat: the player that it names.
    """

    text: str
    word: str = ""
    cell: Cell | None = None
    digits: str = ""
    seat: Seat | None = None

    @property
    def understood(self) -> bool:
        """Whether the token has a meaning."""
        return bool(self.word or self.cell or self.digits or self.seat)


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line.

    Attributes:
        tokens: its parts in order.
        text: as it was typed.
    """

    tokens: tuple[Token, ...]
    text: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The meanings of its words, in order."""
        return tuple(token.word for token in self.tokens if token.word)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that it names, in order."""
        return tuple(token.cell for token in self.tokens if token.cell)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The whole numbers in it, in order."""
        return tuple(int(token.digits) for token in self.tokens if token.digits.isdecimal())

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players that it names, in order."""
        return tuple(token.seat for token in self.tokens if token.seat)

    def dice(self) -> tuple[int, ...]:
        """Return all digits one by one, as dice typed without separators."""
        digits = (token.digits for token in self.tokens if not token.digits.startswith(_MINUS))
        return tuple(int(digit) for number in digits for digit in number if digit.isdecimal())

    def has(self, *words: str) -> bool:
        """Return whether the line has one of these meanings."""
        return any(word in words for word in self.words)


def plain(text: str) -> str:
    """Return a word without case and accents, for comparison."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


Phrases: TypeAlias = Callable[[], Mapping[str, str]]
"""Returns, by meaning, its words in the current language, separated by commas."""


def in_both_languages(phrases: Phrases) -> Vocabulary:
    """Return the meaning of each word in English and in the user's language, which takes precedence."""
    with english():
        vocabulary = _vocabulary(phrases, "")
    return {**vocabulary, **_vocabulary(phrases, language())}


_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "œ": "oe", "æ": "ae"})


@cache
def _vocabulary(phrases: Phrases, _language: str) -> Vocabulary:
    """Return meanings by word in the current language, also with umlauts spelt out: "zurueck"."""
    return {
        plain(written): meaning
        for meaning, words in phrases().items()
        for word in map(str.strip, words.casefold().split(","))
        for written in {word, word.translate(_SPELT)}
    }


def spellings(phrases: Phrases) -> list[str]:
    """Return the words of phrases as the players write them."""
    return [word.strip() for words in phrases().values() for word in words.split(",")]


def read_line(
    text: str, vocabulary: Vocabulary, seats: Mapping[str, Seat], columns: str, commands: Collection[str] = ()
) -> TypedLine:
    """Return a line split into tokens, without noise words.

    Args:
        text: the line.
        vocabulary: the meanings of words, as `plain` writes them.
        seats: the players by the words that name them, as `plain` writes them.
        columns: the letters of the board's columns; before a number they are never words.
        commands: the letters that are commands; next to a number they name a space, even one that does not exist.
    """
    parts, tokens, place = _PART.findall(text), list[Token](), 0
    while place < len(parts):
        part, number = parts[place], parts[place + 1] if place + 1 < len(parts) else ""
        word, letter = part[:-1], plain(part[-1])
        # a letter before a number names a cell if it stands alone or behind a word, as in "kb2", and is no word itself
        alone = not word or (plain(part) not in vocabulary and plain(word) in vocabulary)
        free = letter in columns or letter in commands or letter not in vocabulary
        if number and alone and free and _CELL.fullmatch(letter + number):
            tokens += [_token(word, vocabulary, seats)] if word else []
            tokens.append(Token(part[-1] + number, cell=Cell((part[-1] + number).upper())))
            place += 2
        else:
            tokens.append(_token(part, vocabulary, seats))
            place += 1
    kept = [token for token in tokens if token.word != NOISE]
    # another part of the same player's name, as in "Anna Clara", is no token of its own
    begun = [
        token
        for token, last in zip(kept, [None, *kept], strict=False)
        if last is None or token.seat is None or token.seat != last.seat
    ]
    return TypedLine(tuple(begun), text)


NOISE = "noise"
"""The meaning of noise words: "the", "to"."""


def _token(text: str, vocabulary: Vocabulary, seats: Mapping[str, Seat]) -> Token:
    word = plain(text)
    if word in seats:
        return Token(text, seat=seats[word])
    if word in vocabulary:
        return Token(text, word=vocabulary[word])
    return Token(text, digits=text) if text[-1].isdecimal() else Token(text)


def nearest(text: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to a typed one, as it is written; None if none is similar."""
    if len(text) < _LEAST_GUESSED:
        return None
    by_word = {plain(word): word for word in known}
    found = get_close_matches(plain(text), by_word, n=1, cutoff=_NEAR)
    return by_word[found[0]] if found else None


# ---- as it is heard

_MOST_SPOKEN = 100
"""Numbers below it are read as words."""


def as_typed(text: str, names: Collection[str] = ()) -> str:
    """Return a line with spoken cells and numbers as they are typed: "Foxtrot eleven" is F11, "three up" 3 up.

    It undoes `companion.ui.hearing.for_the_ear`, so that a listener may type an example as it was heard. Words of
    `names`, as `plain` writes them, spell no letter.
    """
    numbers, letters = _spoken(language())
    digits = _any_of(numbers).sub(lambda found: numbers[_joined(found[0])], plain(text))
    spelt = _any_of([word for word in letters if word not in names], r"\s+(?=\d)")
    return spelt.sub(lambda found: letters[found[0].strip()], digits)


@cache
def _spoken(_language: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the digits of number words, and the letters of spelling words, in the current language."""
    numbers = {_joined(plain(number_words(number))): str(number) for number in range(_MOST_SPOKEN)}
    letters = {plain(spelled(letter)): letter for letter in ascii_uppercase}
    return numbers, letters


def _any_of(words: Iterable[str], then: str = "") -> re.Pattern[str]:
    """Return a pattern of whole words, the longest first; a blank in them may be a hyphen."""
    longest_first = sorted(words, key=len, reverse=True)
    either = "|".join(re.escape(word).replace(r"\ ", r"[\s-]") for word in longest_first)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w){then}")


def _joined(words: str) -> str:
    return re.sub(r"[\s-]", " ", words)


# ---- what a line means


@dataclass(frozen=True, slots=True)
class Entered(Generic[ActionT]):
    """An action that a line means; the engine decides whether it is legal.

    Attributes:
        action: the action.
        then: further actions of the same line, to be played one after another.
        confirm: the question to ask first, if the line left something open; "" if it is clear.
    """

    action: ActionT
    then: tuple[ActionT, ...] = ()
    confirm: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that is not an action: its name in `commands.command_words`, and the rest of the line."""

    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line without a meaning, with a sentence for the players."""

    sentence: str


Reading: TypeAlias = Entered[ActionT] | Command | Mistake
"""What a line means."""

"""Readers of single JSON values; an error is one sentence: what, where, what was expected."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from engines.kernel import BadRequestError, Json, JsonObject, Seat

WordT = TypeVar("WordT", bound=str)

_LONGEST_QUOTE = 40
_A_WORD = re.compile(r"[\w-]+")


def read_json(text: str | bytes) -> Json:
    """Parse JSON from an untrusted source.

    Raises:
        ValueError: it is not JSON, or has half a surrogate pair, which cannot be encoded for output.
        RecursionError: it is nested too deeply.
    """
    value: Json = json.loads(text)
    json.dumps(value, ensure_ascii=False).encode()  # raises UnicodeEncodeError
    return value


def parse_json(text: str, what: str) -> Json:
    """Parse JSON from a line of text; `what` names it in the sentence for another text.

    Raises:
        BadRequestError: it is not JSON.
    """
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        raise BadRequestError(f"{what} must be JSON, not {text[:_LONGEST_QUOTE]!r}") from None


def demand(holds: object, sentence: str) -> None:
    """Raise `BadRequestError` with a sentence unless a condition holds."""
    if not holds:
        raise BadRequestError(sentence)


def matched(form: re.Pattern[str], text: str, expected: str) -> re.Match[str]:
    """Return how a whole text matches a form; `expected` begins the sentence for another text."""
    found = form.fullmatch(text)
    if found is None:
        raise BadRequestError(f"{expected}, not {text[:_LONGEST_QUOTE]!r}")
    return found


def as_object(value: Json, where: str) -> JsonObject:
    """Return a value as an object.

    Raises:
        BadRequestError: it is something else; so do all functions here.
    """
    if not isinstance(value, Mapping):
        raise BadRequestError(f"{where} must be an object, not {quote(value)}")
    return value


def as_number(value: Json, where: str, low: int, high: int) -> int:
    """Return a value as a whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadRequestError(f"{where} must be a whole number from {low} to {high}, not {quote(value)}")
    return value


def member(data: JsonObject, key: str, where: str) -> Json:
    """Return the value of a required key."""
    demand(key in data, f'{where} lacks "{key}"')
    return data[key]


def as_seat(value: Json, where: str, players: Collection[Seat]) -> Seat:
    """Return a value as one of the players."""
    return as_one_of(value, where, players)


def check_names(players: Sequence[Seat], colours: Collection[Seat] | None = None) -> None:
    """Refuse players that sit down twice, have an unknown colour, or a name that is not one word."""
    demand(len(set(players)) == len(players), f"each player can sit down only once: {', '.join(players)}")
    for seat in players:
        if colours is not None and seat not in colours:
            raise BadRequestError(f"unknown colour {quote(seat)}; there are: {', '.join(colours)}")
        demand(_A_WORD.fullmatch(seat), f"a player must be one word of letters, digits, - and _, not {quote(seat)}")


def as_one_of(value: Json, where: str, known: Iterable[WordT]) -> WordT:
    """Return a value as one of the known words, such as those of an enumeration."""
    for word in known:
        if word == value:
            return word
    raise BadRequestError(f"{where} must be one of {', '.join(known)}, not {quote(value)}")


def as_true(value: Json, key: str) -> None:
    """Refuse anything but true."""
    demand(value is True, f'"{key}" must be true, not {quote(value)}')


def only_keys(data: Iterable[str], known: Collection[str], where: str) -> None:
    """Refuse unknown keys, so that a misspelt one is not silently ignored, but for those of a lenient request."""
    for key in data if not isinstance(data, Given) or data.strict else ():
        if key not in known:
            raise BadRequestError(f"{where} has no {quote(key)}; there are: {', '.join(known) or 'none'}")


class Given(dict[str, Json]):
    """An object of a program's request, whose unknown keys are ignored, or refused if the request is strict."""

    def __init__(self, data: JsonObject, *, strict: bool = False) -> None:
        super().__init__(data)
        self.strict = strict


def quote(value: Json) -> str:
    """Write a value as JSON, shortened for a sentence."""
    try:
        text = json.dumps(value)
    except RecursionError:  # a parser accepts slightly deeper nesting than a printer
        return "something nested too deeply"
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."

"""Readers of single JSON values; an error is one sentence: what, where, what was expected."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from engines.kernel import BadRequestError, Cell, Json, JsonObject, Seat

WordT = TypeVar("WordT", bound=str)

_LONGEST_QUOTE = 40
_A_CELL = re.compile(r"[A-Z][0-9]{1,2}")
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


def as_object(value: Json, where: str) -> JsonObject:
    """Return a value as an object.

    Raises:
        BadRequestError: it is something else; so do all functions here.
    """
    if not isinstance(value, Mapping):
        raise BadRequestError(f"{where} must be an object, not {quote(value)}")
    return value


def as_list(value: Json, where: str) -> Sequence[Json]:
    """Return a value as a list."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadRequestError(f"{where} must be a list, not {quote(value)}")
    return value


def as_text(value: Json, where: str) -> str:
    """Return a value as a text."""
    if not isinstance(value, str):
        raise BadRequestError(f"{where} must be a text, not {quote(value)}")
    return value


def as_flag(value: Json, where: str) -> bool:
    """Return a value as true or false."""
    if not isinstance(value, bool):
        raise BadRequestError(f"{where} must be true or false, not {quote(value)}")
    return value


def as_number(value: Json, where: str, low: int, high: int) -> int:
    """Return a value as a whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadRequestError(f"{where} must be a whole number from {low} to {high}, not {quote(value)}")
    return value


def member(data: JsonObject, key: str, where: str) -> Json:
    """Return the value of a required key."""
    if key not in data:
        raise BadRequestError(f'{where} lacks "{key}"')
    return data[key]


def as_seat(value: Json, where: str, players: Collection[Seat]) -> Seat:
    """Return a value as one of the players."""
    seat = Seat(as_text(value, where))
    if seat not in players:
        raise BadRequestError(f"{where} must be one of {', '.join(players)}, not {quote(seat)}")
    return seat


def check_names(players: Sequence[Seat], colours: Collection[Seat] | None = None) -> None:
    """Refuse players that sit down twice, have an unknown colour, or a name that is not one word."""
    if len(set(players)) < len(players):
        raise BadRequestError(f"each player can sit down only once: {', '.join(players)}")
    for seat in players:
        if colours is not None and seat not in colours:
            raise BadRequestError(f"unknown colour {quote(seat)}; there are: {', '.join(colours)}")
        if not is_word(seat):
            raise BadRequestError(f"a player must be one word of letters, digits, - and _, not {quote(seat)}")


def as_one_of(value: Json, where: str, known: Iterable[WordT]) -> WordT:
    """Return a value as one of the known words, such as those of an enumeration."""
    for word in known:
        if word == value:
            return word
    raise BadRequestError(f"{where} must be one of {', '.join(known)}, not {quote(value)}")


def as_cell(value: Json, where: str, named: str) -> Cell:
    """Return a value as a cell name; `named` describes it with an example: 'named like "C4"'."""
    name = as_text(value, where)
    if not _A_CELL.fullmatch(name):
        raise BadRequestError(f"{where} must be {named}, not {quote(name)}")
    return Cell(name)


def as_true(value: Json, key: str) -> None:
    """Refuse anything but true."""
    if value is not True:
        raise BadRequestError(f'"{key}" must be true, not {quote(value)}')


def is_word(text: str) -> bool:
    """Return whether a text is one word of letters, digits, - and _."""
    return bool(_A_WORD.fullmatch(text))


def only_keys(data: Iterable[str], known: Collection[str], where: str) -> None:
    """Refuse unknown keys, so that a misspelt one is not silently ignored; `ReadKeys` only notes the known ones."""
    if isinstance(data, ReadKeys):
        data.read.update(known)
        return
    for key in data:
        if key not in known:
            raise BadRequestError(f"{where} has no {quote(key)}; there are: {', '.join(known) or 'none'}")


class ReadKeys(dict[str, Json]):
    """An object whose unknown keys are ignored; it records the keys read, so that `refuse_unread` can refuse the rest.

    Attributes:
        read: the keys that were read.
        ignored: a sentence for each key that was ignored in a nested part.
    """

    def __init__(self, data: JsonObject) -> None:
        super().__init__(data)
        self.read: set[str] = set()
        self.ignored: list[str] = []

    def __getitem__(self, key: str) -> Json:
        self.read.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.read.add(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Json = None) -> Json:  # type: ignore[override]  # the one form that is used here
        """Return the value of a key, or the default."""
        self.read.add(key)
        return super().get(key, default)

    def refuse_unread(self, where: str, known: Collection[str] = ()) -> None:
        """Refuse keys that were not read and are not `known`.

        Raises:
            BadRequestError: there is one; the sentence says which, where, and which keys are allowed.
        """
        if self.ignored:
            raise BadRequestError(self.ignored[0])
        only_keys(dict(self), sorted({*self.read, *known}), where)


def quote(value: Json) -> str:
    """Write a value as JSON, shortened for a sentence."""
    try:
        text = json.dumps(value)
    except RecursionError:  # a parser accepts slightly deeper nesting than a printer
        return "something nested too deeply"
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."

"""Reading JSON values one by one; what does not fit is reported in one sentence: what, where, what was expected."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from engines.kernel import BadRequestError, Json, JsonObject

_LONGEST_QUOTE = 40


def as_object(value: Json, where: str) -> JsonObject:
    """Take an object.

    Raises:
        BadRequestError: it is something else; so do all functions here.
    """
    if not isinstance(value, Mapping):
        raise BadRequestError(f"{where} must be an object, not {quote(value)}")
    return value


def as_list(value: Json, where: str) -> Sequence[Json]:
    """Take a list."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadRequestError(f"{where} must be a list, not {quote(value)}")
    return value


def as_text(value: Json, where: str) -> str:
    """Take a text."""
    if not isinstance(value, str):
        raise BadRequestError(f"{where} must be a text, not {quote(value)}")
    return value


def as_flag(value: Json, where: str) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        raise BadRequestError(f"{where} must be true or false, not {quote(value)}")
    return value


def as_number(value: Json, where: str, low: int, high: int) -> int:
    """Take a whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadRequestError(f"{where} must be a whole number from {low} to {high}, not {quote(value)}")
    return value


def member(data: JsonObject, key: str, where: str) -> Json:
    """Take what an object must have under a key."""
    if key not in data:
        raise BadRequestError(f'{where} lacks "{key}"')
    return data[key]


def only_keys(data: JsonObject, known: Collection[str], where: str) -> None:
    """Refuse keys that mean nothing here, so that a misspelt one is not silently ignored."""
    for key in data:
        if key not in known:
            raise BadRequestError(f"{where} has no {quote(key)}; there are: {', '.join(known) or 'none'}")


def quote(value: Json) -> str:
    """Write a value as JSON, short enough for a sentence."""
    try:
        text = json.dumps(value)
    except RecursionError:  # a parser can go a little deeper than a printer
        return "something nested too deeply"
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."

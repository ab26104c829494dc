"""JSON parsed by types that a game declares; an error is one sentence.

msgspec reads and writes, but its own errors leave out the keys of objects. So a value that it refuses is walked along
its type once more to find the first part that does not fit: what, where, what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Meta, inspect

from engines.decode import ReadKeys, only_keys, quote
from engines.kernel import BadRequestError, Json, Seat

T = TypeVar("T")

LONGEST_WORD = 20


def read(data: Json, kind: type[T], where: str) -> T:
    """Parse a value of a type.

    Args:
        data: the value as JSON; unknown keys of `ReadKeys` are dropped, also in nested parts.
        kind: a dataclass or a `msgspec.Struct`, whose fields may have bounds.
        where: the name of the value, for sentences.

    Raises:
        BadRequestError: it is not valid.
    """
    if isinstance(data, ReadKeys):
        # an object without the keys that its type, or a nested type, lacks; they are recorded as ignored
        known = {field.encode_name: field.type for field in _type_info(kind).fields}
        data.read.update(known)
        data = {key: _prune(value, known[key], f'"{key}"', data.ignored) for key, value in data.items() if key in known}
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BadRequestError(next(_faults(data, _type_info(kind), where), f"{where}: {error}")) from None


@cache
def bounds(kind: type, name: str) -> tuple[int, int]:
    """Return the least and the greatest value of a field of whole numbers.

    Raises:
        KeyError: the type has no field of that name in JSON with both bounds.
    """
    fields = {field.encode_name: field.type for field in cast("inspect.StructType", inspect.type_info(kind)).fields}
    of_field = fields[name]
    for one in of_field.types if isinstance(of_field, inspect.UnionType) else (of_field,):
        if isinstance(one, inspect.IntType) and one.ge is not None and one.le is not None:
            return one.ge, one.le
    raise KeyError(name)


@cache
def usual(kind: type, name: str) -> Json:
    """Return the default of a field by its name in JSON; None if it has none, or if there is no such field."""
    value = next((field.default for field in msgspec.structs.fields(kind) if field.encode_name == name), None)
    return value if isinstance(value, bool | int | str) else None


def write(value: Any) -> dict[str, Json]:
    """Write a value of a type as JSON."""
    written: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(value))  # lists where `to_builtins` has tuples
    return written


def by_seat(held: Mapping[Seat, T], players: Sequence[Seat], key: str) -> tuple[T, ...]:
    """Return the value of each player under a key, in the players' order.

    Raises:
        BadRequestError: a player has no value, or somebody else has one.
    """
    only_keys(held, players, f'"{key}"')
    for seat in players:
        if seat not in held:
            raise BadRequestError(f'"{key}" lacks "{seat}"')
    return tuple(held[seat] for seat in players)


def one_word(what: str) -> Any:
    """Return a bound for a text of one word; `what` describes it in sentences."""
    return Meta(pattern=r"^[\w-]+\Z", extra={"expected": what})


def cell_named_like(example: str) -> Any:
    """Return a bound for a text that may be a cell name, with an example for sentences."""
    return Meta(pattern=r"^[A-Z][0-9]{1,2}\Z", extra={"expected": f'named like "{example}"'})


_type_info: Callable[[Any], Any] = cache(inspect.type_info)


def _faults(value: Any, kind: Any, where: str) -> Iterator[str]:
    """Yield a sentence for each part that does not fit, in order."""
    expected = []
    for one, words in _alternatives(kind):
        check = _CHECKS[type(one)]
        if check.fits(value, one):
            yield from check.inside(value, one, where)
            return
        expected.append(words or check.described(one))
    yield f"{where} must be {' or '.join(expected)}, not {quote(value)}"


def _alternatives(kind: Any) -> Iterator[tuple[Any, str]]:
    """Yield the types that a value may have, each with the description of its bound, if any."""
    for one in kind.types if isinstance(kind, inspect.UnionType) else (kind,):
        yield (one.type, (one.extra or {}).get("expected", "")) if isinstance(one, inspect.Metadata) else (one, "")


def _prune(value: Any, kind: Any, where: str, ignored: list[str]) -> Any:
    fitting = next((one for one, _ in _alternatives(kind) if _CHECKS[type(one)].fits(value, one)), None)
    match fitting:
        case inspect.ListType() | inspect.VarTupleType():
            return [
                _prune(one, fitting.item_type, f"entry {number} of {where}", ignored)
                for number, one in enumerate(value, 1)
            ]
        case inspect.DictType():
            return {
                key: _prune(one, fitting.value_type, f"{where} of {_shown(key)}", ignored) for key, one in value.items()
            }
        case inspect.StructType():
            ignored += _unknown_keys(value, fitting, where)
            known = {field.encode_name: field.type for field in fitting.fields}
            return {
                key: _prune(one, known[key], _member(key, where), ignored) for key, one in value.items() if key in known
            }
        case _:
            return value


@dataclass(frozen=True)
class _Check:
    """A check of a value against one kind of type: its description, whether it fits, and the faults of its parts."""

    described: Callable[[Any], str]
    fits: Callable[[Any, Any], bool]
    inside: Callable[[Any, Any, str], Iterator[str]] = lambda _value, _kind, _where: iter(())


def _within(value: Any, kind: Any, types: type | UnionType) -> bool:
    if isinstance(value, bool) or not isinstance(value, types):
        return False
    return kind.le is None or bool(kind.ge <= value <= kind.le)


def _list_fits(value: Any, kind: Any) -> bool:
    size = len(value) if isinstance(value, list | tuple) else -1
    return (kind.min_length or 0) <= size and (kind.max_length is None or size <= kind.max_length)


def _list_words(kind: Any) -> str:
    low, high = kind.min_length, kind.max_length
    if high is None:
        return f"a list of at least {low}" if low else "a list"
    return f"a list of {high}" if low == high else f"a list of {low or 0} to {high}"


def _entries(value: Any, kind: Any, where: str) -> Iterator[str]:
    for number, entry in enumerate(value, 1):
        yield from _faults(entry, kind.item_type, f"entry {number} of {where}")


def _values(value: Any, kind: Any, where: str) -> Iterator[str]:
    for key, inner in value.items():
        yield from _faults(inner, kind.value_type, f"{where} of {_shown(key)}")


def _shown(key: str) -> str:
    """Return a key of the input for a sentence: a short word unchanged, anything else quoted."""
    return key if len(key) <= LONGEST_WORD and key.replace("-", "").isalnum() else quote(key)


def _members(value: Any, kind: Any, where: str) -> Iterator[str]:
    for field in kind.fields:
        if field.encode_name in value:
            yield from _faults(value[field.encode_name], field.type, _member(field.encode_name, where))
        elif field.required:
            yield f'{where} lacks "{field.encode_name}"'
    yield from _unknown_keys(value, kind, where)


def _member(key: str, where: str) -> str:
    """Return the location of a key; keys of the outermost object stand alone."""
    return f'"{key}" of {where}' if where.startswith(('"', "entry")) else f'"{key}"'


def _unknown_keys(value: Any, kind: Any, where: str) -> Iterator[str]:
    known = [field.encode_name for field in kind.fields]
    if getattr(kind, "forbid_unknown_fields", False):
        yield from (f"{where} has no {quote(key)}; there are: {', '.join(known)}" for key in value if key not in known)


_LIST = _Check(_list_words, _list_fits, _entries)
_OBJECT = _Check(lambda _kind: "an object", lambda value, _kind: isinstance(value, Mapping), _members)
_CHECKS: Mapping[type, _Check] = {
    inspect.IntType: _Check(
        lambda kind: f"a whole number from {kind.ge} to {kind.le}" if kind.le else "a whole number",
        lambda value, kind: _within(value, kind, int),
    ),
    inspect.FloatType: _Check(
        lambda kind: f"a number from {kind.ge} to {kind.le}", lambda value, kind: _within(value, kind, int | float)
    ),
    inspect.BoolType: _Check(lambda _kind: "true or false", lambda value, _kind: isinstance(value, bool)),
    inspect.StrType: _Check(
        lambda _kind: "a text",
        lambda value, kind: isinstance(value, str) and bool(re.search(kind.pattern or "", value)),
    ),
    inspect.LiteralType: _Check(
        lambda kind: f"one of {', '.join(kind.values)}" if kind.values[1:] else quote(kind.values[0]),
        lambda value, kind: value in kind.values,
    ),
    inspect.EnumType: _Check(
        lambda kind: f"one of {', '.join(kind.cls)}", lambda value, kind: value in tuple(kind.cls)
    ),
    inspect.NoneType: _Check(lambda _kind: "null", lambda value, _kind: value is None),
    inspect.ListType: _LIST,
    inspect.VarTupleType: _LIST,
    inspect.DictType: _Check(_OBJECT.described, _OBJECT.fits, _values),
    inspect.StructType: _OBJECT,
    inspect.DataclassType: _OBJECT,
}

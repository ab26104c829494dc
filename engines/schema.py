"""JSON parsed by types that a game declares; an error is one sentence: what, where, what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Meta, inspect

from engines.decode import Given, demand, only_keys, quote
from engines.kernel import BadRequestError, Json, Seat
from engines.shapes import Entry, Fault, Flaw, Walk, alternatives, type_info

T = TypeVar("T")

LONGEST_WORD = 20


def read(data: Json, kind: type[T], where: str) -> T:
    """Parse a value of a type.

    Args:
        data: the value as JSON; of a program's request (`Given`) unknown keys are dropped, or refused if it is strict.
        kind: a dataclass, a `msgspec.Struct` or a type with bounds.
        where: the name of the value, for sentences.

    Raises:
        BadRequestError: it is not valid.
    """
    if isinstance(data, Given) and data.strict:
        only_keys(data, [field.encode_name for field in type_info(kind).fields], where)
    elif isinstance(data, Given):
        data = _without_unknown(data, type_info(kind))
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BadRequestError(_sentence(Walk().first_fault(data, kind, error), where)) from None


def _sentence(fault: Fault, where: str) -> str:
    """Return the sentence about a part of a value of that name; keys of the outermost object stand alone."""

    def member(where: str, key: str | int) -> str:
        if isinstance(key, int):
            return f"entry {key + 1} of {where}"
        if isinstance(key, Entry):  # a short word unchanged, anything else quoted
            plain = len(key) <= LONGEST_WORD and key.replace("-", "").isalnum()
            return f"{where} of {key if plain else quote(key)}"
        return f'"{key}" of {where}' if where.startswith(('"', "entry")) else f'"{key}"'

    at = reduce(member, fault.path, where)
    around = reduce(member, fault.path[:-1], where)
    match fault.flaw:
        case Flaw.LACKS:
            return f'{around} lacks "{fault.path[-1]}"'
        case Flaw.UNKNOWN:
            return f"{around} has no {quote(fault.path[-1])}; there are: {', '.join(fault.known) or 'none'}"
        case Flaw.RULE:
            return f"{at}: {fault.expected}"
    return f"{at} must be {fault.expected}, not {quote(fault.found)}"


def _without_unknown(value: Any, kind: Any) -> Any:
    """Return a value without the keys that its type, or a nested one, lacks."""
    for one, _words in alternatives(kind):
        match one, value:
            case inspect.ListType(item_type=of) | inspect.VarTupleType(item_type=of), list() | tuple():
                return [_without_unknown(entry, of) for entry in value]
            case inspect.DictType(value_type=of), Mapping():
                return {key: _without_unknown(entry, of) for key, entry in value.items()}
            case inspect.StructType(fields=fields), Mapping():
                known = {field.encode_name: field.type for field in fields}
                return {key: _without_unknown(entry, known[key]) for key, entry in value.items() if key in known}
    return value


@cache
def bounds(kind: type, name: str) -> tuple[int, int]:
    """Return the least and the greatest value of a field of whole numbers.

    Raises:
        KeyError: the type has no field of that name in JSON with both bounds.
    """
    fields = {field.encode_name: field.type for field in cast("inspect.StructType", type_info(kind)).fields}
    for one, _words in alternatives(fields[name]):
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
        demand(seat in held, f'"{key}" lacks "{seat}"')
    return tuple(held[seat] for seat in players)


def one_word(what: str) -> Meta:
    """Return a bound for a text of one word; `what` describes it in sentences."""
    return Meta(pattern=r"^[\w-]+\Z", extra={"expected": what})


def named_like(example: str) -> Meta:
    """Return the bound of a cell name, on the board or off it, with an example for sentences."""
    return Meta(pattern=r"^[A-Z][0-9]{1,2}\Z", extra={"expected": f'a space named like "{example}"'})

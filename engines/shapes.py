"""The shape of a value read from outside: what of it does not fit its declared type, where, and what was expected.

msgspec reads and refuses, but its own errors leave out the keys of objects and name Python's types. So a value that it
refuses is walked along its type once more, to the first part that does not fit.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from operator import ge, gt, le, lt
from types import NoneType
from typing import Any, TypeAlias

import msgspec
from msgspec import inspect

Path: TypeAlias = tuple[str | int, ...]

_LONGEST_FOUND = 80

type_info: Callable[[Any], Any] = cache(inspect.type_info)


class Entry(str):
    """A key that the writer of the value chose, not the name of a field."""

    __slots__ = ()


class Flaw(Enum):
    """What is wrong: a value, a key that is not there, a key that means nothing, or a rule of the type's own."""

    VALUE = auto()
    LACKS = auto()
    UNKNOWN = auto()
    RULE = auto()


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of a value that does not fit.

    Attributes:
        flaw: what is wrong with it.
        path: the keys and the places, from 0, that lead to it.
        expected: what it may be, in words; for a rule the whole sentence.
        found: its value.
        known: the keys, or the words, that there are.
    """

    flaw: Flaw
    path: Path
    expected: str = ""
    found: Any = None
    known: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk along the type of a value.

    Attributes:
        strict: whether keys are unknown where msgspec ignores them.
        build: makes a value of a class, or raises `msgspec.ValidationError`.
        say: translates words; what becomes "" is not offered.
    """

    strict: bool = False
    build: Callable[[Any, Any], Any] = msgspec.convert
    say: Callable[[str], str] = str

    def first_fault(self, value: Any, kind: Any, error: Exception) -> Fault:
        """Return the first part that does not fit a type, which msgspec refused with an error."""
        return next(self.faults(value, type_info(kind)), Fault(Flaw.RULE, (), str(error)))

    def faults(self, value: Any, kind: Any, path: Path = ()) -> Iterator[Fault]:
        """Yield each part that does not fit, in order; `kind` is of `msgspec.inspect`."""
        expected, known = list[str](), list[str]()
        for one, words in alternatives(kind):
            if _fits(value, one):
                yield from self._inside(value, one, path)
                return
            expected.append(self.say(words) if words else self._described(one))
            known += _words(one)
        yield Fault(Flaw.VALUE, path, self.say(" or ").join(filter(None, expected)), value, known)

    def _inside(self, value: Any, kind: Any, path: Path) -> Iterator[Fault]:
        """Yield what does not fit in a value whose own kind does."""
        # 1. its parts
        parts: list[tuple[str | int, Any, Any]] = []
        match kind:
            case inspect.ListType() | inspect.VarTupleType():
                parts = [(place, part, kind.item_type) for place, part in enumerate(value)]
            case inspect.TupleType():
                parts = [(place, part, kind.item_types[place]) for place, part in enumerate(value)]
            case inspect.DictType():
                parts = [(Entry(key), part, kind.value_type) for key, part in value.items()]
            case inspect.StructType() | inspect.DataclassType() | inspect.TypedDictType():
                fields = {field.encode_name: field for field in kind.fields}
                parts = [(key, value[key], field.type) for key, field in fields.items() if key in value]
        for key, part, of in parts:
            yield from self.faults(part, of, (*path, key))
        # 2. the keys of an object; a misspelt one is reported before its true spelling is lacking
        if hasattr(kind, "fields"):
            if self.strict or getattr(kind, "forbid_unknown_fields", False):
                yield from (Fault(Flaw.UNKNOWN, (*path, key), known=[*fields]) for key in value if key not in fields)
            lacking = (key for key, field in fields.items() if field.required and key not in value)
            yield from (Fault(Flaw.LACKS, (*path, key)) for key in lacking)
        # 3. the rules of its class
        if isinstance(kind, inspect.StructType | inspect.DataclassType | inspect.CustomType):
            try:
                self.build(value, kind.cls)
            except msgspec.ValidationError as error:
                yield Fault(Flaw.RULE, path, str(error).partition(" - at `$")[0], value)

    def _described(self, kind: Any) -> str:
        """Describe the values of a type: "a list of 3", "a whole number from 1 to 6"."""
        words, limits = _words(kind), dict(_limits(kind))
        if words:
            return self.say("one of {words}").format(words=", ".join(words)) if words[1:] else f'"{words[0]}"'
        name, least, most = _KINDS[type(kind)][1], limits.get(ge), limits.get(le)
        if name == "a list" and least == most is not None:
            name += " of {most}"
        elif most is not None:
            name += " of {least} to {most}" if name == "a list" else " from {least} to {most}"
        elif name == "a list" and least:
            name += " of at least {least}"
        return self.say(name).format(least=least or 0, most=most)


def in_toml(words: str) -> str:
    """Return words as they hold for TOML, which has sections and no null."""
    return {"an object": "a section", "null": ""}.get(words, words)


def in_file(fault: Fault, say: Callable[[str], str] = str) -> str:
    """Return the sentence about a part of a file: its key, what was expected, what was found, the nearest spelling."""
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault.path).removeprefix(".")
    match fault.flaw:
        case Flaw.RULE:
            return f"{key}: {fault.expected}" if key else fault.expected
        case Flaw.LACKS:
            return say("{key}: expected, and not there").format(key=key)
        case Flaw.UNKNOWN:
            sentence = say("there is no such key, but: {known}").format(known=", ".join(fault.known))
            if near := difflib.get_close_matches(str(fault.path[-1]), fault.known, n=1):
                sentence = say('there is no such key; did you mean "{near}"?').format(near=near[0])
            return f"{key}: {sentence}"
    return unexpected(key, fault.expected, fault.found, fault.known, say)


def unexpected(key: str, expected: str, value: Any, words: Sequence[str] = (), say: Callable[[str], str] = str) -> str:
    """Return a sentence with what a key may have and what it has, and with the valid word that is most like it."""
    found = json.dumps(value, ensure_ascii=False, default=str)
    found = found if len(found) <= _LONGEST_FOUND else f"{found[: _LONGEST_FOUND - 3]}..."
    near = difflib.get_close_matches(str(value), words, n=1)
    hint = say('; did you mean "{near}"?').format(near=near[0]) if near else ""
    return say("{key}: expected {expected}, found {found}").format(key=key, expected=expected, found=found) + hint


def alternatives(kind: Any) -> Iterator[tuple[Any, str]]:
    """Yield the types that a value may have, each with the description of its bound, if any."""
    for one in kind.types if isinstance(kind, inspect.UnionType) else (kind,):
        yield (one.type, (one.extra or {}).get("expected", "")) if isinstance(one, inspect.Metadata) else (one, "")


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type, whatever its parts are."""
    if words := _words(kind):
        return value in words
    types, _name = _KINDS[type(kind)]
    if not isinstance(value, types) or (isinstance(value, bool) and types in (int, int | float)):
        return False
    if isinstance(kind, inspect.StrType):
        return re.search(kind.pattern or "", value) is not None
    size = len(value) if isinstance(value, list | tuple) else value
    return all(limit is None or holds(size, limit) for holds, limit in _limits(kind))


def _words(kind: Any) -> Sequence[str]:
    """Return the words that a type consists of, if it does."""
    return [*kind.cls] if isinstance(kind, inspect.EnumType) else getattr(kind, "values", ())


def _limits(kind: Any) -> Sequence[tuple[Callable[[Any, Any], bool], Any]]:
    """Return the comparisons that a number, or the length of a list, must pass; those with None do not count."""
    match kind:
        case inspect.IntType() | inspect.FloatType():
            return (gt, kind.gt), (ge, kind.ge), (lt, kind.lt), (le, kind.le)
        case inspect.ListType() | inspect.VarTupleType():
            return (ge, kind.min_length), (le, kind.max_length)
        case inspect.TupleType():
            return (ge, len(kind.item_types)), (le, len(kind.item_types))
    return ()


_KINDS: Mapping[type, tuple[Any, str]] = {
    inspect.AnyType: (object, ""),
    inspect.IntType: (int, "a whole number"),
    inspect.FloatType: (int | float, "a number"),
    inspect.BoolType: (bool, "true or false"),
    inspect.StrType: (str, "a text"),
    inspect.CustomType: (str, "a text"),
    inspect.NoneType: (NoneType, "null"),
    inspect.ListType: (list | tuple, "a list"),
    inspect.VarTupleType: (list | tuple, "a list"),
    inspect.TupleType: (list | tuple, "a list"),
    inspect.DictType: (Mapping, "an object"),
    inspect.StructType: (Mapping, "an object"),
    inspect.DataclassType: (Mapping, "an object"),
    inspect.TypedDictType: (Mapping, "an object"),
}

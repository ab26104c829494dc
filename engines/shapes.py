"""The shape of a value read from outside: what of it does not fit its declared type, where, and what was expected.

msgspec reads and refuses, but its own errors leave out the keys of objects and name Python's types. So a value that it
refuses is walked along its type once more, to the first part that does not fit. What is said of a file is a `Sentence`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, reduce
from operator import ge, gt, le, lt
from types import NoneType
from typing import Any, TypeAlias

import msgspec
from msgspec import inspect

from engines.sentence import Sentence, about, unexpected

Path: TypeAlias = tuple[str | int, ...]

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
        in_toml: whether the value comes from TOML, which has sections and no null.
    """

    strict: bool = False
    build: Callable[[Any, Any], Any] = msgspec.convert
    in_toml: bool = False

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
            expected.append(words or self._described(one))
            known += _words(one)
        either = Sentence("{first} or {second}")
        wanted = reduce(lambda one, other: either.format(first=one, second=other), filter(None, expected))
        yield Fault(Flaw.VALUE, path, wanted, value, known)

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
                reason = str(error.__cause__) if error.__cause__ else str(error).partition(" - at `$")[0]
                yield Fault(Flaw.RULE, path, reason, value)

    def _described(self, kind: Any) -> str:
        """Describe the values of a type: "a list of 3", "a whole number from 1 to 6"."""
        words, limits = _words(kind), dict(_limits(kind))
        if words:
            return Sentence("one of {words}").format(words=", ".join(words)) if words[1:] else f'"{words[0]}"'
        (types, name, within), least, most = _KINDS[type(kind)], limits.get(ge), limits.get(le)
        is_list = types == list | tuple
        if most is not None:
            name = Sentence("a list of {most}") if is_list and least == most else within
        elif is_list and least:
            name = Sentence("a list of at least {least}")
        elif self.in_toml:
            name = _IN_TOML.get(name, name)
        return name.format(least=least or 0, most=most)


def in_file(fault: Fault, file: str) -> str:
    """Return the sentence about a part of a file: its key, what was expected, what was found, the nearest spelling."""
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault.path).removeprefix(".")
    match fault.flaw:
        case Flaw.VALUE:
            return about(file, unexpected(key, fault.expected, fault.found, fault.known))
        case Flaw.LACKS:
            return about(file, Sentence("{key}: expected, and not there").format(key=key))
        case Flaw.UNKNOWN:
            reason = Sentence("there is no such key, but: {known}").format(known=", ".join(fault.known))
            if near := difflib.get_close_matches(str(fault.path[-1]), fault.known, n=1):
                reason = Sentence('there is no such key; did you mean "{near}"?').format(near=near[0])
            return about(file, about(key, reason))
    return about(file, about(key, fault.expected) if key else fault.expected)


def alternatives(kind: Any) -> Iterator[tuple[Any, str]]:
    """Yield the types that a value may have, each with the description of its bound, if any."""
    for one in kind.types if isinstance(kind, inspect.UnionType) else (kind,):
        yield (one.type, (one.extra or {}).get("expected", "")) if isinstance(one, inspect.Metadata) else (one, "")


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type, whatever its parts are."""
    if words := _words(kind):
        return value in words
    types, *_names = _KINDS[type(kind)]
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


_IN_TOML: Mapping[str, str] = {"an object": Sentence("a section"), "null": ""}

_LIST = (list | tuple, Sentence("a list"), Sentence("a list of {least} to {most}"))
_OBJECT = (Mapping, "an object", "")
_KINDS: Mapping[type, tuple[Any, str, str]] = {
    inspect.AnyType: (object, "", ""),
    inspect.IntType: (int, Sentence("a whole number"), Sentence("a whole number from {least} to {most}")),
    inspect.FloatType: (int | float, Sentence("a number"), Sentence("a number from {least} to {most}")),
    inspect.BoolType: (bool, Sentence("true or false"), ""),
    inspect.StrType: (str, Sentence("a text"), ""),
    inspect.CustomType: (str, Sentence("a text"), ""),
    inspect.NoneType: (NoneType, "null", ""),
    inspect.ListType: _LIST,
    inspect.VarTupleType: _LIST,
    inspect.TupleType: _LIST,
    inspect.DictType: _OBJECT,
    inspect.StructType: _OBJECT,
    inspect.DataclassType: _OBJECT,
    inspect.TypedDictType: _OBJECT,
}
"""The Python types of each kind of value, its name, and its name with limits."""

"""Validation of TOML files; errors name file, key, expected and found.

A file's type is a frozen dataclass whose fields are the keys; its `__post_init__` checks what types cannot express.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import DataclassType, EnumType, LiteralType, Type, UnionType, type_info

from companion.locale import _
from companion.shell.errors import SetUpError, os_reason
from vision.file_access import read_regular

ValueT = TypeVar("ValueT")

MOST_BYTES = 1_000_000
"""Of a settings file; the largest, an enrolment, has some 100,000."""


def read_toml(path: Path, kind: type[ValueT]) -> ValueT:
    """Read and validate a file.

    Raises:
        SetUpError: it cannot be read, or has an invalid value; the message is one sentence.
    """
    return validated(load_toml(path), str(path), kind)


def load_toml(path: Path) -> Mapping[str, Any]:
    """Read a file without validation.

    Raises:
        SetUpError: it cannot be read, or is not a TOML file; the message is one sentence.
    """
    try:
        # editors on Windows begin a file with a byte order mark
        return tomllib.loads(read_regular(path, MOST_BYTES).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SetUpError(_("{file}: it is not UTF-8 text").format(file=path)) from error
    except OSError as error:
        raise SetUpError(f"{path}: {os_reason(error)}") from error
    except RecursionError as error:
        raise SetUpError(_("{file}: its lists or tables are nested too deeply").format(file=path)) from error
    except ValueError as error:  # from tomllib, and from Python for a number of more than 4,300 digits
        raise SetUpError(_("{file}: not a TOML file: {error}").format(file=path, error=error)) from error


def validated(
    data: Mapping[str, Any], source: str, kind: type[ValueT], *, folder: Path = Path(), as_text: bool = False
) -> ValueT:
    """Convert parsed data to a value of the given type.

    Args:
        data: the keys and values.
        source: names the data in messages.
        kind: the value's type.
        folder: the base of relative paths.
        as_text: numbers and booleans are given as text, as in environment variables.

    Raises:
        SetUpError: a value is invalid; the message is one sentence.
    """

    def path(kind: type, value: Any) -> Path:
        """Convert a path, the only type that msgspec does not know; errors have msgspec's wording."""
        if kind is Path and isinstance(value, str):
            return folder / expanded(value)
        message = f"Expected `str`, got `{type(value).__name__}`"
        raise ValueError(message)

    for sentence in _unknown_keys(data, type_info(kind), ()):
        raise SetUpError(f"{source}: {sentence}")
    try:
        return msgspec.convert(data, kind, strict=not as_text, dec_hook=path)
    except msgspec.ValidationError as error:
        problem = _with_key(str(error), data, kind)
        raise SetUpError(f"{source}: {_explained(problem, data, type_info(kind))}") from error


def expanded(text: str) -> Path:
    """Return a path with "~" and "~name" expanded to home folders.

    Raises:
        ValueError: there is no such home folder, or no file can have that name.
    """
    if "\0" in text:
        raise ValueError(_("no file has a NUL character in its name"))
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ValueError(_('there is no home folder "{name}"').format(name=Path(text).parts[0])) from error


def _unknown_keys(data: Any, kind: Type, path: tuple[str, ...]) -> Iterator[str]:
    """Yield a sentence for each unknown key; msgspec ignores them in dataclasses."""
    fields = _fields(kind)
    if not isinstance(data, Mapping) or not fields:
        return
    for key, value in data.items():
        if key in fields:
            yield from _unknown_keys(value, fields[key], (*path, key))
        else:
            sentence = _("there is no such key, but: {known}").format(known=", ".join(fields))
            if near := difflib.get_close_matches(key, fields, n=1):
                sentence = _('there is no such key; did you mean "{near}"?').format(near=near[0])
            yield f"{'.'.join((*path, key))}: {sentence}"


def _fields(kind: Type) -> Mapping[str, Type]:
    """Return the fields of a dataclass, or of an optional one."""
    kinds = kind.types if isinstance(kind, UnionType) else (kind,)
    return {field.name: field.type for part in kinds if isinstance(part, DataclassType) for field in part.fields}


def _with_key(problem: str, data: Mapping[str, Any], kind: type) -> str:
    """Replace msgspec's "[...]", which stands for any entry, by the key of the invalid one."""
    found = re.search(r"`\$\.(\w+)\[\.\.\.\]", problem)
    if not found:
        return problem
    for key, entry in data[found[1]].items():
        try:
            msgspec.convert({**data, found[1]: {key: entry}}, kind)
        except msgspec.ValidationError:
            return problem.replace("[...]", f".{key}", 1)
    return problem


def _explained(problem: str, data: Any, kind: Type) -> str:
    """Rewrite msgspec's message, such as "Expected `int`, got `str` - at `$.buzzer.pin`"."""
    what, _at, where = problem.removesuffix("`").partition(" - at `$")
    keys = re.findall(r"[^.\[\]]+", where)
    key = where.removeprefix(".")
    if wrong_type := re.fullmatch(r"Expected `(?P<kind>.+?)`(?P<length> of length \d+)?, got .+", what):
        expected = _kind_words(wrong_type["kind"], wrong_type["length"])
        return _found(key, expected, _value_at(data, keys))
    if what.startswith("Invalid enum value"):
        for name in keys:
            kind = _fields(kind)[name]
        kinds = kind.types if isinstance(kind, UnionType) else (kind,)
        words = [str(word.value) for part in kinds if isinstance(part, EnumType) for word in part.cls]
        words += [str(word) for part in kinds if isinstance(part, LiteralType) for word in part.values]
        return no_such_word(key, _value_at(data, keys), words)
    if lacking := re.fullmatch(r"Object missing required field `(.+)`", what):
        return _("{key}: expected, and not there").format(key=".".join((*keys, lacking[1])))
    return f"{key}: {what}" if key else what


def _found(key: str, expected: str, value: Any) -> str:
    found = json.dumps(value, ensure_ascii=False, default=str)
    return _("{key}: expected {expected}, found {found}").format(key=key, expected=expected, found=found)


def no_such_word(key: str, value: Any, words: Sequence[str]) -> str:
    """Return a sentence with the valid words of a key and the one most like the value."""
    sentence = _found(key, _(" or ").join(f'"{word}"' for word in words), value)
    near = difflib.get_close_matches(str(value), words, n=1)
    return sentence + (_('; did you mean "{near}"?').format(near=near[0]) if near else "")


def _kind_words(kinds: str, length: str | None) -> str:
    """Return the names of the types that a value may have."""
    words = {
        "int": _("a whole number"),
        "float": _("a number"),
        "str": _("a text"),
        "bool": _("true or false"),
        "object": _("a section"),
        "array": _("a list") if length is None else _("a list of {count}").format(count=length.split()[-1]),
    }
    return _(" or ").join(words.get(kind, kind) for kind in kinds.split(" | ") if kind != "null")


def _value_at(data: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        data = data[int(key)] if isinstance(data, list) else data[key]
    return data

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
    """Convert parsed data, which `source` names in messages, to a value of the given type.

    `folder` is the base of relative paths. `as_text`: numbers and booleans are given as text, as in environment
    variables.

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
        raise SetUpError(f"{source}: {_explain(str(error), data, kind)}") from error


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


def _explain(problem: str, data: Mapping[str, Any], kind: type) -> str:
    """Rewrite msgspec's message, such as "Expected `int`, got `str` - at `$.buzzer.pin`"."""
    # 1. "[...]" stands for any entry: replace it by the key of the first invalid one.
    if found := re.search(r"`\$\.(\w+)\[\.\.\.\]", problem):
        for entry, value in data[found[1]].items():
            try:
                msgspec.convert({**data, found[1]: {entry: value}}, kind)
            except msgspec.ValidationError:
                problem = problem.replace("[...]", f".{entry}", 1)
                break
    what, _at, where = problem.removesuffix("`").partition(" - at `$")
    keys, key = re.findall(r"[^.\[\]]+", where), where.removeprefix(".")
    # 2. A value of the wrong type: the types that it may have.
    if wrong_type := re.fullmatch(r"Expected `(?P<kind>.+?)`(?P<length> of length \d+)?, got .+", what):
        length = wrong_type["length"]
        words = {
            "int": _("a whole number"),
            "float": _("a number"),
            "str": _("a text"),
            "bool": _("true or false"),
            "object": _("a section"),
            "array": _("a list") if length is None else _("a list of {count}").format(count=length.split()[-1]),
        }
        expected = _(" or ").join(words.get(one, one) for one in wrong_type["kind"].split(" | ") if one != "null")
        return unexpected(key, expected, _value_at(data, keys))
    # 3. A word that is not one of a list.
    if what.startswith("Invalid enum value"):
        inspected = type_info(kind)
        for name in keys:
            inspected = _fields(inspected)[name]
        kinds = inspected.types if isinstance(inspected, UnionType) else (inspected,)
        known = [str(word.value) for part in kinds if isinstance(part, EnumType) for word in part.cls]
        known += [str(word) for part in kinds if isinstance(part, LiteralType) for word in part.values]
        return no_such_word(key, _value_at(data, keys), known)
    # 4. A key that is missing; anything else is a sentence of ours.
    if lacking := re.fullmatch(r"Object missing required field `(.+)`", what):
        return _("{key}: expected, and not there").format(key=".".join((*keys, lacking[1])))
    return f"{key}: {what}" if key else what


def unexpected(key: str, expected: str, value: Any) -> str:
    """Return a sentence with what a key may have and what it has."""
    found = json.dumps(value, ensure_ascii=False, default=str)
    return _("{key}: expected {expected}, found {found}").format(key=key, expected=expected, found=found)


def no_such_word(key: str, value: Any, words: Sequence[str]) -> str:
    """Return a sentence with the valid words of a key and the one most like the value."""
    sentence = unexpected(key, _(" or ").join(f'"{word}"' for word in words), value)
    near = difflib.get_close_matches(str(value), words, n=1)
    return sentence + (_('; did you mean "{near}"?').format(near=near[0]) if near else "")


def _value_at(data: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        data = data[int(key)] if isinstance(data, list) else data[key]
    return data

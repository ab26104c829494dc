"""Validation of TOML files; errors name file, key, expected and found.

A file's type is a frozen class whose fields are the keys; its `__post_init__` checks what types cannot express.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.locale import _, translated
from companion.shell.errors import SetUpError
from engines.shapes import Walk, in_file, type_info
from vision.file_access import read_regular, toml_problem

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
    except (OSError, RecursionError, ValueError) as error:
        raise SetUpError(translated(toml_problem(str(path), error))) from error


def validated(
    data: Mapping[str, Any], source: str, kind: type[ValueT], *, folder: Path = Path(), as_text: bool = False
) -> ValueT:
    """Convert parsed data, which `source` names in messages, to a value of the given type.

    `folder` is the base of relative paths. `as_text`: numbers and booleans are given as text, as in environment
    variables.

    Raises:
        SetUpError: a value is invalid; the message is one sentence.
    """

    def path(_kind: type, value: Any) -> Path:
        """Convert a path, the only type that msgspec does not know."""
        return folder / expanded(value)

    build = partial(msgspec.convert, strict=not as_text, dec_hook=path)
    walk = Walk(strict=not as_text, build=build, in_toml=True)
    try:
        value: ValueT = build(data, kind)
    except msgspec.ValidationError as error:
        raise SetUpError(translated(in_file(walk.first_fault(data, kind, error), source))) from error
    for fault in walk.faults(data, type_info(kind)) if is_dataclass(kind) and not as_text else ():
        raise SetUpError(translated(in_file(fault, source)))  # a key that msgspec ignores
    return value


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

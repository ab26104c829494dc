"""`hardware.toml`: where it is, and the wiring that it reports."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from companion.shell.config_places import first_place
from companion.shell.toml_file import read_toml
from hardware.pins import DEFAULT_PINS, PinMap

NAME = "hardware.toml"


def wiring(file: Path | None, environment: Mapping[str, str]) -> PinMap:
    """Return the wiring of a file: the one given, else the first that is found; the default where there is none.

    Raises:
        SetUpError: the file cannot be read, or something in it is not as expected; the message is one sentence.
    """
    found = file or first_place(NAME, environment)
    return DEFAULT_PINS if found is None else read_toml(found, PinMap)


def example() -> str:
    """Return the commented file that ships: the default wiring."""
    return resources.files("companion.shell").joinpath(NAME).read_text(encoding="utf-8")

"""Device files: `hardware.toml`, the panel's wiring, and `printer.toml`, the correction of a measured printer.

`companion print measure` writes the latter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import resources
from pathlib import Path

from companion.printing.paper import NO_CORRECTION, Correction
from companion.shell.config_places import first_place, own_place
from companion.shell.toml_file import read_toml
from hardware.pins import DEFAULT_PINS, PinMap
from vision.file_access import write_atomically

HARDWARE_FILE, PRINTER_FILE = "hardware.toml", "printer.toml"


def find_wiring(file: Path | None, environment: Mapping[str, str]) -> PinMap:
    """Return the wiring of the given file, else of the first file found, else the default.

    Raises:
        SetUpError: the file cannot be read, or has an invalid value; the message is one sentence.
    """
    found = file or first_place(HARDWARE_FILE, environment)
    return DEFAULT_PINS if found is None else read_toml(found, PinMap)


def wiring_example() -> str:
    """Return the commented file that ships, with the default wiring."""
    return resources.files("companion.shell").joinpath(HARDWARE_FILE).read_text(encoding="utf-8")


def find_correction(environment: Mapping[str, str]) -> Correction:
    """Return the stored correction; `NO_CORRECTION` if the printer was not measured.

    Raises:
        SetUpError: the file cannot be read, or has an invalid value; the message is one sentence.
    """
    found = first_place(PRINTER_FILE, environment)
    return NO_CORRECTION if found is None else read_toml(found, Correction)


def write_correction(correction: Correction, path: Path | None) -> Path:
    """Write a correction, by default to the user's own file, and create its folder; return the path.

    Raises:
        SetUpError: no file is given and the user has no home folder.
        OSError: it cannot be written there.
    """
    place = path or own_place(PRINTER_FILE)
    lines = [
        "# How the printer differs, measured by `companion print measure`; delete the file to print uncorrected.",
        *(f"{field.name} = {getattr(correction, field.name):.5f}" for field in fields(correction)),
    ]
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, "\n".join(lines) + "\n")
    return place

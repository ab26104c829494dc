"""`printer.toml`: how the printer that was measured differs. `companion print measure` writes it, prints are corrected by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import platformdirs

from companion.printing.paper import NO_CORRECTION, Correction
from companion.shell.config_places import config_places
from companion.shell.toml_file import read_toml

NAME = "printer.toml"


def own_place() -> Path:
    """Return the place of the user's own printer file."""
    return platformdirs.user_config_path("companion") / NAME


def find_correction(environment: Mapping[str, str]) -> Correction:
    """Return the stored correction; none at all if nothing was measured.

    Raises:
        SetUpError: the file cannot be read, or something in it is not as expected; the message is one sentence.
    """
    found = next((place for place in config_places(NAME, environment) if place.exists()), None)
    return NO_CORRECTION if found is None else read_toml(found, Correction)


def write_correction(correction: Correction, path: Path) -> None:
    """Write a correction, with folders as needed.

    Raises:
        OSError: it cannot be written there.
    """
    lines = [
        "# How the printer differs, measured by `companion print measure`; delete the file to print uncorrected.",
        *(f"{field.name} = {getattr(correction, field.name):.5f}" for field in fields(correction)),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

"""The files that a table's camera, panel and printer need.

`lens.toml` is written by `companion calibrate`, `GAME.enrolled.toml` by `companion enrol`, `printer.toml`, the
correction of a measured printer, by `companion print measure`. `hardware.toml` is the wiring of a panel.

All functions that read a file raise `SetUpError`, with one sentence, if it cannot be read or has an invalid value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from companion.locale import _
from companion.printing.paper import NO_CORRECTION, Correction
from companion.shell.config_places import first_place
from companion.shell.errors import SetUpError
from companion.shell.settings import find_settings
from companion.shell.toml_file import read_toml
from hardware.pins import DEFAULT_PINS, PinMap

if TYPE_CHECKING:
    from vision.calibration import Calibration
    from vision.enrolment import Enrolment

LENS_FILE, HARDWARE_FILE, PRINTER_FILE = "lens.toml", "hardware.toml", "printer.toml"


def find_calibration(file: Path | None, environment: Mapping[str, str]) -> Calibration | None:
    """Return the calibration of the given file, else of the file in the settings, else of the first found; or None."""
    from vision.calibration import Calibration  # noqa: PLC0415 - with OpenCV

    found = file or find_settings(environment).settings.lens or first_place(LENS_FILE, environment)
    return None if found is None else read_toml(found, Calibration)


def find_wiring(file: Path | None, environment: Mapping[str, str]) -> PinMap:
    """Return the wiring of the given file, else of the first file found, else the default."""
    found = file or first_place(HARDWARE_FILE, environment)
    return DEFAULT_PINS if found is None else read_toml(found, PinMap)


def find_correction(environment: Mapping[str, str]) -> Correction:
    """Return the stored correction; `NO_CORRECTION` if the printer was not measured."""
    found = first_place(PRINTER_FILE, environment)
    return NO_CORRECTION if found is None else read_toml(found, Correction)


def correction_toml(correction: Correction) -> str:
    """Return the content of a file with a correction."""
    lines = [
        "# How the printer differs, measured by `companion print measure`; delete the file to print uncorrected.",
        *(f"{field.name} = {getattr(correction, field.name):.5f}" for field in fields(correction)),
    ]
    return "\n".join(lines) + "\n"


def enrolment_file(game: str) -> str:
    """Return the name of the file with the enrolment of a game's table."""
    return f"{game}.enrolled.toml"


def find_enrolments(games: Sequence[str], environment: Mapping[str, str]) -> dict[str, Enrolment]:
    """Return the enrolments of these games' tables, by game; games without one are left out."""
    found = {game: first_place(enrolment_file(game), environment) for game in games}
    return {game: read_enrolment(path, game) for game, path in found.items() if path is not None}


def read_enrolment(path: Path, game: str) -> Enrolment:
    """Read an enrolment of a game's table; raise SetUpError also if it belongs to another game."""
    from vision.enrolment import Enrolment  # noqa: PLC0415 - with OpenCV

    enrolment = read_toml(path, Enrolment)
    if enrolment.game != game:
        sentence = _('{file}: game: expected "{game}", found "{found}"')
        raise SetUpError(sentence.format(file=path, game=game, found=enrolment.game))
    return enrolment

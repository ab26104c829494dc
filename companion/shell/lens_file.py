"""`lens.toml`: where it is, and the calibration that it reports. `companion calibrate` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.shell.config_places import first_place, own_place
from companion.shell.settings import find_settings
from companion.shell.toml_file import read_toml
from vision.calibration import Calibration, calibration_toml
from vision.file_access import write_atomically

NAME = "lens.toml"


def find_calibration(file: Path | None, environment: Mapping[str, str]) -> Calibration | None:
    """Return calibration of a file: the one given, else the one set, else the first there; None where there is none.

    Raises:
        SetUpError: the file cannot be read, or something in it is not as expected; the message is one sentence.
    """
    found = file or find_settings(environment).settings.lens or first_place(NAME, environment)
    return None if found is None else read_toml(found, Calibration)


def write_lens(calibration: Calibration, path: Path | None) -> Path:
    """Write a calibration to a file, by default the user's own, and return where it is.

    Raises:
        SetUpError: no file is given and the user has no home folder.
        OSError: it cannot be written.
    """
    place = path or own_place(NAME)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, calibration_toml(calibration))
    return place

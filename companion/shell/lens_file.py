"""`lens.toml`: where it lies, and the calibration that it tells. `companion calibrate` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import platformdirs

from companion.shell.config_places import config_places
from companion.shell.settings import find_settings
from companion.shell.toml_file import read_toml
from vision.calibration import Calibration

NAME = "lens.toml"


def own_place() -> Path:
    """Give the place of the user's own lens file."""
    return platformdirs.user_config_path("companion") / NAME


def find_calibration(file: Path | None, environment: Mapping[str, str]) -> Calibration | None:
    """Give the calibration of a file: the one given, else the one set, else the first there; None where there is none.

    Raises:
        SetUpError: the file cannot be read, or something in it is not as expected; the message is one sentence.
    """
    told = file or find_settings(environment).settings.lens
    found = told or next((place for place in config_places(NAME, environment) if place.exists()), None)
    return None if found is None else read_toml(found, Calibration)

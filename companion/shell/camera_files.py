"""Camera files: `lens.toml` of `companion calibrate`, and `NAME.enrolled.toml` of `companion enrol`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.locale import _
from companion.shell.config_places import first_place, own_place
from companion.shell.errors import SetUpError
from companion.shell.settings import find_settings
from companion.shell.toml_file import read_toml
from vision.calibration import Calibration, calibration_toml
from vision.enrolment import Enrolment, enrolment_toml
from vision.file_access import write_atomically

LENS_FILE = "lens.toml"


def find_calibration(file: Path | None, environment: Mapping[str, str]) -> Calibration | None:
    """Return the calibration of the given file, else of the file in the settings, else of the first one found; or None.

    Raises:
        SetUpError: the file cannot be read, or has an invalid value; the message is one sentence.
    """
    found = file or find_settings(environment).settings.lens or first_place(LENS_FILE, environment)
    return None if found is None else read_toml(found, Calibration)


def write_lens(calibration: Calibration, path: Path | None) -> Path:
    """Write a calibration, by default to the user's own file; return the path.

    Raises:
        SetUpError: no file is given and the user has no home folder.
        OSError: it cannot be written.
    """
    place = path or own_place(LENS_FILE)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, calibration_toml(calibration))
    return place


def enrolment_file(game: str) -> str:
    """Return the name of the file with the enrolment of a game's table."""
    return f"{game}.enrolled.toml"


def own_enrolment(game: str) -> Path:
    """Return the path of the user's enrolment of a game's table.

    Raises:
        SetUpError: the user has no home folder.
    """
    return own_place(enrolment_file(game))


def write_enrolment(enrolment: Enrolment, path: Path) -> None:
    """Write an enrolment; create its folder.

    Raises:
        OSError: it cannot be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, enrolment_toml(enrolment))


def find_enrolments(games: Sequence[str], environment: Mapping[str, str]) -> dict[str, Enrolment]:
    """Return the enrolments of these games' tables, by game; games without one are left out.

    Raises:
        SetUpError: a file cannot be read, or has an invalid value; the message is one sentence.
    """
    found = {game: first_place(enrolment_file(game), environment) for game in games}
    return {game: read_enrolment(path, game) for game, path in found.items() if path is not None}


def read_enrolment(path: Path, game: str) -> Enrolment:
    """Read an enrolment of a game's table.

    Raises:
        SetUpError: it cannot be read, has an invalid value, or belongs to another game.
    """
    enrolment = read_toml(path, Enrolment)
    if enrolment.game != game:
        sentence = _('{file}: game: expected "{game}", found "{found}"')
        raise SetUpError(sentence.format(file=path, game=game, found=enrolment.game))
    return enrolment

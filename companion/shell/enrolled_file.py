"""`NAME.enrolled.toml`: where it lies, and what was learned of that table. `companion enrol` writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import platformdirs

from companion.locale import _
from companion.shell.config_places import config_places
from companion.shell.errors import SetUpError
from companion.shell.toml_file import read_toml
from vision.enrolment import Enrolment


def own_place(game: str) -> Path:
    """Give the place of what the user enrolled of a game's table."""
    return platformdirs.user_config_path("companion") / _name(game)


def find_enrolments(games: Sequence[str], environment: Mapping[str, str]) -> dict[str, Enrolment]:
    """Give what was learned of each of these games' tables, by game; those without are left out.

    Raises:
        SetUpError: a file cannot be read, or something in it is not as expected; the message is one sentence.
    """
    found = {
        game: next((place for place in config_places(_name(game), environment) if place.exists()), None)
        for game in games
    }
    return {game: read_enrolment(path, game) for game, path in found.items() if path is not None}


def read_enrolment(path: Path, game: str) -> Enrolment:
    """Read a file that tells of a game's table.

    Raises:
        SetUpError: it cannot be read, something in it is not as expected, or it tells of another game.
    """
    enrolment = read_toml(path, Enrolment)
    if enrolment.game != game:
        sentence = _('{file}: game: expected "{game}", found "{found}"')
        raise SetUpError(sentence.format(file=path, game=game, found=enrolment.game))
    return enrolment


def _name(game: str) -> str:
    return f"{game}.enrolled.toml"

"""`companion.toml` and the environment: the settings of this table.

The command line takes precedence over variables, and variables over the file. A key's variable is its name in capitals
after `COMPANION_`: `camera` is `COMPANION_CAMERA`. An empty variable counts as not set.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from companion.core.verdicts import Wanted
from companion.games.discovery import packages
from companion.locale import _
from companion.shell.config_places import first_place
from companion.shell.devices import CAMERAS, PANELS
from companion.shell.errors import SetUpError, ShellError
from companion.shell.picture_policy import USUAL_DAYS, USUAL_NUMBER
from companion.shell.toml_file import expanded, load_toml, validated
from engines.kernel import Level
from engines.sentence import unexpected
from vision.camera.address import masked

NAME = "companion.toml"
PREFIX = "COMPANION_"
FILE_VARIABLE = "COMPANION_SETTINGS"
"""The variable that names the settings file itself."""

VOICES = ("off", "text", "espeak", "piper")
USUAL_WPM = 175
"""Words a minute; experienced listeners want more."""

_Count = Annotated[int, Meta(ge=0, le=10_000)]
_MISSPELT = 0.75
"""How similar (difflib's ratio) a variable must be to one of ours to count as misspelt."""


Language = Literal["de", "en", "es", "fr", "it", "nl"]
"""The languages with a catalogue, and English."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, as the commented example `companion.toml` beside this module explains them key by key.

    None, or an empty list, leaves it to the command what is usual. Show `camera` and `publish` only as `masked` returns
    them, since their addresses may hold passwords.
    """

    game: str | None = None
    players: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    game_options: tuple[str, ...] = ()
    dice: str | None = None
    level: Level | None = None
    camera: str | None = None
    panel: str | None = None
    hardware: Path | None = None
    sound: bool = True
    voice: str | None = None
    voice_says: Wanted = Wanted.ALL
    voice_wpm: Annotated[int, Meta(ge=80, le=450)] = USUAL_WPM  # the range of espeak-ng
    page: bool = False
    listen: str | None = None
    certificate: Path | None = None
    certificate_key: Path | None = None
    authority: bool = False
    publish: str | None = None
    keypad: str | None = None
    tables: tuple[Path, ...] = ()
    lens: Path | None = None
    data: Path | None = None
    pictures: bool = True
    pictures_kept: _Count = USUAL_NUMBER
    pictures_days: _Count = USUAL_DAYS
    pictures_moves: bool = False
    keep_colours: bool = False
    language: Language | None = None
    width: Annotated[int, Meta(ge=40, le=10_000)] | None = None
    colour: bool = True

    def __post_init__(self) -> None:
        """Raise ValueError for values that have the right type but are not allowed."""
        _expect_word("game", self.game, packages())
        _expect_word("camera", self.camera, CAMERAS)
        _expect_word("dice", self.dice, ("button", "camera", "typed"))
        _expect_word("panel", self.panel, PANELS)
        _expect_word("voice", self.voice, VOICES)
        if (self.certificate is None) != (self.certificate_key is None):
            raise ValueError(_("certificate and certificate_key belong together: set both or neither"))


KEYS = tuple(field.name for field in fields(Settings))


@dataclass(frozen=True, slots=True)
class Found:
    """The settings, and for each key that is set the variable or file that sets it."""

    settings: Settings
    origins: Mapping[str, str]


def find_settings(environment: Mapping[str, str]) -> Found:
    """Read the settings.

    Raises:
        SetUpError: the file cannot be read, or it or the environment has an invalid value.
    """
    file = settings_file(environment)
    written = load_toml(file) if file else {}
    in_file = validated(written, str(file), Settings, folder=file.parent) if file else Settings()
    asked: dict[str, Any] = {}
    for key in KEYS:
        if text := environment.get(variable(key)):
            is_list = isinstance(getattr(Settings(), key), tuple)  # in a variable, its parts are separated by commas
            value = [part.strip() for part in text.split(",")] if is_list else text
            asked[key] = getattr(validated({key: value}, variable(key), Settings, as_text=True), key)
    # a variable that resembles one of ours is misspelt; other names may belong to other programs
    ours = [*map(variable, KEYS), FILE_VARIABLE]
    words = [name.removeprefix(PREFIX) for name in ours]
    for name in environment:
        key = name.removeprefix(PREFIX)
        is_strange = name.startswith(PREFIX) and name not in ours
        if is_strange and (near := difflib.get_close_matches(key, words, n=1, cutoff=_MISSPELT)):
            sentence = _('{variable}: there is no such setting; did you mean "{near}"?')
            raise SetUpError(sentence.format(variable=name, near=PREFIX + near[0]))
    origins = {**dict.fromkeys(written, str(file)), **{key: variable(key) for key in asked}}
    return Found(replace(in_file, **asked), origins)


def settings_file(environment: Mapping[str, str]) -> Path | None:
    """Return the settings file: the one named by its variable, else the first one found; None if there is none.

    Raises:
        SetUpError: the variable names the home folder of an unknown user.
    """
    given = environment.get(FILE_VARIABLE)
    if not given:
        return first_place(NAME, environment)
    try:
        return expanded(given)
    except ValueError as error:
        raise SetUpError(f"{FILE_VARIABLE}: {error}") from error


def apply_display_settings(environment: MutableMapping[str, str]) -> None:
    """Put language, width and colour into the environment; invalid settings are left for the command to report."""
    try:
        settings = find_settings(environment).settings
    except ShellError:
        return
    if settings.language:
        environment["LANGUAGE"] = settings.language
    if settings.width:
        environment["COLUMNS"] = str(settings.width)
    if not settings.colour:
        environment["NO_COLOR"] = "1"


def variable(key: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + key.upper()


def _expect_word(key: str, text: str | None, words: Collection[str]) -> None:
    """Check the word before a colon, such as "webcam" of "webcam:0"."""
    if text is not None and text.partition(":")[0] not in words:
        raise ValueError(unexpected(key, "one of {words}", masked(text), list(words), words=", ".join(words)))

"""companion.toml and the environment: what outranks what, and errors reported by file, key, expected and found."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from companion import locale
from companion.games.engines import ENGINES
from companion.shell.config_places import shipped_example
from companion.shell.errors import SetUpError
from companion.shell.settings import KEYS, NAME, Language, Settings, find_settings, settings_file, variable
from companion.shell.toml_file import read_toml, validated
from engines.kernel import Level


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text('camera = "webcam:1"\ndata = "games"\nwidth = 100\n')
    return path


def test_a_variable_outranks_the_file_and_the_file_the_default(file: Path) -> None:
    found = find_settings({"COMPANION_SETTINGS": str(file), "COMPANION_CAMERA": "picamera"})
    assert (found.settings.camera, found.settings.width, found.settings.colour) == ("picamera", 100, True)
    assert found.origins == {"camera": "COMPANION_CAMERA", "data": str(file), "width": str(file)}


def test_a_level_is_one_of_the_advisers() -> None:
    assert find_settings({}).settings.level is None
    assert find_settings({"COMPANION_LEVEL": "easy"}).settings.level is Level.EASY
    with pytest.raises(SetUpError, match="level"):
        find_settings({"COMPANION_LEVEL": "hopeless"})


def test_a_path_begins_at_the_files_folder(file: Path) -> None:
    assert find_settings({"COMPANION_SETTINGS": str(file)}).settings.data == file.parent / "games"


def test_variables_report_numbers_truth_and_lists(tmp_path: Path) -> None:
    asked = {
        "COMPANION_WIDTH": "90",
        "COMPANION_SOUND": "false",
        "COMPANION_PLAYERS": "red, green",
        "COMPANION_TABLES": f"{tmp_path}/a.toml,b.toml",
        "COMPANION_LANGUAGE": "nl",
    }
    settings = find_settings(asked).settings
    assert settings == Settings(
        width=90,
        sound=False,
        players=("red", "green"),
        tables=(tmp_path / "a.toml", Path("b.toml")),
        language="nl",
    )


def test_an_empty_variable_is_not_set() -> None:
    assert find_settings({"COMPANION_CAMERA": ""}).settings.camera is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("camra = 'webcam:0'", 'c.toml: camra: there is no such key; did you mean "camera"?'),
        ("camera = 'webcan:0'", 'found "webcan:0"; did you mean "webcam"?'),
        ("panel = 'lcd'", 'c.toml: panel: expected "simulated" or "desk" or "gpio", found "lcd"'),
        ("game = 'royal-te'", 'found "royal-te"; did you mean "royal-tee"?'),
        ("language = 'deu'", 'c.toml: language: expected "de" or "en"'),
        ("width = 12", "c.toml: width: expected 40 to 10000 columns, found 12"),
        ("width = 'wide'", 'c.toml: width: expected a whole number, found "wide"'),
        ("tables = [3]", "c.toml: tables[0]: expected a text, found 3"),
        ("colour = 'no'", 'c.toml: colour: expected true or false, found "no"'),
        ("colour", "c.toml: not a TOML file"),
    ],
)
def test_what_is_wrong_in_the_file_is_reported_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(SetUpError) as raised:
        read_toml(tmp_path / "c.toml", Settings)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("COMPANION_WIDTH", "wide", 'COMPANION_WIDTH: width: expected a whole number, found "wide"'),
        ("COMPANION_CAMRA", "picamera", 'COMPANION_CAMRA: there is no such setting; did you mean "COMPANION_CAMERA"?'),
        ("COMPANION_SETTINGS", "/nowhere.toml", "/nowhere.toml: No such file"),
    ],
)
def test_what_is_wrong_in_a_variable_is_reported_with_its_name(name: str, text: str, sentence: str) -> None:
    with pytest.raises(SetUpError, match=sentence.replace("?", r"\?")):
        find_settings({name: text})


def test_variables_of_others_are_none_of_our_business() -> None:
    assert find_settings({"COMPANION_OPTIONS": "--seed 3"}).origins == {}


def test_the_services_folder_comes_before_the_users(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").touch()
    assert settings_file({"CONFIGURATION_DIRECTORY": str(tmp_path)}) == tmp_path / "companion.toml"


def test_the_example_names_every_setting_and_is_right_when_all_is_switched_on() -> None:
    settings = [
        line for line in shipped_example(NAME).splitlines() if line.partition(" = ")[0].removeprefix("# ") in KEYS
    ]
    assert [line.partition(" = ")[0] for line in settings] == [f"# {key}" for key in KEYS]
    validated(tomllib.loads("\n".join(line.removeprefix("# ") for line in settings)), "example", Settings)


def test_the_example_as_it_ships_sets_nothing() -> None:
    assert validated(tomllib.loads(shipped_example(NAME)), "example", Settings) == Settings()


def test_languages_are_those_that_the_catalogues_know() -> None:
    catalogues = {path.parent.parent.name for path in Path(locale.__file__).parent.glob("*/LC_MESSAGES/*.mo")}
    assert {*get_args(Language)} == {*catalogues, "en"}


def test_every_game_can_be_set_by_its_variable() -> None:
    for game in ENGINES:
        assert find_settings({variable("game"): game}).settings.game == game

"""companion.toml and the environment: what outranks what, and errors reported by file, key, expected and found."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from companion import locale
from companion.shell.config_files import HARDWARE_FILE, find_wiring
from companion.shell.config_places import config_places, shipped_example
from companion.shell.errors import SetUpError
from companion.shell.settings import KEYS, NAME, Language, Settings, find_settings, settings_file
from companion.shell.toml_file import read_toml, validated
from engines.kernel import Level
from hardware.pins import DEFAULT_PINS, Digits, Encoder, PinMap, Potentiometer


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text('camera = "webcam:1"\ndata = "games"\nwidth = 100\n')
    return path


def test_a_variable_outranks_the_file_and_the_file_the_default(file: Path) -> None:
    found = find_settings({"COMPANION_SETTINGS": str(file), "COMPANION_CAMERA": "picamera"})
    assert (found.settings.camera, found.settings.width, found.settings.colour) == ("picamera", 100, True)
    assert found.origins == {"camera": "COMPANION_CAMERA", "data": str(file), "width": str(file)}


def test_a_path_begins_at_the_files_folder(file: Path) -> None:
    assert find_settings({"COMPANION_SETTINGS": str(file)}).settings.data == file.parent / "games"


def test_variables_report_numbers_truth_and_lists(tmp_path: Path) -> None:
    asked = {
        "COMPANION_WIDTH": "90",
        "COMPANION_SOUND": "false",
        "COMPANION_PLAYERS": "red, green",
        "COMPANION_TABLES": f"{tmp_path}/a.toml,b.toml",
        "COMPANION_LANGUAGE": "nl",
        "COMPANION_LEVEL": "easy",
    }
    settings = find_settings(asked).settings
    assert settings == Settings(
        width=90,
        sound=False,
        players=("red", "green"),
        tables=(tmp_path / "a.toml", Path("b.toml")),
        language="nl",
        level=Level.EASY,
    )


def test_an_empty_variable_is_not_set() -> None:
    assert find_settings({"COMPANION_CAMERA": ""}).settings.camera is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("camra = 'webcam:0'", 'c.toml: camra: there is no such key; did you mean "camera"?'),
        ("camera = 'webcan:0'", 'found "webcan:0"; did you mean "webcam"?'),
        ("game = 'royal-te'", 'found "royal-te"; did you mean "royal-tee"?'),
        ("language = 'deu'", "c.toml: language: expected one of de, en"),
        ("width = 12", "c.toml: width: expected a whole number from 40 to 10000, found 12"),
        ("certificate = 'own.pem'", "certificate and certificate_key belong together"),
        ("certificate_key = 'own.key'", "certificate and certificate_key belong together"),
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
        ("COMPANION_WIDTH", "wide", "COMPANION_WIDTH: width: expected a whole number from 40 to 10000, found"),
        ("COMPANION_CAMRA", "picamera", 'COMPANION_CAMRA: there is no such setting; did you mean "COMPANION_CAMERA"?'),
        ("COMPANION_LEVEL", "hopeless", "COMPANION_LEVEL: level: expected one of easy, medium, strong"),
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


# ---- hardware.toml: the example is the default, and whatever is wrong is reported by file, key, expected and found


def parsed(text: str) -> PinMap:
    return validated(tomllib.loads(text), "h.toml", PinMap)


def test_the_example_that_ships_is_the_default_wiring() -> None:
    assert parsed(shipped_example(HARDWARE_FILE)) == DEFAULT_PINS


def commented_out(*sections: str) -> str:
    """The example's commented sections, switched on."""
    chosen, on = [], False
    for line in shipped_example(HARDWARE_FILE).splitlines():
        if line.startswith("# ["):
            on = line.split("]")[0] + "]" in {f"# [{section}]" for section in sections}
        chosen.append(line.removeprefix("# ") if on and line.startswith("# ") else "")
    return "\n".join(chosen)


@pytest.mark.parametrize(
    ("section", "part"),
    [
        ("digits", Digits((13, 19, 26, 21, 20, 16, 18), selects=(15, 4))),
        ("encoder", Encoder(14, 15)),
        ("potentiometer", Potentiometer()),
    ],
)
def test_what_the_example_leaves_out_is_right_when_it_is_switched_on(section: str, part: object) -> None:
    assert getattr(parsed(commented_out(section)), section) == part


def test_an_empty_file_is_a_panel_without_parts() -> None:
    assert parsed("") == PinMap()


def test_lamps_of_three_colours_are_read_as_the_example_shows_them() -> None:
    lines = re.findall(
        r"^# (kind = \"rgb\"|pins = \[\[.*|colours = .*)", shipped_example(HARDWARE_FILE), flags=re.MULTILINE
    )
    lamps = parsed("\n".join(["[lamps]", *lines])).lamps
    assert (lamps.kind, lamps.pins, lamps.colour(1)) == ("rgb", ((24, 25, 5), (6, 13, 19)), "#00c020")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[buttons]\nroll = 'x'", 'buttons.roll: expected a whole number, found "x"'),
        ("[buttons]\nroll = true", "buttons.roll: expected a whole number, found true"),
        ("[buttons]\nrool = 17", 'buttons.rool: there is no such key; did you mean "roll"?'),
        ("[buzer]\npin = 1", 'buzer: there is no such key; did you mean "buzzer"?'),
        (
            "qqq = 1",
            "qqq: there is no such key, but: buttons, lamps, bar, digits, buzzer, encoder, potentiometer,"
            " display, buses",
        ),
        ("[buzzer]\nkind = 'plain'", "buzzer.pin: expected, and not there"),
        (
            "[buzzer]\npin = 12\nkind = 'tonl'",
            'buzzer.kind: expected one of plain, tonal, found "tonl"; did you mean "tonal"?',
        ),
        ("buzzer = 12", "buzzer: expected a section, found 12"),
        ("[lamps]\npins = 4", "lamps.pins: expected a list, found 4"),
        ("[lamps]\npins = [4, 'x']", 'lamps.pins[1]: expected a whole number or a list of 3, found "x"'),
        ("[lamps]\npins = [[4, 5]]", "lamps.pins[0]: expected a whole number or a list of 3, found [4, 5]"),
        ("[lamps]\npins = [4]\nbrightness = 'x'", 'lamps.brightness: expected a number, found "x"'),
        ("[bar]\npins = [4, 5]", "bar.pins: expected a list of 9, found [4, 5]"),
        ("[buses]\ni2c = 1", "buses.i2c: expected true or false, found 1"),
        ("[buttons]\nroll = 4\n[buzzer]\npin = 4", "buzzer: GPIO4 is already used by button roll"),
        ("[buzzer\npin = 4", "not a TOML file: "),
    ],
)
def test_what_is_wrong_is_reported_by_file_key_expected_and_found(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "h.toml"
    path.write_text(text)
    with pytest.raises(SetUpError) as raised:
        read_toml(path, PinMap)
    assert str(raised.value).startswith(f"{path}: {sentence}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_reported_by_its_name(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "hardware.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SetUpError, match=re.escape(str(path))):
        find_wiring(path, {})


def test_the_first_file_that_is_there_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    service = {"CONFIGURATION_DIRECTORY": str(tmp_path / "service")}
    for gpio, file in enumerate(reversed([*config_places(HARDWARE_FILE, service)][:2]), start=5):
        file.parent.mkdir(parents=True)
        file.write_text(f"[buzzer]\npin = {gpio}\n")
        assert [wire.gpio for wire in find_wiring(None, service).wires()] == [gpio]
    assert [wire.gpio for wire in find_wiring(None, {}).wires()] == [5]


def test_without_a_file_the_wiring_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.shell.config_places.config_places", lambda *_any: iter([tmp_path / "none"]))
    assert find_wiring(None, {}) == DEFAULT_PINS

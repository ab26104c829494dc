"""What a table file, a wiring or the settings are refused for is said in the user's language, all of it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.exits import UNUSABLE
from companion.locale import speaking, translated
from companion.locale.borrowed import SYSTEM
from companion.shell.config_places import shipped_example
from companion.shell.errors import SetUpError
from companion.shell.settings import NAME, Settings
from companion.shell.toml_file import validated
from hardware.pins import DEFAULT_PINS, Part, PinMap, Wire
from tests.companion.languages import Dots
from tests.vision.test_board import WRONG, table_text
from vision.board import parse_board
from vision.errors import BoardFileError
from vision.file_access import toml_problem

CODE = {
    "disc",
    "pawn",
    "tile",
    "turned",
    "dots",
    "marks",
    "pips",
    "royal",
    "infinity",
    "cathode",
    "anode",
    "tonal",
    "pin",
    "led",
}
"""Words of table files and wirings that are valid and not in every file."""

WIRINGS = [
    "[buttons]\nroll = 'x'",
    "[buttons]\nhold_s = 0.0",
    "[buzzer]\nkind = 'plain'",
    "[buzzer]\npin = 28",
    "[buzzer]\npin = 1",
    "[buzzer]\npin = 14\n[buses]\nserial = true",
    "buzzer = 12",
    "[lamps]\npins = 4",
    "[lamps]\npins = [4, 'x']",
    "[lamps]\npins = [4, 5, 6, 7, 8, 9, 10, 11]",
    "[lamps]\npins = [4]\nkind = 'rgb'",
    "[lamps]\npins = [[4, 5, 6]]",
    "[lamps]\npins = [[4, 5, 6], [4, 7, 8]]\nkind = 'rgb'",
    "[lamps]\nbrightness = 1.5",
    "[lamps]\nbrightness = 0.5",
    "[lamps]\ncolours = ['ff8000']",
    "[bar]\npins = [4, 5]",
    "[buses]\ni2c = 1",
    "[digits]\nsegments = [4, 5, 6, 7, 8, 9, 10]\nselects = [11, 12, 13]",
    "[potentiometer]\nchannel = 8",
    "[potentiometer]\nselect = 2",
    "[potentiometer]\n[encoder]\na = 4\nb = 5",
    "[display]\naddress = 300",
    "[buttons]\nroll = 4\n[buzzer]\npin = 4",
]
SETTINGS = [
    "width = 12",
    "camera = 'webcan:0'",
    "camera = 3",
    "tables = 'x'",
    "sound = 1",
    "certificate = 'x'",
    "data = '~nobody-at-all/x'",
    "camra = 'x'",
]


def left_of(sentence: str, file: str) -> set[str]:
    """The words of a sentence in dots that are neither in the file nor valid in one."""
    written = set(re.findall(r"[a-z]+", re.sub(r"#.*", "", file).lower()))
    return set(re.findall(r"[a-z]{3,}", sentence.lower())) - written - CODE - {"mine", "toml"}


@pytest.mark.parametrize(("game", "old", "new", "expected"), WRONG)
def test_no_word_about_a_table_file_is_english_only(game: str, old: str, new: str, expected: str) -> None:
    text = table_text(game).replace(old, new, 1)
    with pytest.raises(BoardFileError, match=re.escape(expected)) as raised:
        parse_board(text, "mine.toml")
    with speaking(Dots()):
        assert left_of(translated(str(raised.value)), text) == set()


@pytest.mark.parametrize("text", WIRINGS)
def test_no_word_about_a_wiring_is_english_only(text: str) -> None:
    with speaking(Dots()), pytest.raises(SetUpError) as raised:
        validated(tomllib.loads(text), "mine.toml", PinMap)
    assert left_of(str(raised.value), text) == set()


@pytest.mark.parametrize("text", SETTINGS)
def test_no_word_about_the_settings_is_english_only(text: str) -> None:
    with speaking(Dots()), pytest.raises(SetUpError) as raised:
        validated(tomllib.loads(text), "mine.toml", Settings)
    assert left_of(str(raised.value), text + shipped_example(NAME).replace("#", "")) == set()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a]\n[a]", "Zeile 2, Spalte 3 ist nicht lesbar oder wiederholt einen Schlüssel"),
        ("a = 1 2\n", "Zeile 1, Spalte 7 ist nicht lesbar oder wiederholt einen Schlüssel"),
        ("a = [1", "Das Ende ist nicht lesbar; fehlt eine schließende Klammer oder ein Anführungszeichen?"),
        ("a = " + "9" * 5000, "Eine Zahl darin hat zu viele Stellen"),
    ],
)
def test_it_is_said_in_the_language_why_a_file_is_no_toml(text: str, said: str) -> None:
    with pytest.raises(BoardFileError) as raised:
        parse_board(text, "mine.toml")
    with speaking("de"):
        assert translated(str(raised.value)) == f"mine.toml: keine TOML-Datei: {said}"


@pytest.mark.parametrize("error", [OSError(2, SYSTEM[0]), UnicodeDecodeError("utf-8", b"", 0, 1, ""), RecursionError()])
def test_no_word_about_a_file_that_cannot_be_read_is_english_only(error: Exception) -> None:
    with speaking(Dots()):
        assert left_of(translated(toml_problem("mine.toml", error)), "") == set()


def test_every_wire_has_a_name_in_the_language() -> None:
    wires = [*DEFAULT_PINS.wires(), *(Wire(part, "3 red" if part is Part.LAMP else "select 1", 4) for part in Part)]
    with speaking(Dots()):
        names = {translated(str(wire)) for wire in wires}
    assert {word for name in names for word in re.findall(r"[a-z]{4,}", name)} <= {
        "roll",
        "done",
        "back",
        "mode",
        "select",
    }


@pytest.mark.parametrize(
    ("command", "text", "said"),
    [
        (
            ("read", "none.png", "--table"),
            table_text("royal-tee").replace("columns = 12", "columns = 40"),
            "grid.columns: erwartet: eine ganze Zahl von 1 bis 26, gefunden: 40",
        ),
        (
            ("read", "none.png", "--table"),
            table_text("royal-tee").replace('start = "F12"', 'start = "F13"'),
            'seat red: start: erwartet: ein Feld des Rasters, gefunden: "F13"',
        ),
        (
            ("panel", "wiring", "--hardware"),
            "[lamps]\npins = [[4, 5, 6], [4, 7, 8]]\nkind = 'rgb'\n[buses]\nspi = false",
            "Lampe 2 Rot: GPIO4 ist schon belegt: Lampe 1 Rot",
        ),
        (
            ("panel", "wiring", "--hardware"),
            "[buzzer]\nkind = 'tonl'\npin = 12",
            'buzzer.kind: erwartet: eines von plain, tonal, gefunden: "tonl"; ist „tonal“ gemeint?',
        ),
    ],
)
def test_a_command_says_in_the_language_what_is_wrong_in_a_file(
    command: tuple[str, ...], text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with speaking("de"):
        assert main([*command, str(file)]) == UNUSABLE
    assert capsys.readouterr().err == f"companion: {file}: {said}\n"

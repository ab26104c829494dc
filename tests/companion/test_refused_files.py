"""What a table file or the settings are refused for is said in the user's language, all of it."""

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
from tests.companion.languages import Dots
from tests.vision.test_board import WRONG, table_text
from vision.board import parse_board
from vision.errors import BoardFileError
from vision.file_access import no_toml

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
"""Words of table files that are valid and not in every file."""

BY_PYTHON = "not a TOML file"

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


@pytest.mark.parametrize(("game", "old", "new", "expected"), [case for case in WRONG if BY_PYTHON not in case[-1]])
def test_no_word_about_a_table_file_is_english_only(game: str, old: str, new: str, expected: str) -> None:
    text = table_text(game).replace(old, new, 1)
    with pytest.raises(BoardFileError, match=re.escape(expected)) as raised:
        parse_board(text, "mine.toml")
    with speaking(Dots()):
        assert left_of(translated(str(raised.value)), text) == set()


@pytest.mark.parametrize("text", SETTINGS)
def test_no_word_about_the_settings_is_english_only(text: str) -> None:
    with speaking(Dots()), pytest.raises(SetUpError) as raised:
        validated(tomllib.loads(text), "mine.toml", Settings)
    assert left_of(str(raised.value), text + shipped_example(NAME).replace("#", "")) == set()


@pytest.mark.parametrize("error", [OSError(2, SYSTEM[0]), UnicodeDecodeError("utf-8", b"", 0, 1, ""), RecursionError()])
def test_no_word_about_a_file_that_cannot_be_read_is_english_only(error: Exception) -> None:
    with speaking(Dots()):
        assert left_of(translated(no_toml("mine.toml", error)), "") == set()


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

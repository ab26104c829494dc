"""Settings act: each is followed from where it is set to what it changes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app.photo_reading import own_tables
from companion.cli import main, parse, play
from companion.cli.arguments import COMMANDS
from companion.cli.parser import UsageError
from companion.shell.config_places import shipped_example
from companion.shell.settings import NAME, Settings, apply_display_settings
from engines.kernel import Level
from tests.companion.conftest import Refused, Told
from vision.board import table_file


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "companion.toml"
    path.touch()
    monkeypatch.setenv("COMPANION_SETTINGS", str(path))
    return path


@pytest.fixture
def own_table(tmp_path: Path) -> Path:
    """A table like ours, of a larger print."""
    path = tmp_path / "mine.toml"
    path.write_text(table_file("royal-tee").read_text().replace('title = "', 'title = "My own '))
    return path


def asked(*words: str) -> Namespace:
    return parse(["play", *words])


def test_each_setting_is_reported_with_where_it_comes_from(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], told: Told
) -> None:
    file.write_text('game = "royal-ur"\nplayers = ["white", "black"]\n')
    monkeypatch.setenv("COMPANION_GAME", "territory")
    lines = [line.split() for line in told("settings").splitlines()]
    assert ["game", "territory", "COMPANION_GAME"] in lines
    assert ["colour", "true", "default"] in lines
    main(["settings", "--json"])
    answer = json.loads(capfd.readouterr().out)
    assert answer["settings"]["game"] == {"value": "territory", "from": "COMPANION_GAME"}
    assert answer["settings"]["players"] == {"value": ["white", "black"], "from": str(file)}


def test_a_long_value_is_whole_and_on_one_line_in_a_pipe(monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    folder, names = "/home/anna/" + "games/" * 20, ", ".join(["Anna Maria"] * 8)
    monkeypatch.setenv("COMPANION_DATA", folder)
    monkeypatch.setenv("COMPANION_NAMES", names)
    shown = told("settings")
    assert folder.rstrip("/") in shown and names in shown


def test_the_example_is_written_as_it_ships(told: Told) -> None:
    assert told("settings", "example") == shipped_example(NAME)


@pytest.mark.parametrize("command", [["settings"], ["journal", "list"], ["play", "royal-tee"], ["read", "t.jpg"]])
def test_settings_that_cannot_be_used_end_what_needs_them_in_one_line(
    command: list[str], file: Path, refused: Refused
) -> None:
    file.write_text("wdth = 80")
    assert refused(*command) == f'companion: {file}: wdth: there is no such key; did you mean "width"?\n'


def test_play_takes_game_players_and_folder_from_the_settings(tmp_path: Path) -> None:
    settings = Settings(game="royal-tee", players=("red", "green"), data=tmp_path)
    setup = play.read_setup(asked(), settings)
    assert (setup.game, [*setup.players], setup.journal) == (
        "royal-tee",
        ["red", "green"],
        tmp_path / "journal.sqlite3",
    )


def test_the_command_line_outranks_the_settings(tmp_path: Path) -> None:
    settings = Settings(game="royal-tee", players=("red", "green"), data=tmp_path)
    setup = play.read_setup(asked("territory", "--journal", "j.sqlite3"), settings)
    assert (setup.game, [*setup.players], setup.journal) == ("territory", [], Path("j.sqlite3")), "red, green play tee"


@pytest.mark.parametrize(
    ("words", "called"),
    [
        (["royal-tee", "--players", "green,red"], {"green": "Anna", "red": "Ben"}),
        (["territory", "--against", "easy"], {"red": "Anna"}),
        (["royal-ur", "--against", "easy", "--names", "Dora"], {"white": "Dora"}),
    ],
)
def test_names_of_the_settings_are_for_the_first_people_where_others_play(
    words: list[str], called: dict[str, str]
) -> None:
    setup = play.read_setup(asked(*words), Settings(camera="none", names=("Anna", "Ben", "Cleo")))
    assert setup.arrangement.names == called


def test_a_seat_of_the_companion_has_a_level_from_the_start() -> None:
    setup = play.read_setup(asked("royal-tee", "--companion-seat", "red"), Settings(camera="none"))
    assert setup.arrangement.levels == {"red": Level.STRONG}


@pytest.mark.parametrize(
    ("words", "players"),
    [
        (["territory", "--names", "A,B,C"], ["red", "yellow", "green"]),
        (["royal-tee", "--names", "A,B"], ["blue", "yellow"]),
        (["royal-tee", "--names", "A,B,C,D"], ["red", "blue", "green", "yellow"]),
    ],
)
def test_names_say_how_many_play_and_the_players_of_the_settings_have_them_if_they_are_as_many(
    words: list[str], players: list[str]
) -> None:
    setup = play.read_setup(asked(*words), Settings(camera="none", game="royal-tee", players=("blue", "yellow")))
    assert [*setup.players] == [*setup.arrangement.names] == players


@pytest.mark.parametrize(
    ("words", "place"), [([], "names"), (["--players", "red,green", "--names", "A,B,C"], "--names")]
)
def test_more_names_than_players_are_refused_by_the_place_that_has_them(words: list[str], place: str) -> None:
    settings = Settings(game="royal-tee", players=("red", "green"), names=("Anna", "Ben", "Cleo"))
    with pytest.raises(UsageError, match=f"^{place}: expected at most 2 names, found 3$"):
        play.read_setup(asked(*words), settings)


def test_a_resumed_game_is_the_journals(tmp_path: Path) -> None:
    setup = play.read_setup(asked("--resume"), Settings(game="royal-tee", players=("red", "green"), data=tmp_path))
    assert (setup.game, [*setup.players]) == (None, [])


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("camera", "files:/nowhere", "/nowhere: cannot be listed"),
        ("lens", "/nowhere.toml", "/nowhere.toml: No such file"),
        ("hardware", "/nowhere.toml", "/nowhere.toml: No such file"),
        ("tables", '["/nowhere/table.toml"]', "/nowhere/table.toml"),
    ],
)
def test_play_uses_the_camera_lens_wiring_and_tables_that_are_set(
    key: str, text: str, sentence: str, file: Path, refused: Refused, tmp_path: Path
) -> None:
    found = {"game": '"royal-tee"', "camera": f'"files:{tmp_path}"', "panel": '"gpio"', "data": f'"{tmp_path}"'}
    found[key] = text if text.startswith("[") else f'"{text}"'
    cv2.imwrite(str(tmp_path / "table.png"), np.zeros((8, 8, 3), np.uint8))
    file.write_text("\n".join(f"{name} = {value}" for name, value in found.items()))
    assert sentence in refused("play")


def test_a_quiet_panel_has_everything_but_the_buzzer() -> None:
    loud, quiet = (play.wiring_of(None, sound=sound) for sound in (True, False))
    assert loud.buzzer is not None
    assert quiet.buzzer is None
    assert (quiet.lamps, quiet.buttons) == (loud.lamps, loud.buttons)


def test_a_table_that_is_set_counts_in_place_of_ours(file: Path, own_table: Path) -> None:
    file.write_text(f'tables = ["{own_table.name}"]')
    assert [board.title for board in own_tables().values()] == ["My own Royal Tee"]
    assert play.read_setup(asked("royal-tee"), Settings()).tables["royal-tee"].title == "My own Royal Tee"


def test_a_table_among_the_users_files_counts_in_place_of_ours(
    own_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    assert not own_tables()
    own_table.rename(tmp_path / "royal-tee-own.toml")
    assert [board.title for board in own_tables().values()] == ["My own Royal Tee"]


def test_a_table_with_other_cells_cannot_be_played_on(own_table: Path) -> None:
    own_table.write_text(own_table.read_text().replace("[grid]", '[grid]\nmissing = ["A1"]'))
    with pytest.raises(UsageError, match="needs the cells and labels of ours"):
        play.read_setup(asked("royal-tee", "--table", str(own_table)), Settings())


def test_width_and_colour_go_where_every_console_looks(file: Path) -> None:
    file.write_text('width = 70\ncolour = false\nlanguage = "fr"')
    environment = {"COMPANION_SETTINGS": str(file)}
    apply_display_settings(environment)
    assert {*environment.items()} >= {("COLUMNS", "70"), ("NO_COLOR", "1"), ("LANGUAGE", "fr")}


def test_every_sentence_is_in_the_language_that_is_set(file: Path) -> None:
    """Said by a process of its own: catalogues are kept for its life."""
    file.write_text('language = "de"')
    command = [sys.executable, "-m", "companion", "plya"]
    spoken = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert "ist" in spoken
    assert "did you mean" not in spoken


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_every_command(
    shell: str, monkeypatch: pytest.MonkeyPatch, told: Told, tmp_path: Path
) -> None:
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    script = told("settings", "completion")
    assert [command for command in COMMANDS if command not in script] == []
    assert "--hardware" in script
    if shell == "bash":
        file = tmp_path / "companion.bash"
        file.write_text(script)
        words = "COMP_WORDS=(companion pa) COMP_CWORD=1"
        asked = f"source {file}; {words}; _shtab_companion 2>/dev/null; echo ${{COMPREPLY[@]}}"
        assert subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True).stdout == "panel\n"


@pytest.mark.parametrize("command", ["settings", "panel"])
def test_what_help_writes_into_a_folder_has_that_folder(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The examples run in order for somebody who has no settings yet; the program itself is left out."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    lines = [line for line in shown if line.startswith("mkdir") or (line.startswith("companion ") and " > ~" in line)]
    assert lines
    script = "\n".join(re.sub(r"^companion .* >", "echo >", line) for line in lines)
    monkeypatch.setenv("HOME", str(tmp_path))
    subprocess.run(["bash", "-e", "-c", script], check=True)

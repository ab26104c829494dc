"""A game that another package brings: installed beside the companion it is found, listed, typed, read and judged.

The package is `tests/sixth_game`: discs put on a board, with a table file, sentences and a German catalogue of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "sixth_game"
NAME = "four-in-line"

RED_WINS = ("A1", "A2", "B1", "B2", "C1", "C2", "D1")
"""Red fills the first row from the left, blue the second."""


class Installed:
    """A fresh environment with the companion and the sixth game in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        [site] = folder.glob("lib/python*/site-packages")
        (site / "companion.pth").write_text(f"{ROOT}\n{sysconfig.get_paths()['purelib']}\n")
        self.pip(site)

    def pip(self, site: Path) -> None:
        """Install the package from its folder, without a network."""
        options = ["--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--target", str(site)]
        copied = self.folder / "source"
        subprocess.run(["cp", "-r", str(PACKAGE), str(copied)], check=True)
        subprocess.run([sys.executable, "-m", "pip", "install", *options, str(copied)], check=True)

    def run(self, *words: str, typed: str = "", environment: Mapping[str, str] | None = None) -> str:
        """Run the companion with these arguments; return what it wrote."""
        done = subprocess.run(
            [str(self.folder / "bin" / "python"), "-m", "companion", *words],
            input=typed,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": "", **(environment or {})},
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, program: str) -> str:
        """Run a program there; return what it wrote."""
        done = subprocess.run(
            [str(self.folder / "bin" / "python"), "-c", program],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": ""},
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("fresh"))


def test_it_is_among_the_games_that_help_lists(installed: Installed) -> None:
    listed = "".join(installed.run("play", "--help").split())
    assert NAME in listed
    assert "territory" in listed


def test_it_is_played_by_typing_and_its_end_is_announced(installed: Installed, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.sqlite3")
    said = installed.run(
        "play",
        NAME,
        "--camera",
        "none",
        "--players",
        "red,blue",
        "--journal",
        journal,
        typed="\n".join(("a1", "A1", *RED_WINS[1:])) + "\n",
    )
    assert "Red put a disc on A1." in said
    assert "A1 is not empty" in said
    assert "The game is over. Winner: Red." in said
    exported = installed.run("journal", "export", "1", "--journal", journal)
    assert exported.splitlines()[-len(RED_WINS) - 1 : -1] == list(RED_WINS)


def test_its_sentences_come_from_its_own_catalogue(installed: Installed, tmp_path: Path) -> None:
    said = installed.run(
        "play",
        NAME,
        "--camera",
        "none",
        "--players",
        "red,blue",
        "--journal",
        str(tmp_path / "journal.sqlite3"),
        typed="C3\n",
        environment={"LANGUAGE": "de"},
    )
    assert "legt eine Scheibe auf C3." in said


def test_programs_play_it_and_it_recognises_its_positions(installed: Installed) -> None:
    new = {"do": "new", "game": NAME, "players": ["red", "blue"]}
    first = json.loads(installed.run("engine", typed=json.dumps(new)))
    unnamed = {key: value for key, value in first["position"].items() if key != "game"}
    asked = {"do": "play", "position": unnamed, "action": {"place": "C3"}}
    played = json.loads(installed.run("engine", typed=json.dumps(asked)))
    assert played["position"]["discs"] == {"C3": "red"}
    assert played["to_act"] == "blue"


def test_marker_ids_that_another_table_has_are_an_error(installed: Installed, tmp_path: Path) -> None:
    clashing = (PACKAGE / "four_in_line" / "board.toml").read_text().replace("base = 500", "base = 20")
    (tmp_path / "board.toml").write_text(clashing.replace("four-in-line", "another-game"))
    program = (
        "from vision.board import register\nfrom vision.errors import BoardFileError\n"
        f"try:\n    register({str(tmp_path / 'board.toml')!r})\nexcept BoardFileError as error:\n    print(error)\n"
    )
    assert "20" in installed.python(program)

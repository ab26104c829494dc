"""A game that another package has: installed beside the companion it is found, listed, typed, read and judged.

The package is `tests/sixth_game`: discs put on a board, with a table file, sentences and a German catalogue of its own.
Its pictures are read without any training, and simulated players play it before the simulated camera.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "sixth_game"
NAME = "four-in-line"

TYPED = ("play", NAME, "--camera", "none", "--players", "red,blue", "--journal")

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

    def done(
        self, *words: str, typed: str = "", codes: tuple[int, ...] = (0,), **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run Python there with these arguments, and wait for its end."""
        done = subprocess.run(
            [str(self.folder / "bin" / "python"), *words],
            input=typed,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": "", **environment},
            timeout=600,  # a busy machine takes long; only what hangs is to be ended
            check=False,
        )
        assert done.returncode in codes, done.stderr
        return done

    def run(self, *words: str, typed: str = "", codes: tuple[int, ...] = (0,), **environment: str) -> str:
        """Run the companion with these arguments; return what it wrote."""
        return self.done("-m", "companion", *words, typed=typed, codes=codes, **environment).stdout

    def python(self, program: str, *arguments: str) -> str:
        """Run a program there; return what it wrote."""
        return self.done("-c", program, *arguments).stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("fresh"))


def test_it_is_among_the_games_that_help_lists(installed: Installed) -> None:
    listed = "".join(installed.run("play", "--help").split())
    assert NAME in listed
    assert "territory" in listed


def test_it_is_played_by_typing_and_its_end_is_announced(installed: Installed, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.sqlite3")
    said = installed.run(*TYPED, journal, typed="\n".join(("a1", "A1", *RED_WINS[1:])) + "\n")
    assert "Red put a disc on A1." in said
    assert "A1 is not empty" in said
    assert "The game is over. Winner: Red." in said
    exported = installed.run("journal", "export", "1", "--journal", journal)
    actions = [json.loads(line) for line in exported.splitlines()[-len(RED_WINS) - 1 : -1]]
    assert actions == [{"place": cell} for cell in RED_WINS]


def test_its_sentences_come_from_its_own_catalogue(installed: Installed, tmp_path: Path) -> None:
    said = installed.run(*TYPED, str(tmp_path / "journal.sqlite3"), typed="C3\n", LANGUAGE="de")
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


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("ends_with", "reason"),
    [
        ("raise SystemExit(7)", "SystemExit: 7"),
        ("import no_such_library", "no_such_library"),
        ("del BUNDLE", "broken_game has no BUNDLE"),
        ("BUNDLE = {}", "broken_game.BUNDLE is a dict"),
        ("Bundle(engine=BUNDLE.engine, table=TABLE)", "speech"),
    ],
)
def test_a_package_that_is_broken_is_named_and_left_out(
    installed: Installed, tmp_path: Path, ends_with: str, reason: str
) -> None:
    """It stands before the good one on the path, with an entry point of its own."""
    package = tmp_path / "broken_game"
    shutil.copytree(PACKAGE / "four_in_line", package)
    with (package / "__init__.py").open("a") as file:
        file.write(f"\n{ends_with}\n")
    information = tmp_path / "broken_game-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1\n")
    (information / "entry_points.txt").write_text("[companion.games]\nbroken-game = broken_game\n")
    done = installed.done("-m", "companion", "play", "--help", PYTHONPATH=str(tmp_path))
    assert "broken_game" in done.stderr
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1
    listed = "".join(done.stdout.split())
    assert NAME in listed
    assert "broken-game" not in listed


PHOTOGRAPH = """
import json, sys
import cv2, numpy as np
from companion.games import GAMES
from vision.simulation.optics import render
from vision.simulation.random_scene import random_scene
name, out, discs, seed = sys.argv[1:]
board = GAMES[name].board()
labels = {**{cell: "empty" for cell in board.cells}, **json.loads(discs)}
scene = random_scene(board, np.random.default_rng(int(seed)), tier="easy", labels=labels, size_wh=(1640, 1232))
cv2.imwrite(out, render(scene, np.random.default_rng(int(seed))))
"""
"""Draws a simulated photograph of a table with these discs."""

IN_A_ROW = {"A1": "red", "B2": "blue", "B1": "red", "D4": "blue", "C1": "red", "E5": "blue"}


@dataclass(frozen=True)
class Photographer:
    """Takes simulated photographs in the fresh environment."""

    installed: Installed
    folder: Path

    def photograph(self, discs: Mapping[str, str], seed: int = 2) -> str:
        """Return the file with the photograph of these discs."""
        picture = str(self.folder / f"{len(discs)}-{seed}.png")
        self.installed.python(PHOTOGRAPH, NAME, picture, json.dumps(dict(discs)), str(seed))
        return picture

    def judged(self, after: Mapping[str, str]) -> dict[str, Any]:
        """Judge what red has done with the discs `IN_A_ROW`."""
        position = self.folder / "position.json"
        given = {"game": NAME, "players": ["red", "blue"], "turn": "red", "discs": IN_A_ROW, "over": False}
        position.write_text(json.dumps(given))
        words = ("judge", "--game", NAME, "--position", str(position), "--json")
        verdict: dict[str, Any] = json.loads(
            self.installed.run(*words, "--after", self.photograph(after), codes=(0, 1))
        )
        return verdict


@pytest.fixture(scope="module")
def photographer(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Photographer:
    return Photographer(installed, tmp_path_factory.mktemp("pictures"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_its_photographs_are_read_and_scored_without_training(photographer: Photographer, seed: int) -> None:
    picture = photographer.photograph(IN_A_ROW, seed)
    read = json.loads(photographer.installed.run("read", "--json", picture))
    assert read["game"] == NAME
    assert {cell: read["cells"][cell]["label"] for cell in read["cells"]} == {
        **dict.fromkeys(read["cells"], "empty"),
        **IN_A_ROW,
    }
    scored = json.loads(photographer.installed.run("score", "--json", picture))
    assert scored["scores"] == {"red": 3, "blue": 2}


def test_a_legal_disc_in_a_photograph_is_found(photographer: Photographer) -> None:
    verdict = photographer.judged({**IN_A_ROW, "D1": "red"})
    assert verdict["verdict"] == "legal"
    assert verdict["actions"] == [{"place": "D1"}]


@pytest.mark.long
def test_a_disc_moved_in_a_photograph_is_refused(photographer: Photographer) -> None:
    verdict = photographer.judged({**{cell: disc for cell, disc in IN_A_ROW.items() if cell != "A1"}, "A3": "red"})
    assert (verdict["verdict"], verdict["code"], verdict["rule"]) == ("illegal", "disc-removed", "2.1")


@pytest.mark.long
def test_whole_simulated_games_are_played_through_pictures(installed: Installed) -> None:
    said = installed.run("demo", "--fast", "--game", NAME, "--seed", "10")
    counts = re.search(
        r"legal moves seen right: (\d+) of (\d+); others caught: (\d+) of (\d+); wrong verdicts: 0", said
    )
    assert counts is not None, said
    right, legal, caught, others = map(int, counts.groups())
    assert right == legal >= 2 * 4 - 1
    assert caught == others > 0


def test_it_keeps_the_contract_of_all_games(installed: Installed) -> None:
    contracts = [
        str(ROOT / "tests" / "contracts" / f"test_{name}.py") for name in ("adaptors", "games", "games_pressed")
    ]
    words = ["-q", "-p", "no:cacheprovider", "-k", NAME, *contracts]
    counted = re.search(r"(\d+) passed", installed.python(f"import pytest; raise SystemExit(pytest.main({words!r}))"))
    assert counted is not None
    assert int(counted[1]) >= 10 + 16 + 1

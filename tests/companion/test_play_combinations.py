"""Every game, camera, panel and number of players starts, or ends in one sentence with exit code 2."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.arranging import LEVELS
from companion.cli.exits import DONE, UNUSABLE
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.clock import ManualClock
from companion.shell.session import _adviser
from engines.kernel import Level, Seat
from vision.board import shipped_games

PANELS = (None, "simulated", "gpio")
COUNTS = (0, 1, 2, 3, 9)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    folder = tmp_path / "recording"
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), np.full((120, 160, 3), 128, np.uint8))
    return folder


def _players(game: str, count: int) -> list[str]:
    colours = GAMES[game].board().colours or ("anna", "ben", "cleo")
    return ["--players", ",".join((*colours, *(f"guest{n}" for n in range(9)))[:count])] if count else []


@pytest.mark.parametrize(("game", "camera", "panel"), [*product(sorted(shipped_games()), ("none", "files"), PANELS)])
@pytest.mark.parametrize("count", COUNTS)
def test_it_starts_or_says_in_one_sentence_why_not(
    game: str, camera: str, panel: str | None, count: int, recording: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    seen_by = f"files:{recording}" if camera == "files" else camera
    asked = ["--camera", seen_by, *(["--panel", panel] if panel else []), *_players(game, count)]
    code = main(["play", game, *asked])
    error = capfd.readouterr().err
    assert code in (DONE, UNUSABLE), error
    assert (code == UNUSABLE) == (len(error.splitlines()) == 1), error
    assert "fault of ours" not in error


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["royal-study", "--option", "level=7"], '"level" must be'),
        (["royal-study", "--option", "depth=7"], "depth"),
        (["royal-study", "--option", "level"], "expected KEY=VALUE"),
        (["royal-ur", "--dice", "loaded"], 'unknown kind of dice "loaded"'),
        (["royal-ur", "--players", "white,black", "--names", "a,b,c"], "at most 2 names"),
        (["royal-ur", "--players", "white,black", "--companion-seat", "red"], "expected one of white, black"),
        (["royal-ur", "--names", "Anna"], "--names needs --players"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_arranged_is_said_in_one_sentence(
    capfd: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    usual = [] if "--players" in arguments or "--names" in arguments else _players(arguments[0], 2)
    assert main(["play", *arguments, "--camera", "none", *usual]) == UNUSABLE
    error = capfd.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1


def test_options_and_names_are_kept_with_the_game_and_shown_at_its_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("options\nquit\n"))
    arranged = ["--names", "Anna,Ben", "--option", "hourglass=90", "--option", "level=2"]
    assert main(["play", "royal-study", "--camera", "none", "--players", "white,black", *arranged]) == DONE
    told = capsys.readouterr().out
    assert "Hourglass: 90 seconds" in told
    assert "Anna 0, Ben 0" in told


def test_the_levels_of_the_command_line_are_those_of_the_advisers() -> None:
    assert list(LEVELS) == [level.value for level in Level]


@pytest.mark.parametrize("level", Level)
def test_the_adviser_of_the_level_that_was_chosen_is_asked(level: Level) -> None:
    asked: list[Level] = []
    engine = ENGINES["royal-ur"]

    def advise(_position: object, *, level: Level = Level.STRONG) -> None:
        asked.append(level)

    adviser = _adviser(replace(engine, advise=advise), ManualClock(), level)
    adviser(engine.game.new([Seat("white"), Seat("black")], {}, 0))
    assert asked == [level]


def test_an_unknown_level_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "royal-ur", "--camera", "none", "--level", "hard"]) == UNUSABLE
    assert "easy, medium, strong" in capsys.readouterr().err

"""The menu of a terminal: games to resume, games to begin, and the way out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest

from companion.cli import help_text, main
from companion.cli.exits import DONE, UNUSABLE
from companion.cli.menu import menu
from companion.locale import speaking
from tests.companion.conftest import Told
from vision.board import shipped_games

Chosen = Callable[..., str]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("COMPANION_CAMERA", "none")


@pytest.fixture
def chosen(capfd: pytest.CaptureFixture[str]) -> Chosen:
    """Choose from the menu by these lines; return what was printed."""

    def run(*lines: str, run: Callable[[Sequence[str]], int] = main) -> str:
        capfd.readouterr()
        assert menu(run, StringIO("".join(f"{line}\n" for line in lines)).readline, help_text) == DONE
        return capfd.readouterr().out

    return run


def number_of(printed: str, entry: str) -> str:
    return next(line.split()[0] for line in printed.splitlines() if line.endswith(entry))


def test_every_game_can_be_begun_and_a_wrong_number_is_answered(chosen: Chosen) -> None:
    printed = chosen("99", "")
    assert printed.count("New game: ") == len(shipped_games())
    assert "Choose a number from 1 to" in printed
    assert "Go on" not in printed


def test_with_a_camera_the_table_before_it_comes_first(monkeypatch: pytest.MonkeyPatch, chosen: Chosen) -> None:
    assert "on the table now" not in chosen(""), "the settings have no camera"
    monkeypatch.setenv("COMPANION_CAMERA", "webcam:0")
    printed = chosen("")
    assert "  1  What is on the table now?" in printed
    assert "The camera" in printed


@pytest.mark.parametrize(("camera", "number"), [("none", "1"), ("stream:http://127.0.0.1:9/video", "2")])
def test_how_a_phone_becomes_a_camera_is_found_below_the_camera(
    camera: str, number: str, monkeypatch: pytest.MonkeyPatch, chosen: Chosen
) -> None:
    monkeypatch.setenv("COMPANION_CAMERA", camera)
    assert "stream:http://" in chosen(number_of(chosen(""), "The camera"), number, "")


def test_an_unfinished_game_comes_first_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, chosen: Chosen, told: Told
) -> None:
    told("play", "royal-ur", "--players", "white,black", "--names", "Anna,Ben", typed="1\n3\nquit\n")
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    printed = chosen("1", "")
    assert "  1  Go on: 1  " in printed
    assert "The game is not over (Anna 0, Ben 0)" in printed


def test_any_unfinished_game_can_be_gone_on_with_and_the_word_of_the_language_leaves(
    monkeypatch: pytest.MonkeyPatch, chosen: Chosen, told: Told
) -> None:
    for dots in "012":
        told("play", "royal-ur", "--players", "white,black", typed=f"{dots}\nquit\n")
    monkeypatch.setattr("sys.stdin", StringIO("9\n1\nquit\n"))
    with speaking("fr"):
        assert "Premier lancer, points : 0" in chosen("3", "quitter")


def test_a_typed_game_can_be_paused_counted_and_played_again(monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    typed = StringIO("pause\n3\n1\n3\nquit\n")
    monkeypatch.setattr(typed, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", typed)
    printed = told("play", "royal-ur", "--players", "white,black", "--names", "Anna,Ben")
    assert "count now" in printed
    assert "play again" in printed
    assert printed.count("Anna threw") == 1, "the line after the rematch belongs to the new game"
    assert printed.count("Anna: throw the three dice to see who begins.") == 2
    assert "The game is not over" in printed


def _noting(run: list[Sequence[str]]) -> Callable[[Sequence[str]], int]:
    """Return what takes a command and runs none."""

    def note(command: Sequence[str]) -> int:
        run.append(command)
        return DONE

    return note


@pytest.mark.parametrize(
    ("entry", "lines", "command"),
    [
        ("Play against the computer", ("1", "1"), ("play", sorted(shipped_games())[0], "--against", "easy")),
        ("Print a game", ("1",), ("print", "kit", sorted(shipped_games())[0])),
    ],
)
def test_a_game_against_the_computer_or_on_paper_is_begun_from_a_list(
    entry: str, lines: Sequence[str], command: Sequence[str], chosen: Chosen
) -> None:
    run: list[Sequence[str]] = []
    chosen(number_of(chosen(""), entry), *lines, "", run=_noting(run))
    assert run == [command]


@pytest.mark.parametrize(("game", "others"), [("royal-tee", 1), ("territory", 2), ("royal-study", 1)])
def test_against_the_computer_it_plays_every_seat_but_the_first(game: str, others: int, told: Told) -> None:
    printed = told("play", game, "--against", "easy", typed="score\nquit\n")
    facts = [line for line in printed.splitlines() if "easy" in line]
    assert facts
    assert all(line.count("easy") == others for line in facts)


def test_a_command_of_the_menu_runs_after_lines_were_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"first\nscore\nquit\n"), "utf-8"))
    assert main(["games", "--journal", "nowhere.sqlite3"]) == UNUSABLE
    assert sys.stdin.readline() == "first\n"
    assert main(["play", "royal-ur", "--against", "easy", "--camera", "none"]) == DONE


def test_a_long_entry_goes_on_below_its_first_word(monkeypatch: pytest.MonkeyPatch, chosen: Chosen) -> None:
    monkeypatch.setattr("companion.app.output.terminal_room", lambda: os.terminal_size((24, 60)))
    assert "New game: The Royal\n     Study\n" in chosen("")


def test_help_comes_in_pages_that_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, chosen: Chosen) -> None:
    monkeypatch.setattr("companion.cli.menu.terminal_room", lambda: os.terminal_size((80, 24)))
    run: list[Sequence[str]] = []
    printed = chosen(chosen("").splitlines()[-2].split()[0], "q", "", run=_noting(run))
    assert "Press Enter to read on" in printed
    assert "doctor " not in printed, "the first page only"
    assert not run

"""The menu of a terminal: games to go on with, games to begin, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.exits import DONE
from companion.cli.menu import menu
from tests.companion.languages import spoken
from vision.board import shipped_games


def _lines(*lines: str) -> Callable[[], str]:
    return StringIO("".join(f"{line}\n" for line in lines)).readline


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("COMPANION_CAMERA", "none")


def test_every_game_can_be_begun_and_a_wrong_number_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert menu(main, _lines("99", "")) == DONE
    printed = capsys.readouterr().out
    assert printed.count("New game: ") == len(shipped_games())
    assert "Choose a number from 1 to" in printed
    assert "Go on" not in printed


def test_with_a_camera_the_table_before_it_comes_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    menu(main, _lines(""))
    assert "on the table now" not in capsys.readouterr().out, "the settings have no camera"
    monkeypatch.setenv("COMPANION_CAMERA", "webcam:0")
    menu(main, _lines(""))
    printed = capsys.readouterr().out
    assert "  1  What is on the table now?" in printed
    assert "The camera" in printed


def test_an_unfinished_game_comes_first_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("1\n3\nquit\n"))
    main(["play", "royal-ur", "--players", "white,black", "--names", "Anna,Ben"])
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    assert menu(main, _lines("1", "")) == DONE
    printed = capsys.readouterr().out
    assert "  1  Go on: 1  " in printed
    assert "The game is not over (Anna 0, Ben 0)" in printed


def test_any_unfinished_game_can_be_gone_on_with_and_the_word_of_the_language_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for dots in "012":
        monkeypatch.setattr("sys.stdin", StringIO(f"{dots}\nquit\n"))
        main(["play", "royal-ur", "--players", "white,black"])
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", StringIO("9\n1\nquit\n"))
    with spoken("fr"):
        assert menu(main, _lines("3", "quitter")) == DONE
    printed = capsys.readouterr().out
    assert "Premier lancer, points : 0" in printed


def test_a_typed_game_can_be_paused_counted_and_played_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = StringIO("pause\n3\n1\n3\nquit\n")
    monkeypatch.setattr(typed, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["play", "royal-ur", "--players", "white,black", "--names", "Anna,Ben"]) == DONE
    printed = capsys.readouterr().out
    assert "count now" in printed
    assert "play again" in printed
    assert printed.count("Anna threw") == 1, "the line after the rematch belongs to the new game"
    assert printed.count("Anna: throw the three dice to see who begins.") == 2
    assert "The game is not over" in printed

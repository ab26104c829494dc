"""The games that were played: listed, shown, marked, forgotten, deleted, resumed."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest

from companion.app.lines import MOST_DROPPED, MOST_LETTERS, read_line
from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from companion.shell.journal import Journal
from engines.kernel import Seat
from tests.companion.shell.clocks import ManualClock

Ask = Callable[..., str]
UR = ("play", "royal-ur", "--camera", "none", "--players", "white,black", "--names", "Anna,Ben", "--seed", "3")


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run a command on a journal of its own, with these lines typed; return what it said."""

    def asked(*words: str, typed: str = "quit\n", code: int = DONE) -> str:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
        monkeypatch.setenv("COMPANION_CAMERA", "none")
        assert main(list(words)) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    asked(*UR, typed="1\n3\nquit\n")
    return asked


def test_a_game_is_listed_and_shown_with_the_names_of_its_people(ask: Ask) -> None:
    assert "The Royal Game of Ur: 2 actions, Anna and Ben, not finished" in ask("games")
    answer = ask("games", "show", "1")
    assert "Anna threw 1 dot" in answer
    assert "*4" in answer


def test_the_list_is_one_line_of_json_too(ask: Ask) -> None:
    (game,) = json.loads(ask("games", "list", "--json"))["games"]
    assert (game["game"], game["actions"], game["scores"]) == ("royal-ur", 2, None)
    assert game["names"] == {"white": "Anna", "black": "Ben"}


def test_any_unfinished_game_goes_on(ask: Ask) -> None:
    ask(*UR, typed="2\n3\nquit\n")
    ask("games", "resume", "1", typed="2\nquit\n")
    assert ask("games").splitlines()[0].count("3 actions") == 1


def test_of_a_line_without_end_only_the_beginning_is_read(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    ask("games", "resume", typed=f"{'9' * 5000}\n")
    monkeypatch.setattr("sys.stdin", StringIO(f"{'x' * 5000}\nshort\n"))
    assert [len(read_line()), read_line(), read_line()] == [MOST_LETTERS, "short\n", ""]


@pytest.mark.parametrize("argv", [["engine"], [*UR, "--players", "white,black"], ["table", "new", "royal-ur"]])
def test_a_line_that_does_not_end_ends_the_command(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("COMPANION_CAMERA", "none")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(bytes(MOST_DROPPED + 2_000_000)), "utf-8"))
    assert main(argv) == UNUSABLE
    assert capfd.readouterr().err == "companion: standard input has a line that does not end\n"


def test_a_typed_game_goes_on_by_typing_where_no_camera_is_set(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_CAMERA")
    monkeypatch.setattr("sys.stdin", StringIO("2\nquit\n"))
    assert main(["games", "resume", "1"]) == DONE
    assert "3 actions, Anna and Ben, not finished" in ask("games"), "simulated people would have played it to its end"


def test_a_game_can_be_marked_deleted_and_a_name_forgotten(ask: Ask) -> None:
    ask("games", "mark", "1")
    assert "(played wrongly)" in ask("games", "list")
    ask("games", "unmark", "1")
    assert "(played wrongly)" not in ask("games", "list")
    assert 'The name "Anna" was removed from 1 place.' in ask("games", "forget", "Anna")
    assert "White threw 1 dot" in ask("games", "show", "1")
    ask("games", "delete", "1")
    assert "no game 1" in ask("games", "delete", "1", code=UNUSABLE)


def test_statistics_count_finished_games_that_were_played_rightly(ask: Ask, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3", ManualClock())) as journal:
        journal.finish_game(1, {Seat("white"): 12, Seat("black"): 30})
    assert "Ben: 1 game, 1 win, 30.0 points on average, 30 at best" in ask("games", "statistics")
    assert "is finished" in ask("games", "resume", "1", code=UNUSABLE)
    ask("games", "mark", "1")
    assert "No game is finished yet." in ask("games", "statistics")


def test_games_are_listed_while_one_is_played(ask: Ask, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3", ManualClock())):
        assert "The Royal Game of Ur" in ask("games")
        assert "another companion" in ask("games", "delete", "1", code=UNUSABLE)


def test_names_travel_with_a_record_unless_they_are_forgotten(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    file.write_text(ask("games", "export", "1"), "utf-8")
    assert 'names: {"white": "Anna", "black": "Ben"}' in file.read_text("utf-8")
    assert "Anna threw 1 dot" in ask("replay", str(file))
    ask("games", "import", str(file))
    assert "Anna threw 1 dot" in ask("games", "show", "2")
    assert 'The name "anna" was removed from 2 places.' in ask("games", "forget", "anna")
    again = ask("games", "export", "2")
    assert 'names: {"black": "Ben"}' in again
    assert "Anna" not in again
    file.write_text(again.replace('{"black"', '{"red"'), "utf-8")
    assert 'expected "names:" with a name for each of white, black' in ask("replay", str(file), code=UNUSABLE)


def test_a_name_is_forgotten_that_is_a_seat_at_a_table_without_colours(ask: Ask, tmp_path: Path) -> None:
    ask("play", "royal-study", "--camera", "none", typed="Anna Clara, Ben\n5 anna-clara\ndecline\nquit\n")
    (tmp_path / "game.txt").write_text(ask("games", "export", "2"), "utf-8")
    ask("games", "import", str(tmp_path / "game.txt"))
    assert "Anna Clara called 5 moves" in ask("games", "show", "3")
    assert 'The name "anna clara" was removed from 6 places.' in ask("games", "forget", "anna clara")
    for number in ("2", "3"):
        assert "Player-1 called 5 moves" in ask("games", "show", number)
        assert "clara" not in ask("games", "export", number).lower()
    assert "Player-1" in ask("games", "resume", "2", typed="give up\nquit\n")
    assert not [path for path in tmp_path.glob("journal*") if b"Clara" in path.read_bytes()]


def test_a_game_counted_at_nothing_each_is_nobody_s_win(ask: Ask) -> None:
    people = ("--players", "white,black", "--names", "Cleo,Dora")
    ask("play", "royal-ur", "--camera", "none", *people, typed="pause\n3\nquit\n")
    assert "Cleo: 1 game, 0 wins" in ask("games", "statistics")

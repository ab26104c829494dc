"""The games that were played: listed, shown, marked, forgotten, deleted, resumed."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest

from companion.app.history import EVENING_BREAK, evening_lines, evening_of, standing_lines, standings
from companion.app.lines import MOST_DROPPED, MOST_LETTERS, read_line
from companion.app.offers import OfferBook
from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from companion.core.entries import Arranged, Played
from companion.games.engines import ENGINES
from companion.games.record import read_record
from companion.games.review import Feats, count_feats, feats_of, turns_of
from companion.shell.archive import enter
from companion.shell.journal import Journal, RecordedGame
from companion.ui.names import player_name
from engines.kernel import Seat
from tests.companion.conftest import Told
from tests.companion.shell.clocks import ManualClock
from vision.board import shipped_board

UR = ("play", "royal-ur", "--camera", "none", "--players", "white,black", "--names", "Anna,Ben", "--seed", "3")


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Told) -> Told:
    """Run a command on a journal of its own, with these lines typed; return what it said."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("COMPANION_CAMERA", "none")
    told(*UR, typed="1\n3\nquit\n")
    return lambda *words, typed="quit\n", code=DONE: told(*words, typed=typed, code=code)


def test_a_game_is_listed_and_shown_with_the_names_of_its_people_and_as_one_line_of_json(ask: Told) -> None:
    assert "The Royal Game of Ur: 2 actions, Anna and Ben, not finished" in ask("games")
    answer = ask("games", "show", "1")
    assert "Anna threw 1 dot" in answer
    assert "*4" in answer
    (game,) = json.loads(ask("games", "list", "--json"))["games"]
    assert (game["game"], game["actions"], game["scores"]) == ("royal-ur", 2, None)
    assert game["names"] == {"white": "Anna", "black": "Ben"}


def test_any_unfinished_game_goes_on(ask: Told) -> None:
    ask(*UR, typed="2\n3\nquit\n")
    ask("games", "resume", "1", typed="2\nquit\n")
    assert ask("games").splitlines()[0].count("3 actions") == 1


def test_lines_that_ask_for_throws_are_one_throw_each_however_fast_they_come(ask: Told) -> None:
    """The second of two was taken for a contact that bounces, and nothing was said."""
    said = ask(*UR, typed="roll\nroll\nquit\n")
    assert "Anna threw" in said and "Ben threw" in said


def test_of_a_line_without_end_only_the_beginning_is_read(ask: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    ask("games", "resume", typed=f"{'9' * 5000}\n")
    monkeypatch.setattr("sys.stdin", StringIO(f"{'x' * 5000}\nshort\n"))
    assert [len(read_line()), read_line(), read_line()] == [MOST_LETTERS, "short\n", ""]


@pytest.mark.parametrize("argv", [["engine"], [*UR, "--players", "white,black"], ["table", "new", "royal-ur"]])
def test_a_line_that_does_not_end_ends_the_command(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("COMPANION_CAMERA", "none")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(bytes(MOST_DROPPED + 2_000_000)), "utf-8"))
    assert told(*argv, code=UNUSABLE).endswith("companion: standard input has a line that does not end\n")


def test_a_typed_game_goes_on_by_typing_where_no_camera_is_set(ask: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_CAMERA")
    monkeypatch.setattr("sys.stdin", StringIO("2\nquit\n"))
    assert main(["games", "resume", "1"]) == DONE
    assert "3 actions, Anna and Ben, not finished" in ask("games"), "simulated people would have played it to its end"


def test_a_game_can_be_marked_deleted_and_a_name_forgotten(ask: Told) -> None:
    ask("games", "mark", "1")
    assert "(played wrongly)" in ask("games", "list")
    ask("games", "unmark", "1")
    assert "(played wrongly)" not in ask("games", "list")
    assert 'The name "Anna" was removed from 1 place.' in ask("games", "forget", "Anna")
    assert "White threw 1 dot" in ask("games", "show", "1")
    ask("games", "delete", "1")
    assert "no game 1" in ask("games", "delete", "1", code=UNUSABLE)


def test_statistics_count_finished_games_that_were_played_rightly(ask: Told, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3", ManualClock())) as journal:
        journal.finish_game(1, {Seat("white"): 12, Seat("black"): 30})
    assert "Ben: 1 game, 1 win, 30.0 points on average, 30 at best" in ask("games", "statistics")
    assert "is finished" in ask("games", "resume", "1", code=UNUSABLE)
    assert "there is no unfinished game to resume" in ask("games", "resume", code=UNUSABLE)
    ask("games", "mark", "1")
    assert "No game is finished yet." in ask("games", "statistics")


def test_games_are_listed_while_one_is_played(ask: Told, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3", ManualClock())):
        assert "The Royal Game of Ur" in ask("games")
        assert "another companion" in ask("games", "delete", "1", code=UNUSABLE)


def test_a_game_without_a_foreign_notation_says_so(ask: Told) -> None:
    refused = ask("games", "export", "1", "--as", "ppn", code=UNUSABLE)
    assert "royal-ur has no notation for other programs" in refused


def test_names_travel_with_a_record_unless_they_are_forgotten(ask: Told, tmp_path: Path) -> None:
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


def test_a_name_is_forgotten_that_is_a_seat_at_a_table_without_colours(ask: Told, tmp_path: Path) -> None:
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


def test_a_game_counted_at_nothing_each_is_nobody_s_win(ask: Told) -> None:
    people = ("--players", "white,black", "--names", "Cleo,Dora")
    ask("play", "royal-ur", "--camera", "none", *people, typed="pause\n3\nquit\n")
    assert "Cleo: 1 game, 0 wins" in ask("games", "statistics")


# ---- statistics over many games: wins, averages, single feats, and the tally of an evening


GOLDEN = Path(__file__).parents[1] / "golden"
SEVEN = datetime(2026, 1, 3, 19, 0, tzinfo=UTC)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "journal.sqlite3", ManualClock())) as opened:
        for game, name in (("territory", "three-players"), ("royal-ur", "advised-black"), ("royal-ur", "random-1")):
            enter(opened, read_record((GOLDEN / game / "games" / f"{name}.txt").read_text("utf-8")))
        yield opened


def counted(game: str, name: str) -> dict[str, list[str]]:
    record = read_record((GOLDEN / game / "games" / f"{name}.txt").read_text("utf-8"))
    found: dict[str, Feats] = {}
    for seat, place, number in count_feats(game, list(turns_of(record))):
        found.setdefault(seat, Feats()).numbers.setdefault(place, []).append(number)
    return {seat: feats.words(game) for seat, feats in found.items()}


@pytest.mark.parametrize("game", ENGINES)
def test_every_game_counts_feats_and_some_happen_in_its_recorded_games(game: str) -> None:
    assert len(feats_of(game)) >= 2
    records = sorted((GOLDEN / game / "games").glob("*.txt"))
    assert any(counted(game, path.stem) for path in records[:4])


def test_the_longest_walk_and_the_longest_solution_without_a_step_too_many_are_remembered() -> None:
    assert counted("royal-tee", "two-at-random")["green"] == ["longest walk: 9 steps", "most with one walk: 45 spaces"]
    assert counted("royal-study", "level-1")["white"][1] == "best solution: 10 moves, none too many"


def test_busts_are_counted_as_the_events_are() -> None:
    record = read_record((GOLDEN / "territory" / "games" / "six-players.txt").read_text("utf-8"))
    busts = sum(event.name == "busted" for turn in turns_of(record) for event in turn.events)
    lines = counted("territory", "six-players").values()
    assert busts == sum(int(word.split()[0]) for line in lines for word in line if "bust" in word)
    assert busts > 0


def test_points_and_wins_are_added_up_by_game_and_player(journal: Journal) -> None:
    found = standings(journal.games())
    assert {game: sum(one.wins for one in players.values()) for game, players in found.items()} == {
        "territory": 1,
        "royal-ur": 2,
    }
    assert found["royal-ur"]["White"].games == 2
    lines = list(standing_lines(journal.games()))
    assert any("counters hit" in line for line in lines)


def test_two_players_of_one_name_are_two_in_statistics_and_tally() -> None:
    white, black = Seat("white"), Seat("black")
    agreed, scores = Arranged({white: "Anna", black: "Anna"}), {white: 7, black: 3}
    game = RecordedGame(1, "royal-ur", {}, SEVEN.isoformat(), (agreed,), "", scores)
    assert {name: one.points for name, one in standings([game])["royal-ur"].items()} == {
        "Anna (White)": [7],
        "Anna (Black)": [3],
    }
    assert list(evening_lines([game]))[-1] == "The evening: Anna (White) 0 wins, Anna (Black) 0 wins"
    assert [agreed.person(seat) for seat in (white, black)] == ["white", "black"], "their wins of an evening"
    assert Arranged({white: "Anna", black: ""}).person(white) == "Anna"
    assert Arranged({white: "Anna", black: ""}).person(black) == "black"


def test_a_name_is_one_person_whatever_its_capitals() -> None:
    """`games forget anna` forgets Anna, too."""
    scores = {Seat("white"): 7, Seat("black"): 3}
    games = [
        RecordedGame(number, "royal-ur", {}, SEVEN.isoformat(), (Arranged({Seat("white"): name}),), "", scores)
        for number, name in enumerate(("Anna", "anna"), 1)
    ]
    assert {name: one.points for name, one in standings(games)["royal-ur"].items()} == {
        "Anna": [7, 7],
        "Black": [3, 3],
    }
    assert list(evening_lines(games))[-1] == "The evening: Anna 0 wins, Black 0 wins"
    alike = Arranged({Seat("white"): "Anna", Seat("black"): "anna"})
    assert alike.person(Seat("black")) == "black"
    assert player_name("black", alike.names) == "anna (Black)"


def test_a_game_that_was_played_wrongly_brings_no_feats_either(journal: Journal) -> None:
    for number in (2, 3):
        journal.mark_misplayed(number, misplayed=True)
    assert not any("counter" in line for line in standing_lines(journal.games()))
    assert evening_of(journal.games()) == [1]


def test_a_game_that_can_no_longer_be_read_counts_with_its_points_alone(journal: Journal) -> None:
    journal.finish_game(journal.start_game("royal-ur", {"game": "royal-ur"}), {Seat("white"): 7})
    white = standings(journal.games())["royal-ur"]["White"]
    assert (white.games, white.points[-1]) == (3, 7)
    assert "The Royal Game of Ur: nobody" in list(evening_lines(journal.games()))


def test_offers_keep_no_actions_of_finished_games(journal: Journal) -> None:
    def actions() -> int:
        gc.collect()
        return sum(isinstance(one, Played) for one in gc.get_objects())

    before = actions()
    book = OfferBook(journal.games(), {})
    assert actions() == before, "a small machine has no room for a long journal"
    (offer, *_others) = book.offers(shipped_board("territory"), {}).offers
    assert len(offer.players) == 3, "those of the last game"


def _begun(number: int, after: timedelta, scores: dict[Seat, int] | None) -> RecordedGame:
    started = (SEVEN + after).isoformat()
    return RecordedGame(number, "no-such-game", {}, started, (), "", scores)


def test_an_evening_ends_with_a_long_break_and_unfinished_games_are_left_out() -> None:
    scores = {Seat("red"): 3, Seat("blue"): 2}
    games = [
        _begun(1, -2 * EVENING_BREAK, scores),
        _begun(2, timedelta(0), scores),
        _begun(3, timedelta(hours=1), None),
        _begun(4, timedelta(hours=5), scores),
    ]
    assert evening_of(games) == [2, 4]
    assert evening_of([]) == []
    assert list(evening_lines([])) == []


def test_a_game_begun_by_a_wrong_clock_neither_stays_the_last_evening_nor_splits_one() -> None:
    scores = {Seat("red"): 3, Seat("blue"): 2}
    evening = [_begun(2, timedelta(0), scores), _begun(3, timedelta(hours=1), scores)]
    ten_years = timedelta(days=3650)
    assert evening_of([_begun(1, ten_years, scores), *evening]) == [1, 2, 3]
    wrong_between = [evening[0], _begun(9, -5 * ten_years, scores), _begun(10, timedelta(hours=2), scores)]
    assert evening_of(wrong_between) == [2, 9, 10]
    assert evening_of([_begun(1, -2 * EVENING_BREAK, scores), *wrong_between[1:]]) == [9, 10]
    assert evening_of([_begun(1, -2 * EVENING_BREAK, scores), *evening]) == [2, 3]


def test_the_tally_names_the_winners_of_each_game_and_counts_their_wins(journal: Journal) -> None:
    lines = list(evening_lines(journal.games()))
    assert lines[0] == "Territory: Green"
    assert lines[-1].startswith("The evening: ")
    assert sum(int(part.split()[-2]) for part in lines[-1].removeprefix("The evening: ").split(", ")) == 3

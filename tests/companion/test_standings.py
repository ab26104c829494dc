"""Statistics over many games: wins, averages, single feats, and the tally of an evening."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.app.history import EVENING_BREAK, evening_lines, evening_of, standing_lines, standings
from companion.games.engines import ENGINES
from companion.games.record import read_record
from companion.games.review import Feats, count_feats, feats_of, turns_of
from companion.shell.archive import enter
from companion.shell.journal import Journal, RecordedGame
from engines.kernel import Seat
from tests.companion.shell.clocks import ManualClock

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


def test_a_walk_of_many_spaces_is_remembered() -> None:
    assert counted("royal-tee", "two-at-random")["green"] == ["longest walk: 9 steps", "most with one walk: 45 spaces"]


def test_the_longest_solution_without_a_step_too_many_is_the_best() -> None:
    found = counted("royal-study", "level-1")
    assert found["white"][1] == "best solution: 10 moves, none too many"


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


def test_a_game_that_was_played_wrongly_brings_no_feats_either(journal: Journal) -> None:
    for number in (2, 3):
        journal.mark_misplayed(number, misplayed=True)
    assert not any("counter" in line for line in standing_lines(journal.games()))
    assert evening_of(journal.games()) == [1]


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
    assert evening_of([_begun(1, -2 * EVENING_BREAK, scores), *evening]) == [2, 3]


def test_the_tally_names_the_winners_of_each_game_and_counts_their_wins(journal: Journal) -> None:
    lines = list(evening_lines(journal.games()))
    assert lines[0] == "Territory: Green"
    assert lines[-1].startswith("The evening: ")
    assert sum(int(part.split()[-2]) for part in lines[-1].removeprefix("The evening: ").split(", ")) == 3

"""Whole games: recorded ones, re-judged, and random ones to their end.

The rules set no limit to the throws (RULES.md 6.3), so the test does: far above what random games need.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engines.kernel import Outcome
from engines.royal_ur import GAME, notation
from engines.royal_ur.position import Position
from tests.engines.royal_ur import records
from tests.engines.royal_ur.strategies import NEW_GAMES, random_action, random_step

GOLDEN = Path(__file__).parents[2] / "golden" / "royal-ur"
GAMES = sorted((GOLDEN / "games").glob("*.txt"))
FAR_TOO_MANY_ACTIONS = 5000


@pytest.mark.parametrize("record", GAMES, ids=lambda record: record.stem)
def test_a_recorded_game_comes_to_the_end_that_is_written(record: Path) -> None:
    text = record.read_text("utf-8")
    assert records.rewritten(text) == text
    assert "result: white 0 black 0" not in text


def test_the_recorded_games_have_not_silently_gone() -> None:
    assert len(GAMES) >= 10


def test_the_recorded_games_show_every_kind_of_event() -> None:
    found = {event.name for record in GAMES for event in records.events_of(record.read_text("utf-8"))}
    assert found == {
        *("threw-off", "throw-off-tied", "threw", "no-move", "turn", "moved", "moved-on", "hit", "sent-off"),
        *("offered", "entered", "declined", "forfeit", "forfeit-void", "home", "game-over"),
    }


@pytest.mark.parametrize("start", NEW_GAMES, ids=["fair", "throw-off", "other copy"])
@pytest.mark.parametrize("seed", range(4))
def test_a_random_game_comes_to_its_end_and_only_the_winner_scores(start: Position, seed: int) -> None:
    random, position = Random(seed), start
    for _ in range(FAR_TOO_MANY_ACTIONS):
        if position.over:
            break
        position = random_step(position, random)
    assert position.over
    assert min(GAME.score(position).values()) == 0


@pytest.mark.parametrize("start", NEW_GAMES, ids=["fair", "throw-off", "other copy"])
def test_a_game_in_json_goes_the_same_way(start: Position) -> None:
    """Every position and action goes out as JSON and comes in again, as another program would have it."""
    random, position = Random(1), start
    while not position.over:
        action = random_action(position, random)
        found = GAME.position_from_json(GAME.position_to_json(position))
        outcome = GAME.play(found, GAME.action_from_json(GAME.action_to_json(action)))
        assert outcome == GAME.play(position, action)
        assert isinstance(outcome, Outcome)
        position = outcome.position


def _counts() -> list[tuple[str, int, int]]:
    lines = (GOLDEN / "counts.txt").read_text("utf-8").splitlines()
    columns = [line.rsplit(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [(position, int(plies), int(number)) for position, plies, number in columns]


@pytest.mark.parametrize(("position", "plies", "number"), _counts())
def test_the_known_numbers_of_ways_to_go_on_come_out(position: str, plies: int, number: int) -> None:
    assert _ways(notation.read_position(position), plies) == number


def test_the_known_numbers_have_not_silently_gone() -> None:
    assert len(_counts()) >= 12


def _ways(position: Position, plies: int) -> int:
    """Count the series of that many throws and decisions; one that ends the game early counts once."""
    if plies == 0 or position.over:
        return 1
    return sum(_ways(after, plies - 1) for after in _followers(position))


def _followers(position: Position) -> list[Position]:
    dice = [notation.read_action(f"roll {dots}") for dots in range(4)] if GAME.to_act(position) == "dice" else []
    outcomes = [GAME.play(position, action) for action in (*dice, *GAME.actions(position))]
    return [outcome.position for outcome in outcomes if isinstance(outcome, Outcome)]

"""How a score comes about: the parts add up to what the engine counts, and every part has its sentence."""

from __future__ import annotations

import re

import pytest

from companion.games.engines import ENGINES
from companion.games.speech import SPEECHES, score_lines
from engines.kernel import Seat
from tests.companion.games.speeches import tables_of
from tests.companion.games.test_words_typed import position_after
from tests.contracts.tables import played


@pytest.mark.parametrize("game", ENGINES)
def test_the_parts_are_the_score_of_the_engine(game: str) -> None:
    for name in tables_of(game):
        for position in played(name).sample(12):
            score, parts = ENGINES[game].game.score(position), SPEECHES[game].score_parts(position, {})
            assert {part.seat: part.points for part in parts} == dict(score)
            for part in parts:
                assert part.points in (sum(item.points for item in part.items), 0)


@pytest.mark.parametrize("game", ENGINES)
def test_every_part_is_reported_in_sentences(game: str) -> None:
    for name in tables_of(game):
        for position in played(name).sample(12):
            for line in score_lines(game, position, {Seat("red"): "Zoë"}):
                assert re.fullmatch(r"[A-Za-zZoë0-9].*\.", line), line
                assert not re.search(r"[{}_]|None", line), line


def test_a_group_is_counted_space_by_space() -> None:
    position = position_after("territory", "red green blue", "roll 3 4", "place H1")
    position = ENGINES["territory"].game.position_from_json(
        {**ENGINES["territory"].game.position_to_json(position), "owners": {"A1": "red", "B1": "red", "D8": "red"}}
    )
    assert score_lines("territory", position)[0] == (
        "The best group of Red: 11 points (D8). 1 other group does not count."
    )


def test_how_close_a_solution_came_is_reported_after_the_execution() -> None:
    position = position_after("royal-study", "anna", together=True)
    assert not any("fewest" in line for line in score_lines("royal-study", position))
    engine = ENGINES["royal-study"]
    for action in ("B C2-B2", "give-up"):
        outcome = engine.game.play(position, engine.notation.read_action(action))
        position = getattr(outcome, "position", position)
    assert re.search(
        r"It took \d moves?; the fewest possible are \d+ moves\.", " ".join(score_lines("royal-study", position))
    )

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.grid import Bitboard, CellIndex, set_of
from engines.royal_tee import GAME, notation
from engines.royal_tee.board import NEIGHBOURS
from engines.royal_tee.listing import ChoiceList
from engines.royal_tee.position import Position
from engines.royal_tee.rules import actions, distinct_walks, reach, steps_from
from tests.engines.royal_tee import reference
from tests.engines.royal_tee.strategies import positions

COUNTS = Path(__file__).parents[2] / "golden" / "royal-tee" / "walks.txt"


def _counts() -> list[tuple[str, int, int]]:
    lines = COUNTS.read_text("utf-8").splitlines()
    columns = [line.rsplit(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [(position, int(outcomes), int(walks)) for position, outcomes, walks in columns]


@pytest.mark.parametrize(("position", "outcomes", "walks"), _counts())
def test_the_known_numbers_of_outcomes_and_walks_come_out(position: str, outcomes: int, walks: int) -> None:
    before = notation.read_position(position)
    ends = reach(before, before.slider)[-1].values()
    assert (sum(map(len, ends)), sum(sum(counts.values()) for counts in ends)) == (outcomes, walks)


def test_the_known_numbers_have_not_silently_gone() -> None:
    assert len(_counts()) >= 21


@given(positions(st.integers(1, 5)))
def test_counting_layer_by_layer_agrees_with_walking_every_walk(position: Position) -> None:
    counted = {
        (end, visited): walks
        for end, by_visited in reach(position, position.slider)[-1].items()
        for visited, walks in by_visited.items()
    }
    assert counted == reference.outcomes(position, position.slider)


@given(positions(st.integers(1, 5)))
def test_every_example_is_a_walk_with_its_end_and_visited_spaces(position: Position) -> None:
    for found in distinct_walks(position):
        assert _is_walk(position, found.example)
        assert _walked(position, found.example) == (found.end, found.visited)


@given(positions(st.integers(1, 5)))
def test_the_list_for_the_protocol_is_counted_paged_and_written_as_if_it_were_made(position: Position) -> None:
    made, listed = GAME.actions_to_json(position), ChoiceList(position)
    assert (len(listed), [*listed], listed[1:3]) == (len(made), made, made[1:3])
    assert listed.text() == json.dumps(made)


@given(positions(st.integers(1, 4)))
def test_the_list_for_the_protocol_agrees_with_walking_every_walk(position: Position) -> None:
    if not position.over and steps_from(position, position.royal(position.turn)):
        made: list[dict[str, Any]] = [dict(walk) for walk in GAME.actions_to_json(position)]
        found = {(walk["end"], *walk["visited"]): walk["walks"] for walk in reference.listing(position)}
        assert found == {(walk["end"], *walk["visited"]): walk["walks"] for walk in made}


@given(positions())
def test_every_action_is_listed_once_and_none_when_the_game_is_over(position: Position) -> None:
    listed = actions(replace(position, slider=min(position.slider, 3)))
    assert len(listed) == len(set(listed))
    assert bool(listed) != position.over


def _walked(position: Position, walk: tuple[CellIndex, ...]) -> tuple[CellIndex, Bitboard]:
    return walk[-1], set_of([position.royal(position.turn), *walk])


def _is_walk(position: Position, walk: tuple[CellIndex, ...]) -> bool:
    here = position.royal(position.turn)
    for there in walk:
        if there not in steps_from(position, here) or there not in NEIGHBOURS[here]:
            return False
        here = there
    return True

"""The best walk: held against every walk there is, played out by the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.grid import CellIndex
from engines.kernel import Event, Level
from engines.royal_tee import GAME, notation
from engines.royal_tee.lookahead import WON, distances, final, outlook
from engines.royal_tee.position import Action, Position
from engines.royal_tee.search import advise
from engines.royal_tee.shapes import bits_by_table, longest
from tests.engines.royal_tee.strategies import positions
from tests.narrow import there


def _points_after(position: Position, action: Action) -> tuple[int, int]:
    """Return what the mover has after an action, and its lead."""
    points = dict(GAME.score(GAME.after(position, action).position))
    own = points.pop(position.turn)
    return own, own - max(points.values())


@settings(max_examples=60)
@given(positions(st.integers(1, 4)).filter(lambda position: not position.over), st.sampled_from(Level))
def test_the_lead_is_the_one_that_the_walk_comes_to(position: Position, level: Level) -> None:
    advice = there(advise(position, level=level))
    assert advice.value == advice.numbers["lead"] == _points_after(position, advice.action)[1]


@settings(max_examples=60)
@given(
    positions(st.integers(1, 4)).filter(lambda position: not position.over), st.sampled_from([Level.EASY, Level.MEDIUM])
)
def test_no_walk_takes_more_than_the_one_that_an_easy_or_a_medium_adviser_proposes(
    position: Position, level: Level
) -> None:
    advice = there(advise(position, level=level))
    most, _lead = max(_points_after(position, action) for action in GAME.actions(position))
    assert _points_after(position, advice.action)[0] == most


@settings(max_examples=60)
@given(positions(st.integers(1, 4)).filter(lambda position: not position.over))
def test_the_numbers_are_those_of_the_events_of_the_walk(position: Position) -> None:
    advice = there(advise(position))
    outcome = GAME.after(position, advice.action)
    claimed, enclosed, taken = (0, 0, 0)
    for event in map(Event.to_json, outcome.events):
        found: Any = event
        claimed += len(found["cells"]) if found["event"] == "claimed" else 0
        enclosed += len(found["cells"]) if found["event"] == "enclosed" else 0
        taken += sum(map(len, found.get("taken", {}).values()))
    numbers = advice.numbers
    assert (numbers["gained"], numbers["enclosed"], numbers["taken"]) == (claimed + enclosed, enclosed, taken)


@pytest.mark.parametrize(
    ("position", "action", "code"),
    [
        ("red@bottom,green@top red 1 6B5/12/12/12/12/12/12/12/12/12/12/5A6", "F11", "claims"),
        ("red@bottom,green@top red 1 6B5/12/12/12/12/12/12/12/12/12/5b6/5A6", "F11", "takes"),
        ("red@bottom,green@top red 1 Ab10/2B9/12/12/12/12/12/12/12/12/12/12", "B1", "takes"),
        ("red@bottom,green@top red 1 6B5/12/12/12/12/2aaaaa5/2a3a5/2a3a5/2a3a5/2aa1aa5/4A7/12", "E10", "encloses"),
        (
            "red@bottom,blue@right,green@top,yellow@left blue 9 10CB/11D/12/12/12/12/12/12/12/12/12/5A6",
            "pass",
            "boxed-in",
        ),
    ],
    ids=["claims", "takes", "takes rather than claims", "encloses", "boxed in"],
)
def test_the_reason_is_what_brings_the_walk_most(position: str, action: str, code: str) -> None:
    advice = there(advise(notation.read_position(position), level=Level.MEDIUM))
    assert (notation.write_action(advice.action), advice.code) == (action, code)


def test_of_equal_walks_one_is_proposed_that_leaves_fewer_spaces_within_anothers_reach() -> None:
    """Green stands two spaces above: walking towards it exposes two spaces, walking elsewhere only the first."""
    position = notation.read_position("red@bottom,green@top red 1 12/12/12/5B6/12/5A6/12/12/12/12/12/12")
    advice = there(advise(position, level=Level.MEDIUM))
    assert notation.write_action(advice.action) in {"E6", "G6", "F7"}
    assert advice.numbers["exposed"] == 1


def test_there_is_nothing_to_propose_when_the_game_is_over() -> None:
    over = notation.read_position(
        "red@bottom,green@top red 9 " + "/".join(["B" + "b" * 11, *["a" * 12] * 10, "A" + "a" * 11])
    )
    assert advise(over) is None


# ---- the strong adviser's look ahead: what positions are worth, and that the game is not ended at the wrong time


@pytest.mark.parametrize(
    ("rows", "advised"),
    [
        (["B" + "b" * 11, *["b" * 12] * 4, *["a" * 12] * 5, "aaaaa1aaaaaa", "aaaaaAaaaaaa"], {"F11"}),
        (["B" + "b" * 11, *["b" * 12] * 6, "aaaaa1aaaaaa", "aaaaaAaaaaaa", *["a" * 12] * 3], {"E9", "G9", "F10"}),
        ([*["b" * 12] * 8, *["a" * 12] * 2, "1" + "a" * 11, "AB" + "b" * 10], {"A11"}),
    ],
    ids=["a win is taken at once", "who is behind does not claim the last space", "the only walk is walked"],
)
def test_the_game_is_ended_only_by_who_wins_or_has_no_other_walk(rows: list[str], advised: set[str]) -> None:
    advice = advise(notation.read_position(f"red@bottom,green@top red 1 {'/'.join(rows)}"))
    assert notation.write_action(there(advice).action) in advised


@pytest.mark.parametrize("unclaimed", [1, 12, 60])
def test_a_larger_lead_is_worth_more_and_a_win_most(unclaimed: int) -> None:
    worth = outlook([-20, -5, 0, 5, 20], 0, unclaimed, 0)
    assert list(worth) == sorted(worth)
    assert -WON < worth[0] < worth[-1] < final(1)
    assert final(-1) < worth[0]


def test_a_lead_is_worth_more_the_fewer_spaces_are_left_and_the_nearer_they_are() -> None:
    few, many, far = outlook(10, 10, [4, 40, 4], [0, 0, 6])
    assert few > far > many


def test_the_longest_walks_from_a_corner_are_those_that_step_nowhere_twice() -> None:
    sets = longest(CellIndex(132), 3)
    assert sets.shape == (12, 9)


def test_distances_are_those_of_steps() -> None:
    away = distances(1 << 0 | 1 << 143)
    assert (away[0], away[1], away[13], away[142], away[11]) == (0, 1, 2, 1, 11)
    assert not distances(0).any()


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_bits_are_counted_without_numpy_2_as_with_it(dtype: type[np.uint32 | np.uint64]) -> None:
    words = np.random.default_rng(5).integers(0, np.iinfo(dtype).max, (3, 50), dtype, endpoint=True)
    for held in (words, words[:, ::3]):  # also where the words do not lie side by side
        assert bits_by_table(held).tolist() == [[int(word).bit_count() for word in row] for row in held]

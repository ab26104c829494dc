"""The strong adviser's look ahead: what positions are worth, and that the game is not ended at the wrong time."""

from __future__ import annotations

import pytest

from engines.grid import CellIndex
from engines.royal_tee import notation
from engines.royal_tee.lookahead import WON, distances, final, outlook
from engines.royal_tee.search import advise
from engines.royal_tee.shapes import longest

BEHIND = ["B" + "b" * 11, *["b" * 12] * 6, "aaaaa1aaaaaa", "aaaaaAaaaaaa", *["a" * 12] * 3]
ONE_WAY = [*["b" * 12] * 8, *["a" * 12] * 2, "1" + "a" * 11, "AB" + "b" * 10]


def _advised(rows: list[str]) -> str:
    advice = advise(notation.read_position(f"red@bottom,green@top red 1 {'/'.join(rows)}"))
    assert advice is not None
    return notation.write_action(advice.action)


def test_who_is_behind_does_not_claim_the_last_space() -> None:
    assert _advised(BEHIND) in {"E9", "G9", "F10"}


def test_the_only_walk_is_walked_even_if_it_ends_the_game_with_a_loss() -> None:
    assert _advised(ONE_WAY) == "A11"


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

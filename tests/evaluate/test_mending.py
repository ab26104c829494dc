"""A misreading is mended at the panel: a short selection of what `python -m tests.evaluate.mending` plays."""

from __future__ import annotations

import pytest

from companion.games import SIMULATED
from tests.evaluate.mending import Cost, evening


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", SIMULATED)
def test_no_misreading_leaves_people_stuck(game: str) -> None:
    cost = Cost()
    for seed in (1, 2):
        cost.add(evening(game, seed, turns=3))
    assert cost.misreadings > 0
    assert (cost.stuck, cost.dear) == ([], [])

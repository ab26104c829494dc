"""Nine steps out of a position, without flicker."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.panel import SLIDER_STEPS
from hardware.parts import Detents

positions = st.floats(0.0, 1.0)


@pytest.mark.parametrize(("position", "step"), [(0.0, 1), (0.05, 1), (0.5, 5), (0.95, 9), (1.0, 9)])
def test_the_first_position_reports_its_step(position: float, step: int) -> None:
    assert Detents().moved_to(position) == step


@given(positions, st.lists(st.floats(-0.02, 0.02)))
def test_a_hand_that_trembles_by_a_fiftieth_moves_one_step_at_most(start: float, tremble: list[float]) -> None:
    detents = Detents()
    detents.moved_to(start)
    moves = [step for shift in tremble if (step := detents.moved_to(min(max(start + shift, 0.0), 1.0)))]
    assert len(moves) <= 1


@given(st.lists(positions, min_size=1))
def test_the_step_reported_last_is_never_a_whole_step_off(path: list[float]) -> None:
    detents, last = Detents(), 0
    for position in path:
        last = detents.moved_to(position) or last
        assert last - 1 - 0.25 <= position * SLIDER_STEPS <= last + 0.25
        assert 1 <= last <= SLIDER_STEPS


def test_sliding_from_end_to_end_reports_every_step_in_order() -> None:
    detents = Detents()
    found = [step for position in range(1001) if (step := detents.moved_to(position / 1000))]
    assert found == list(range(1, 10))

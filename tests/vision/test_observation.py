"""What an observation says of stacks whose number is not sure."""

from __future__ import annotations

import numpy as np
import pytest

from vision.observation import Observation

LABELS = ("empty", "red", "red*2", "red*3", "green")


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        ((0.0, 0.5, 0.5, 0.0, 0.0), {"A1": (1, 2)}),
        ((0.0, 0.01, 0.5, 0.49, 0.0), {"A1": (2, 3)}),
        ((0.0, 0.01, 0.99, 0.0, 0.0), {}),
        ((0.0, 0.96, 0.04, 0.0, 0.0), {"A1": (1, 2)}),
        ((0.96, 0.02, 0.02, 0.0, 0.0), {}),
        ((0.5, 0.25, 0.25, 0.0, 0.0), {}),
        ((0.99, 0.01, 0.0, 0.0, 0.0), {}),
    ],
)
def test_the_numbers_that_may_be_on_one_another_are_named_where_it_is_sure_what_is_there(
    p: tuple[float, ...], expected: dict[str, tuple[int, int]]
) -> None:
    seen = Observation(("A1",), LABELS, np.array([p]), np.ones(1, dtype=bool))
    assert seen.open_heights() == expected


def test_a_low_level_makes_no_range_narrower() -> None:
    p = np.array([(0.0, 0.04, 0.5, 0.46, 0.0)])
    assert Observation(("A1",), LABELS, p, np.ones(1, dtype=bool), sure=0.8).open_heights() == {"A1": (1, 3)}


def test_of_a_hidden_cell_no_number_is_named() -> None:
    seen = Observation(("A1",), LABELS, np.array([(0.0, 0.5, 0.5, 0.0, 0.0)]), np.zeros(1, dtype=bool))
    assert seen.open_heights() == {}

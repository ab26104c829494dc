"""Bounds of error rates are exact, and levels of doubt keep them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.evaluate.tables import rate_interval
from vision.training.risk import LEVELS, least_confidence, upper_bound


@pytest.mark.parametrize(
    ("errors", "trials", "expected"),
    [
        (0, 100, 1 - 0.05 ** (1 / 100)),
        (0, 3000, 1 - 0.05 ** (1 / 3000)),
        (1, 10, 0.394163),  # from tables of the beta distribution
        (3, 3, 1.0),
        (0, 0, 1.0),
    ],
)
def test_the_upper_bound_is_that_of_clopper_and_pearson(errors: int, trials: int, expected: float) -> None:
    assert upper_bound(errors, trials) == pytest.approx(expected, abs=2e-5)


def test_an_interval_has_its_rate_inside_and_grows_with_confidence() -> None:
    low, high = rate_interval(5, 50)
    assert (low, high) == pytest.approx((0.033275, 0.218135), abs=2e-5)
    wider = rate_interval(5, 50, 0.99)
    assert wider[0] < low < 0.1 < high < wider[1]
    assert rate_interval(0, 50)[0] == 0.0


def _cells(n: int, wrong: dict[float, int]) -> tuple[np.ndarray, np.ndarray]:
    """Make n cells that are right at full confidence and wrong ones at lower ones."""
    confidence = np.concatenate([np.ones(n), *(np.full(count, level) for level, count in wrong.items())])
    return confidence, np.arange(len(confidence)) < n


def test_the_level_goes_down_as_far_as_errors_stay_rare() -> None:
    assert least_confidence(*_cells(4000, {}), most_errors=1e-3) == LEVELS[-1]
    assert least_confidence(*_cells(4000, {0.705: 20}), most_errors=1e-3) == 0.71
    assert least_confidence(*_cells(4000, {0.995: 20, 0.6: 1}), most_errors=1e-3) == 1.0


def test_too_few_cells_give_no_level() -> None:
    assert least_confidence(*_cells(500, {}), most_errors=1e-3) == 1.0

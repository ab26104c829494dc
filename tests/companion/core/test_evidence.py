from __future__ import annotations

import numpy as np
import pytest

from companion.core.evidence import CORRELATION, RESIDUAL_ERROR, distrusted, gather
from engines.kernel import Cell
from vision.observation import Observation

CELLS, LABELS = ("A1", "B1"), ("empty", "red", "green")


def seen(first: tuple[float, ...], second: tuple[float, ...] = (1.0, 0.0, 0.0), *, both: bool = True) -> Observation:
    return Observation(CELLS, LABELS, np.array([first, second]), np.array([True, both]))


def test_a_hidden_cell_speaks_for_nothing() -> None:
    evidence = gather([seen((0.05, 0.95, 0.0), both=False)])
    assert [evidence.of(Cell("B1"), label) for label in LABELS] == [0.0, 0.0, 0.0]
    assert evidence.unsure() == ("B1",)


def test_a_cell_counts_in_the_frames_in_which_it_is_visible() -> None:
    evidence = gather([seen((0.5, 0.5, 0.0), (0.1, 0.9, 0.0), both=both) for both in (True, False, False)])
    assert evidence.of(Cell("B1"), "red") == pytest.approx(np.log(0.9), abs=0.001)


def test_frames_of_one_table_count_less_than_independent_ones_but_more_than_one() -> None:
    odds = [
        (e := gather([seen((0.2, 0.8, 0.0))] * n)).of(Cell("A1"), "red") - e.of(Cell("A1"), "empty") for n in (1, 3, 30)
    ]
    assert odds[0] == pytest.approx(np.log(4), abs=0.01)
    assert odds[1] == pytest.approx(1.5 * np.log(4), abs=0.01)
    assert odds[1] < odds[2] < np.log(4) / CORRELATION


def test_no_single_cell_outweighs_everything() -> None:
    evidence = gather([seen((1.0, 0.0, 0.0))] * 6)
    assert evidence.log_p.min() == pytest.approx(np.log(RESIDUAL_ERROR / 3))


def test_probabilities_still_add_up_to_one() -> None:
    evidence = gather([seen((0.2, 0.5, 0.3)), seen((0.1, 0.1, 0.8))])
    assert np.exp(evidence.log_p[0]).sum() == pytest.approx(1.0)


@pytest.mark.parametrize(("told_before", "kept"), [(1.0, 1.0), (0.5, 0.5), (0.0, 0.0)])
def test_a_cell_that_was_told_badly_before_is_trusted_less_now(told_before: float, kept: float) -> None:
    before = seen((told_before, 1.0 - told_before, 0.0))
    now = distrusted(seen((0.0, 1.0, 0.0)), before, {Cell("A1"): "empty", Cell("B1"): "empty"})
    assert now.p[0, 1] == pytest.approx(kept + (1 - kept) / 3)


def test_frames_of_different_tables_are_not_added_up() -> None:
    other = Observation(("A1",), LABELS, np.array([[1.0, 0.0, 0.0]]), np.array([True]))
    with pytest.raises(ValueError, match="same cells"):
        gather([seen((1.0, 0.0, 0.0)), other])

"""At most one of each on a table: every way to lay them is weighed, and nothing else."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from vision.recognition.assignment_marginals import assignment_marginals

CELLS, THINGS = 4, 3
evidences = arrays.arrays(np.float64, (CELLS, 1 + THINGS), elements=st.floats(1e-3, 1.0))


def weighed_one_by_one(evidence: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each number of things, the weights of all ways to lay so many, (1 + things, cells, labels), and the ways."""
    weights = np.zeros((THINGS + 1, CELLS, 1 + THINGS))
    ways = np.zeros(THINGS + 1)
    for way in product(range(1 + THINGS), repeat=CELLS):
        used = [thing for thing in way if thing]
        if len(set(used)) == len(used):
            ways[len(used)] += 1
            weights[len(used), range(CELLS), way] += np.prod(evidence[range(CELLS), way])
    return weights, ways


@given(evidences)
def test_probabilities_are_those_of_all_ways_weighed_one_by_one(evidence: np.ndarray) -> None:
    weights, ways = weighed_one_by_one(evidence)
    missing = np.arange(THINGS + 1)[::-1]
    prior = np.where(missing == 0, 0.8, 0.2 / 3.0**missing)
    expected = np.tensordot(prior / ways, weights, axes=1)
    assert assignment_marginals(evidence) == pytest.approx(expected / expected.sum(axis=1, keepdims=True), abs=1e-9)


@given(evidences)
def test_no_thing_is_expected_more_than_once(evidence: np.ndarray) -> None:
    p = assignment_marginals(evidence)
    assert p.sum(axis=1) == pytest.approx(np.ones(CELLS))
    assert (p[:, 1:].sum(axis=0) <= 1 + 1e-9).all()


def test_of_two_cells_that_look_alike_the_one_that_looks_more_so_has_the_thing() -> None:
    evidence = np.full((CELLS, 1 + THINGS), 1e-4)
    evidence[:, 0] = 1.0
    evidence[0] = (0.0, 0.9, 0.1, 0.0)
    evidence[1] = (0.0, 0.6, 0.4, 0.0)
    assert assignment_marginals(evidence).argmax(axis=1).tolist() == [1, 2, 0, 0]


def test_cells_of_which_nothing_is_seen_share_what_is_not_seen_elsewhere() -> None:
    evidence = np.full((CELLS, 1 + THINGS), 1e-9)
    evidence[0, 1] = evidence[1, 2] = 1.0
    evidence[2:] = 1.0
    p = assignment_marginals(evidence)
    assert p[2] == pytest.approx(p[3])
    assert p[2, 3] > 0.4
    assert p[2, 1] < 1e-6


@pytest.mark.parametrize("evidence", [np.zeros((9, 6)), np.ones((9, 6)), np.eye(9)[:, :6]])
def test_evidence_that_rules_everything_out_gives_probabilities_all_the_same(evidence: np.ndarray) -> None:
    p = assignment_marginals(evidence)
    assert np.isfinite(p).all()
    assert p.sum(axis=1) == pytest.approx(np.ones(9))

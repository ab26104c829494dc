"""At most one of each on a table, and one foreign thing: every way to lay them is weighed, and nothing else."""

from __future__ import annotations

from itertools import product
from math import comb, perm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from vision.recognition.assignment_marginals import assignment_marginals

CELLS, THINGS = 4, 3
evidences = arrays.arrays(np.float64, (CELLS, 1 + THINGS), elements=st.floats(1e-3, 1.0))


FOREIGN = THINGS + 1


def ways_one_by_one() -> list[tuple[int, ...]]:
    """All ways to lay things, each at most once, and a foreign one of any kind, on cells."""
    every = product(range(FOREIGN + 1), repeat=CELLS)
    return [way for way in every if all(way.count(thing) <= 1 for thing in range(1, FOREIGN + 1))]


def prior_of(way: tuple[int, ...]) -> float:
    """Return how often things are so, of all ways with as many of the set's things."""
    own = sum(0 < thing < FOREIGN for thing in way)
    missing = THINGS - own
    count = 0.8 if missing == 0 else 0.2 / 3.0**missing
    count /= 0.8 + sum(0.2 / 3.0**fewer for fewer in range(1, THINGS + 1))
    return count / (comb(THINGS, own) * perm(CELLS, own)) * (0.01 / (CELLS - own) if FOREIGN in way else 0.99)


@given(evidences)
def test_probabilities_are_those_of_all_ways_weighed_one_by_one(evidence: np.ndarray) -> None:
    expected = np.zeros((CELLS, 1 + THINGS))
    for way in ways_one_by_one():
        kinds = [[thing] if thing < FOREIGN else range(1, FOREIGN) for thing in way]
        for shown in product(*kinds):
            likelihood = np.prod(evidence[range(CELLS), shown]) / (THINGS if FOREIGN in way else 1)
            expected[range(CELLS), shown] += prior_of(way) * likelihood
    assert assignment_marginals(evidence) == pytest.approx(expected / expected.sum(axis=1, keepdims=True), abs=1e-9)


@pytest.mark.parametrize("evidence", [np.zeros((9, 6)), np.ones((9, 6)), np.eye(9)[:, :6]])
def test_evidence_that_rules_everything_out_gives_probabilities_all_the_same(evidence: np.ndarray) -> None:
    p = assignment_marginals(evidence)
    assert np.isfinite(p).all()
    assert p.sum(axis=1) == pytest.approx(np.ones(9))

"""That anything may have changed, weighed against a table as it was: beside every way counted one by one."""

from __future__ import annotations

from itertools import product
from math import exp, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.evidence import Evidence, fuse_observations
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.inference import CELL_CHANGED, Decision, Finding, optional_log_likelihood, weigh
from companion.core.verdicts import PendingPlacement
from engines.kernel import Cell
from vision.observation import Observation

CELLS, LABELS = ("A", "B", "C"), ("empty", "red", "green")
PLACEMENT = {Cell(cell): "empty" for cell in CELLS}
LEFT = PendingPlacement(Cell("B"), "empty", "red")
UNEXPLAINED = 0.01
"""How often a table is as no explanation has it."""


def seen(rows: list[tuple[float, float, float]]) -> Evidence:
    p = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    return fuse_observations([Observation(CELLS, LABELS, p, np.ones(len(CELLS), bool))])


def weighed(evidence: Evidence, left: tuple[PendingPlacement, ...]) -> Finding:
    """Weigh nothing having changed against anything."""
    return weigh([Hypothesis(Kind.UNCHANGED, 0.0, optional=left)], PLACEMENT, left, evidence)


def likelihood(evidence: Evidence, cell: str, label: str) -> float:
    return exp(evidence.of(Cell(cell), label))


def any_change(evidence: Evidence, left: tuple[PendingPlacement, ...]) -> float:
    """Add up, over every set of cells that may have changed, how likely the picture is then."""
    same = {cell: likelihood(evidence, cell, "empty") for cell in CELLS}
    for todo in left:
        same[todo.cell] = (same[todo.cell] + likelihood(evidence, todo.cell, todo.observed)) / 2
    every = {cell: sum(likelihood(evidence, cell, label) for label in LABELS) for cell in CELLS}
    other = {cell: (every[cell] - same[cell]) / (len(LABELS) - 1) for cell in CELLS}
    ways = product((False, True), repeat=len(CELLS))
    return sum(
        prod(
            CELL_CHANGED * other[c] if changed else (1 - CELL_CHANGED) * same[c]
            for c, changed in zip(CELLS, way, strict=True)
        )
        for way in ways
        if any(way)
    )


def no_change(evidence: Evidence, left: tuple[PendingPlacement, ...]) -> float:
    """How likely the picture is if nothing has changed but what was left to do."""
    open_cells = {todo.cell for todo in left}
    rest = prod(likelihood(evidence, cell, "empty") for cell in CELLS if Cell(cell) not in open_cells)
    put = [evidence.of(todo.cell, todo.expected) for todo in left]
    instead = [evidence.of(todo.cell, todo.observed) for todo in left]
    return rest * exp(optional_log_likelihood(put, instead))


rows = st.tuples(*[st.floats(0.001, 1.0)] * 3)


@settings(max_examples=60, deadline=None)
@given(st.tuples(rows, rows, rows), st.booleans())
def test_that_anything_changed_is_weighed_as_every_way_counted_one_by_one(
    table: tuple[tuple[float, float, float], ...], open_cell: bool
) -> None:
    evidence, left = seen(list(table)), (LEFT,) if open_cell else ()
    finding = weighed(evidence, left)
    unexplained = UNEXPLAINED * any_change(evidence, left)
    unchanged = no_change(evidence, left)
    illegal = unexplained / (unexplained + unchanged)
    stated = finding.probability if finding.best.kind is Kind.ILLEGAL else 1 - finding.probability
    assert stated == pytest.approx(illegal, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("label", ["empty", "red"])
def test_a_cell_that_was_left_open_counts_as_unchanged_either_way(label: str) -> None:
    row = {"empty": (0.98, 0.01, 0.01), "red": (0.01, 0.98, 0.01)}[label]
    evidence = seen([(0.98, 0.01, 0.01), row, (0.98, 0.01, 0.01)])
    assert weighed(evidence, (LEFT,)).decision is Decision.UNCHANGED
    assert weighed(evidence, (LEFT,)).cells == ()


def test_a_cell_that_was_left_open_and_shows_a_third_thing_is_odd_like_any_other() -> None:
    third = (0.001, 0.001, 0.998)
    finding = weighed(seen([third, third, (0.98, 0.01, 0.01)]), (LEFT,))
    assert finding.decision is not Decision.UNCHANGED
    assert finding.cells == ("A", "B")


def test_a_cell_that_is_still_open_is_not_odd_beside_what_nothing_explains() -> None:
    third = (0.001, 0.001, 0.998)
    finding = weighed(seen([third, (0.01, 0.98, 0.01), third]), (LEFT,))
    assert finding.decision is not Decision.UNCHANGED
    assert finding.cells == ("A", "C")

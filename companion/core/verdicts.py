"""One judgement: what has happened on the table since a position, by all that is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind, Rules
from companion.core.inference import Finding, weigh
from companion.core.messages import PendingPlacement
from companion.core.state import Past
from engines.kernel import Cell

PUT_BACK = -4.0
"""log prior that the players put the last action's pieces back instead of making a new one: 2 in 100."""

DONE_SURELY = 3.0
"""Something left to do counts as done when that is likelier than not by e to this power."""


def judge(
    rules: Rules,
    position: Any,
    left_open: Sequence[PendingPlacement],
    evidence: Evidence,
    *,
    pressed: bool = False,
    before: Past | None = None,
) -> Finding:
    """Weigh all that may have happened since `position`; `before` is what putting the last action back leads to."""
    placement = evidence.in_sight(rules.placement(position))
    hypotheses = [*rules.explanations(position, left_open, evidence)]
    if before is not None:
        hypotheses += _put_back(evidence.in_sight(rules.placement(before.position)), placement, before)
    return weigh(hypotheses, placement, left_open, evidence, pressed=pressed)


def _put_back(earlier: Mapping[Cell, str], placement: Mapping[Cell, str], before: Past) -> list[Hypothesis]:
    expects = {cell: label for cell, label in earlier.items() if placement[cell] != label}
    if not expects:
        return []
    return [Hypothesis(Kind.PUT_BACK, PUT_BACK, expects, before.left_open, position=before.position)]


def still_open(todos: Sequence[PendingPlacement], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """Keep the things left to do that are not surely seen to be done."""
    return tuple(t for t in todos if evidence.of(t.cell, t.expected) - evidence.of(t.cell, t.observed) < DONE_SURELY)


def left_to_do(hypothesis: Hypothesis, evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """List what the players still have to do on the table if a hypothesis holds."""
    return (*still_open(hypothesis.optional, evidence), *hypothesis.undone)


def contradicted(placement: Mapping[Cell, str], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """List the cells that surely lie otherwise than a placement says: what it has there, and what lies instead."""
    odds = ((c, label, evidence.best(c)) for c, label in evidence.in_sight(placement).items())
    return tuple(
        PendingPlacement(cell, label, seen)
        for cell, label, seen in odds
        if evidence.of(cell, seen) - evidence.of(cell, label) > DONE_SURELY
    )


def to_put_back(placement: Mapping[Cell, str], earlier: Mapping[Cell, str]) -> tuple[PendingPlacement, ...]:
    """List what leads from one look of the table to an earlier one."""
    return tuple(
        PendingPlacement(cell, label, placement[cell]) for cell, label in earlier.items() if placement[cell] != label
    )

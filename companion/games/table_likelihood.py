"""What is seen beside the table as it was: where it looks otherwise, and by how much. Shared by the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.core.evidence import Evidence
from companion.core.verdicts import PendingPlacement
from engines.kernel import Cell

NOTEWORTHY = 1.0
"""A cell looks otherwise where another label is likelier than the one before by e to this power."""


@dataclass(frozen=True, slots=True, eq=False)
class TableLikelihood:
    """The evidence, and what lay on the places that it speaks of.

    Attributes:
        evidence: what is seen.
        before: the label of each place before.
        left_open: things left to do from earlier turns, by place: there what lay `instead` is as good as before.
    """

    evidence: Evidence
    before: Mapping[Cell, str]
    left_open: Mapping[Cell, PendingPlacement]

    def gain(self, cell: Cell, label: str) -> float:
        """Return how much likelier than what lay there before a label is, as a logarithm."""
        return self.evidence.of(cell, label) - self._as_before(cell)

    def changed(self, placement: Mapping[Cell, str]) -> dict[Cell, str]:
        """Return what of another placement differs from the table before, where the eye looks."""
        return {cell: label for cell, label in placement.items() if self.before.get(cell, label) != label}

    def still_open(self, expects: Mapping[Cell, str]) -> tuple[PendingPlacement, ...]:
        """Keep those things left to do that an explanation does not overthrow."""
        return tuple(todo for todo in self.left_open.values() if expects.get(todo.cell, todo.expected) == todo.expected)

    def odd(self) -> dict[Cell, str]:
        """Return what is most likely on the places that look otherwise than before."""
        likeliest = {cell: self.evidence.best(cell) for cell in self.before}
        return {cell: label for cell, label in likeliest.items() if self.gain(cell, label) > NOTEWORTHY}

    def _as_before(self, cell: Cell) -> float:
        labels = [self.before[cell], *([self.left_open[cell].observed] if cell in self.left_open else [])]
        return max(self.evidence.of(cell, label) for label in labels)


def look(placement: Mapping[Cell, str], left_open: Sequence[PendingPlacement], evidence: Evidence) -> TableLikelihood:
    """Hold the evidence against the table as it was."""
    return TableLikelihood(evidence, evidence.in_sight(placement), {todo.cell: todo for todo in left_open})

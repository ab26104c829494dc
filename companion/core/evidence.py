"""Adding up what several still frames say.

Frames of one still table err alike: the same light, the same glare, the same head beside the same cell. So n frames
count as n / (1 + (n - 1) rho) independent ones, the effective sample size of equally correlated samples (Kish, Survey
Sampling, 1965, "design effect"). With rho = 1/2 three frames count as 1.5 and never more than 2, ever.

What is left after that is what the eye gets wrong with certainty, once in ten thousand cells (the bound that readings
are held to): every label keeps its share of that, so one cell alone never outweighs everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engines.kernel import Cell
from vision.observation import Observation

CORRELATION = 0.5
"""rho: how alike the errors of two frames of one still table are."""

RESIDUAL_ERROR = 1e-4
"""How often a cell is read wrongly with full confidence."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The log likelihood of every label on every cell.

    Attributes:
        cells: names of the cells.
        labels: the words of the table file, in the order of the columns of `log_p`.
        log_p: float64 (n_cells, n_labels), natural logarithms; a hidden cell's row is all zero: it speaks for nothing.
        visible: bool (n_cells,).
    """

    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    log_p: NDArray[np.float64]
    visible: NDArray[np.bool_]
    row: dict[Cell, int] = field(init=False)
    column: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "row", {cell: i for i, cell in enumerate(self.cells)})
        object.__setattr__(self, "column", {label: j for j, label in enumerate(self.labels)})

    def of(self, cell: Cell, label: str) -> float:
        """Give the log likelihood of a label on a cell."""
        return float(self.log_p[self.row[cell], self.column[label]])

    def best(self, cell: Cell) -> str:
        """Give the likeliest label of a cell."""
        return self.labels[int(self.log_p[self.row[cell]].argmax())]

    def unsure(self, at_least: float = 0.9) -> tuple[Cell, ...]:
        """Name the cells that are hidden or whose likeliest label is less probable than that."""
        doubtful = ~self.visible | (self.log_p.max(axis=1) < np.log(at_least))
        return tuple(self.cells[i] for i in np.flatnonzero(doubtful))


def gather(observations: Sequence[Observation]) -> Evidence:
    """Add up the log p of frames of one still table.

    A cell counts in the frames where it is visible. Raises ValueError for no frames, or frames of different tables.
    """
    first = observations[0]
    if any((o.cells, o.labels) != (first.cells, first.labels) for o in observations):
        message = "frames of one table must have the same cells and labels"
        raise ValueError(message)
    seen = np.array([o.visible for o in observations])
    frames = seen.sum(axis=0)
    logs = np.log(np.clip(np.array([o.p for o in observations]), 1e-12, 1.0)) * seen[:, :, None]
    weight = 1.0 / (1.0 + (np.maximum(frames, 1) - 1) * CORRELATION)
    tempered = logs.sum(axis=0) * weight[:, None]
    visible = frames > 0
    log_p = np.where(visible[:, None], _with_residual_error(tempered), 0.0)
    return Evidence(tuple(Cell(c) for c in first.cells), first.labels, log_p, visible)


def distrusted(observation: Observation, earlier: Observation, placement: Mapping[Cell, str]) -> Observation:
    """Discount cells that the eye told badly in an earlier picture, by one camera in one light, of a known placement.

    The probability that it gave to what was known to lie there is how far it is trusted on that cell now.
    """
    known = [earlier.labels.index(placement[Cell(cell)]) for cell in earlier.cells]
    trust = np.where(earlier.visible, earlier.p[np.arange(len(known)), known], 1.0)[:, None]
    p = trust * observation.p + (1.0 - trust) / observation.p.shape[1]
    return Observation(observation.cells, observation.labels, p, observation.visible)


def _with_residual_error(log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normalise rows of logarithms and mix in the share of every label in the residual error."""
    p = np.exp(log_p - log_p.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return np.asarray(np.log((1.0 - RESIDUAL_ERROR) * p + RESIDUAL_ERROR / p.shape[1]), dtype=np.float64)

"""Marginals of an assignment of different things to cells, with at most one of each and rarely a foreign one."""

from __future__ import annotations

from math import comb, perm

import numpy as np

from vision.geometry import Floats

_ALL_THERE = 0.8
"""Probability that no piece is missing."""

_RARER = 3.0
"""Factor by which each further missing piece is less probable than the one before."""

_FOREIGN = 0.01
"""Estimated probability of a thing that does not belong to the set, such as a second king. Without it, an extra thing
would be read as none."""


def assignment_marginals(evidence: Floats) -> Floats:
    """Return the probability of each thing on each cell, over all assignments with at most one thing per cell.

    Each thing is used at most once, and there may be one foreign thing of any kind. The sum runs cell by cell over the
    sets of used things (a permanent by dynamic programming; see Ryser, "Combinatorial mathematics", 1963).

    Args:
        evidence: float64 (n_cells, 1 + n_things), the likelihood of each cell's picture given nothing, or each thing,
            on it; each row up to a factor.

    Returns:
        Probabilities of the same shape, rows summing to 1.
    """
    cells, things = evidence.shape[0], evidence.shape[1] - 1
    # 1. Scale each row; only ratios count.
    scaled = evidence / np.maximum(evidence.max(axis=1, keepdims=True), 1e-300)
    scaled = np.maximum(scaled, 1e-12)
    # 2. One more thing, the foreign one, looks like any of the kinds, each as likely.
    kinds = scaled[:, 1:] / things
    with_foreign = np.column_stack([scaled, kinds.sum(axis=1)])
    # 3. How probable each number of missing things is, all there or each further one rarer by a factor; shared evenly
    #   among the ways to choose n things and to lay them on cells: one assignment that uses exactly a set of things.
    missing = np.arange(things + 1)[::-1]  # by how many there are
    by_count = np.where(missing == 0, _ALL_THERE, (1 - _ALL_THERE) / _RARER ** np.maximum(missing, 1))
    by_count = by_count / by_count.sum()
    ways = np.array([comb(things, n) * perm(cells, n) for n in range(things + 1)], dtype=np.float64)
    counts = np.array([int(s).bit_count() for s in range(2**things)])
    own = np.where(ways[counts] > 0, by_count[counts] / np.maximum(ways[counts], 1), 0.0)
    # 4. Rarely there is the foreign thing, too, on any of the cells that are left.
    free = cells - counts
    foreign = np.where(free > 0, _FOREIGN * own / np.maximum(free, 1), 0.0)
    p = _marginals(with_foreign, np.concatenate([(1 - _FOREIGN) * own, foreign]))
    # 5. Give the foreign thing's probability to the kinds that it looks like.
    p[:, 1:-1] += p[:, -1:] * kinds / kinds.sum(axis=1, keepdims=True)
    return np.asarray(p[:, :-1])


def _marginals(scaled: Floats, prior: Floats) -> Floats:
    """Return the marginals over all assignments, with the `prior` of one assignment for each set of used things."""
    cells, things = scaled.shape[0], scaled.shape[1] - 1
    sets = np.arange(2**things)
    lacking = [sets[(sets >> thing) & 1 == 0] for thing in range(things)]
    # Forward and backward sums, as in a hidden Markov model (Rabiner, 1989); the state is the set of used things.
    # 1. The weight of all assignments of the cells before each, by used set, and of those from each cell on, given it.
    before, after = np.zeros((2, cells + 1, len(sets)))
    before[0, 0], after[-1] = 1.0, prior
    for cell, row in enumerate(scaled):
        before[cell + 1] = before[cell] * row[0]
        for thing, free in enumerate(lacking):
            before[cell + 1][free | 1 << thing] += before[cell][free] * row[1 + thing]
        before[cell + 1] /= before[cell + 1].sum()
    for cell, row in reversed(list(enumerate(scaled))):
        after[cell] = after[cell + 1] * row[0]
        for thing, free in enumerate(lacking):
            after[cell][free] += after[cell + 1][free | 1 << thing] * row[1 + thing]
        after[cell] /= after[cell].sum()
    # 2. Nothing on the cell: the set stays; a thing: it joins a set that lacks it.
    p = np.empty_like(scaled)
    for cell, row in enumerate(scaled):
        p[cell, 0] = row[0] * (before[cell] @ after[cell + 1])
        for thing, free in enumerate(lacking):
            p[cell, 1 + thing] = row[1 + thing] * (before[cell][free] @ after[cell + 1][free | 1 << thing])
    return np.asarray(p / p.sum(axis=1, keepdims=True))

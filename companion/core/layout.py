"""The layout of things that the players shuffle and lay out, one on each cell, read from the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.core.evidence import Evidence
from companion.core.verdicts import LayoutRead
from engines.kernel import Cell
from vision.labels import bare_label

CERTAIN = 0.97
"""The probability from which a thing on a cell counts as known, the same as for accepting a legal action."""

PLAUSIBLE = 0.05
"""The least probability of a thing on a cell if it is the only one left for it."""

BARE = 0.5
"""The probability of "none of the things" from which a cell counts as bare."""

LAYOUT = "layout"
"""The code of a table whose layout is not certain."""


def read_layout(
    things: Sequence[str], cells: Sequence[Cell], evidence: Evidence, earlier: Mapping[Cell, str] | None = None
) -> LayoutRead:
    """Return which thing is on each cell. Each is there once, so knowing one cell narrows down the others.

    A thing known from an `earlier` look stays known if the cell still looks most like it and is not bare, or is hidden.
    """
    # 1. The probability of each thing on each cell, whatever is on top of it, (n_cells, n_things); uniform if hidden.
    columns = [[i for i, label in enumerate(evidence.labels) if (bare_label(label) or label) == t] for t in things]
    rows = [evidence.row[cell] for cell in cells]
    seen = np.stack([np.exp(evidence.log_p[rows])[:, same].sum(axis=1) for same in columns], axis=1)
    p = np.asarray(np.where(evidence.visible[rows][:, None], seen, 1.0 / len(things)), dtype=np.float64)
    _remember(p, things, cells, earlier or {})
    # 2. Things that a cell certainly shows; those that two cells show are not known.
    shown = {row: int(p[row].argmax()) for row in range(len(cells)) if p[row].max() >= CERTAIN}
    sought = list(shown.values())
    known = {row: column for row, column in shown.items() if sought.count(column) == 1}
    bare = [row for row in range(len(cells)) if _is_bare(p[row])]
    # 3. By elimination: the one thing left for a cell, without those known to be on other cells.
    while (found := _left_over(p, known, {*bare, *shown})) is not None:
        known[found[0]] = found[1]
    # 4. Guess the most probable of the remaining things for each other cell, one after another.
    guessed: dict[int, int] = {}
    rows = [row for row in range(len(cells)) if row not in known and row not in bare]
    left = [column for column in range(len(things)) if column not in known.values()]
    while rows and left:
        row, column = divmod(int(p[np.ix_(rows, left)].argmax()), len(left))
        guessed[rows.pop(row)] = left.pop(column)
    return LayoutRead(
        {cells[row]: things[column] for row, column in sorted({**known, **guessed}.items())},
        tuple(cells[row] for row in range(len(cells)) if row not in known and row not in bare),
        tuple(cells[row] for row in bare),
        {
            things[column]: tuple(cells[row] for row, other in shown.items() if other == column)
            for column in dict.fromkeys(sought)
            if sought.count(column) > 1
        },
        tuple(thing for column, thing in enumerate(things) if column not in known.values()),
    )


def _is_bare(p: NDArray[np.float64]) -> bool:
    """Return whether a cell holds none of the things; `p` is the probability of each on it, (n_things,)."""
    return bool(p.sum() <= 1.0 - BARE)


def _remember(
    p: NDArray[np.float64], things: Sequence[str], cells: Sequence[Cell], earlier: Mapping[Cell, str]
) -> None:
    """Set things known of cells that are not bare now to certain, in place, unless they are certainly on another cell.

    On a bare cell no thing is probable, so the most probable one says nothing.
    """
    shown = {int(row.argmax()) for row in p if row.max() >= CERTAIN}
    for row, cell in enumerate(cells):
        column = things.index(earlier[cell]) if cell in earlier and not _is_bare(p[row]) else None
        if column is not None and column not in shown and p[row, column] == p[row].max():
            p[row] = 0.0
            p[row, column] = 1.0


def _left_over(p: NDArray[np.float64], known: Mapping[int, int], not_asked: set[int]) -> tuple[int, int] | None:
    """Return a (row, column) whose label is certain among those that are left, and plausible; None if there is none."""
    free = [column for column in range(p.shape[1]) if column not in known.values()]
    for row in range(len(p)):
        if row in known or row in not_asked or not free:
            continue
        left = p[row, free]
        share = left / (left.sum() + max(0.0, 1.0 - float(p[row].sum())))
        best = int(share.argmax())
        if share[best] >= CERTAIN and left[best] >= PLAUSIBLE:
            return row, free[best]
    return None

"""Setting a cell by hand: ROLL and BACK step through the cells, then through what may be on the chosen one.

DONE takes what is shown, MODE leaves the cell as it is. The cells that the camera doubts come first, and of the labels
the one that the game expects, then the most probable.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.state import State
from companion.core.verdicts import CellSetting, Refused, Unclear
from engines.kernel import Cell

if TYPE_CHECKING:
    from vision.observation import Observation


def settable(state: State) -> bool:
    """Return whether any cell can be set: the table was seen."""
    return _seen(state) is not None


def begun(state: State) -> State:
    """Return the state in which a cell is being chosen; that of a table that was never seen stays as it is."""
    seen = _seen(state)
    if seen is None:
        return state
    doubted = [difference.cell for difference in state.out_of_step]
    named = state.verdict.cells if isinstance(state.verdict, Refused | Unclear) else ()
    order = dict.fromkeys(cell for cell in (*doubted, *named, *state.doubt, *map(Cell, seen.cells)))
    known = set(seen.cells)
    return replace(state, setting=CellSetting(tuple(cell for cell in order if cell in known)), chosen=None)


def with_labels(state: State, setting: CellSetting) -> CellSetting:
    """Return a setting whose cell is chosen, with the labels that may be on it."""
    seen = _seen(state)
    if seen is None:
        return setting
    expected = state.rules.placement(state.position).get(setting.cell)
    p = seen.p[seen.cells.index(setting.cell)]
    likely = (seen.labels[column] for column in (-p).argsort(kind="stable"))
    first = [expected] if expected in seen.labels else []
    return replace(setting, labels=tuple(dict.fromkeys(label for label in (*first, *likely) if label is not None)))


def _seen(state: State) -> Observation | None:
    """Return the table as it was seen last."""
    if state.sight.frames:
        return state.sight.frames[-1]
    return None if state.memory is None else state.memory.seen

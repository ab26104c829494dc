"""Questions that players ask without looking at the table, and the keys that ask them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from companion.core.state import State, placement
from companion.core.verdicts import Asked, Question
from engines.kernel import Cell
from hardware.panel import KeyPressed

QUESTION_KEY, AGAIN_KEY, TURN_KEY = "*", "-", "enter"
"""The key before a question's number, the key that repeats the last answer, and the key that asks whose turn it is."""

PLACE_KEYS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", ".", "+")
"""The keys of a numeric pad that name a column, then a row, counted from 1; 0, point and plus are 10, 11 and 12."""

NUMBERED: Mapping[str, Question] = {
    "1": Question.TURN,
    "2": Question.CHANGED,
    "3": Question.POSSIBLE,
    "4": Question.AROUND,
    "5": Question.PIECES,
    "6": Question.SCORE,
    "7": Question.BOARD,
    "0": Question.KEYS,
}
"""The question that each number asks after the question key."""

PATIENCE_NS = 4_000_000_000
"""How long a first key waits for the second one; a later key starts again as a first one."""


def ask(state: State, asked: Asked) -> State:
    """Return the state with a question that every display answers in its own words.

    A question without a cell is about the last cell asked about. A question about a cell that is not on the table is
    dropped.
    """
    cell = asked.cell or (state.asked.cell if state.asked else None)
    if asked.cell is not None and asked.cell not in placement(state):
        return state
    return replace(state, asked=replace(asked, cell=cell))


def ask_by_key(state: State, pressed: KeyPressed) -> State:
    """Return the state after a key of the pad: a question is complete, or waits for its second key.

    Holding any key repeats the last answer.
    """
    key, at_ns = pressed.key, pressed.at_ns
    if pressed.held or key == AGAIN_KEY:
        return ask(replace(state, first_key=None), Asked(Question.AGAIN, at_ns))
    if key == TURN_KEY:
        return ask(replace(state, first_key=None), Asked(Question.TURN, at_ns))
    first, state = state.first_key, replace(state, first_key=None)
    if first is None or at_ns - first.at_ns > PATIENCE_NS:
        return _first(state, pressed)
    if first.key == QUESTION_KEY:
        question = NUMBERED.get(key)
        return state if question is None else ask(state, Asked(question, at_ns))
    cell = cell_at(placement(state), first.key, key)
    return _first(state, pressed) if cell is None else ask(state, Asked(Question.CELL, at_ns, cell))


def _first(state: State, pressed: KeyPressed) -> State:
    """Keep a first key; a column's key is answered with its letter."""
    kept = replace(state, first_key=pressed)
    if pressed.key == QUESTION_KEY:
        return kept
    letter = column_of(placement(state), pressed.key)
    return state if letter is None else ask(kept, Asked(Question.COLUMN, pressed.at_ns, column=letter))


def column_of(cells: Collection[Cell], key: str) -> str | None:
    """Return the letter of the column that a key names, None if there is no such column."""
    letters = sorted({cell[:1] for cell in cells})
    place = PLACE_KEYS.index(key) if key in PLACE_KEYS else len(letters)
    return letters[place] if place < len(letters) else None


def cell_at(cells: Collection[Cell], column: str, row: str) -> Cell | None:
    """Return the cell that two keys name, None if there is no such cell."""
    letter = column_of(cells, column)
    cell = Cell(f"{letter}{PLACE_KEYS.index(row) + 1}") if row in PLACE_KEYS else None
    return cell if cell in cells else None


def around(cells: Collection[Cell], cell: Cell) -> list[Cell]:
    """Return the neighbours of a cell: above, right, below, left, then the corners clockwise from the upper right."""
    column, row = ord(cell[:1]), int(cell[1:])  # row 1 is at the top
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
    near = (Cell(f"{chr(column + across)}{row + down}") for across, down in steps)
    return [other for other in near if other in cells]

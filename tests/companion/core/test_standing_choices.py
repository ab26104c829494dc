"""DONE plays a choice that leaves no trace only on a table that certainly looks as before."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from companion.core.display import view
from companion.core.messages import FrameRead
from companion.core.state import State, new_state
from companion.core.step import step
from companion.core.verdicts import Action, Confirmed, Unclear
from companion.core.verdicts import Position as Opaque
from companion.core.view import View
from companion.games import GAMES, SIMULATED
from companion.games.royal_racers import TABLE
from companion.games.royal_racers.table import placement
from engines.kernel import Cell
from engines.royal_racers.position import Pass, Phase
from hardware.panel import Button, ButtonPressed
from tests.companion.evening_table import SHORT_S, EveningTable
from tests.companion.games.test_royal_racers_hypotheses import in_race
from vision.observation import Observation

BOARD = TABLE.board()
FRAME_NS = 200_000_000
START = in_race(Phase.MOVE)
PAWN = next(Cell(cell) for cell, label in placement(START).items() if "+pawn-" in label)


def _frame(number: int, pawn: float, *, hidden: bool = False) -> FrameRead:
    """Make a frame of a table as it is, on which one pawn is seen with a probability."""
    labels, words = placement(START), BOARD.label_words
    p = np.full((len(BOARD.cells), len(words)), 1e-7)
    for row, cell in enumerate(map(Cell, BOARD.cells)):
        p[row, words.index(labels[cell])] = 1.0
    row = BOARD.cells.index(PAWN)
    p[row, words.index(labels[PAWN].partition("+pawn-")[0])] = (1.0 - pawn) / pawn
    visible = np.array([not (hidden and cell == PAWN) for cell in BOARD.cells])
    return FrameRead(
        Observation(BOARD.cells, words, p / p.sum(axis=1, keepdims=True), visible), True, number * FRAME_NS
    )


def _press(state: State, number: int, *buttons: Button) -> State:
    for button in buttons:
        state = step(state, ButtonPressed(button, number * FRAME_NS))[0]
    return state


def _after_done(pawn: float, *, hidden: bool = False) -> State:
    """Let the table be seen for 5 s, and press DONE."""
    state = replace(new_state(GAMES["royal-racers"], Opaque(START)), setting_up=False)
    for number in range(1, 26):
        state = step(state, _frame(number, pawn, hidden=hidden))[0]
    return _press(state, 26, Button.DONE)


def test_a_pass_is_played_where_nothing_has_moved() -> None:
    state = _after_done(0.99)
    assert isinstance(state.verdict, Confirmed)
    assert state.verdict.action == Action(Pass())


@pytest.mark.parametrize(("pawn", "hidden"), [(0.6, False), (0.99, True)])
def test_no_pass_is_played_where_a_pawn_may_have_moved(pawn: float, hidden: bool) -> None:
    state = _after_done(pawn, hidden=hidden)
    assert isinstance(state.verdict, Unclear)
    assert state.verdict.cells == (PAWN,)
    assert state.position == Opaque(START)
    shown: View = view(state)
    assert shown.shown is None


def test_on_an_unclear_table_people_step_to_the_pass_themselves() -> None:
    state = _press(_after_done(0.6), 27, Button.MODE, Button.DONE)
    assert isinstance(state.verdict, Confirmed)
    assert state.verdict.action == Action(Pass())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", SIMULATED)
def test_done_on_a_table_that_is_said_to_differ_plays_nothing(game: str) -> None:
    table, random, pressed = EveningTable(game, 2), Random(2), False
    while not pressed and not table.state.over:
        table.goes_forward()
        table.put_right()
        position = table.state.position
        if not _may_leave_no_trace(table):
            continue
        cell = Cell(random.choice(table.game.board().places))
        table.labels = {**table.labels, cell: random.choice(table.game.board().label_words)}
        table.look(1.4)
        if table.state.position == position and view(table.state).out_of_step:
            table.lay(position)
            table.look(0.2)
            table.press(Button.DONE)
            table.look(SHORT_S)
            pressed = True
            assert table.state.position == position, table.state.verdict
    assert pressed


def _may_leave_no_trace(table: EveningTable) -> bool:
    """Return whether an action is allowed after which the table looks as before."""
    engine, labels, position = table.game.engine, table.game.placement, table.state.position
    if table.awaits_throw or table.state.over:
        return False
    return any(labels(engine.after(position, a).position) == labels(position) for a in engine.actions(position))

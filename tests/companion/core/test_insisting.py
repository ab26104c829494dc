"""Players insist on what is on cells that are hard to read: at set-up that all is right, later on one cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.core.choices import shown_choice
from companion.core.display import buttons
from companion.core.messages import CellSet, FrameRead
from companion.core.stability import LOOKS_S, PATIENT_LOOKS
from companion.core.state import State, before_play, new_state
from companion.core.step import step
from companion.core.verdicts import Position, Refused, Unchanged, Unclear
from companion.games import GAMES
from companion.games.royal_ur import TABLE
from engines.kernel import Cell, Seat
from engines.royal_tee.position import Walk
from hardware.panel import Button, ButtonPressed
from tests.companion.core.tables import SteppedTable
from tests.companion.evening_table import LONG_S, EveningTable
from tests.companion.games.looks import after, look_of, new_game
from vision.labels import EMPTY, parse_label
from vision.observation import Observation

_BOARD = TABLE.board()
_START = TABLE.engine.new((Seat("white"), Seat("black")), {}, 1)


def _frame(number: int, white: float) -> FrameRead:
    """Make a frame of an empty board of which the first cell may be a white counter."""
    words, places = _BOARD.label_words, _BOARD.places
    p = np.full((len(places), len(words)), 1e-4)
    p[:, words.index(EMPTY)] = 1.0
    p[0, words.index("white")] = white / (1.0 - white)
    appearance = 0.5 + np.random.default_rng(number).normal(0.0, 0.004, (len(places), 3, 4, 4)).astype(np.float32)
    visible = np.ones(len(places), dtype=np.bool_)
    seen = Observation(places, words, p / p.sum(axis=1, keepdims=True), visible, appearance=appearance)
    return FrameRead(seen, still=True, at_ns=number * 200_000_000)


def _after_done(white: float, times: int = 1, *, resumed: bool = False) -> State:
    state = replace(new_state(GAMES["royal-ur"], Position(_START)), setting_up=not resumed, resumed=resumed)
    for number in range(1, 20):
        state = step(state, _frame(number, white))[0]
    for time in range(times):
        assert before_play(state)
        state = step(state, ButtonPressed(Button.DONE, 20 * (time + 1) * 200_000_000))[0]
        for number in range(20 * time + 21, 20 * time + 40):
            state = step(state, _frame(number, white))[0]
    return state


@pytest.mark.parametrize("white", [0.75, 0.9])
def test_print_on_a_bare_board_that_may_be_a_counter_is_learned_at_set_up(white: float) -> None:
    state = _after_done(white, times=0)
    assert not state.setting_up
    assert isinstance(state.verdict, Unchanged)
    assert state.out_of_step == ()


@pytest.mark.parametrize("white", [0.75, 0.9])
def test_a_doubtful_cell_is_as_people_say(white: float) -> None:
    state = _after_done(white, resumed=True)
    assert isinstance(state.verdict, Unchanged)
    assert state.out_of_step == ()


def test_a_counter_that_is_seen_for_certain_is_still_reported() -> None:
    state = _after_done(0.999)
    assert not isinstance(state.verdict, Unchanged)
    assert [difference.cell for difference in state.out_of_step] == [_BOARD.places[0]]
    assert buttons(state)[Button.DONE] == "insist"


def test_people_who_insist_know_better_than_the_camera() -> None:
    """Rings printed on a square are read as a counter; nobody can put that right."""
    state = _after_done(0.999, times=2)
    assert isinstance(state.verdict, Unchanged)
    assert state.out_of_step == ()
    assert not state.setting_up


def test_what_people_say_of_a_cell_holds_until_something_is_moved_there() -> None:
    table, step_aside = SteppedTable(new_game("red", "green")), Walk((Cell("E12"),))
    misread = {**look_of(table.start), Cell("E12"): "green"}
    table.lie(misread, LOOKS_S[PATIENT_LOOKS - 1] + 1.0)
    assert type(table.state.verdict) in (Refused, Unclear)
    table.take(CellSet(Cell("E12"), "empty", table.at_ns))
    table.lie(misread, LOOKS_S[0] + 0.6)
    assert type(table.state.verdict) in (Unchanged,), "the camera still reads it wrong"
    table.lie(look_of(after(table.start, step_aside)), LOOKS_S[0] + 0.6)
    assert table.position == after(table.start, step_aside)


def test_done_plays_nothing_on_a_table_that_is_right_again_after_a_complaint() -> None:
    table, cell = EveningTable("royal-tee", 1), Cell("K1")
    for _turn in range(4):
        assert table.goes_forward()
    table.put_right()
    laid, begins = dict(table.labels), table.state.position
    table.labels = {**laid, cell: "blue"}
    table.look(3.6)
    table.press(Button.DONE)
    assert type(table.state.verdict) in (Refused,)
    table.labels = laid
    table.look(0.4)
    table.press(Button.DONE)
    table.look(2.0)
    assert type(table.state.verdict) in (Unchanged,)
    assert table.state.position == begins


def test_done_with_a_hand_over_the_table_does_not_give_up() -> None:
    table = EveningTable("royal-study", 1)
    table.look(3.0)
    begins = table.state.position
    while (choice := shown_choice(table.state)) is None or choice.action is None or table.state.chosen is None:
        table.press(Button.MODE)
    table.look(1.0, table.game.board().places[:4], still=False)
    table.press(Button.DONE)
    table.look(3.0)
    assert table.state.position == begins
    assert shown_choice(table.state) == choice
    table.press(Button.DONE)
    assert table.state.position != begins


def test_cards_that_were_laid_out_otherwise_are_named_when_a_game_is_resumed() -> None:
    table = EveningTable("royal-racers", 1)
    table.look(LONG_S)
    while len(table.log.entries) < 5:
        assert table.goes_forward()
    table.put_right()
    table.restart()
    faces = [cell for cell, label in table.labels.items() if parse_label(label).is_face and "+" not in label]
    one, other = faces[:2]
    laid = dict(table.labels)
    table.labels.update({one: laid[other], other: laid[one]})
    table.look(LONG_S)
    assert before_play(table.state)
    assert {todo.cell: todo.expected for todo in table.state.out_of_step} == {one: laid[one], other: laid[other]}
    table.press(Button.DONE)
    table.look(2.0)
    assert buttons(table.state)[Button.DONE] == "insist"
    table.press(Button.DONE)
    table.look(2.0)
    assert not before_play(table.state)
    table.restart()
    table.labels = laid
    table.look(LONG_S)
    assert not before_play(table.state)

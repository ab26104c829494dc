"""A table whose looks are known: flickering readings, darkness, and what the players say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.asking import around
from companion.core.choices import EXPLANATION, shown_choice
from companion.core.display import buttons
from companion.core.entries import Calibrated, Entry, Played
from companion.core.messages import CellSet, FrameBlind, FrameRead, Recalled
from companion.core.playing import entered
from companion.core.stability import HIDDEN_LOOKS, LOOKS_S, PATIENT_LOOKS
from companion.core.state import State, before_play, new_state
from companion.core.step import step
from companion.core.verdicts import (
    Action,
    ActionSource,
    Confirmed,
    PendingPlacement,
    Refused,
    Unchanged,
    Unclear,
    Verdict,
)
from companion.core.verdicts import Position as Opaque
from companion.games import GAMES
from companion.games.royal_tee import TABLE
from engines.kernel import Cell, Seat
from engines.royal_racers.position import Phase, Step
from engines.royal_tee.position import Walk
from hardware.panel import Button, ButtonPressed
from tests.companion.core.tables import FRAME_NS, Stepped, SteppedTable, act
from tests.companion.core.test_step import FIRST, SHORT
from tests.companion.evening_table import LONG_S, EveningTable
from tests.companion.games.looks import after, look_of, new_game, observe
from tests.companion.games.readings import EASY
from tests.companion.games.test_royal_racers_hypotheses import in_race
from tests.narrow import there
from vision.labels import EMPTY, parse_label
from vision.observation import BlindReason, Observation


def looks_of(table: SteppedTable) -> NDArray[np.float64]:
    return np.random.default_rng(1).uniform(0.2, 0.8, (len(look_of(table.start)), 3, 4, 4))


def see(
    table: SteppedTable,
    labels: Mapping[Cell, str],
    looks: NDArray[np.float64],
    open_cells: Mapping[Cell, Mapping[str, float]] = {},
    *,
    relit: bool = False,
    covered: Cell | None = None,
) -> None:
    """Read a frame with noisy looks, (n_cells, channels, rows, columns), and some cells with these odds.

    The reader takes the `covered` cell for one that may be hidden.
    """
    appearance = (looks + table.rng.normal(0.0, 0.01, looks.shape)).astype(np.float32)
    seen = observe(labels, table.rng, EASY)
    p = seen.p.copy()
    for cell, odds in open_cells.items():
        p[seen.cells.index(cell)] = [odds.get(label, 1e-4) for label in seen.labels]
    p_hidden = np.where(np.array([cell == covered for cell in seen.cells]), 0.2, 0.0)
    seen = replace(seen, p=p / p.sum(axis=1, keepdims=True), appearance=appearance, relit=relit, p_hidden=p_hidden)
    table.at_ns += FRAME_NS
    table.take(FrameRead(seen, True, table.at_ns))


@pytest.mark.parametrize("light", [0.0, 0.2])
def test_a_move_that_no_frame_shows_being_made_counts_even_as_the_light_changes(
    table: SteppedTable, light: float
) -> None:
    """A hand may be quicker than a slow camera; where all cells look different, DONE says that somebody came."""
    lies, made, looks = look_of(table.start), look_of(after(table.start, FIRST)), looks_of(table)
    changed = [cell for cell in lies if made[cell] != lies[cell]]
    for _frame in range(5):
        see(table, lies, looks)
    looks = looks + light * np.linspace(0.5, 1.0, looks[0].size).reshape(looks[0].shape)
    looks[[cell in changed for cell in lies]] += 0.3
    for _frame in range(8):
        see(table, made, looks, relit=True)
    assert {*table.state.doubt} == ({*changed} if light else set())
    table.press(Button.DONE)
    for _frame in range(4):
        see(table, made, looks)
    assert table.position == after(table.start, FIRST)


def test_cells_of_a_move_that_was_taken_back_are_put_right_once(table: SteppedTable) -> None:
    """A hand that comes to them after that makes a move: taken for one that puts back, it would be overlooked."""
    lies, made, looks = look_of(table.start), look_of(after(table.start, FIRST)), looks_of(table)
    changed = [number for number, cell in enumerate(lies) if made[cell] != lies[cell]]
    moved = looks.copy()
    moved[changed] += 0.3
    for _frame in range(5):
        see(table, lies, looks)
    for _frame in range(5):
        see(table, made, moved)
    table.press(Button.BACK)
    see(table, made, moved)
    assert table.state.unsettled == {[*lies][number] for number in changed}
    for _frame in range(5):
        see(table, lies, looks)
    assert table.state.unsettled == frozenset()


def test_a_reading_that_flickers_where_nothing_changes_does_not_begin_anew(table: SteppedTable) -> None:
    labels, looks = look_of(after(table.start, FIRST)), looks_of(table)
    for number in range(5):
        see(table, {**labels, Cell("A1"): "green"} if number == 2 else labels, looks)
    assert isinstance(table.state.verdict, Confirmed)


def test_a_table_that_people_explain_is_remembered_as_it_looks_then(table: SteppedTable) -> None:
    looks, row = looks_of(table), TABLE.board().places.index("A1")
    for _frame in range(6):
        see(table, look_of(table.start), looks)
    looks[row] += 0.3  # a shadow falls on it
    for _frame in range(6):
        see(table, look_of(table.start), looks)
    state, _effects = entered(table.state, Action(FIRST), ActionSource.OVERRULED)
    assert state.memory is not None
    assert state.memory.seen.appearance is not None
    assert np.abs(state.memory.seen.appearance[row] - looks[row]).max() < 0.05


def test_what_looks_as_before_is_left_to_do_after_people_explain_the_table(table: SteppedTable) -> None:
    start, moved, looks = look_of(table.start), look_of(after(table.start, FIRST)), looks_of(table)
    for _frame in range(6):
        see(table, start, looks)
    done, left = (cell for cell in start if start[cell] != moved[cell])
    looks[list(start).index(done)] += 0.3
    see(table, start, looks)
    state, _effects = entered(table.state, Action(FIRST), ActionSource.OVERRULED)
    assert state.progress.left_open == (PendingPlacement(left, moved[left], start[left]),)
    assert state.memory is not None
    assert (state.memory.labels[done], state.memory.labels[left]) == (moved[done], start[left])


@pytest.mark.parametrize("asked", [False, True])
def test_a_pending_piece_that_people_were_asked_about_is_in_its_place_once_they_have_answered(
    table: SteppedTable, *, asked: bool
) -> None:
    start, looks = look_of(table.start), looks_of(table)
    for _frame in range(6):
        see(table, start, looks)
    moved = look_of(after(table.start, FIRST))
    cell = next(cell for cell in start if start[cell] == moved[cell] != EMPTY)
    pending = PendingPlacement(cell, moved[cell], "green")
    looks[list(start).index(cell)] += 0.3
    see(table, start, looks)
    state = replace(table.state, progress=replace(table.state.progress, left_open=(pending,)))
    state = replace(state, verdict=Unclear("ambiguous", (cell,) if asked else (), (Action(FIRST),)))
    state, _effects = entered(state, Action(FIRST), ActionSource.OVERRULED)
    assert (pending in state.progress.left_open) is not asked


@pytest.mark.parametrize("touched", [False, True])
def test_no_move_is_accepted_while_a_tee_that_a_hand_came_to_is_read_in_doubt(
    table: SteppedTable, *, touched: bool
) -> None:
    start, moved, looks = look_of(table.start), look_of(after(table.start, FIRST)), looks_of(table)
    for _frame in range(8):
        see(table, start, looks)
    cells = list(start)
    row, changed = cells.index(Cell("G1")), [i for i, cell in enumerate(cells) if start[cell] != moved[cell]]
    looks[changed] += 0.3
    looks[row] += 0.1 * touched
    for _frame in range(12):
        appearance = (looks + table.rng.normal(0.0, 0.01, looks.shape)).astype(np.float32)
        seen = replace(observe(moved, table.rng, EASY), appearance=appearance)
        p = seen.p.copy()
        p[row] = 1e-4
        p[row, [seen.labels.index("green-royal"), seen.labels.index("empty")]] = 0.52, 0.48
        table.at_ns += FRAME_NS
        table.take(FrameRead(replace(seen, p=p / p.sum(axis=1, keepdims=True)), True, table.at_ns))
    assert isinstance(table.state.verdict, Confirmed) is not touched
    assert (cells[row] in table.state.doubt) is touched
    assert not table.state.out_of_step, "the move may be made: nobody is told to take it back"


def test_nothing_is_called_missing_while_an_arm_hides_cells_that_decide(table: SteppedTable) -> None:
    start, lacks = look_of(table.start), {**look_of(table.start), Cell("F12"): "empty"}
    table.lie(start, 2.0)
    table.lie(lacks, LOOKS_S[HIDDEN_LOOKS - 1] + 1.0, hidden=("E12", "G12"))
    asked = table.state.verdict
    assert isinstance(asked, Unclear)
    assert (asked.code, asked.cells) == ("hand", ("E12", "G12"))
    assert not table.state.out_of_step
    table.lie(lacks, LONG_S)
    refused = table.state.verdict
    assert isinstance(refused, Refused)
    assert refused.cells == ("F12",)


@pytest.mark.parametrize("on_an_edge", [False, True])
def test_a_tee_across_two_cells_is_asked_about_and_not_called_gone(table: SteppedTable, *, on_an_edge: bool) -> None:
    start, looks = look_of(table.start), looks_of(table)
    for _frame in range(8):
        see(table, start, looks)
    cells = list(start)
    taken = Cell("G1")
    beside = [cells.index(Cell(name)) for name in ("F6", "G6")]
    assert {start[cells[row]] for row in beside} == {"empty"}
    looks[cells.index(taken)] += 0.3
    for row, edge in zip(beside, (3, 0), strict=True):
        looks[row, :, 1:3, edge] += 0.8 * on_an_edge
    for _frame in range(24):
        see(table, {**start, taken: "empty"}, looks)
    verdict = table.state.verdict
    if on_an_edge:
        assert isinstance(verdict, Unclear)
        assert verdict.cells == ("F6", "G6")
    else:
        assert isinstance(verdict, Refused)
        assert taken in verdict.cells


@pytest.mark.parametrize("light", [1.0, 0.8], ids=["", "in another light for a while"])
def test_what_a_moved_piece_shades_beside_it_is_no_piece_that_is_missing_elsewhere(
    table: SteppedTable, light: float
) -> None:
    start, looks = look_of(table.start), looks_of(table)
    for _frame in range(8):
        see(table, start, looks)
    played, cells = look_of(after(table.start, FIRST)), list(start)
    moved = [cell for cell in cells if played[cell] != start[cell]]
    alone = (
        c for cell in moved for c in around(cells, cell) if all(start[near] == "empty" for near in around(cells, c))
    )
    beside = next(c for c in alone if played[c] == "empty")
    looks[[cells.index(cell) for cell in moved]] += 0.3
    looks[cells.index(beside), :, 1:3, 0] += 0.8
    while not table.state.progress.past:
        see(table, played, light * looks)
    assert not table.state.doubt
    gone = Cell("G1")
    looks[cells.index(gone)] += 0.3
    for _frame in range(24):
        see(table, {**played, gone: "empty"}, looks)
    verdict = table.state.verdict
    assert isinstance(verdict, Refused)
    assert gone in verdict.cells


SECOND = Walk((Cell("G2"),))
"""Green's answer to `FIRST`."""

TINTS = {"empty": (0.7, 0.7, 0.7), "red": (0.5, 0.1, 0.4), "green": (0.4, 0.1, 0.6)}
"""The looks of unusual pieces, bgr: what is called green looks redder than what is called red."""

ROYAL = 0.3
"""By how much a royal piece is brighter."""


def tinted(labels: Mapping[Cell, str], light: float = 1.0) -> NDArray[np.float64]:
    cells = TABLE.board().cells
    plain = np.array([TINTS[labels[Cell(cell)].removesuffix("-royal")] for cell in cells])
    looks = plain + ROYAL * np.array([[labels[Cell(cell)].endswith("-royal")] for cell in cells])
    return light * np.tile(looks[:, :, None, None], (1, 1, 4, 4))


@pytest.fixture
def entries(table: SteppedTable) -> list[Entry]:
    """What is written of a move on a table whose the players agreed that colours are kept."""
    table.state = replace(table.state, calibrates=True)
    for labels in (look_of(table.start), look_of(after(table.start, FIRST))):
        for _frame in range(8):
            see(table, labels, tinted(labels))
    return table.entries


def resumed(entries: Sequence[Entry]) -> SteppedTable:
    table = SteppedTable(new_game("red", "green"))
    for entry in entries:
        table.take(Recalled(entry))
    return table


def test_learned_colours_are_kept_with_the_move_if_people_agree(table: SteppedTable, entries: list[Entry]) -> None:
    (kept,) = [entry for entry in entries if isinstance(entry, Calibrated)]
    assert kept.tones[Cell("F12"), "red"] == pytest.approx((0.333, 0.15, -0.125), abs=0.02)
    assert table.state.progress.tones == resumed(entries).state.progress.tones


def test_without_that_no_colour_is_written(table: SteppedTable) -> None:
    table.lie(look_of(table.start), SHORT)
    for _frame in range(8):
        labels = look_of(after(table.start, FIRST))
        see(table, labels, tinted(labels))
    assert [type(entry) for entry in table.entries] == [Played]


@pytest.mark.parametrize(("light", "known"), [(1.0, True), (1.05, True), (0.5, False)])
def test_a_resumed_game_begins_with_the_colours_that_were_kept_if_the_light_is_the_same(
    entries: list[Entry], light: float, known: bool
) -> None:
    table = resumed(entries)
    labels = look_of(table.position)
    see(table, labels, tinted(labels, light))
    assert (table.state.memory is not None) == known
    if table.state.memory is not None:
        assert table.state.memory.tones == table.state.progress.tones


def test_colours_in_another_light_take_the_place_of_those_that_were_kept(entries: list[Entry]) -> None:
    table = resumed(entries)
    table.state = replace(table.state, calibrates=True)
    for labels in (look_of(table.position), look_of(after(table.position, SECOND))):
        for _frame in range(8):
            see(table, labels, tinted(labels, 0.5))
    (kept,) = [entry for entry in table.entries if isinstance(entry, Calibrated)]
    assert kept.replaces
    assert table.state.progress.tones.seen == kept.tones


@pytest.mark.parametrize("untouched", [True, False])
def test_a_table_that_looks_as_before_the_lights_went_off_has_lain_so_all_the_time(
    table: SteppedTable, untouched: bool
) -> None:
    wrong = {**look_of(table.start), Cell("A1"): "green", Cell("C7"): "green"}
    table.lie(wrong, LOOKS_S[1] + 0.4)
    for _second in range(4):
        table.at_ns += 1_000_000_000
        table.take(FrameBlind(BlindReason.DARK, table.at_ns))
    table.frame(wrong, still=False)
    table.lie(wrong if untouched else {**wrong, Cell("A1"): "empty", Cell("B1"): "green"}, SHORT)
    assert isinstance(table.state.verdict, Refused) == untouched


# ---- players insist on what is on cells that are hard to read: at set-up that all is right, later on one cell


_UR = GAMES["royal-ur"]
_BOARD = _UR.board()
_START = _UR.engine.new((Seat("white"), Seat("black")), {}, 1)


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
    state = replace(new_state(_UR, _START), setting_up=not resumed, resumed=resumed)
    for number in range(1, 20):
        state = step(state, _frame(number, white))[0]
    for time in range(times):
        assert before_play(state)
        state = step(state, ButtonPressed(Button.DONE, 20 * (time + 1) * 200_000_000))[0]
        for number in range(20 * time + 21, 20 * time + 40):
            state = step(state, _frame(number, white))[0]
    return state


@pytest.mark.parametrize(
    ("white", "times", "resumed"),
    [(0.75, 0, False), (0.9, 0, False), (0.75, 1, True), (0.9, 1, True), (0.999, 2, False)],
    ids=["print", "print like a counter", "in doubt", "in more doubt", "rings that are read as a counter"],
)
def test_what_is_on_a_cell_is_learned_at_set_up_and_is_later_as_people_say(
    white: float, times: int, resumed: bool
) -> None:
    """Of a bare board nothing is asked; people who press DONE in doubt, or twice against the camera, know better."""
    state = _after_done(white, times, resumed=resumed)
    assert not state.setting_up
    assert isinstance(state.verdict, Unchanged)
    assert state.out_of_step == ()


def test_a_counter_that_is_seen_for_certain_is_still_reported() -> None:
    state = _after_done(0.999)
    assert not isinstance(state.verdict, Unchanged)
    assert [difference.cell for difference in state.out_of_step] == [_BOARD.places[0]]
    assert buttons(state)[Button.DONE] == "insist"


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


def test_done_does_not_call_a_table_right_while_something_may_cover_a_cell(table: SteppedTable) -> None:
    """Nobody sees what was done beneath it."""
    lies, looks = look_of(table.start), looks_of(table)
    for _frame in range(5):
        see(table, lies, looks)
    looks[list(lies).index(Cell("C5"))] += 0.3
    for _frame in range(12):
        see(table, lies, looks, covered=Cell("C5"))
    table.press(Button.DONE)
    verdict = table.state.verdict
    assert isinstance(verdict, Unclear)
    assert verdict.cells == ("C5",)


@pytest.mark.parametrize("touched", [False, True])
def test_an_empty_cell_that_may_not_be_empty_is_doubted_only_if_somebody_came_to_it(
    table: SteppedTable, *, touched: bool
) -> None:
    """A piece that was set down on the line between two cells is read as neither."""
    lies, looks = look_of(table.start), looks_of(table)
    for _frame in range(5):
        see(table, lies, looks)
    looks[list(lies).index(Cell("C5")), :, :1] += 0.3 * touched
    for _frame in range(12):
        see(table, lies, looks, {Cell("C5"): {"empty": 0.97, "green": 0.03}})
    assert not isinstance(table.state.verdict, Confirmed)
    assert (Cell("C5") in table.state.doubt) is touched


@pytest.mark.parametrize(("where", "named"), [("C5", ("C5",)), ("F11", ())], ids=["alone", "beside a piece"])
def test_what_lies_across_the_edge_of_a_cell_that_is_surely_empty_is_named(
    table: SteppedTable, where: str, named: tuple[str, ...]
) -> None:
    """A piece on the line is read as neither, and DONE is pressed because nothing happens."""
    lies, looks = look_of(table.start), looks_of(table)
    for _frame in range(5):
        see(table, lies, looks)
    looks[list(lies).index(Cell(where)), :, 1:3, 3] += 0.8
    for _frame in range(8):
        see(table, lies, looks)
    assert table.state.doubt == named
    table.press(Button.DONE)
    for _frame in range(3):
        see(table, lies, looks)
    verdict = table.state.verdict
    assert isinstance(verdict, Unclear if named else Unchanged)
    assert getattr(verdict, "cells", ()) == named


class OneCounter(Stepped):
    """A table of Royal Ur with one counter, whose height is in doubt; it is white's turn."""

    ur = GAMES["royal-ur"]
    cell = Cell("D3")

    def __init__(self, await_: str = "roll", dots: int | None = None) -> None:
        counters = {"white": [1, *[-1] * 6], "black": [-1] * 7}
        lies = {"players": ["white", "black"], "turn": "white", "await": await_, "dots": dots, "counters": counters}
        start = self.ur.engine.position_from_json({"game": self.ur.name, **lies, "over": False})
        super().__init__(self.ur, Opaque(start))
        self.state = replace(self.state, setting_up=False)
        self.labels, self.rng = self.ur.placement(self.start), np.random.default_rng(2)
        self.cells = self.ur.board().places
        self.looks = self.rng.uniform(0.2, 0.8, (len(self.cells), 3, 4, 4))

    def push(self) -> None:
        """Push the counter, or put another one onto it."""
        looks = self.looks[self.cells.index(self.cell)]
        looks += 0.04 * np.array([1, -1, -1, 1])
        looks[:, ::2] -= 0.08 * np.array([1, -1, -1, 1])

    def put(self, cell: Cell) -> None:
        """Put another counter onto an empty cell."""
        self.looks[self.cells.index(cell), :, 1:3, 1:3] += 0.3
        self.labels = {**self.labels, cell: "white"}

    def look(self, frames: int, white: float, *, lit: bool = False) -> set[str]:
        """Read the counter as one with this probability, else as two; return the cells that are named as wrong."""
        labels, named = tuple(map(str, self.ur.board().cell_labels)), set[str]()
        p = np.full((len(self.cells), len(labels)), 1e-4)
        p[range(len(p)), [labels.index(self.labels.get(Cell(cell), EMPTY)) for cell in self.cells]] = 1.0
        columns = [labels.index(label) for label in (EMPTY, "white", "white*2")]
        p[self.cells.index(self.cell), columns] = 1e-4, white, 1.0 - white
        seen = Observation(self.cells, labels, p / p.sum(axis=1, keepdims=True), np.ones(len(p), dtype=np.bool_))
        for _frame in range(frames):
            appearance = (self.looks + self.rng.normal(0.0, 0.005, self.looks.shape)).astype(np.float32)
            self.at_ns += FRAME_NS
            self.take(FrameRead(replace(seen, appearance=appearance, relit=lit), True, self.at_ns))
            named.update(odd.cell for odd in self.state.out_of_step)
        return named


@pytest.mark.parametrize(
    ("relit", "was", "white", "verdict"),
    [
        pytest.param(True, 0.95, 0.93, Unchanged, id="a lamp is switched"),
        pytest.param(False, 0.95, 0.93, Unclear, id="a counter is pushed"),
        pytest.param(False, 0.45, 0.8, Unclear, id="a counter that looked like two is pushed"),
        pytest.param(False, 0.7, 0.45, Unclear, id="a counter that now looks like either is pushed"),
        pytest.param(False, 0.95, 0.2, Refused, id="a counter is added"),
    ],
)
def test_nobody_is_told_that_a_stack_is_higher_which_is_not_read_so(
    relit: bool, was: float, white: float, verdict: type[Verdict]
) -> None:
    """The sides of a counter look different in a new light; in the same light somebody has come to it."""
    table = OneCounter()
    table.look(8, was)
    assert table.cell in there(table.state.memory).labels
    table.push()
    named = table.look(30, white, lit=relit)
    assert isinstance(table.state.verdict, verdict)
    assert getattr(table.state.verdict, "cells", (table.cell,)) == (table.cell,)
    assert named == ({table.cell} if verdict is Refused else set())
    moving = FrameRead(table.state.sight.frames[-1], False, table.at_ns + FRAME_NS)
    assert [there(step(table.state, moving)[0].memory).reached, there(table.state.memory).reached] == [True, False]


@pytest.mark.parametrize("more", [False, True])
def test_who_was_asked_about_a_stack_says_by_done_that_the_move_beside_it_is_all(more: bool) -> None:
    table = OneCounter(await_="move", dots=3)
    table.look(8, 0.95)
    table.push()
    table.put(Cell("E3"))
    table.look(30, 0.93)
    entry = act(table.ur, enter=True)
    assert table.state.verdict == Unclear("ambiguous", (table.cell,), (entry,))
    table.press(Button.DONE)
    table.look(3, 0.93)
    assert (table.state.position, buttons(table.state)[Button.DONE]) == (table.start, EXPLANATION)
    if more:
        table.put(Cell("B2"))
        table.look(3, 0.93)
    table.press(Button.DONE)
    table.look(3, 0.93)
    after = table.ur.engine.after(table.start, entry).position
    assert table.state.position == (table.start if more else after)


def test_no_press_of_done_takes_a_counter_that_is_plainly_added_to_a_stack() -> None:
    table = OneCounter(await_="move", dots=3)
    table.look(8, 0.95)
    table.push()
    table.put(Cell("E3"))
    table.look(30, 0.2)
    for _press in range(4):
        table.press(Button.DONE)
        table.look(8, 0.2)
        assert isinstance(table.state.verdict, Refused)
    assert table.state.position == table.start


def test_nothing_is_to_be_straightened_on_a_bare_board_whose_print_looks_like_a_piece() -> None:
    ur = GAMES["royal-ur"]
    table = Stepped(ur, Opaque(ur.engine.new([Seat("white"), Seat("black")], {}, 1)))
    table.state = replace(table.state, setting_up=True)
    cells, labels = ur.board().places, tuple(map(str, ur.board().cell_labels))
    p = np.full((len(cells), len(labels)), 1e-4)
    p[:, labels.index("empty")] = 1.0
    p[cells.index("C3"), [labels.index("empty"), labels.index("white")]] = 0.4, 0.6
    seen = Observation(cells, labels, p / p.sum(axis=1, keepdims=True), np.ones(len(cells), dtype=np.bool_))
    rng = np.random.default_rng(2)
    looks = rng.uniform(0.2, 0.8, (len(cells), 3, 4, 4))
    for frame_no in range(20):
        appearance = (looks + rng.normal(0.0, 0.005, looks.shape)).astype(np.float32)
        table.take(FrameRead(replace(seen, appearance=appearance), True, frame_no * FRAME_NS))
        assert table.state.setting_up or not table.state.doubt
    assert not table.state.setting_up


def test_a_pad_beside_the_board_that_the_game_does_not_use_is_not_doubted() -> None:
    ur = GAMES["royal-ur"]
    table = Stepped(ur, Opaque(ur.engine.new([Seat("white"), Seat("black")], {}, 1)))
    cells, labels = ur.board().places, tuple(map(str, ur.board().cell_labels))
    unused = next(cell for cell in map(Cell, cells) if cell not in ur.placement(table.state.position))
    p = np.full((len(cells), len(labels)), 1e-4)
    p[:, labels.index("empty")] = 1.0
    p[cells.index(unused), [labels.index("empty"), labels.index("white")]] = 0.6, 0.4
    seen = Observation(cells, labels, p / p.sum(axis=1, keepdims=True), np.ones(len(cells), dtype=np.bool_))
    for frame_no in range(20):
        table.take(FrameRead(seen, True, frame_no * FRAME_NS))
    assert table.state.sight.looks
    assert not table.state.doubt


@pytest.mark.parametrize("touched", [True, False])
def test_a_pawn_is_not_said_to_be_gone_if_somebody_came_to_where_it_may_have_stepped(*, touched: bool) -> None:
    """A pawn on a flag or a symbol of its own colour may be read as that alone."""
    racers, rng, position = GAMES["royal-racers"], np.random.default_rng(3), in_race(Phase.MOVE)
    table = Stepped(racers, Opaque(position))
    table.state = replace(table.state, setting_up=False)
    lies, cells = racers.placement(Opaque(position)), racers.board().places
    labels = tuple(map(str, racers.board().cell_labels))
    looks, there_now = rng.uniform(0.2, 0.8, (len(cells), 3, 4, 4)), dict(lies)
    step_to = next(one for one in racers.engine.actions(Opaque(position)) if isinstance(one, Step))
    after_step = racers.placement(racers.engine.after(Opaque(position), step_to).position)
    left, to = sorted(
        (cell for cell in lies if after_step[cell] != lies[cell]), key=lambda cell: "pawn" in after_step[cell]
    )

    def look() -> None:
        p = np.full((len(cells), len(labels)), 1e-5)
        p[range(len(cells)), [labels.index(there_now[Cell(cell)]) for cell in cells]] = 1.0
        seen = Observation(cells, labels, p / p.sum(axis=1, keepdims=True), np.ones(len(cells), dtype=np.bool_))
        appearance = (looks + rng.normal(0.0, 0.005, looks.shape)).astype(np.float32)
        table.at_ns += FRAME_NS
        table.take(FrameRead(replace(seen, appearance=appearance), True, table.at_ns))

    for _frame in range(8):
        look()
    there_now[left] = after_step[left]
    looks[[cells.index(cell) for cell in ((left, to) if touched else (left,))], :, 1:3, 1:3] += 0.08
    for _frame in range(30):
        look()
    verdict = table.state.verdict
    assert isinstance(verdict, Unclear if touched else Refused)
    assert verdict.cells == ((to,) if touched else (left,))
    assert getattr(verdict, "actions", (step_to,)) == (step_to,)


@pytest.mark.parametrize(
    ("read", "cells"),
    [
        pytest.param({"A3": "rook", "B3": "king"}, ("A3", "B3"), id="two are exchanged"),
        pytest.param({"A3": "queen rook", "B3": "king"}, ("A3", "B3"), id="one of the two is hard to read"),
        pytest.param({"A3": "rook"}, (), id="one is read as another"),
        pytest.param({"A3": "rook", "B3": "bishop"}, (), id="two are read as others"),
    ],
)
def test_pieces_that_somebody_came_to_and_that_are_read_as_one_another_are_asked_about(
    read: dict[str, str], cells: tuple[str, ...]
) -> None:
    """The identity of pieces is known from the game, but not that nobody has exchanged them."""
    study, rng = GAMES["royal-study"], np.random.default_rng(3)
    table = Stepped(study, study.engine.new([Seat("white"), Seat("black")], {}, 1))
    table.state = replace(table.state, setting_up=False)
    lies: dict[str, str] = {str(cell): label for cell, label in study.placement(table.state.position).items()}
    assert (lies["A3"], lies["B3"]) == ("king", "rook")
    names, labels = study.board().places, tuple(map(str, study.board().cell_labels))
    looks = rng.uniform(0.2, 0.8, (len(names), 3, 6, 6))

    def look(shown: Mapping[str, str]) -> None:
        p = np.full((len(names), len(labels)), 1e-4)
        for row, cell in enumerate(names):
            for rank, label in enumerate(shown.get(cell, "empty").split()):
                p[row, labels.index(label)] = 0.4**rank
        seen = Observation(names, labels, p / p.sum(axis=1, keepdims=True), np.ones(len(names), dtype=np.bool_))
        appearance = (looks + rng.normal(0.0, 0.005, looks.shape)).astype(np.float32)
        table.at_ns += FRAME_NS
        table.take(FrameRead(replace(seen, appearance=appearance), True, table.at_ns))

    for _frame in range(8):
        look(lies)
    for cell in ("A3", "B3"):
        looks[names.index(cell)] = rng.uniform(0.2, 0.8, looks.shape[1:])
    for _frame in range(30):
        look({**lies, **read})
    verdict = table.state.verdict
    assert (verdict.cells if isinstance(verdict, Unclear) else ()) == cells

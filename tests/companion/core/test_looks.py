"""A table whose looks are known: flickering readings, darkness, and what the players say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.entries import Calibrated, Entry, Played
from companion.core.messages import FrameBlind, FrameRead, Recalled
from companion.core.playing import entered
from companion.core.stability import LOOKS_S
from companion.core.verdicts import Action, ActionSource, Confirmed, Refused, Unclear
from companion.games.royal_tee import TABLE
from engines.kernel import Cell
from engines.royal_tee.position import Walk
from tests.companion.core.tables import FRAME_NS, SteppedTable
from tests.companion.core.test_step import FIRST, SHORT
from tests.companion.games.looks import after, look_of, new_game, observe
from tests.companion.games.readings import EASY
from vision.observation import BlindReason


@pytest.fixture
def table() -> SteppedTable:
    return SteppedTable(new_game("red", "green"))


def looks_of(table: SteppedTable) -> NDArray[np.float64]:
    return np.random.default_rng(1).uniform(0.2, 0.8, (len(look_of(table.start)), 3, 4, 4))


def see(table: SteppedTable, labels: Mapping[Cell, str], looks: NDArray[np.float64]) -> None:
    """Read a frame with noisy looks, (n_cells, channels, rows, columns)."""
    appearance = (looks + table.rng.normal(0.0, 0.01, looks.shape)).astype(np.float32)
    table.at_ns += FRAME_NS
    table.take(FrameRead(replace(observe(labels, table.rng, EASY), appearance=appearance), True, table.at_ns))


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

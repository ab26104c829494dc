"""A table whose looks are known: flickering readings, darkness, and what people say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.messages import FrameBlind, FrameRead
from companion.core.playing import entered
from companion.core.stability import LOOKS_S
from companion.core.verdicts import ActionSource, Confirmed, Refused
from companion.games.royal_tee.adaptor import ADAPTOR
from engines.kernel import Cell
from engines.royal_tee import GAME
from tests.companion.core.tables import FRAME_NS, SteppedTable
from tests.companion.core.test_step import FIRST, SHORT
from tests.companion.games.looks import EASY, after, look_of, new_game, observe
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
    looks, row = looks_of(table), ADAPTOR.board().places.index("A1")
    for _frame in range(6):
        see(table, look_of(table.start), looks)
    looks[row] += 0.3  # a shadow falls on it
    for _frame in range(6):
        see(table, look_of(table.start), looks)
    state, _effects = entered(table.state, GAME.action_to_json(FIRST), ActionSource.OVERRULED)
    assert state.memory is not None
    assert state.memory.seen.appearance is not None
    assert np.abs(state.memory.seen.appearance[row] - looks[row]).max() < 0.05


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

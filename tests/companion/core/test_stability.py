"""When a table is judged, on frames that are made by hand: how many it takes, how long, and how often again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.core.looking import look
from companion.core.messages import FrameRead
from companion.core.stability import FrameWindow, watch, why_wait
from companion.core.verdicts import (
    Confirmed,
    Waiting,
)
from engines.kernel import Cell
from hardware.panel import Button
from tests.companion.core.tables import SteppedTable
from tests.companion.core.test_step import FIRST
from tests.companion.games.looks import after, look_of, new_game
from vision.observation import Observation

LABELS = ("empty", "red", "green")
CELLS = ("A1", "B1")
MOVING, SETTLING = Waiting("moving"), Waiting("settling")


def seen(*, shown: bool = True, red: float = 0.0) -> Observation:
    p = np.array([[1.0, 0.0, 0.0], [1.0 - red, red, 0.0]])
    return Observation(CELLS, LABELS, p, np.array([True, shown]))


def lying(frames: int, seconds: float, looks: int = 0, *, shown: bool = True) -> FrameWindow:
    """Return the window of a table that has lain for some time."""
    return FrameWindow((seen(shown=shown),) * frames, 0, round(seconds * 1e9), looks)


def frame(at_s: float, *, still: bool = True, shown: bool = True, red: float = 0.0) -> FrameRead:
    return FrameRead(seen(shown=shown, red=red), still, round(at_s * 1e9))


@pytest.mark.parametrize(
    ("frames", "pressed", "waiting"),
    [(0, True, MOVING), (1, True, SETTLING), (2, True, None), (2, False, SETTLING), (3, False, None)],
)
def test_a_verdict_takes_three_frames_and_two_when_asked_for(
    frames: int, pressed: bool, waiting: Waiting | None
) -> None:
    assert why_wait(lying(frames, 30.0), pressed=pressed) == waiting


@pytest.mark.parametrize(
    ("looks", "at_s"), [(0, 0.6), (1, 1.4), (2, 4.0), (3, 10.0), (4, 20.0), (5, 40.0), (6, 60.0), (7, 80.0)]
)
def test_a_table_that_lies_is_looked_at_ever_more_rarely_and_at_last_every_20_s(looks: int, at_s: float) -> None:
    assert why_wait(lying(3, at_s - 0.01, looks), pressed=False) == SETTLING
    assert why_wait(lying(3, at_s, looks), pressed=False) is None


@pytest.mark.parametrize(
    ("seconds", "doubt", "waiting"),
    [
        (1.49, (), MOVING),
        (1.5, (), Waiting("hand", (Cell("B1"),))),
        (2.99, (), Waiting("hand", (Cell("B1"),))),
        (3.0, (), None),
        (1.0, ("A1",), MOVING),
        (1.0, ("B1",), None),
        (1.0, ("A1", "B1"), None),
    ],
)
def test_a_hand_is_waited_for_and_named_and_then_taken_as_part_of_the_table(
    seconds: float, doubt: tuple[str, ...], waiting: Waiting | None
) -> None:
    sight = lying(3, seconds, shown=False)
    assert why_wait(sight, pressed=False, doubt=tuple(map(Cell, doubt))) == waiting


def test_the_latest_six_frames_count_since_the_first_of_all() -> None:
    sight = FrameWindow()
    for number in range(8):
        sight = watch(sight, frame(1.0 + number))
    assert (len(sight.frames), sight.lies_s) == (6, 7.0)
    assert len(watch(sight, frame(9.0, still=False)).frames) == 0


def test_a_cell_that_changes_begins_anew_and_one_that_comes_to_light_is_looked_at_at_once() -> None:
    covered = lying(3, 5.0, looks=2, shown=False)
    assert (after_light := watch(covered, frame(5.2))).looks == 0
    assert (len(after_light.frames), after_light.since_ns) == (4, 0)
    assert watch(covered, frame(5.2, shown=False)).looks == 2
    changed = watch(lying(3, 5.0, looks=2), frame(5.2, red=0.95))
    assert (len(changed.frames), changed.looks, changed.lies_s) == (1, 0, 0.0)


@pytest.fixture
def played_table() -> SteppedTable:
    played = SteppedTable(new_game("red", "green"))
    played.lie(look_of(after(played.start, FIRST)), 2.0)
    assert played.state.progress.past
    return played


def test_a_move_that_was_taken_back_before_the_next_frame_counts_again_once_it_was_put_back() -> None:
    table = SteppedTable(new_game("red", "green"))
    played = after(table.start, FIRST)
    while not table.state.progress.past:
        table.frame(look_of(played))
    table.press(Button.BACK)
    for position in (played, table.start):
        table.frame(look_of(position))
    table.lie(look_of(played), 2.0)
    assert isinstance(table.state.verdict, Confirmed)


@pytest.mark.parametrize(("looks", "waiting"), [(0, SETTLING), (1, Waiting("put-back"))])
def test_what_was_reported_stays_until_the_next_look(played_table: SteppedTable, looks: int, waiting: Waiting) -> None:
    played_table.lie(look_of(played_table.position), 1.0)
    sight = replace(played_table.state.sight, looks=looks, at_ns=played_table.state.sight.since_ns or 0)
    state, _effects = look(replace(played_table.state, sight=sight, waiting=Waiting("put-back")))
    assert state.waiting == waiting

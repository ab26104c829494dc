from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from companion.core.messages import DiceRead
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.tray_watch import TrayWatch
from engines.kernel import Seat
from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.simulation.scene import camera_over
from vision.tray import TrayDie

GAME = GAMES["territory"]
BOARD, POSE = GAME.board(), camera_over(GAME.board(), (1296, 972)).pose
START: Any = GAME.engine.new([Seat(colour) for colour in BOARD.colours[:3]], {}, 0)
PICTURE = np.zeros((4, 4, 3), np.uint8)


def lying(*dice: tuple[int | None, float, float]) -> tuple[TrayDie, ...]:
    """Dice by what they show, None for one that cannot be read, and where they are, in mm."""
    pixels = [POSE.project_at([(x, y)], 16.0)[0] for _value, x, y in dice]
    return tuple(
        TrayDie(value, False, 0.99 if value else 0.5, (float(px), float(py)))
        for (value, _x, _y), (px, py) in zip(dice, pixels, strict=True)
    )


class Tray:
    """A tray in which dice are put by hand."""

    def __init__(self) -> None:
        self.dice: tuple[TrayDie, ...] = ()
        self.reported: list[DiceRead] = []
        dice = ENGINES["territory"].turns.dice
        assert dice is not None
        self.watch = TrayWatch(BOARD, dice.of_faces, self.reported.append, self._read)

    def _read(self, _image_bgr: ImageBgr, _board: Board, _pose: Pose) -> Sequence[TrayDie]:
        return self.dice

    def look(self, *dice: tuple[int | None, float, float], awaited: Any = START, times: int = 1) -> list[Any]:
        self.dice = lying(*dice)
        self.reported.clear()
        for _ in range(times):
            self.watch.look(PICTURE, POSE, 5, awaited)
        return [ENGINES["territory"].game.action_to_json(throw.action) for throw in self.reported]


@pytest.fixture
def tray() -> Tray:
    empty = Tray()
    empty.look()
    return empty


THREE, FOUR = (3, 450.0, 100.0), (4, 480.0, 130.0)


def test_two_equal_readings_are_a_throw_and_one_is_none(tray: Tray) -> None:
    assert tray.look(THREE, FOUR) == []
    assert tray.look(THREE, FOUR) == [{"roll": [3, 4]}]


def test_a_throw_is_reported_once_and_not_again_for_the_next_one(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=9) == [{"roll": [3, 4]}]
    assert tray.look(THREE, FOUR, times=9, awaited=None) == []
    assert tray.look(THREE, FOUR, times=9) == []


def test_the_same_numbers_elsewhere_are_a_new_throw(tray: Tray) -> None:
    tray.look(THREE, FOUR, times=2)
    assert tray.look((3, 470.0, 60.0), (4, 500.0, 110.0), times=2) == [{"roll": [3, 4]}]


def test_a_die_that_stays_while_the_others_are_thrown_is_none_of_the_throw(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=2) == [{"roll": [3, 4]}]
    assert tray.look(THREE, (4, 500.0, 110.0), times=9) == []
    assert tray.look(THREE, (5, 500.0, 110.0), (6, 470.0, 60.0), times=2) == [{"roll": [5, 6]}]


def test_a_die_that_falls_where_it_lay_before_counts_once_all_were_taken_up(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=2) == [{"roll": [3, 4]}]
    assert tray.look(times=2) == tray.look(THREE, FOUR, times=9) == [], "a hand may only have hidden them"
    assert tray.look(times=2) == []
    assert tray.look(THREE, (5, 500.0, 110.0), times=2) == [{"roll": [3, 5]}]


def test_dice_that_people_counted_are_not_read_as_the_next_throw(tray: Tray) -> None:
    later: Any = GAME.engine.new([Seat(colour) for colour in BOARD.colours[:3]], {}, 1)
    assert tray.look((None, 450.0, 100.0), FOUR, times=3) == []
    assert tray.look(THREE, FOUR, awaited=later, times=9) == []
    assert tray.look((1, 470.0, 60.0), (2, 500.0, 110.0), awaited=later, times=2) == [{"roll": [1, 2]}]


def test_dice_that_roll_are_no_throw(tray: Tray) -> None:
    for x in range(400, 480, 20):
        assert tray.look((3, float(x), 100.0), FOUR) == []


def test_dice_that_were_there_before_the_game_are_no_throw() -> None:
    tray = Tray()
    assert tray.look(THREE, FOUR, times=9) == []
    assert tray.look((3, 470.0, 60.0), (5, 500.0, 90.0), times=2) == [{"roll": [3, 5]}]


@pytest.mark.parametrize("dice", [[THREE], [THREE, (None, 480.0, 130.0)], [THREE, FOUR, (1, 500.0, 50.0)]])
def test_a_die_that_is_missing_unread_or_too_many_makes_no_throw(tray: Tray, dice: list[Any]) -> None:
    assert tray.look(*dice, times=9) == []


def test_nothing_is_reported_while_no_throw_is_awaited(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=9, awaited=None) == []
    assert tray.look(THREE, FOUR, times=1) == [{"roll": [3, 4]}], "a throw that came early counts when it is awaited"

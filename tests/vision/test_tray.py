"""Dice in the tray: which count, what their marks and pips mean, and what is no throw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import cv2
import msgspec
import numpy as np
import pytest

from tests.vision.drawn_tables import paste_marker
from tests.vision.readings import throw_of
from vision.board import Board, shipped_board
from vision.board_sections import Dice, Tray
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.markerless.dice import LooseDie
from vision.simulation.dice import SceneDie, draw_dice
from vision.simulation.scene import SceneCamera, camera_over
from vision.tray import TrayDie, read_dice

BASE = msgspec.structs.replace(shipped_board("royal-racers"), dice=None)
MARKS = {"null": 200, "1": 201, "2": 202, "3": 203, "4": 204, "5": 205}
SIZE_WH = (2560, 1920)
RECTANGLE = (560.0, 100.0, 200.0, 200.0)


def with_dice(dice: Dice, tray: Tray | None = None) -> Board:
    return msgspec.structs.replace(BASE, dice=dice, tray=tray)


def camera() -> SceneCamera:
    return camera_over(BASE, SIZE_WH, tilt_deg=15.0, turn_deg=5.0, distance_mm=850.0, aim_mm=(150.0, -60.0))


def picture(pose: Pose, dice: Dice, faces: Sequence[tuple[str, float, float]]) -> ImageBgr:
    """Draw marks on the plane of the dice's tops, at places in mm."""
    image = np.full((*SIZE_WH[::-1], 3), 110, np.uint8)
    square = dice.mark_mm / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for value, x, y in faces:
        paste_marker(image, pose, "DICT_4X4_250", dice.marks[value], square + np.array((x, y)), dice.size_mm)
    return image


class _Seen:
    """Says that dice are at places of the table, and how large; each is in the view of that part of the table."""

    def __init__(self, pose: Pose, *dice: tuple[int | None, float, float, float]) -> None:
        self._pose, self._dice = pose, dice

    def read_sized(self, image_bgr: ImageBgr, face_px: float) -> Sequence[LooseDie]:
        """Find the bright spots, one for each die."""
        count, _parts, _boxes, middles = cv2.connectedComponentsWithStats((image_bgr[..., 0] > 140).astype(np.uint8))
        assert count <= 1 + len(self._dice)
        return [self._die(middle, image_bgr, face_px) for middle in middles[1:]]

    def _die(self, middle: Any, image_bgr: ImageBgr, face_px: float) -> LooseDie:
        level = int(image_bgr[round(middle[1]), round(middle[0]), 0])
        value, _x, _y, size = self._dice[level // 10 - 14]
        return LooseDie(value, 0.99, (float(middle[0]), float(middle[1])), size * face_px)

    def picture(self) -> ImageBgr:
        """Draw the spots, each as bright as its die's number says."""
        image = np.zeros((*SIZE_WH[::-1], 3), np.uint8)
        for number, (_value, x, y, _size) in enumerate(self._dice):
            spot = self._pose.project_at([(x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4)], 16.0)
            cv2.fillConvexPoly(image, np.rint(spot).astype(np.int32), (145 + 10 * number,) * 3)
        return image


def read_of(board: Board, pose: Pose, *dice: tuple[int | None, float, float, float]) -> tuple[TrayDie, ...]:
    """Read dice: what a network says of each, where it is in mm, and how large it is beside what it should be."""
    seen = _Seen(pose, *dice)
    with patch("vision.tray.pips_reader", return_value=seen):
        return read_dice(seen.picture(), board, pose)


def test_marked_dice_show_their_values_and_null() -> None:
    dice, pose = Dice(count=2, faces="marks", marks=MARKS), camera().pose
    board = with_dice(dice, Tray(rectangle=RECTANGLE))
    read = read_dice(picture(pose, dice, [("3", 600, 150), ("null", 700, 220)]), board, pose)
    assert [(die.value, die.is_null) for die in read] == [(3, False), (None, True)]
    assert throw_of(read, board) == (3, None)


def test_dice_outside_the_tray_do_not_count() -> None:
    dice, pose = Dice(count=1, faces="marks", marks=MARKS), camera().pose
    shown = picture(pose, dice, [("3", 600, 150), ("5", 600, 400), ("4", 300, 300)])
    assert [d.value for d in read_dice(shown, with_dice(dice, Tray(rectangle=RECTANGLE)), pose)] == [3]
    anywhere = read_dice(shown, with_dice(dice), pose)
    assert sorted(d.value or 0 for d in anywhere) == [3, 5]  # the one on the board does not count
    assert throw_of(anywhere, with_dice(dice)) is None  # one too many


def test_a_mark_on_a_side_face_does_not_count() -> None:
    dice, pose = Dice(count=1, faces="marks", marks=MARKS), camera().pose
    larger = msgspec.structs.replace(dice, mark_mm=20.0)
    shown = picture(pose, larger, [("3", 600, 150)])
    assert read_dice(shown, with_dice(dice), pose) == ()


def test_pips_are_values_unless_their_number_means_null() -> None:
    pose = camera().pose
    board = with_dice(Dice(count=2, null=6))
    read = read_of(board, pose, (6, 600, 150, 1.0), (4, 650, 180, 1.0))
    assert throw_of(read, board) == (None, 4)
    doubtful = read_of(board, pose, (None, 600, 150, 1.0), (4, 650, 180, 1.0))
    assert throw_of(doubtful, board) is None


def test_things_of_another_size_and_dice_on_the_board_are_no_throw() -> None:
    pose, board = camera().pose, with_dice(Dice(count=1))
    large, inside = (2, 600, 150, 2.5), (2, 300, 300, 1.0)
    assert [die.value for die in read_of(board, pose, large, inside, (5, 620, 300, 1.0))] == [5]
    assert read_of(board, pose, large, inside) == ()


def test_a_die_in_two_views_is_one() -> None:
    pose, board = camera().pose, with_dice(Dice(count=1))
    (die,) = read_of(board, pose, (3, BASE.size[0] + 9.0, -9.0, 1.0))
    assert die.centre_px == pytest.approx(pose.project_at([(BASE.size[0] + 9.0, -9.0)], 16.0)[0], abs=1.0)


def test_dots_are_one_or_cannot_be_read() -> None:
    pose, board = camera().pose, with_dice(Dice(count=1, faces="dots"), Tray(rectangle=RECTANGLE))
    assert throw_of(read_of(board, pose, (1, 600, 150, 1.0)), board) == (1,)
    assert throw_of(read_of(board, pose, (3, 600, 150, 1.0)), board) is None


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 45.0])
def test_blank_and_dotted_tops_are_read(turn_deg: float) -> None:
    board, seen = with_dice(Dice(count=3, faces="dots"), Tray(rectangle=RECTANGLE)), camera()
    dice = [SceneDie(dots, (590.0, 150.0 + 40 * k), 16.0, turn_deg, dotted=True) for k, dots in enumerate((0, 1, 0))]
    image = np.full((*SIZE_WH[::-1], 3), 90, np.uint8)
    draw_dice(image, seen, dice)
    assert throw_of(read_dice(image, board, seen.pose), board) == (0, 1, 0)


@pytest.mark.parametrize("thing", ["disc", "slip", "two dots", "dot aside"])
def test_what_is_no_top_with_a_dot_or_none_is_not_read(thing: str) -> None:
    pose, board = camera().pose, with_dice(Dice(count=1, faces="dots"), Tray(rectangle=RECTANGLE))
    image, x, y, half = np.full((*SIZE_WH[::-1], 3), 90, np.uint8), 600.0, 200.0, 8.0

    def drawn(points: Any, grey: int) -> None:
        cv2.fillConvexPoly(image, np.rint(pose.project_at(points, 16.0)).astype(np.int32), (grey,) * 3)

    def disc(at: tuple[float, float], radius: float) -> Any:
        angles = np.linspace(0, 2 * np.pi, 40)
        return np.array(at) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)

    long = 12.0 if thing == "slip" else half
    square = np.array([(x - long, y - half), (x + long, y - half), (x + long, y + half), (x - long, y + half)])
    drawn(disc((x, y), 9.0) if thing == "disc" else square, 220)
    for at in {"two dots": [(x - 3, y), (x + 3, y)], "dot aside": [(x - 4, y)]}.get(thing, []):
        drawn(disc(at, 1.6), 30)
    assert throw_of(read_dice(image, board, pose), board) is None


def test_a_tray_outside_the_picture_has_no_dice_and_a_table_without_dice_is_an_error() -> None:
    dice, pose = Dice(count=1, faces="marks", marks=MARKS), camera().pose
    far = with_dice(dice, Tray(rectangle=(5000.0, 5000.0, 100.0, 100.0)))
    assert read_dice(picture(pose, dice, []), far, pose) == ()
    with pytest.raises(BoardFileError, match="dice: expected a section"):
        read_dice(picture(pose, dice, []), BASE, pose)


def test_an_uncertain_die_is_not_read() -> None:
    assert not TrayDie(3, False, 0.6, (0.0, 0.0)).is_read
    assert TrayDie(None, True, 0.99, (0.0, 0.0)).is_read

"""Dice in the tray: which count, what their marks and pips mean, and what is no throw."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

import cv2
import msgspec
import numpy as np
import pytest

from vision.board import Board, parse_board, shipped_board
from vision.board_sections import Dice, Tray
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.markerless.dice import LooseDie
from vision.simulation.scene import SceneCamera, camera_over
from vision.tray import TrayDie, read_dice, throw_of

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
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    for value, x, y in faces:
        tile = np.pad(cv2.aruco.generateImageMarker(known, dice.marks[value], 120), 20, constant_values=250)
        half = dice.mark_mm * 160 / 120 / 2
        corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + np.array((x, y))
        target = pose.project_at(corners, dice.size_mm).astype(np.float32)
        source = np.array([(0, 0), (160, 0), (160, 160), (0, 160)], np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        drawn = cv2.warpPerspective(tile, matrix, SIZE_WH, flags=cv2.INTER_AREA)
        there = cv2.warpPerspective(np.full_like(tile, 255), matrix, SIZE_WH) > 127
        image[there] = drawn[there][:, None]
    return image


class _Seen:
    """Says that dice are where a picture is looked at, whatever it shows."""

    def __init__(self, *dice: LooseDie) -> None:
        self._dice = dice

    def read(self, _image_bgr: ImageBgr) -> Sequence[LooseDie]:
        return self._dice


def seen_at(pose: Pose, value: int | None, x: float, y: float, *, size: float = 1.0) -> LooseDie:
    ends = pose.project_at(np.array([(x, y), (x + 16.0, y)]), 16.0)
    px = float(np.linalg.norm(ends[1] - ends[0])) * size
    return LooseDie(value, 0.99, (float(ends[0][0]), float(ends[0][1])), px)


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
    blank = np.zeros((*SIZE_WH[::-1], 3), np.uint8)
    read = read_dice(blank, board, pose, _Seen(seen_at(pose, 6, 600, 150), seen_at(pose, 4, 650, 150)))
    assert throw_of(read, board) == (None, 4)
    doubtful = read_dice(blank, board, pose, _Seen(seen_at(pose, None, 600, 150), seen_at(pose, 4, 650, 150)))
    assert throw_of(doubtful, board) is None


def test_things_of_another_size_and_dice_on_the_board_are_no_throw() -> None:
    pose, board = camera().pose, with_dice(Dice(count=1))
    blank = np.zeros((*SIZE_WH[::-1], 3), np.uint8)
    large, inside = seen_at(pose, 2, 600, 150, size=2.5), seen_at(pose, 2, 300, 300)
    assert read_dice(blank, board, pose, _Seen(large, inside, seen_at(pose, 5, 620, 300)))[0].value == 5
    assert len(read_dice(blank, board, pose, _Seen(large, inside))) == 0


def test_dots_are_one_or_cannot_be_read() -> None:
    pose, board = camera().pose, with_dice(Dice(count=1, faces="dots"))
    blank = np.zeros((*SIZE_WH[::-1], 3), np.uint8)
    assert throw_of(read_dice(blank, board, pose, _Seen(seen_at(pose, 1, 600, 150))), board) == (1,)
    assert throw_of(read_dice(blank, board, pose, _Seen(seen_at(pose, 3, 600, 150))), board) is None


def test_a_tray_outside_the_picture_has_no_dice_and_a_table_without_dice_is_an_error() -> None:
    dice, pose = Dice(count=1, faces="marks", marks=MARKS), camera().pose
    far = with_dice(dice, Tray(rectangle=(5000.0, 5000.0, 100.0, 100.0)))
    assert read_dice(picture(pose, dice, []), far, pose) == ()
    with pytest.raises(BoardFileError, match="dice: expected a section"):
        read_dice(picture(pose, dice, []), BASE, pose)


def test_an_uncertain_die_is_not_read() -> None:
    assert not TrayDie(3, False, 0.6, (0.0, 0.0)).is_read
    assert TrayDie(None, True, 0.99, (0.0, 0.0)).is_read


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("[dice]\ncount = 0\n", "dice.count: expected 1 to 12, found 0"),
        ('[dice]\ncount = 1\nfaces = "marks"\n', "dice.marks: expected ids by value"),
        ('[dice]\ncount = 1\nfaces = "runes"\n', 'dice.faces: expected "pips"'),
        ('[dice]\ncount = 1\nfaces = "marks"\nmarks = { six = 1 }\n', "dice.marks: expected values as numbers"),
        ("[tray]\nrectangle = [0.0, 0.0, 0.0, 10.0]\n", "tray.rectangle: expected a width and a height above 0"),
    ],
)
def test_what_is_wrong_in_the_sections_is_reported(section: str, expected: str) -> None:
    text = resources.files("vision.boards").joinpath("royal_racers", "board.toml").read_text(encoding="utf-8")
    with pytest.raises(BoardFileError) as raised:
        parse_board(f"{text.partition('[dice]')[0]}\n{section}", "mine.toml")
    assert expected in str(raised.value)

"""A board without markers is found by its print where it stayed or was pushed, and never where it is not."""

from __future__ import annotations

import re
from functools import lru_cache

import cv2
import msgspec
import numpy as np
import pytest

from companion.printing.paper import PrintingError
from companion.printing.table_file import checked, unmarked_table
from tests.narrow import narrowed, there
from tests.vision.drawn_tables import SIZE_WH, draw, pose_above
from tests.vision.readings import table_view
from vision.board import Board, Markers, parse_board, shipped_board
from vision.board_sections import LEAST_PATCHES
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.localization.locate import ScaledImage, locate, search_board, still_there
from vision.observation import Blind, BlindReason
from vision.recognition.reader import AnyTableReader, TableReader

SHIPPED = shipped_board("royal-ur")
BARE = msgspec.structs.replace(
    SHIPPED, markers=Markers(dictionary=SHIPPED.markers.dictionary, side=SHIPPED.markers.side)
)
POSE = pose_above(BARE)


def corners_px(pose: Pose) -> Floats:
    (x, y), (right, bottom) = BARE.grid.origin, BARE.grid.end
    return pose.project_at(np.array([(x, y), (right, y), (right, bottom), (x, bottom)]), 0.0)


def print_on(image: ImageBgr, pose: Pose, words: str = "AFGKMRXY") -> ImageBgr:
    """Print a letter and a ring on every cell, other ones on other boards."""
    px = float(np.linalg.norm(np.diff(pose.project_at(BARE.centres_mm()[:2], 0.0), axis=0)))
    for number, spot in enumerate(np.rint(pose.project_at(BARE.centres_mm(), 0.0)).astype(int)):
        at = (int(spot[0] - 0.3 * px), int(spot[1] + 0.3 * px))
        cv2.putText(image, words[number * 5 % len(words)], at, 0, px / 45, (40, 30, 90), 3, cv2.LINE_AA)
        cv2.circle(image, (int(spot[0]), int(spot[1])), int(px * (0.25 + 0.02 * (number % 7))), (150, 40, 30), 2)
    return image


def pushed(pose: Pose, turn_rad: float, shift_mm: tuple[float, float]) -> Pose:
    """Return the pose of the board after it was turned and pushed on the table."""
    turned, _ = cv2.Rodrigues(np.array([0.0, 0.0, turn_rad]))
    matrix = cv2.Rodrigues(pose.rotation)[0] @ turned
    rotation = np.asarray(cv2.Rodrigues(matrix)[0].ravel(), np.float64)
    return Pose(pose.lens, rotation, pose.shift_mm + np.array([*shift_mm, 0.0]))


def photograph(pose: Pose = POSE, labels: dict[str, str] | None = None, words: str = "AFGKMRXY") -> ImageBgr:
    """Draw the board as it is printed, and discs on it."""
    bare = print_on(draw(BARE, {}, pose), pose, words)
    standing, empty = draw(BARE, labels or {}, pose), draw(BARE, {}, pose)
    changed = np.abs(standing.astype(int) - empty).max(axis=2) > 24
    bare[changed] = standing[changed]
    return bare


@lru_cache
def own_text() -> str:
    """Return the table file of the board on its photograph."""
    return unmarked_table("royal-ur", photograph(), corners_px(POSE), None)


@lru_cache
def own_table() -> Board:
    return checked(own_text(), "own.toml")


def off_by_cells(image: ImageBgr, pose: Pose, own: Board | None = None) -> float | None:
    """Return how far a cell's middle is found from its place at most, in cells; None if the board is lost."""
    scaled, own = ScaledImage(image), own or own_table()
    detections = search_board(scaled, own)
    located = locate(scaled, own, detections, None) if detections else None
    if located is None:
        return None
    found, true = (one.project_at(own.centres_mm(), 0.0) for one in (located.estimate.pose, pose))
    return float(np.abs(found - true).max() / np.linalg.norm(true[1] - true[0]))


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("turn_rad", "shift_mm"), [(0.0, (0.0, 0.0)), (0.01, (3.0, 2.0)), (0.12, (20.0, -12.0)), (-0.2, (-30.0, 25.0))]
)
def test_a_board_is_found_where_it_stayed_or_was_pushed_with_pieces_on_it(
    turn_rad: float, shift_mm: tuple[float, float]
) -> None:
    pose = pushed(POSE, turn_rad, shift_mm)
    labels = {"A1": "white", "C1": "black", "D2": "white", "F2": "black", "B3": "white"}
    off = there(off_by_cells(photograph(pose, labels), pose))
    assert off < 0.1


@pytest.mark.sampled(7)
@pytest.mark.parametrize("cells", [(1, 0), (0, 1), (2, 0), (-2, 0)])
def test_a_print_that_repeats_is_never_found_a_cell_off(cells: tuple[int, int]) -> None:
    alike = checked(unmarked_table("royal-ur", photograph(words="A"), corners_px(POSE), None), "own.toml")
    located = table_view(alike, photograph(words="A")).located
    pose = pushed(POSE, 0.0, (cells[0] * BARE.grid.pitch[0], cells[1] * BARE.grid.pitch[1]))
    image = photograph(pose, {"A1": "white", "C1": "black", "D2": "white"}, words="A")
    off = off_by_cells(image, pose, alike)
    assert not still_there(ScaledImage(image), alike, located)
    assert off is None or off < 0.1


def test_a_full_board_that_was_turned_half_round_is_never_read_the_wrong_way_round() -> None:
    shipped = shipped_board("territory")
    markers = Markers(dictionary=shipped.markers.dictionary, side=shipped.markers.side)
    board = msgspec.structs.replace(shipped, markers=markers)
    upright, (start, end) = pose_above(board), (np.array(board.grid.origin), np.array(board.grid.end))
    turned = pushed(upright, np.pi, (0.0, 0.0))
    to_board = cv2.Rodrigues(upright.rotation)[0]
    turned = Pose(upright.lens, turned.rotation, upright.shift_mm + to_board @ np.array([*(start + end), 0.0]))
    rng, chequers = np.random.default_rng(3), (120, 90, 60)
    signs = np.array([(-8, -8), (-8, 8), (8, 8)]) + rng.permutation(board.centres_mm())[:6, None]  # an L on six cells
    labels = dict.fromkeys(rng.choice(board.cells, 32, replace=False).tolist(), "red")

    def drawn(pose: Pose, labels: dict[str, str]) -> ImageBgr:
        empty, standing = (draw(board, on_it, pose, dark=chequers) for on_it in ({}, labels))
        image = empty.copy()
        for sign in signs:
            cv2.polylines(image, [np.rint(pose.project_at(sign, 0.0)).astype(np.int32)], False, (40, 30, 90), 3)
        return np.where((np.abs(standing.astype(int) - empty).max(axis=2) > 24)[..., None], standing, image)

    grid_px = upright.project_at(np.array([start, (end[0], start[1]), end, (start[0], end[1])]), 0.0)
    own = checked(unmarked_table("territory", drawn(upright, {}), grid_px, None), "own.toml")
    assert there(off_by_cells(drawn(upright, labels), upright, own)) < 0.1
    off = off_by_cells(drawn(turned, labels), turned, own)
    assert off is None or off < 0.1


def test_another_board_is_not_taken_for_it() -> None:
    chequered = draw(BARE, {}, POSE, ground=(90, 150, 120), dark=(30, 60, 50))
    territory = draw(shipped_board("territory"))
    assert all(off_by_cells(image, POSE) is None for image in (chequered, territory, np.zeros_like(chequered)))


@pytest.mark.long
def test_a_covered_board_is_lost_and_that_is_said() -> None:
    image = photograph()
    image[:, : SIZE_WH[0] * 11 // 20] = (70, 80, 90)
    image[SIZE_WH[1] // 2 :] = (70, 80, 90)
    for reader in (TableReader(own_table()), AnyTableReader([own_table()])):
        seen = narrowed(reader.read(image), Blind)
        assert (seen.reason, dict(seen.facts)) == (BlindReason.NO_BOARD, {"printed": "royal-ur"})


def test_a_board_that_lies_still_is_not_searched_for_and_one_that_is_pushed_is_noticed() -> None:
    located = table_view(own_table(), photograph()).located
    assert still_there(ScaledImage(photograph(labels={"D2": "black"})), own_table(), located)
    assert not still_there(ScaledImage(photograph(pushed(POSE, 0.0, (4.0, 0.0)))), own_table(), located)


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_light_is_measured_against_the_empty_board(level: float) -> None:
    dimmed = np.asarray(photograph(labels={"D2": "black", "B3": "white"}) * level, np.uint8)
    own = own_table()
    middle = table_view(own, dimmed).light.white_at(np.array([own.size]) / 2, own.size)[0]
    assert middle == pytest.approx(level * there(own.markers.printed).white, rel=0.08)


def test_too_little_print_is_refused_when_the_table_is_made() -> None:
    plain = np.full((SIZE_WH[1], SIZE_WH[0], 3), 150, np.uint8)
    with pytest.raises(PrintingError, match=f"0 patches.*{LEAST_PATCHES} or more"):
        unmarked_table("royal-ur", plain, corners_px(POSE), None)


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("picture", '"AAAA"', "picture: expected a picture of the empty board"),
        ("patches", "[[1.0, 2.0]]", "patches: expected a list of at least 12"),
        ("seen", "[[0.0, 0.0]]", "seen: expected a list of 4"),
        ("white", "0.0", "white: expected a number from 1"),
        ("rectangle", "[0.0, 0.0, -1.0, 5.0]", "rectangle[2]: expected a length above 0 mm"),
    ],
)
def test_what_cannot_be_used_in_the_table_file_is_named(key: str, value: str, named: str) -> None:
    table = own_text()
    if key == "picture":
        head, tail = table.split('picture = """')[0], table.rpartition('"""')[2]
        table = f"{head}picture = {value}{tail}"
    else:
        table = re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", table, count=1)
    with pytest.raises(BoardFileError) as raised:
        parse_board(table, "own.toml")
    assert str(raised.value).startswith(f"own.toml: markers.printed.{named}")
    assert issubclass(BoardFileError, ValueError)

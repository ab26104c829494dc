"""What marks say of cells: what excludes a cover, and what leaves doubt where no mark is found."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
import pytest

from tests.vision.recognition.marked import picture
from tests.vision.recognition.test_marks import LARGE, board_of, camera
from vision.board import Board
from vision.frame import ImageBgr
from vision.recognition.cell_outlines import bare_cells
from vision.recognition.labeller import Labelled
from vision.recognition.light import estimate_light
from vision.recognition.mark_evidence import weigh_marks
from vision.recognition.mark_recovery import look_again
from vision.recognition.marks import MarkSearch, SeenMark

_LARGE_PX, _SMALL_PX = 8.0, 4.0


def weighed(
    board: Board,
    image_bgr: ImageBgr,
    cell: str,
    favoured: str,
    seen: tuple[SeenMark, ...],
    *,
    tilt: float = 5.0,
    unread_px: Sequence[np.ndarray] = (),
) -> dict[str, float]:
    """Return a cell's probabilities where the other cues favour one label of it."""
    p = np.full((len(board.places), len(board.label_words)), 1e-4)
    p[:, board.label_words.index(favoured)] = 1.0
    p /= p.sum(axis=1, keepdims=True)
    labelled = Labelled(p, np.ones(len(p)))
    pose = camera(board, LARGE, tilt).pose
    light = estimate_light(image_bgr, board, pose, dict.fromkeys(board.markers.ids, np.zeros((4, 2), np.float32)))
    found = MarkSearch(seen, np.asarray(unread_px, np.float64).reshape(-1, 4, 2))
    places = {mark.place for mark in seen}
    assert board.marks is not None
    blank, _recovered = look_again(image_bgr, board, board.marks, pose, light=light, found=places)
    bare = bare_cells(image_bgr, board, pose, blank, places)
    row = weigh_marks(labelled, board, pose, found, bare).p[board.places.index(cell)]
    assert row.sum() == pytest.approx(1.0)
    return dict(zip(board.label_words, row, strict=True))


def table(board: Board, labels: dict[str, str]) -> ImageBgr:
    return picture(board, labels, camera(board, LARGE, 5.0))


def around(board: Board, cell: str, half_mm: float) -> np.ndarray:
    """Corners of a square about a cell's middle in the picture, int32 (4, xy)."""
    middle = board.places_mm()[board.places.index(cell)]
    corners = middle + half_mm * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.rint(camera(board, LARGE, 5.0).pose.project_at(corners, 0.0)).astype(np.int32)


def all_seen(board: Board, px: float) -> tuple[SeenMark, ...]:
    """Return the mark of each of the Study's pieces, all on other squares than B2."""
    pieces = zip(board.pieces, ("A1", "C1", "A2", "C2", "A3"), strict=True)
    return tuple(SeenMark(part, cell, px) for part, cell in pieces)


def test_both_marks_of_a_card_exclude_that_something_covers_it() -> None:
    board = board_of("royal-racers")
    image, mark = table(board, {}), SeenMark("7-clubs", "B2", _LARGE_PX)
    both = weighed(board, image, "B2", "covered+flag-suns", (mark, mark))
    assert both["7-clubs"] > 0.95
    assert weighed(board, image, "B2", "covered+flag-suns", (mark,))["covered+flag-suns"] > both["covered+flag-suns"]


def test_a_mark_decides_if_it_is_large_and_leaves_doubt_if_it_is_small() -> None:
    board = board_of("territory")
    image = table(board, {})
    assert weighed(board, image, "B2", "empty", (SeenMark("red", "B2", _LARGE_PX),))["red"] > 0.99
    assert 0.8 < weighed(board, image, "B2", "empty", (SeenMark("red", "B2", _SMALL_PX),))["red"] < 0.95


def test_a_cell_without_a_mark_is_certainly_empty_if_nothing_there_is_black() -> None:
    board = board_of("royal-tee")
    assert weighed(board, table(board, {}), "D4", "empty", ())["empty"] > 0.99


@pytest.mark.parametrize("hidden", [False, True])
def test_no_cell_is_certainly_empty_while_a_piece_is_missing_of_which_there_is_one(hidden: bool) -> None:
    board = board_of("royal-study")
    image, seen = table(board, {"B2": "rook"} if hidden else {}), all_seen(board, _LARGE_PX)
    if hidden:
        x, y = around(board, "B2", 9.0).min(axis=0)
        image[y : y + 12, x : x + 12] = (120, 150, 200)
    assert weighed(board, image, "B2", "empty", seen)["empty"] > 0.99
    assert weighed(board, image, "B2", "empty", seen[:-1])["empty"] < 0.95


def test_small_marks_are_certain_if_each_piece_was_seen_once() -> None:
    board = board_of("royal-study")
    image, seen = table(board, {}), all_seen(board, _SMALL_PX)
    part = seen[0].part
    assert weighed(board, image, "A1", "empty", seen)[part] > 0.99
    assert weighed(board, image, "A1", "empty", seen[:-1])[part] < 0.95
    twice = (*seen, SeenMark(seen[-1].part, "C3", _SMALL_PX))
    assert weighed(board, image, "A1", "empty", twice)[part] < 0.95


def test_a_card_behind_a_pawn_is_doubtful_while_a_pawn_is_missing() -> None:
    board = board_of("royal-racers")
    assert board.marks is not None
    marks = msgspec.structs.replace(board.marks, standing_mm=90.0)
    pieces = {**board.pieces, "pawn": msgspec.structs.replace(board.pieces["pawn"], count=1)}
    board = msgspec.structs.replace(board, marks=marks, pieces=pieces)
    image = picture(board, {}, camera(board, LARGE, 35.0))
    pawns = [SeenMark(f"pawn-{board.colours[k]}", cell, _LARGE_PX) for k, cell in enumerate(("C3", "D3", "C4", "D4"))]
    cards = [SeenMark("7-clubs", cell, _LARGE_PX) for cell in board.cells]
    behind = "C2" if camera(board, LARGE, 35.0).pose.eye_mm[1] > board.size[1] else "C5"

    def sure(pawns: list[SeenMark]) -> float:
        return weighed(board, image, behind, "7-clubs", (*cards, *pawns), tilt=35.0)["7-clubs"]

    assert sure(pawns) > 0.95
    assert sure(pawns[:-1]) < 0.95


def test_a_square_that_was_not_read_may_be_the_mark_of_a_piece_that_is_missing() -> None:
    board = board_of("royal-racers")
    pieces = {**board.pieces, "pawn": msgspec.structs.replace(board.pieces["pawn"], count=1)}
    board = msgspec.structs.replace(board, pieces=pieces)
    image, square = table(board, {}), around(board, "B2", 14.0)
    card = SeenMark("7-clubs", "B2", _LARGE_PX)
    pawns = tuple(SeenMark(f"pawn-{colour}", "D4", _LARGE_PX) for colour in board.colours)
    seen = (card, card, *pawns)
    assert weighed(board, image, "B2", "7-clubs", seen, unread_px=[square])["7-clubs"] > 0.95
    assert weighed(board, image, "B2", "7-clubs", seen[:-1])["7-clubs"] > 0.95
    assert weighed(board, image, "B2", "7-clubs", seen[:-1], unread_px=[square])["7-clubs"] < 0.95


@pytest.mark.sampled(7)
@pytest.mark.parametrize("hidden_by", ["hand", "finger", "light"])
def test_a_mark_that_is_half_hidden_leaves_doubt(hidden_by: str) -> None:
    board = board_of("royal-tee")
    image = table(board, {"D4": "red"})
    x, y = around(board, "D4", 9.0).min(axis=0)
    u, v = around(board, "D4", 9.0).max(axis=0)
    if hidden_by == "hand":
        image[y:v, (x + u) // 2 :][:, : u - x] = (120, 150, 200)
    elif hidden_by == "finger":
        middle, half = (x + u) // 2, (u - x) * 5 // 18
        image[:, middle - half : middle + half] = (120, 150, 200)
    else:
        light = np.zeros(image.shape, np.float32)
        cv2.circle(light, (int(x + u) // 2, int(y + v) // 2), 4 * int(u - x), (210.0, 210.0, 210.0), -1)
        image = np.asarray(np.clip(image + light, 0, 255), np.uint8)
    assert weighed(board, image, "D4", "empty", ())["empty"] < 0.95


def outlined(board: Board) -> Board:
    assert board.marks is not None
    return msgspec.structs.replace(board, marks=msgspec.structs.replace(board.marks, outlined=True))


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("reach", "folds_mm"),
    [((-16, -16, 16, 16), ()), ((-10, -4, 30, 4), ()), ((-20, -20, 20, 20), (-2.0, 0.0, 2.0))],
    ids=["sleeve", "fingertip", "folds"],
)
def test_a_cell_is_not_certainly_empty_if_something_smooth_covers_its_outline(
    reach: tuple[float, ...], folds_mm: tuple[float, ...]
) -> None:
    board = board_of("royal-tee")
    image = table(board, {"D4": "red"})
    middle = board.places_mm()[board.places.index("D4")]
    left, top, right, bottom = reach
    corners = middle + np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    shape = np.rint(camera(board, LARGE, 5.0).pose.project_at(corners, 0.0)).astype(np.int32)
    cv2.fillConvexPoly(image, around(board, "D4", 11.0), (225, 235, 240))
    cv2.fillConvexPoly(image, shape, (150, 170, 60))
    for turn in np.radians((0, 90, 180, 270)):
        ways = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        for third, off in zip((-7.2, 0.0, 7.2), folds_mm, strict=False):
            ends = middle + np.array([(third - 3.5, 15 + off), (third + 3.5, 15 + off)]) @ ways
            fold = np.rint(camera(board, LARGE, 5.0).pose.project_at(ends, 0.0)).astype(np.int32)
            cv2.line(image, fold[0].tolist(), fold[1].tolist(), (90, 110, 30), 3)
    assert weighed(board, image, "D4", "empty", ())["empty"] > 0.99
    assert weighed(outlined(board), image, "D4", "empty", ())["empty"] < 0.95
    assert weighed(outlined(board), image, "D8", "empty", ())["empty"] > 0.99


def test_a_piece_whose_mark_is_read_may_be_over_the_outline_of_the_cell_beside_it() -> None:
    board = outlined(board_of("royal-tee"))
    image = table(board, {})
    x, y = board.places_mm()[board.places.index("D5")]
    corners = np.array([(x - 14, y - 20), (x + 14, y - 20), (x + 14, y + 12), (x - 14, y + 12)])
    shape = np.rint(camera(board, LARGE, 5.0).pose.project_at(corners, 0.0)).astype(np.int32)
    cv2.fillConvexPoly(image, shape, (225, 235, 240))
    assert weighed(board, image, "D4", "empty", ())["empty"] < 0.95
    assert weighed(board, image, "D4", "empty", (SeenMark("red", "D5", _LARGE_PX),))["empty"] > 0.99

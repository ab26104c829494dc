"""Marked pieces: read without colour and without a model's help, and never guessed when the marks are small."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from tests.vision.readings import as_read, read_table
from tests.vision.recognition.marked import marked, picture
from vision.board import Board, shipped_board, shipped_games
from vision.frame import ImageBgr
from vision.localization.locate import ScaledImage, search
from vision.localization.markers import detector
from vision.observation import Observation
from vision.recognition.marks import SURE_MODULE_PX, find_marks
from vision.recognition.reader import TableReader
from vision.simulation.random_scene import random_labels
from vision.simulation.scene import SceneCamera, camera_over

SIZES_MM = {"royal-racers": 28.0, "royal-study": 25.0}
LARGE, SMALL = (2304, 1736), (900, 680)


def board_of(game: str) -> Board:
    return marked(shipped_board(game), SIZES_MM.get(game, 18.0))


def position(board: Board, rng: np.random.Generator) -> dict[str, str]:
    """Make up labels: one of each, or cards with things on them, or what games leave behind."""
    if board.card_words:
        faces = rng.permutation(board.card_words).tolist()
        on_cards = rng.choice(["", "", "", "back", "covered+flag-suns", "+pawn-moons"], len(board.cells)).tolist()
        return {
            cell: face + thing if thing.startswith("+") or not thing else thing
            for cell, face, thing in zip(board.cells, faces, on_cards, strict=True)
        }
    if all(piece.count == 1 for piece in board.pieces.values()):
        return dict(zip(rng.permutation(board.cells).tolist(), board.pieces, strict=False))
    return random_labels(board, rng)


def camera(board: Board, size_wh: tuple[int, int], tilt: float, turn: float = 8.0) -> SceneCamera:
    return camera_over(board, size_wh, tilt_deg=tilt, turn_deg=turn)


def right(seen: Observation, labels: Mapping[str, str]) -> np.ndarray:
    found, true = seen.best(), [labels.get(cell, "empty") for cell in seen.cells]
    return np.array([a.partition("*")[0] == b.partition("*")[0] for a, b in zip(found, true, strict=True)])


def without_colour(image_bgr: ImageBgr) -> ImageBgr:
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("game", shipped_games())
@pytest.mark.parametrize("tilt", [3.0, 30.0])
def test_a_marked_table_is_read_and_sure(game: str, tilt: float) -> None:
    board, rng = board_of(game), np.random.default_rng(7)
    labels = position(board, rng)
    seen = read_table(board, picture(board, labels, camera(board, LARGE, tilt)))
    assert right(seen, labels).all()
    assert seen.unsure().mean() <= 0.01


@pytest.mark.parametrize("game", ["royal-tee", "royal-racers"])
def test_marks_need_no_colour(game: str) -> None:
    board, rng = board_of(game), np.random.default_rng(8)
    labels = position(board, rng)
    seen = read_table(board, without_colour(picture(board, labels, camera(board, LARGE, 15.0))))
    with_marks = np.array([labels.get(cell, "empty") != "empty" for cell in seen.cells])
    assert right(seen, labels)[with_marks].all()
    assert seen.unsure()[with_marks].mean() <= 0.03


def test_small_marks_leave_doubt_and_are_not_guessed() -> None:
    board, rng = board_of("territory"), np.random.default_rng(9)
    labels = {cell: str(rng.choice(board.colours)) for cell in board.cells}
    image_bgr = picture(board, labels, camera(board, SMALL, 10.0))
    reading = as_read(TableReader(board).read(image_bgr))
    assert board.marks is not None
    found = find_marks(ScaledImage(image_bgr), board, board.marks, reading.pose).seen
    assert len(found) > 10
    assert max(mark.module_px for mark in found) < SURE_MODULE_PX
    small = np.isin(reading.observation.cells, [mark.place for mark in found])
    assert right(reading.observation, labels)[small].mean() > 0.95
    wrong = ~right(reading.observation, labels)
    assert not (wrong & ~reading.observation.unsure())[small].any()


def test_a_torn_mark_falls_back_to_the_other_cues() -> None:
    board = board_of("royal-tee")
    labels, torn = {"C3": "red", "D4": "blue", "F6": "green"}, ("D4",)
    image_bgr = picture(board, labels, camera(board, LARGE, 10.0), torn=torn)
    reading = as_read(TableReader(board).read(image_bgr))
    assert board.marks is not None
    found = find_marks(ScaledImage(image_bgr), board, board.marks, reading.pose).seen
    assert {mark.place for mark in found} == {"C3", "F6"}
    seen = reading.observation
    assert [seen.best()[seen.cells.index(cell)] for cell in ("C3", "F6")] == ["red", "green"]
    assert not ({"C3", "F6"} & {cell for cell, doubt in zip(seen.cells, seen.unsure(), strict=True) if doubt})


def test_a_stack_shows_its_top_and_a_covered_card_is_covered() -> None:
    stacked, cards = board_of("royal-ur"), board_of("royal-racers")
    stack = read_table(stacked, picture(stacked, {"D2": "black*3"}, camera(stacked, LARGE, 10.0)))
    assert stack.best()[stack.cells.index("D2")].partition("*")[0] == "black"
    labels = dict(zip(cards.cells, cards.card_words, strict=True)) | {
        "A1": "covered+flag-suns",
        "B2": "back",
        "C3": "covered+flag-arms+pawn-moons",
    }
    seen = read_table(cards, picture(cards, labels, camera(cards, LARGE, 10.0)))
    read_as = dict(zip(seen.cells, seen.best(), strict=True))
    assert [read_as[cell] for cell in ("A1", "B2", "C3")] == [labels[cell] for cell in ("A1", "B2", "C3")]


def test_marks_of_another_size_or_beside_the_board_are_not_pieces() -> None:
    board = board_of("territory")
    image_bgr = picture(board, {"A1": "red"}, camera(board, LARGE, 10.0))
    larger = marked(shipped_board("territory"), 30.0)
    reading = as_read(TableReader(board).read(image_bgr))
    assert larger.marks is not None
    assert find_marks(ScaledImage(image_bgr), larger, larger.marks, reading.pose).seen == ()


def test_the_search_for_marks_is_one_call_on_a_part_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    board = board_of("royal-tee")
    image_bgr = picture(board, {"C3": "red"}, camera(board, LARGE, 10.0))
    reader, calls = TableReader(board), []
    assert search(ScaledImage(image_bgr))

    class Counting:
        def __init__(self, dictionary: str, **settings: float) -> None:
            self._inner = detector(dictionary, **settings)

        def detectMarkers(self, gray: np.ndarray) -> object:  # noqa: N802 - OpenCV's name
            calls.append(gray.shape)
            return self._inner.detectMarkers(gray)

    monkeypatch.setattr("vision.recognition.marks.detector", Counting)
    reader.read(image_bgr)
    assert len(calls) == 1

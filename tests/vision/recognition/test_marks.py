"""Marks that are torn, covered or of another size; kits are read whole in `tests.evaluate.test_printed`."""

from __future__ import annotations

from tests.vision.readings import as_read, read_table
from tests.vision.recognition.marked import marked, picture
from vision.board import Board, shipped_board
from vision.localization.locate import ScaledImage
from vision.recognition.marks import find_marks
from vision.recognition.reader import TableReader
from vision.simulation.scene import SceneCamera, camera_over

SIZES_MM = {"royal-racers": 28.0, "royal-study": 25.0}
LARGE = (2304, 1736)


def board_of(game: str) -> Board:
    return marked(shipped_board(game), SIZES_MM.get(game, 18.0))


def camera(board: Board, size_wh: tuple[int, int], tilt: float, turn: float = 8.0) -> SceneCamera:
    return camera_over(board, size_wh, tilt_deg=tilt, turn_deg=turn)


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

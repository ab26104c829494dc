"""The annotated picture shows pieces, specials and doubt by form, not by colour alone."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.ui.names import label_name
from companion.ui.picture import LEAST_CELL_PX, PictureNotes, annotate, save_picture
from tests.companion.languages import ENGLISH, TRANSLATED, spoken
from vision.board import Board, shipped_board
from vision.frame import ImageBgr
from vision.geometry import Lens, Pose

_BOARD = shipped_board("royal-tee")
_EMPTY = dict.fromkeys(_BOARD.cells, "empty")
_HEIGHT_MM = 600.0


def _pose(side_px: int) -> Pose:
    """Look straight down at a board that fills a square picture."""
    lens = Lens(side_px / _BOARD.size[0] * _HEIGHT_MM, Lens.middle_of((side_px, side_px)))
    middle_x, middle_y = _BOARD.size[0] / 2, _BOARD.size[1] / 2
    return Pose.from_matrix(lens, np.diag([1.0, 1.0, -1.0]), (middle_x, middle_y, _HEIGHT_MM))


def _picture(side_px: int) -> ImageBgr:
    return np.full((side_px, side_px, 3), 128, np.uint8)


def _all_seats_grey(board: Board) -> Board:
    return msgspec.structs.replace(
        board, seat=tuple(msgspec.structs.replace(seat, rgb=(90, 90, 90)) for seat in board.seat)
    )


_ONE_CELL = {
    "empty": PictureNotes(_EMPTY),
    "a red tee": PictureNotes(_EMPTY | {"C3": "red"}),
    "a green tee": PictureNotes(_EMPTY | {"C3": "green"}),
    "red's Royal Tee": PictureNotes(_EMPTY | {"C3": "red-royal"}),
    "unsure": PictureNotes(_EMPTY, unsure=["C3"]),
    "hidden": PictureNotes(_EMPTY, unsure=["C3"], hidden=["C3"]),
}


@pytest.mark.parametrize(("one", "other"), list(combinations(_ONE_CELL, 2)))
def test_what_lies_on_a_cell_can_be_reported_without_colour(one: str, other: str) -> None:
    board, side_px = _all_seats_grey(_BOARD), 900
    images = [annotate(_picture(side_px), board, _pose(side_px), _ONE_CELL[name]) for name in (one, other)]
    first, second = (cv2.cvtColor(image[:side_px], cv2.COLOR_BGR2GRAY).astype(int) for image in images)
    assert (abs(first - second) > 60).sum() > 50


def test_the_original_stays_as_it_is() -> None:
    image = _picture(900)
    annotate(image, _BOARD, _pose(900), _ONE_CELL["red's Royal Tee"])
    assert (image == 128).all()


def test_a_small_picture_is_enlarged_until_letters_can_be_read() -> None:
    annotated = annotate(_picture(400), _BOARD, _pose(400), PictureNotes(_EMPTY))
    assert annotated.shape[1] >= LEAST_CELL_PX * _BOARD.size[0] / _BOARD.grid.pitch[0] - 1


def test_header_and_legend_lie_beside_the_picture_not_over_it() -> None:
    side_px = 1000
    bare = annotate(_picture(side_px), _BOARD, _pose(side_px), PictureNotes(_EMPTY))
    titled = annotate(
        _picture(side_px), _BOARD, _pose(side_px), PictureNotes(_EMPTY, title="Royal Tee", lines=["red 3"])
    )
    added = titled.shape[0] - bare.shape[0]
    assert added > 20
    assert bare.shape[0] > side_px
    assert (titled[-side_px:] == bare[-side_px:]).all()


@pytest.mark.parametrize("title", ["Königlicher Tee", "Königin und Straße", "王様のティー"])
def test_a_title_in_any_script_is_no_obstacle(title: str) -> None:
    assert annotate(_picture(400), _BOARD, _pose(400), PictureNotes(_EMPTY, title=title)).size


@pytest.mark.parametrize("name", ["out.png", "out.jpg"])
def test_a_picture_is_written_in_the_format_of_its_name(name: str, tmp_path: Path) -> None:
    save_picture(tmp_path / name, _picture(100))
    assert np.asarray(cv2.imread(str(tmp_path / name))).shape == (100, 100, 3)


def test_a_picture_that_cannot_be_written_is_an_error_with_the_files_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere.out\.png"):
        save_picture(tmp_path / "nowhere" / "out.png", _picture(10))


def test_a_picture_that_a_full_disk_does_not_take_is_reported_as_that(tmp_path: Path) -> None:
    (tmp_path / "out.jpg").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device"):
        save_picture(tmp_path / "out.jpg", np.zeros((64, 64, 3), np.uint8))


def test_a_table_of_cards_alone_is_not_called_empty() -> None:
    board = shipped_board("royal-racers")
    tables = dict.fromkeys(board.cells, "empty"), dict(zip(board.cells, board.card_words, strict=True))
    bare, laid = (annotate(_picture(900), board, _pose(900), PictureNotes(labels)) for labels in tables)
    assert len(laid) < len(bare), "a line of the legend less"


@pytest.mark.parametrize("language", [ENGLISH, *TRANSLATED])
def test_the_legend_calls_no_piece_by_a_code_of_the_table_file(language: str) -> None:
    with spoken(language):
        named = [label_name(word) for word in _BOARD.label_words]
    assert len(named) == len(set(named)) == len(_BOARD.label_words)
    assert not [name for name in named if "-" in name]

"""What a reader makes of a picture, and what of that is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from tests.narrow import narrowed, there
from vision.board import Board
from vision.frame import ImageBgr
from vision.localization.locate import ScaledImage, locate, search_board
from vision.observation import Blind, Observation
from vision.recognition.light import TableView, estimate_light
from vision.recognition.reader import Reading, TableReader
from vision.tray import TrayDie


def as_read(seen: Reading | Blind) -> Reading:
    """Return a reading; fail with the reason if the picture was refused."""
    return narrowed(seen, Reading)


def table_view(board: Board, image_bgr: ImageBgr) -> TableView:
    """Return where a board is in a picture, and its light; fail if it is not found."""
    scaled = ScaledImage(image_bgr)
    located = there(locate(scaled, board, search_board(scaled, board), None))
    return TableView(scaled, located, estimate_light(image_bgr, board, located.estimate.pose, located.detections))


def read_table(board: Board, image_bgr: ImageBgr) -> Observation:
    """Return what a new reader sees on a table."""
    return as_read(TableReader(board).read(image_bgr)).observation


def throw_of(dice: Sequence[TrayDie], board: Board) -> tuple[int | None, ...] | None:
    """Return the values of a whole throw, None for a null face, in the order read; None if a die is missing or unread.

    Dice with dots count 1 for a dot and 0 for none.
    """
    expected = board.dice.count if board.dice else 0
    if len(dice) != expected or not all(die.is_read for die in dice):
        return None
    return tuple(die.value for die in dice)


def wrongly_sure(seen: Observation, truth: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the cells that are read wrongly for certain, each with what was read and what is true."""
    cells = zip(seen.cells, seen.best(), truth, seen.unsure(), strict=True)
    return [(cell, best, true) for cell, best, true, unsure in cells if best != true and not unsure]

"""What a reader makes of a picture, and what of that is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from vision.board import Board
from vision.frame import ImageBgr
from vision.observation import Blind, Observation
from vision.recognition.reader import Reading, TableReader
from vision.tray import TrayDie


def as_read(seen: Reading | Blind) -> Reading:
    """Return a reading; fail with the reason if the picture was refused."""
    assert isinstance(seen, Reading), seen
    return seen


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

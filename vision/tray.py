"""Dice beside a board that was found: what the table file's `[dice]` show in its `[tray]`, or beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from vision.board import Board, Dice
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.markerless.dice import DiceReader, LooseDie
from vision.observation import SURE, Blind

_SIZE_SLACK = 1.7
"""Factor by which a die may look larger or smaller than the table file says: others are something else."""

_MARK_RIGHT = 0.999
_MARK_SLACK = 0.25
"""Part by which the sides of a mark on a top face may differ from those declared: marks on side faces look narrow."""

_LEAST_MARK_PX = 16.0
"""Side of a mark below which it is not relied on: four modules with a frame of one have fewer than 3 px each."""

_LEAST_SIDE_PX = 32


@dataclass(frozen=True, slots=True)
class TrayDie:
    """A die in the tray.

    Attributes:
        value: what its top face shows; None for a face without a value, or if it cannot be read.
        is_null: whether the top face is known to be one without a value.
        confidence: probability that value and `is_null` are right.
        centre_px: middle of the top face in the picture, (x, y).
    """

    value: int | None
    is_null: bool
    confidence: float
    centre_px: tuple[float, float]

    @property
    def is_read(self) -> bool:
        """Whether the die can be relied on."""
        return (self.is_null or self.value is not None) and self.confidence >= SURE


class _ReadsDice(Protocol):
    def read(self, image_bgr: ImageBgr, /) -> Sequence[LooseDie] | Blind: ...


def read_dice(image_bgr: ImageBgr, board: Board, pose: Pose, reader: _ReadsDice | None = None) -> tuple[TrayDie, ...]:
    """Read the dice of a table in a picture uint8 (height, width, 3) in which its board was found.

    Args:
        image_bgr: the picture.
        board: a table with a section `[dice]`; without a rectangle in `[tray]` dice count anywhere beside the board.
        pose: of the board.
        reader: for dice with pips; one of its own by default, which one thread may use at a time.

    Raises:
        BoardFileError: the table has no dice.
    """
    if board.dice is None:
        message = f"{board.game}: dice: expected a section that says which dice are thrown, found none"
        raise BoardFileError(message)
    area = _area_px(board, pose, image_bgr.shape[:2])
    if area is None:
        return ()
    (left, top), (right, bottom) = area
    part = np.ascontiguousarray(image_bgr[top:bottom, left:right])
    corner = np.array((left, top), dtype=np.float64)
    if board.dice.faces == "marks":
        return _marked(part, corner, board, pose, board.dice)
    found = (reader or _pips_reader()).read(part)
    dice = () if isinstance(found, Blind) else found
    placed = [(die, np.asarray(die.centre_px) + corner) for die in dice]
    return tuple(_of_pips(die, at, board.dice) for die, at in placed if _fits(die.size_px, at, board, pose))


def throw_of(dice: Sequence[TrayDie], board: Board) -> tuple[int | None, ...] | None:
    """Return the values of a whole throw, None for a null face, in the order read; None if a die is missing or unread.

    Dice with dots count 1 for a dot and 0 for none.
    """
    expected = board.dice.count if board.dice else 0
    if len(dice) != expected or not all(die.is_read for die in dice):
        return None
    return tuple(die.value for die in dice)


def _of_pips(die: LooseDie, centre: Floats, dice: Dice) -> TrayDie:
    at = (float(centre[0]), float(centre[1]))
    if die.value is not None and die.value == dice.null:
        return TrayDie(None, True, die.confidence, at)  # noqa: FBT003 - is_null
    value = die.value if dice.faces == "pips" or die.value == 1 else None
    return TrayDie(value, False, die.confidence, at)  # noqa: FBT003 - is_null


def _marked(part: ImageBgr, corner: Floats, board: Board, pose: Pose, dice: Dice) -> tuple[TrayDie, ...]:
    """Read the marks on top faces: those that are as large as declared, seen as lying flat at the dice's height."""
    values = {number: value for value, number in dice.marks.items()}
    corners, ids, _ = _detector().detectMarkers(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY))
    seen = []
    for number, found in zip(np.ravel(ids), corners, strict=True) if len(corners) else ():
        at = np.reshape(found, (4, 2)).astype(np.float64) + corner
        if int(number) in values and _is_flat(at, pose, dice) and _in_tray(at.mean(axis=0), board, pose):
            seen.append((values[int(number)], at.mean(axis=0)))
    seen.sort(key=lambda die: (die[1][1], die[1][0]))
    return tuple(
        TrayDie(None if value == "null" else int(value), value == "null", _MARK_RIGHT, (float(x), float(y)))
        for value, (x, y) in seen
    )


def _is_flat(corners_px: Floats, pose: Pose, dice: Dice) -> bool:
    """Return whether a mark is square and as large as declared on the plane of the dice's top faces."""
    flat = pose.unproject(corners_px, dice.size_mm)
    sides_mm = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
    sides_px = np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1)
    return bool((np.abs(sides_mm / dice.mark_mm - 1) < _MARK_SLACK).all() and sides_px.min() >= _LEAST_MARK_PX)


def _fits(size_px: float, centre_px: Floats, board: Board, pose: Pose) -> bool:
    """Return whether a die of that size in the picture can be one of the table's, at a place where dice count."""
    dice = board.dice
    assert dice is not None  # noqa: S101 - asked for by read_dice
    (middle,) = pose.unproject(centre_px[None], dice.size_mm)
    ends = pose.project_at(middle + np.array([(0.0, 0.0), (dice.size_mm, 0.0), (0.0, dice.size_mm)]), dice.size_mm)
    expected = float(np.sqrt(abs(np.linalg.det(ends[1:] - ends[0]))))
    return 1 / _SIZE_SLACK < size_px / max(expected, 1.0) < _SIZE_SLACK and _in_tray(centre_px, board, pose)


def _in_tray(centre_px: Floats, board: Board, pose: Pose) -> bool:
    """Return whether a die's top is over the tray; without a rectangle, whether it is beside the board."""
    assert board.dice is not None  # noqa: S101 - asked for by read_dice
    ((x, y),) = pose.unproject(centre_px[None], board.dice.size_mm)
    if board.tray is not None and board.tray.rectangle is not None:
        left, top, width, height = board.tray.rectangle
        return bool(left <= x <= left + width and top <= y <= top + height)
    return not (0 <= x <= board.size[0] and 0 <= y <= board.size[1])


def _area_px(board: Board, pose: Pose, shape: tuple[int, ...]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the part of the picture to look at: (left, top) and (right, bottom) in pixels; None if it is outside."""
    height, width = shape
    if board.tray is None or board.tray.rectangle is None:
        return (0, 0), (width, height)
    assert board.dice is not None  # noqa: S101 - asked for by read_dice
    left, top, across, down = board.tray.rectangle
    corners = np.array([(left, top), (left + across, top), (left + across, top + down), (left, top + down)])
    outline = np.concatenate([pose.project_at(corners, level) for level in (0.0, board.dice.size_mm)])
    low = np.floor(outline.min(axis=0)).clip(0, (width, height)).astype(int)
    high = np.ceil(outline.max(axis=0)).clip(0, (width, height)).astype(int)
    if (high - low < _LEAST_SIDE_PX).any():
        return None
    return (int(low[0]), int(low[1])), (int(high[0]), int(high[1]))


@lru_cache(maxsize=1)
def _pips_reader() -> DiceReader:
    return DiceReader()


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    """Make a detector that accepts no wrong bit."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.errorCorrectionRate = 0.0
    parameters.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250), parameters)

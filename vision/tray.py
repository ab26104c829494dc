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
from vision.markerless.square_faces import SIZE_SLACK, SquareFace, square_faces
from vision.observation import SURE
from vision.tray_views import FACE_PX, TrayView, tray_views

_SIZE_SLACK = 1.7
"""Factor by which a die may look larger or smaller than the table file says: others are something else."""

_MARK_RIGHT = 0.999
_MARK_SLACK = 0.25
"""Part by which the sides of a mark on a top face may differ from those declared: marks on side faces look narrow."""

_LEAST_MARK_PX = 16.0
"""Side of a mark below which it is not relied on: four modules with a frame of one have fewer than 3 px each."""

_LEAST_SIDE_PX = 32

_LONGEST_SIDE = 1 - SIZE_SLACK - 0.05
"""Sides of dice that are shorter than this in a view, as parts of a top's, are no squares, with a pixel or two for
error. It is the tangent of the angle off the vertical under which they are seen."""

_SQUARE_RIGHT = 0.99
"""Confidence in a top that is an even square of the size of a die, or has a dot in its middle."""


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
    def read_sized(self, image_bgr: ImageBgr, face_px: float, /) -> Sequence[LooseDie]: ...


def read_dice(image_bgr: ImageBgr, board: Board, pose: Pose, reader: _ReadsDice | None = None) -> tuple[TrayDie, ...]:
    """Read the dice of a table in a picture uint8 (height, width, 3) in which its board was found.

    Args:
        image_bgr: the picture.
        board: a table with a section `[dice]`; without a rectangle in `[tray]` dice count up to 30 cm beside the board.
        pose: of the board.
        reader: for dice with pips; one of its own by default, which one thread may use at a time.

    Raises:
        BoardFileError: the table has no dice.
    """
    if board.dice is None:
        message = f"{board.game}: dice: expected a section that says which dice are thrown, found none"
        raise BoardFileError(message)
    if board.dice.faces == "marks":
        return _marks_read(image_bgr, board, pose, board.dice)
    placed: list[_PlacedDie] = []
    for view in tray_views(image_bgr, board, pose, board.dice):
        dice = _seen_in(view, reader or _pips_reader(), board.dice, pose)
        placed += [die for die in dice if _in_tray(die.at_mm, board)]
    return tuple(
        TrayDie(die.value, die.is_null, die.confidence, _pixel(pose, die.at_mm, board.dice))
        for die in sorted(_each_once(placed, board.dice.size_mm), key=lambda die: (die.at_mm[1], die.at_mm[0]))
    )


def throw_of(dice: Sequence[TrayDie], board: Board) -> tuple[int | None, ...] | None:
    """Return the values of a whole throw, None for a null face, in the order read; None if a die is missing or unread.

    Dice with dots count 1 for a dot and 0 for none.
    """
    expected = board.dice.count if board.dice else 0
    if len(dice) != expected or not all(die.is_read for die in dice):
        return None
    return tuple(die.value for die in dice)


@dataclass(frozen=True, slots=True, eq=False)
class _PlacedDie:
    """A die on the plane of top faces, (x, y) in mm; otherwise as `TrayDie`."""

    value: int | None
    is_null: bool
    confidence: float
    at_mm: Floats


def _seen_in(view: TrayView, reader: _ReadsDice, dice: Dice, pose: Pose) -> list[_PlacedDie]:
    """Return the dice of a view of about the size of the table's; of dice with dots also those that are squares."""
    dice_px = reader.read_sized(view.image_bgr, FACE_PX)
    found = [die for die in dice_px if 1 / _SIZE_SLACK < die.size_px / FACE_PX < _SIZE_SLACK]
    placed = [_of_pips(die, at, dice) for die, at in zip(found, _places(view, found), strict=True)]
    return _with_squares(view, placed, dice, pose) if dice.faces == "dots" else placed


def _places(view: TrayView, found: Sequence[LooseDie | SquareFace]) -> Floats:
    return view.places_mm(np.array([die.centre_px for die in found], dtype=np.float64).reshape(-1, 2))


def _of_pips(die: LooseDie, at_mm: Floats, dice: Dice) -> _PlacedDie:
    if die.value is not None and die.value == dice.null:
        return _PlacedDie(None, True, die.confidence, at_mm)  # noqa: FBT003 - is_null
    value = die.value if dice.faces == "pips" or die.value == 1 else None
    return _PlacedDie(value, False, die.confidence, at_mm)  # noqa: FBT003 - is_null


def _with_squares(view: TrayView, placed: Sequence[_PlacedDie], dice: Dice, pose: Pose) -> list[_PlacedDie]:
    """Join what is seen of dice as squares with what was read of them; where the two differ a die is not read."""
    squares = list(square_faces(view.image_bgr, FACE_PX))
    known = list(placed)
    for square, at in zip(squares, _places(view, squares), strict=True):
        here = [die for die in known if _is_near(die.at_mm, at, dice.size_mm / 2)]
        # whether a square at a place is a top: seen steeply, a side is too short for one
        away = float(np.hypot(*(at - pose.eye_mm[:2])))
        dots = square.dots if (away < _LONGEST_SIDE * (float(pose.eye_mm[2]) - dice.size_mm)) else None
        known = [die for die in known if die not in here]
        known.append(_joined(dots, [die.value for die in here if die.confidence >= SURE], at))
    return known


def _joined(dots: int | None, read: Sequence[int | None], at_mm: Floats) -> _PlacedDie:
    """Return a die by the dots of its square, and by what was read of it with certainty, if it was."""
    values = {value for value in (dots, *read) if value is not None}
    value = values.pop() if len(values) == 1 else None
    return _PlacedDie(value, False, 0.0 if value is None else _SQUARE_RIGHT, at_mm)  # noqa: FBT003 - is_null


def _is_near(one_mm: Floats, other_mm: Floats, least_mm: float) -> bool:
    return float(np.hypot(*(one_mm - other_mm))) < least_mm


def _each_once(placed: Sequence[_PlacedDie], size_mm: float) -> list[_PlacedDie]:
    """Drop what another view shows as well, and more surely."""
    kept: list[_PlacedDie] = []
    for die in sorted(placed, key=lambda die: -die.confidence):
        if not any(_is_near(die.at_mm, other.at_mm, size_mm / 2) for other in kept):
            kept.append(die)
    return kept


def _pixel(pose: Pose, at_mm: Floats, dice: Dice) -> tuple[float, float]:
    ((x, y),) = pose.project_at(at_mm[None], dice.size_mm)
    return float(x), float(y)


def _marks_read(image_bgr: ImageBgr, board: Board, pose: Pose, dice: Dice) -> tuple[TrayDie, ...]:
    area = _area_px(board, pose, image_bgr.shape[:2])
    if area is None:
        return ()
    (left, top), (right, bottom) = area
    part = np.ascontiguousarray(image_bgr[top:bottom, left:right])
    return _marked(part, np.array((left, top), dtype=np.float64), board, pose, dice)


def _marked(part: ImageBgr, corner: Floats, board: Board, pose: Pose, dice: Dice) -> tuple[TrayDie, ...]:
    """Read the marks on top faces: those that are as large as declared, seen as lying flat at the dice's height."""
    values = {number: value for value, number in dice.marks.items()}
    corners, ids, _ = _detector().detectMarkers(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY))
    seen = []
    for number, found in zip(np.ravel(ids), corners, strict=True) if len(corners) else ():
        at = np.reshape(found, (4, 2)).astype(np.float64) + corner
        middle_mm = pose.unproject(at.mean(axis=0)[None], dice.size_mm)[0]
        if int(number) in values and _is_flat(at, pose, dice) and _in_tray(middle_mm, board):
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


def _in_tray(at_mm: Floats, board: Board) -> bool:
    """Return whether a die's top is over the tray; without a rectangle, whether it is beside the board."""
    x, y = at_mm
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

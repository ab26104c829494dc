"""Dice beside a board that was found: what the table file's `[dice]` show in its `[tray]`, or beside the board.

A board that was found says how large a die is at every place and from where it is seen. So each part of the table where
dice may be is drawn again on the plane of their top faces, as their networks know them best: faces of one size, and the
sides that face the camera below the top, as in a picture taken at a slant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from engines.sentence import Sentence
from vision.board import Board, Dice
from vision.board_sections import MARK_DICTIONARY
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose, box
from vision.localization.markers import detect
from vision.markerless.dice import DiceReader
from vision.markerless.square_faces import SIZE_SLACK, square_faces
from vision.observation import SURE

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


def read_dice(image_bgr: ImageBgr, board: Board, pose: Pose) -> tuple[TrayDie, ...]:
    """Read the dice of a table in a picture uint8 (height, width, 3) in which its board was found.

    Only one thread may do so at a time: it has one reader of pips.

    Args:
        image_bgr: the picture.
        board: a table with a section `[dice]`; without a rectangle in `[tray]` dice count up to 30 cm beside the board.
        pose: of the board.

    Raises:
        BoardFileError: the table has no dice.
    """
    if board.dice is None:
        message = Sentence("{table}: dice: expected a section that says which dice are thrown, found none")
        raise BoardFileError(message.format(table=board.game))
    if board.dice.faces == "marks":
        return _marks_read(image_bgr, board, pose, board.dice)
    # 1. The dice of each view of about the size of the table's, each with the middle of its top in the view; of dice
    #   with dots also those that are squares.
    kind, placed, half_mm = board.dice, list[tuple[Floats, TrayDie]](), board.dice.size_mm / 2
    for view in tray_views(image_bgr, board, pose, kind):
        seen = []
        for one in pips_reader().read_sized(view.image_bgr, FACE_PX):
            is_null = one.value is not None and one.value == kind.null
            value = one.value if not is_null and (kind.faces == "pips" or one.value == 1) else None
            if 1 / _SIZE_SLACK < one.size_px / FACE_PX < _SIZE_SLACK:
                seen.append(TrayDie(value, is_null, one.confidence, one.centre_px))
        dice = list(zip(_places(view, [die.centre_px for die in seen]), seen, strict=True))
        dice = _with_squares(view, dice, kind, pose) if kind.faces == "dots" else dice
        placed += [(at_mm, die) for at_mm, die in dice if _in_tray(at_mm, board)]
    # 2. Drop what another view shows as well, and more surely.
    found: list[tuple[Floats, TrayDie]] = []
    for at_mm, die in sorted(placed, key=lambda one: -one[1].confidence):
        if not any(_is_near(at_mm, other_mm, half_mm) for other_mm, _other in found):
            found.append((at_mm, die))
    found.sort(key=lambda one: (one[0][1], one[0][0]))
    # 3. The middles of their tops in the picture.
    pixels = [pose.project_at(at_mm[None], kind.size_mm)[0] for at_mm, _die in found]
    return tuple(replace(die, centre_px=(float(x), float(y))) for (_mm, die), (x, y) in zip(found, pixels, strict=True))


def _places(view: TrayView, middles_px: Sequence[tuple[float, float]]) -> Floats:
    return view.places_mm(np.array(middles_px, dtype=np.float64).reshape(-1, 2))


def _with_squares(
    view: TrayView, placed: Sequence[tuple[Floats, TrayDie]], dice: Dice, pose: Pose
) -> list[tuple[Floats, TrayDie]]:
    """Join what is seen of dice as squares with what was read of them; where the two differ a die is not read."""
    squares = list(square_faces(view.image_bgr, FACE_PX))
    known = list(placed)
    for (middle_px, dots), at in zip(squares, _places(view, [square[0] for square in squares]), strict=True):
        here = [die for at_mm, die in known if _is_near(at_mm, at, dice.size_mm / 2)]
        known = [(at_mm, die) for at_mm, die in known if not _is_near(at_mm, at, dice.size_mm / 2)]
        # The die by the dots of its square, and by what was read of it with certainty, if it was. Seen steeply, a side
        #   is too short for a top.
        is_top = float(np.hypot(*(at - pose.eye_mm[:2]))) < _LONGEST_SIDE * (float(pose.eye_mm[2]) - dice.size_mm)
        values = {dots if is_top else None, *(die.value for die in here if die.confidence >= SURE)} - {None}
        value = values.pop() if len(values) == 1 else None
        confidence = 0.0 if value is None else _SQUARE_RIGHT
        known.append((at, TrayDie(value, is_null=False, confidence=confidence, centre_px=middle_px)))
    return known


def _is_near(one_mm: Floats, other_mm: Floats, least_mm: float) -> bool:
    return float(np.hypot(*(one_mm - other_mm))) < least_mm


def _marks_read(image_bgr: ImageBgr, board: Board, pose: Pose, dice: Dice) -> tuple[TrayDie, ...]:
    """Read the marks on top faces: those that are as large as declared, seen as lying flat at the dice's height."""
    # 1. The part of the picture to look at: where the tray is at the height of the board and of the dice's tops.
    low, high = np.array((0, 0)), np.array(image_bgr.shape[1::-1])
    if board.tray is not None and board.tray.rectangle is not None:
        ends = [pose.project_at(box(*board.tray.rectangle), level) for level in (0.0, dice.size_mm)]
        outline = np.concatenate(ends).clip(0, high)
        low, high = np.floor(outline.min(axis=0)).astype(int), np.ceil(outline.max(axis=0)).astype(int)
        if (high - low < _LEAST_SIDE_PX).any():
            return ()
    part, corner = np.ascontiguousarray(image_bgr[low[1] : high[1], low[0] : high[0]]), low.astype(np.float64)
    # 2. The marks in it; no wrong bit is accepted.
    values = {number: value for value, number in dice.marks.items()}
    gray = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = []
    for number, found in detect(gray, MARK_DICTIONARY, errorCorrectionRate=0.0, minMarkerPerimeterRate=0.02):
        at = found.astype(np.float64) + corner
        middle_mm = pose.unproject(at.mean(axis=0)[None], dice.size_mm)[0]
        # square and as large as declared on the plane of the dice's top faces
        flat = pose.unproject(at, dice.size_mm)
        sides_mm, sides_px = (np.linalg.norm(of - np.roll(of, 1, axis=0), axis=1) for of in (flat, at))
        is_flat = (np.abs(sides_mm / dice.mark_mm - 1) < _MARK_SLACK).all() and sides_px.min() >= _LEAST_MARK_PX
        if number in values and is_flat and _in_tray(middle_mm, board):
            seen.append((values[number], at.mean(axis=0)))
    seen.sort(key=lambda die: (die[1][1], die[1][0]))
    return tuple(
        TrayDie(None if value == "null" else int(value), value == "null", _MARK_RIGHT, (float(x), float(y)))
        for value, (x, y) in seen
    )


def _in_tray(at_mm: Floats, board: Board) -> bool:
    """Return whether a die's top is over the tray; without a rectangle, whether it is beside the board."""
    x, y = at_mm
    if board.tray is not None and board.tray.rectangle is not None:
        left, top, width, height = board.tray.rectangle
        return bool(left <= x <= left + width and top <= y <= top + height)
    return not (0 <= x <= board.size[0] and 0 <= y <= board.size[1])


@lru_cache(maxsize=1)
def pips_reader() -> DiceReader:
    """Return the reader of the dice of all tables."""
    return DiceReader()


# ---- views of the table

FACE_PX = 36.0
"""Side of a top face in a view: twice the least that is read, and well within what the first network reports."""

_REACH_MM = 300.0
"""Dice without a tray count so far from the board."""

_KNOT_PX = 16
"""Places of a view are projected this far apart; those between are interpolated."""

_LEAST_FACES = 1.5
"""Parts of the table narrower than this, in faces, show no whole die."""

_QUARTERS = tuple(np.array([(c, -s), (s, c)], dtype=np.float64) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)))


@dataclass(frozen=True, slots=True, eq=False)
class TrayView:
    """A part of the table on the plane of the dice's top faces.

    Attributes:
        image_bgr: uint8 (height, width, 3), `FACE_PX` to the side of a die.
        corner_mm: where its upper left pixel is on the board, (x, y).
        right_down_mm: the steps of one pixel to the right and one down, float64 (2, 2), as columns.
    """

    image_bgr: ImageBgr
    corner_mm: Floats
    right_down_mm: Floats

    def places_mm(self, pixels: Floats) -> Floats:
        """Return where pixels, float (n, xy), are on the board, (n, xy)."""
        return np.asarray(self.corner_mm + pixels @ self.right_down_mm.T, dtype=np.float64)


def tray_views(image_bgr: ImageBgr, board: Board, pose: Pose, dice: Dice) -> Iterator[TrayView]:
    """Yield the parts of a picture uint8 (height, width, 3) where dice count; those beside a board overlap by a die."""
    # 1. The rectangles in which dice count, by their low and high corners (x, y) in mm.
    die_mm, far, (width, height) = dice.size_mm, _REACH_MM, board.size
    if board.tray is not None and board.tray.rectangle is not None:
        left, top, across, down = board.tray.rectangle
        parts = [((left, top), (left + across, top + down))]
    else:
        parts = [((width, -far), (width + far, height + far)), ((-far, -far), (0.0, height + far))]
        parts += [((-die_mm, -far), (width + die_mm, 0.0)), ((-die_mm, height), (width + die_mm, height + far))]
    # 2. What the picture shows of each, unless that is too narrow for a die.
    seen = _seen_mm(image_bgr.shape[1::-1], pose, die_mm)
    for low, high in parts:
        left_top, right_bottom = np.maximum(low, seen[0]), np.minimum(high, seen[1])
        if (right_bottom - left_top >= _LEAST_FACES * die_mm).all():
            yield _view(image_bgr, pose, die_mm, left_top, right_bottom)


def _seen_mm(size_wh: tuple[int, ...], pose: Pose, height_mm: float) -> tuple[Floats, Floats]:
    """Return the corners of the rectangle that holds all of a plane that a picture shows; none of it without bounds."""
    along = np.linspace(0.0, 1.0, 9)
    width, height = size_wh[0] - 1, size_wh[1] - 1
    edges = [(along * width, 0 * along), (along * width, 0 * along + height)]
    edges += [(0 * along, along * height), (0 * along + width, along * height)]
    border = np.concatenate([np.stack(edge, axis=1) for edge in edges])
    points = pose.unproject(border, height_mm)
    ahead = np.column_stack([points, np.full(len(points), height_mm)]) @ pose.board_to_camera.T + pose.shift_mm
    if (ahead[:, 2] <= 0).any():  # the horizon is in the picture
        return np.full(2, -np.inf), np.full(2, np.inf)
    return points.min(axis=0), points.max(axis=0)


def _view(image_bgr: ImageBgr, pose: Pose, die_mm: float, low: Floats, high: Floats) -> TrayView:
    """Draw a rectangle of the plane of top faces, turned by quarters so that the camera is below it."""
    # 1. The turn that puts the camera below, and the view's size and steps.
    middle, mm = (low + high) / 2, die_mm / FACE_PX
    away = middle - pose.eye_mm[:2]
    turn = max(_QUARTERS, key=lambda turn: float(turn[:, 1] @ -away))
    across, down = np.abs(turn.T @ (high - low))
    size = np.maximum(1, np.rint(np.array([across, down]) / mm)).astype(int)
    steps = mm * turn
    corner = middle - steps @ ((size - 1) / 2)
    # 2. Reduce the picture until a face is at most as large as in the view.
    ends = pose.project_at(middle + np.array([(0.0, 0.0), (die_mm, 0.0), (0.0, die_mm)]), die_mm)
    scale = min(1.0, FACE_PX / float(np.sqrt(abs(np.linalg.det(ends[1:] - ends[0])))))
    if scale < 1:
        reduced = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        image_bgr = np.asarray(reduced, np.uint8)
    # 3. Project every `_KNOT_PX`th place, interpolate those between, and draw.
    grid = np.stack(np.meshgrid(*(np.arange(0, length + _KNOT_PX, _KNOT_PX) for length in size)), axis=-1)
    knots = pose.project_at(corner + grid.reshape(-1, 2) @ steps.T, die_mm).reshape(*grid.shape)
    wide_wh = (grid.shape[1] * _KNOT_PX, grid.shape[0] * _KNOT_PX)
    to = np.array([(_KNOT_PX, 0.0, 0.0), (0.0, _KNOT_PX, 0.0)])
    wide = cv2.warpAffine(((knots + 0.5) * scale - 0.5).astype(np.float32), to, wide_wh, flags=cv2.INTER_LINEAR)
    x, y = cv2.split(np.ascontiguousarray(wide[: size[1], : size[0]]))
    drawn = cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR, borderValue=(128, 128, 128))
    return TrayView(np.asarray(drawn, np.uint8), corner, steps)

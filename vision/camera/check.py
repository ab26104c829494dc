"""How well a camera sees a table: sharpness, light, distance and slant, measured on one picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import compress

import numpy as np

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.localization.locate import ScaledImage, search_boards
from vision.localization.markers import of_board
from vision.recognition.marks import SURE_MODULE_PX, modules_at, modules_px
from vision.recognition.reader import Reading
from vision.recognition.refusal import blur_px

SOFT_EDGE_PX = 4.5
"""Width of edges in a picture 820 px wide from which on it is worth focusing; readings are still right up to 7."""

LEAST_MARKER_PX = 28.0
"""Side of the smallest marker below which its eight modules are too small to be read in poor light."""

LEAST_PX_PER_MM = 2.0
"""At the board's middle, as CAMERA.md asks for; below it the index of a card, 8 mm high, has too few pixels."""

MOST_SLANT_DEG = 30.0
MOST_GLARE = 0.03
"""Share of the picture that may be burnt out."""


class CameraAdvice(StrEnum):
    """What to change."""

    MORE_LIGHT = "more-light"
    LESS_GLARE = "less-glare"
    FOCUS = "focus"
    SHOW_TABLE = "show-table"
    NEARER = "nearer"
    LESS_SLANT = "less-slant"
    FLICKER = "flicker"
    CLEAR_BOARD = "clear-board"


@dataclass(frozen=True, slots=True)
class CameraMeasures:
    """What was measured; fields that need the board are None if no board was found.

    Attributes:
        size_wh: of the picture, in pixels.
        edge_px: width of the sharpest edges in a picture 820 px wide; 0 if there are none.
        white: the brightest hundredth's grey level.
        glare: share of the picture that is burnt out.
        markers: how many of the table's were seen, or patches of its print if it has none.
        marker_px: side of the smallest marker; None also if it has none.
        px_per_mm: at the board's middle.
        slant_deg: of the camera's view off the vertical.
        flickers: whether a lamp makes bands that differ from picture to picture.
        small: the places that are too small in the picture to be relied on.
        unsure: the places that the reading itself is unsure of.
    """

    size_wh: tuple[int, int]
    edge_px: float
    white: float
    glare: float
    markers: int = 0
    marker_px: float | None = None
    px_per_mm: float | None = None
    slant_deg: float | None = None
    flickers: bool = False
    small: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()

    @property
    def playable(self) -> bool:
        """Whether every place can be read for certain in such a picture."""
        return self.px_per_mm is not None and not self.small and not self.unsure


def measure(image_bgr: ImageBgr, boards: dict[str, Board], reading: Reading | None) -> CameraMeasures:
    """Measure a picture uint8 (height, width, 3) and, if a board was read in it, how it is there."""
    scaled = ScaledImage(image_bgr)
    board, detections = search_boards(scaled, list(boards.values()))
    corners = [] if board is None else list(of_board(detections, board).values())
    sides_px = [float(np.linalg.norm(np.roll(c, -1, axis=0) - c, axis=1).mean()) for c in corners]
    return CameraMeasures(
        size_wh=scaled.size_wh,
        edge_px=blur_px(scaled.reduced_gray),
        white=float(np.percentile(scaled.gray[::4, ::4], 99)),
        glare=float((scaled.gray[::4, ::4] >= 254).mean()),
        markers=len(corners),
        marker_px=None if board is None or board.markers.printed else min(sides_px, default=None),
        px_per_mm=None if reading is None else _px_per_mm(reading.pose, boards[reading.game]),
        slant_deg=None if reading is None else _slant_deg(reading.pose, boards[reading.game]),
        small=() if reading is None else small_places(boards[reading.game], reading),
        unsure=() if reading is None else tuple(compress(reading.observation.cells, reading.observation.unsure())),
    )


def small_places(board: Board, reading: Reading) -> tuple[str, ...]:
    """Return the places that are too small to be read.

    Those are places whose marks are smaller than reading relies on; of a table without marks, those that the reading is
    unsure of and that have fewer pixels than they should where they look smallest.
    """
    if board.marks is not None:
        return tuple(compress(board.places, modules_px(board, board.marks, reading.pose) < SURE_MODULE_PX))
    is_small = modules_at(board.places_mm(), 1.0, reading.pose) < LEAST_PX_PER_MM
    return tuple(compress(board.places, is_small & reading.observation.unsure()))


def advice(measures: CameraMeasures, board: Board | None) -> tuple[CameraAdvice, ...]:
    """Return what to change, the most pressing first; no view in which every place is read for certain is too far."""
    dark = measures.white < 110
    small = measures.marker_px is not None and measures.marker_px < LEAST_MARKER_PX
    coarse = board is not None and ((measures.px_per_mm or 9.0) < LEAST_PX_PER_MM or bool(measures.small))
    problems = (
        (dark, CameraAdvice.MORE_LIGHT),
        (measures.edge_px > SOFT_EDGE_PX, CameraAdvice.FOCUS),
        (measures.markers == 0, CameraAdvice.SHOW_TABLE),
        ((small or coarse) and not measures.playable, CameraAdvice.NEARER),
        ((measures.slant_deg or 0.0) > MOST_SLANT_DEG, CameraAdvice.LESS_SLANT),
        (measures.glare > MOST_GLARE, CameraAdvice.LESS_GLARE),
        (measures.flickers, CameraAdvice.FLICKER),
    )
    wrong = tuple(word for wrong, word in problems if wrong)
    return wrong or ((CameraAdvice.CLEAR_BOARD,) if measures.unsure else ())


def _px_per_mm(pose: Pose, board: Board) -> float:
    middle = np.asarray(board.size) / 2
    ends = pose.project_at(np.array([middle - 5, middle + 5]), 0.0)
    return float(np.linalg.norm(ends[1] - ends[0]) / np.sqrt(200))


def _slant_deg(pose: Pose, board: Board) -> float:
    """Angle between the vertical and the line from the board's middle to the camera."""
    away = pose.eye_mm - (*(np.asarray(board.size) / 2), 0.0)
    return float(np.degrees(np.arctan2(np.hypot(*away[:2]), away[2])))

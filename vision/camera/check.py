"""Checks of a camera's view of a table: sharpness, light, distance and slant, measured on one picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import compress

import numpy as np

from vision.board import Board
from vision.frame import ImageBgr
from vision.localization.locate import ScaledImage, search_boards
from vision.localization.markers import of_board
from vision.recognition.marks import SURE_MODULE_PX, modules_at, modules_px
from vision.recognition.reader import Reading
from vision.recognition.refusal import blur_px

SOFT_EDGE_PX = 4.5
"""Width of edges in a picture 820 px wide from which on focusing is advised; readings are still right up to 7."""

LEAST_MARKER_PX = 28.0
"""Least side of the smallest marker; the eight modules of smaller ones cannot be read in poor light."""

LEAST_PX_PER_MM = 2.0
"""Least resolution in the board's middle, as in CAMERA.md; below it the index of a card, 8 mm high, is too small."""

MOST_SLANT_DEG = 30.0
MOST_GLARE = 0.03
"""Largest share of the picture that may be overexposed."""


class CameraAdvice(StrEnum):
    """Advice on what to change."""

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
    """Measures of a picture; those of the board are None if it was not found.

    Attributes:
        size_wh: width and height of the picture in pixels.
        edge_px: width of the sharpest edges, scaled to a picture 820 px wide; 0 if there are none.
        white: grey level of the brightest hundredth.
        glare: share of the picture that is overexposed.
        markers: the number of the table's markers that were seen, or of patches of its print if it has none.
        marker_px: side of the smallest marker; None also without markers.
        px_per_mm: resolution in the board's middle.
        slant_deg: angle between the camera's view and the vertical.
        flickers: whether a lamp causes bands that differ from picture to picture.
        small: the places that are too small in the picture to be reliable.
        unsure: the places that the reading is unsure of.
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
        """Whether every place can be read reliably."""
        return self.px_per_mm is not None and not self.small and not self.unsure


def measure(image_bgr: ImageBgr, boards: dict[str, Board], reading: Reading | None) -> CameraMeasures:
    """Return the measures of a picture, uint8 (height, width, 3), and of the board if it was read."""
    scaled = ScaledImage(image_bgr)
    board, detections = search_boards(scaled, list(boards.values()))
    corners = [] if board is None else list(of_board(detections, board).values())
    sides_px = [float(np.linalg.norm(np.roll(c, -1, axis=0) - c, axis=1).mean()) for c in corners]
    measures = CameraMeasures(
        size_wh=scaled.size_wh,
        edge_px=blur_px(scaled.reduced_gray),
        white=float(np.percentile(scaled.gray[::4, ::4], 99)),
        glare=float((scaled.gray[::4, ::4] >= 254).mean()),
        markers=len(corners),
        marker_px=None if board is None or board.markers.printed else min(sides_px, default=None),
    )
    if reading is None:
        return measures
    # the resolution in the board's middle, and the angle between the vertical and the line from there to the camera
    read, pose, seen = boards[reading.game], reading.pose, reading.observation
    middle = np.asarray(read.size) / 2
    ends = pose.project_at(np.array([middle - 5, middle + 5]), 0.0)
    away = pose.eye_mm - (*middle, 0.0)
    return replace(
        measures,
        px_per_mm=float(np.linalg.norm(ends[1] - ends[0]) / np.sqrt(200)),
        slant_deg=float(np.degrees(np.arctan2(np.hypot(*away[:2]), away[2]))),
        small=small_places(read, reading),
        unsure=tuple(compress(seen.cells, seen.unsure())),
    )


def small_places(board: Board, reading: Reading) -> tuple[str, ...]:
    """Return the places that are too small to be read.

    Their marks are smaller than the least reliable size; on a table without marks, the reading is unsure of them and
    their resolution is below `LEAST_PX_PER_MM`.
    """
    if board.marks is not None:
        return tuple(compress(board.places, modules_px(board, board.marks, reading.pose) < SURE_MODULE_PX))
    is_small = modules_at(board.places_mm(), 1.0, reading.pose) < LEAST_PX_PER_MM
    return tuple(compress(board.places, is_small & reading.observation.unsure()))


def advice(measures: CameraMeasures, board: Board | None) -> tuple[CameraAdvice, ...]:
    """Return advice, the most important first; a view in which every place is read reliably is never too far."""
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

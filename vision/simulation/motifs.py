"""What boards have printed in single cells, which a reader must not take for pieces, and the sheet it is drawn on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.board import Board, Point, Rgb, cell_column_row
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.colour import canvas_bgr
from vision.simulation.scene import BoardSkin

_SHIFT = 4  # OpenCV draws at sixteenths of a pixel


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A picture that is drawn on in mm; pixel (i, j) has its middle at ((i + 0.5) / px_per_mm, ...)."""

    image: ImageBgr
    px_per_mm: float

    def points(self, points_mm: Iterable[Point]) -> Any:
        """Return points in mm as OpenCV draws them, int32 (n, xy) in sixteenths of a pixel."""
        px = np.asarray(list(points_mm), np.float64) * self.px_per_mm - 0.5
        return np.round(px * 2**_SHIFT).astype(np.int32)

    def polygon(self, points_mm: Iterable[Point], colour: Rgb) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.image, [self.points(points_mm)], canvas_bgr(colour), cv2.LINE_AA, _SHIFT)

    def rectangle(self, box_mm: tuple[float, float, float, float], colour: Rgb) -> None:
        """Fill a rectangle: left, top, width, height."""
        x, y, w, h = box_mm
        self.polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], colour)

    def line(self, start: Point, end: Point, colour: Rgb, width_mm: float) -> None:
        """Draw a straight line with square ends."""
        along = np.subtract(end, start)
        side = np.array([-along[1], along[0]]) / (np.hypot(*along) + 1e-9) * self._pen(width_mm) / 2
        ends = np.array([start, start, end, end]) + np.array([side, -side, -side, side])
        self.polygon([(p[0], p[1]) for p in ends], colour)

    def _pen(self, width_mm: float) -> float:
        """OpenCV's smoothed polygons are half a pixel too large on each side."""
        return max(width_mm - 1 / self.px_per_mm, 0.02)

    def circle(self, middle: Point, radius_mm: float, colour: Rgb, line_mm: float | None = None) -> None:
        """Draw a circle, filled without `line_mm`."""
        centre = tuple(int(v) for v in self.points([middle])[0])
        radius = round(radius_mm * self.px_per_mm * 2**_SHIFT)
        thickness = -1 if line_mm is None else max(1, round(line_mm * self.px_per_mm))
        cv2.circle(self.image, centre, radius, canvas_bgr(colour), thickness, cv2.LINE_AA, _SHIFT)


_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_CIRCLE = np.linspace(0, 2 * np.pi, 24, endpoint=False)


def draw_motifs(sheet: Sheet, board: Board, skin: BoardSkin) -> None:
    """Draw what a skin has in single cells, and the frames of the pads."""
    for cell, motif in skin.motifs.items():
        size_mm = skin.motif_size * min(board.grid.pitch)
        if motif == "rosette":
            _rosette(sheet, _middle_mm(board, cell), size_mm, skin)
        elif motif:
            _MOTIFS[motif](sheet, _middle_mm(board, cell), size_mm, skin.motif_inks)
    if skin.pads:
        for pads in board.pads.values():
            for place in pads.values():
                _outline(sheet, _middle_mm(board, place), 0.44 * min(board.grid.pitch), skin.motif_inks[0], 0.8)


def _middle_mm(board: Board, cell: str) -> Floats:
    column_row = np.array(cell_column_row(cell), np.float64)
    return np.asarray(np.array(board.grid.origin) + (column_row + 0.5) * np.array(board.grid.pitch))


def _outline(sheet: Sheet, middle: Floats, half_mm: float, ink: Rgb, width_mm: float) -> None:
    corners = [(float(x), float(y)) for x, y in middle + half_mm * _CORNERS]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        sheet.line(start, end, ink, width_mm)


def _ellipse(sheet: Sheet, middle: Floats, radii_mm: tuple[float, float], turn: float, ink: Rgb) -> None:
    flat = np.column_stack([radii_mm[0] * np.cos(_CIRCLE), radii_mm[1] * np.sin(_CIRCLE)])
    c, s = np.cos(turn), np.sin(turn)
    sheet.polygon([(float(x), float(y)) for x, y in middle + flat @ np.array([(c, s), (-s, c)])], ink)


def _rosette(sheet: Sheet, middle: Floats, cell_mm: float, skin: BoardSkin) -> None:
    number, slimness, twist = skin.petals
    for petal, turn in enumerate(np.arange(number) * 2 * np.pi / number):
        out = 0.24 * cell_mm * np.array([np.cos(turn), np.sin(turn)])
        radii = (0.18 * cell_mm, 0.18 * cell_mm * slimness)
        _ellipse(sheet, middle + out, radii, turn + twist, skin.motif_inks[petal % 2])
    sheet.circle((middle[0], middle[1]), 0.07 * cell_mm, skin.motif_inks[1])


def _star(sheet: Sheet, middle: Floats, cell_mm: float, inks: tuple[Rgb, Rgb]) -> None:
    turns = np.arange(16) * np.pi / 8
    radii = np.where(np.arange(16) % 2 == 0, 0.42, 0.17) * cell_mm
    points = middle + radii[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])
    sheet.polygon([(float(x), float(y)) for x, y in points], inks[0])


def _eyes(sheet: Sheet, middle: Floats, cell_mm: float, inks: tuple[Rgb, Rgb]) -> None:
    for corner in middle + 0.22 * cell_mm * _CORNERS:
        _ellipse(sheet, corner, (0.15 * cell_mm, 0.1 * cell_mm), 0.0, inks[0])
        _ellipse(sheet, corner, (0.12 * cell_mm, 0.075 * cell_mm), 0.0, (240, 236, 226))
        sheet.circle((corner[0], corner[1]), 0.045 * cell_mm, inks[1])


def _five(middle: Floats, cell_mm: float) -> Floats:
    return np.concatenate([middle[None], middle + 0.24 * cell_mm * _CORNERS])


def _dots(sheet: Sheet, middle: Floats, cell_mm: float, inks: tuple[Rgb, Rgb]) -> None:
    for x, y in _five(middle, cell_mm):
        sheet.circle((x, y), 0.06 * cell_mm, inks[0])


def _rings(sheet: Sheet, middle: Floats, cell_mm: float, inks: tuple[Rgb, Rgb]) -> None:
    for x, y in _five(middle, cell_mm):
        sheet.circle((x, y), 0.085 * cell_mm, inks[0], 0.05 * cell_mm)


def _frame(sheet: Sheet, middle: Floats, cell_mm: float, inks: tuple[Rgb, Rgb]) -> None:
    _outline(sheet, middle, 0.38 * cell_mm, inks[1], 0.04 * cell_mm)
    _dots(sheet, middle, 0.8 * cell_mm, inks)


def _diamond(sheet: Sheet, middle: Floats, cell_mm: float, inks: tuple[Rgb, Rgb]) -> None:
    for size, ink in ((0.4, inks[0]), (0.25, inks[1])):
        points = middle + size * cell_mm * np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])
        sheet.polygon([(float(x), float(y)) for x, y in points], ink)


_MOTIFS = {
    "star": _star,
    "eyes": _eyes,
    "dots": _dots,
    "rings": _rings,
    "frame": _frame,
    "diamond": _diamond,
}

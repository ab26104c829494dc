"""Standing figures in pictures of printed kits: a foot with the piece's marker, and a figure at one of its edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.games.kit import Drawing, KitLine, Mark, Symbol
from companion.printing.kits import kit_of
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.scene import SceneCamera

SHEETS = ("standees", "pawns")
"""The sheets of the kits that have standing figures."""

FOOT_MM = 0.4
"""Height of a foot: two sheets of paper, glued one on the other."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What one strip becomes when it is folded: the face of its foot, and that of its figure."""

    foot: Drawing
    upright: Drawing


@dataclass(frozen=True, slots=True)
class Standing:
    """A figure on the board: the middle of its foot's face, and its turn clockwise."""

    figure: Figure
    x_mm: float
    y_mm: float
    height_mm: float
    turn_deg: float

    def corners_mm(self) -> Floats:
        """Corners of the upright face as drawn, clockwise from the top left, float64 (4, xyz)."""
        half, depth = self.figure.foot.width_mm / 2, self.figure.foot.height_mm / 2
        angle = np.radians(self.turn_deg)
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        ends = np.array([(-half, -depth), (half, -depth), (half, -depth), (-half, -depth)]) @ turn
        high = self.height_mm + self.figure.upright.height_mm
        return np.column_stack([ends + np.array((self.x_mm, self.y_mm)), (high, high, self.height_mm, self.height_mm)])


@cache
def figures_of(game: str) -> Mapping[str, Figure]:
    """Return the standing figures of a kit with markers by their labels; none if it has no such sheet."""
    kit = kit_of(game)
    labels = {number: label for label, number in kit.marks.ids.items()}
    strips = [strip for sheet in kit.sheets(True) if sheet.key in SHEETS for strip in sheet.fronts]
    return dict(_folded(strip, labels) for strip in strips)


def _folded(strip: Drawing, labels: Mapping[int, str]) -> tuple[str, Figure]:
    mark = next(item for item in strip.items if isinstance(item, Mark))
    first, second = sorted(item.start[1] for item in strip.items if isinstance(item, KitLine))[:2]
    symbol = next(item for item in strip.items if isinstance(item, Symbol) and item.turn_deg == 0.0)
    width, high = strip.width_mm, second - first
    upright = Symbol(symbol.name, (width / 2, high / 2), symbol.size_mm, symbol.colours)
    return labels[mark.number], Figure(Drawing(width, first, (mark,)), Drawing(width, high, (upright,)))


def draw_figures(
    canvas: ImageBgr, standing: Sequence[Standing], faces: Sequence[ImageBgr], camera: SceneCamera
) -> None:
    """Draw upright faces over what is behind them, the farthest first, in place."""
    order = sorted(range(len(standing)), key=lambda k: -_away(standing[k], camera))
    for k in order:
        height, width = faces[k].shape[:2]
        whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
        pixels = camera.pose.project(standing[k].corners_mm())
        matrix = cv2.getPerspectiveTransform(whole, pixels.astype(np.float32))
        size = (canvas.shape[1], canvas.shape[0])
        seen = cv2.warpPerspective(faces[k], matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        share = _mask(pixels, camera).astype(np.float32) / 255
        canvas[:] = cv2.blendLinear(seen, np.ascontiguousarray(canvas), share, 1 - share)


def figure_covers(standing: Sequence[Standing], camera: SceneCamera) -> Iterator[tuple[float, np.ndarray]]:
    """Yield how far each figure is from the camera, over the board, and what it hides, as `seen_share` takes them."""
    for one in standing:
        yield 0.0, _mask(camera.pose.project(one.corners_mm()), camera)


def _mask(pixels: Floats, camera: SceneCamera) -> np.ndarray:
    mask = np.zeros(camera.size_wh[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.round(pixels * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return mask


def _away(one: Standing, camera: SceneCamera) -> float:
    return float(np.hypot(*(one.corners_mm()[0, :2] - camera.pose.eye_mm[:2])))

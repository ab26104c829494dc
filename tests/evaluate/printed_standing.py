"""Standing figures in pictures of printed kits: two feet with the piece's marker, and a figure between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.games.kit import Drawing, KitLine, Mark, Symbol
from companion.games.kit_shapes import moved
from companion.printing.kits import kit_of
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.canvas import sixteenths
from vision.simulation.scene import SceneCamera

SHEETS = ("standees", "pawns")
"""The sheets of the kits that have standing figures."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What one strip becomes when it is folded: the faces of its two feet side by side, and that of its figure."""

    foot: Drawing
    upright: Drawing


@dataclass(frozen=True, slots=True)
class Standing:
    """A figure on the board: its cell, the middle of its feet's face, and its turn clockwise."""

    figure: Figure
    cell: str
    x_mm: float
    y_mm: float
    height_mm: float
    turn_deg: float

    def corners_mm(self) -> Floats:
        """Corners of the upright face as drawn, clockwise from the top left, float64 (4, xyz)."""
        half = self.figure.foot.width_mm / 2
        return self._placed(np.array([(-half, 0, 1), (half, 0, 1), (half, 0, 0), (-half, 0, 0)]))

    def seen_mm(self, eye_mm: Floats) -> Floats:
        """Points all over the upright face and the foot on the side of an eye, float64 (n, xyz): figure and foot."""
        steps = np.linspace(-0.45, 0.45, 9)
        along, share = (axis.ravel() * self.figure.foot.width_mm for axis in np.meshgrid(steps, steps))
        share = share / self.figure.foot.width_mm + 0.5
        upright = self._placed(np.column_stack([along, np.zeros_like(along), share]))
        before = self._placed(np.column_stack([along, share * self.figure.foot.height_mm / 2, np.zeros_like(along)]))
        behind = self._placed(np.column_stack([along, -share * self.figure.foot.height_mm / 2, np.zeros_like(along)]))
        near = min((before, behind), key=lambda foot: np.hypot(*(foot.mean(axis=0)[:2] - eye_mm[:2])))
        return np.concatenate([upright, near])

    def away_mm(self, eye_mm: Floats) -> float:
        """Return how far its middle is from an eye, over the board."""
        return float(np.hypot(self.x_mm - eye_mm[0], self.y_mm - eye_mm[1]))

    def _placed(self, points: Floats) -> Floats:
        """Place points (n, along mm, across mm, share of the figure's height) on the board, float64 (n, xyz)."""
        angle = np.radians(self.turn_deg)
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        high = self.height_mm + points[:, 2] * self.figure.upright.height_mm
        return np.column_stack([points[:, :2] @ turn + np.array((self.x_mm, self.y_mm)), high])


@cache
def figures_of(game: str) -> Mapping[str, Figure]:
    """Return the standing figures of a kit with markers by their labels; none if it has no such sheet."""
    kit = kit_of(game)
    labels = {number: label for label, number in kit.marks.ids.items()}
    strips = [strip for sheet in kit.sheets(True) if sheet.key in SHEETS for strip in sheet.fronts]
    return dict(_folded(strip, labels) for strip in strips)


def _folded(strip: Drawing, labels: Mapping[int, str]) -> tuple[str, Figure]:
    back, front = sorted((item for item in strip.items if isinstance(item, Mark)), key=lambda mark: mark.centre[1])
    first, second, third = sorted(item.start[1] for item in strip.items if isinstance(item, KitLine))
    symbol = next(item for item in strip.items if isinstance(item, Symbol) and item.turn_deg == 0.0)
    width, high = strip.width_mm, second - first
    upright = Symbol(symbol.name, (width / 2, high / 2), symbol.size_mm, symbol.colours)
    foot = Drawing(width, 2 * first, (back, moved(front, 0.0, first - third)))
    return labels[back.number], Figure(foot, Drawing(width, high, (upright,)))


def draw_figures(
    canvas: ImageBgr, standing: Sequence[Standing], faces: Sequence[ImageBgr], camera: SceneCamera
) -> None:
    """Draw upright faces over what is behind them, the farthest first, in place."""
    order = sorted(range(len(standing)), key=lambda k: -standing[k].away_mm(camera.pose.eye_mm))
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
        yield one.away_mm(camera.pose.eye_mm), _mask(camera.pose.project(one.corners_mm()), camera)


def _mask(pixels: Floats, camera: SceneCamera) -> np.ndarray:
    mask = np.zeros(camera.size_wh[::-1], np.uint8)
    cv2.fillConvexPoly(mask, sixteenths(pixels), 255, cv2.LINE_AA, 4)
    return mask

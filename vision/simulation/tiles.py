"""Printed tiles that are on cards: their faces, their sides and their shadows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.card_layout import CardLayout, SceneTile, TileArt
from vision.simulation.colour import blend, canvas_bgr
from vision.simulation.lighting import Mask, box_corners, darken, occluder_shadows, piece_shadows
from vision.simulation.occluders import distance_mm, draw_occluder
from vision.simulation.scene import Box, PieceShape, Scene, SceneCamera, ScenePiece

CARD_TOP_MM = 0.7
"""Height of what is on a card over the board."""

_SHIFT = 4  # OpenCV draws at sixteenths of a pixel
_FACE_PX_PER_MM = 4.0


def tile_box(tile: SceneTile, art: TileArt) -> Box:
    """Return a tile's body."""
    size = (art.size_mm, art.size_mm, art.height_mm)
    return Box(tile.x_mm, tile.y_mm, CARD_TOP_MM, size, tile.turn_rad, art.edge)


def lay_tiles(
    canvas: ImageBgr,
    shine: Mask | None,
    scene: Scene,
    layout: CardLayout,
    standing: tuple[tuple[ScenePiece, PieceShape], ...],
) -> None:
    """Draw tiles with their shadows, and on them the shadows of the pieces, in place."""
    camera, light = scene.camera, scene.light
    tiles = sorted(layout.tiles, key=lambda tile: -distance_mm(tile_box(tile, layout.art), camera))
    boxes = [tile_box(tile, layout.art) for tile in tiles]
    darken(canvas, occluder_shadows(camera.pose, light, boxes, camera.size_wh), light)
    tops = np.zeros(canvas.shape[:2], np.uint8)
    for tile, box in zip(tiles, boxes, strict=True):
        layer = draw_occluder(box, camera, light, np.random.default_rng(0))
        if layer is not None:
            _print_face(layer.paint, draw_face(tile, layout.art), _top_px(box, camera) - layer.left_top)
            layer.lay(canvas, shine)
            cv2.fillConvexPoly(tops, np.round(_top_px(box, camera)).astype(np.int32), 255)
    fallen = piece_shadows(camera.pose, light, standing, camera.size_wh, CARD_TOP_MM + layout.art.height_mm)
    darken(canvas, np.asarray(cv2.min(fallen, cv2.resize(tops, fallen.shape[::-1])), np.uint8), light)


def _top_px(box: Box, camera: SceneCamera) -> Floats:
    """Where the corners of a box's upper face appear, float64 (4, xy)."""
    return camera.pose.project(box_corners(box)[4:])


def _print_face(paint: ImageBgr, face: ImageBgr, corners_px: Floats) -> None:
    """Warp a face (canvas values) to its corners, in place."""
    side = face.shape[0]
    whole = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(whole, corners_px.astype(np.float32))
    size = (paint.shape[1], paint.shape[0])
    inside = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, size)
    cv2.copyTo(cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE), inside, paint)


def draw_face(tile: SceneTile, art: TileArt) -> ImageBgr:
    """Draw a tile's face, canvas values uint8 (side, side, 3), as seen when the tile is not turned."""
    ink = art.inks[tile.suit]
    ground = blend(art.base, ink, art.tint)
    if art.inverted:
        ink, ground = ground, ink
    side = round(art.size_mm * _FACE_PX_PER_MM)
    face = np.empty((side, side, 3), np.uint8)
    face[:] = canvas_bgr(ground)
    if art.frame_mm:
        ends = [round(v * _FACE_PX_PER_MM) for v in (art.inset_mm, art.size_mm - art.inset_mm)]
        thick = max(1, round(art.frame_mm * _FACE_PX_PER_MM))
        cv2.rectangle(face, (ends[0], ends[0]), (ends[1], ends[1]), canvas_bgr(ink), thick, cv2.LINE_AA)
    middle = art.size_mm / 2 + np.array(art.symbol_at_mm)
    for polygon in SYMBOLS[art.symbols[tile.suit]]():
        points = np.round(((middle + polygon * art.symbol_mm / 2) * _FACE_PX_PER_MM - 0.5) * 2**_SHIFT).astype(np.int32)
        cv2.fillPoly(face, [points], canvas_bgr(ink), cv2.LINE_AA, _SHIFT)
    if art.value_mm:
        _write(face, tile.value, art, ink)
    return np.asarray(cv2.GaussianBlur(face, (0, 0), 0.8), np.uint8)


def _write(face: ImageBgr, text: str, art: TileArt, colour: Rgb) -> None:
    left, bottom = art.inset_mm + 2, art.inset_mm + 2 + art.value_mm
    place = (round(left * _FACE_PX_PER_MM), round(bottom * _FACE_PX_PER_MM))
    scale = art.value_mm * _FACE_PX_PER_MM / 22
    cv2.putText(face, text, place, cv2.FONT_HERSHEY_TRIPLEX, scale, canvas_bgr(colour), 2, cv2.LINE_AA)


def _ring(radius: float = 1.0, count: int = 40, first: float = 0.0) -> Floats:
    angles = first + np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.asarray(radius * np.column_stack([np.cos(angles), np.sin(angles)]), np.float64)


def _star(rays: int, inner: float) -> Floats:
    points = _ring(1.0, 2 * rays)
    points[1::2] *= inner
    return points


def _sun() -> list[Floats]:
    narrow = np.array([(0.58, -0.07), (1.0, -0.05), (1.0, 0.05), (0.58, 0.07)])
    turns = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    return [_ring(0.42), *(narrow @ np.array([(np.cos(t), np.sin(t)), (-np.sin(t), np.cos(t))]) for t in turns)]


def _moon() -> list[Floats]:
    outer, inner = _ring(1.0, 31, 0.7)[:26], _ring(0.8, 31, 0.7)[:26][::-1] + np.array([0.32, 0.25])
    return [np.concatenate([outer, inner])]


def _crown() -> list[Floats]:
    spikes = [(-0.7, 0.6), (-0.95, -0.6), (-0.45, 0.0), (0, -0.8), (0.45, 0.0), (0.95, -0.6), (0.7, 0.6)]
    return [np.array(spikes), np.array([(-0.7, 0.68), (0.7, 0.68), (0.7, 0.85), (-0.7, 0.85)])]


def _lily() -> list[Floats]:
    petal = np.array([(0, -1.0), (0.25, -0.5), (0.12, 0.2), (-0.12, 0.2), (-0.25, -0.5)])
    wing = np.array([(0.15, 0.2), (0.35, -0.35), (0.7, -0.45), (0.8, -0.1), (0.5, -0.1), (0.3, 0.25)])
    foot = np.array([(-0.45, 0.22), (0.45, 0.22), (0.45, 0.36), (-0.45, 0.36)])
    return [petal, wing, wing * (-1, 1), foot, np.array([(0, 0.3), (0.2, 0.75), (0, 0.95), (-0.2, 0.75)])]


def _cross() -> list[Floats]:
    bar = np.array([(-0.22, -1.0), (0.22, -1.0), (0.22, 1.0), (-0.22, 1.0)])
    return [bar, bar[:, ::-1]]


SYMBOLS: Mapping[str, Callable[[], Sequence[Floats]]] = {
    "sun": _sun,
    "moon": _moon,
    "crown": _crown,
    "lily": _lily,
    "shield": lambda: [
        np.array([(-0.75, -0.9), (0.75, -0.9), (0.75, 0.1), (0.4, 0.65), (0, 0.95), (-0.4, 0.65), (-0.75, 0.1)])
    ],
    "cross": _cross,
    "disc": lambda: [_ring()],
    "diamond": lambda: [_ring(1.0, 4)],
    "triangle": lambda: [_ring(1.0, 3, -np.pi / 2)],
    "star": lambda: [_star(5, 0.45)],
    "burst": lambda: [_star(12, 0.6)],
}
"""Symbols as polygons, float64 (n, xy) each, in a square from -1 to 1 with y down."""

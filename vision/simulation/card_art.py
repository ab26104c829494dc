"""Renders cards on a board's face, printed tiles on the cards, and an objective card on the table next to the board.

Cards are thin enough to be drawn into the face, except for the shadow along their edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import cv2
import numpy as np

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, box
from vision.labels import BACK
from vision.localization.markers import module_is_white
from vision.recognition.cards.words import CARD_MM
from vision.simulation.canvas import HEADROOM, Mask, blend, canvas_bgr
from vision.simulation.lighting import box_corners, darken, occluder_shadows
from vision.simulation.occluders import distance_mm, draw_occluder
from vision.simulation.outlines import Sheet, ring, turn
from vision.simulation.pieces import piece_shadows
from vision.simulation.scene import (
    Box,
    CardLayout,
    PieceShape,
    Scene,
    SceneCard,
    SceneLight,
    SceneObjective,
    ScenePiece,
    SceneTile,
    TileArt,
)

_MARGIN_MM = 4.0
"""Margin round a card in its patch, for its rotation and shadow."""


def lay_card(face: ImageBgr, layout: CardLayout, card: SceneCard, light: SceneLight, px_per_mm: float) -> None:
    """Draw a card on a board's face, canvas values uint8 (height, width, 3), in place."""
    # 1. Its picture, and the patch of the face around it.
    picture = layout.deck.back(px_per_mm) if card.word == BACK else layout.deck.face(card.word, px_per_mm)
    reach = np.hypot(*CARD_MM) / 2 + _MARGIN_MM
    low = np.maximum(np.floor((np.array([card.x_mm, card.y_mm]) - reach) * px_per_mm).astype(int), 0)
    high = np.ceil((np.array([card.x_mm, card.y_mm]) + reach) * px_per_mm).astype(int)
    patch = face[low[1] : high[1], low[0] : high[0]]
    # 2. The affine map (2, 3) from the card's picture to the patch, both in pixels.
    shape = picture.shape[:2]
    linear = turn(card.turn_rad).T * (np.array([CARD_MM[0] / shape[1], CARD_MM[1] / shape[0]]) * px_per_mm)
    place = np.array([card.x_mm, card.y_mm]) * px_per_mm - 0.5
    matrix = np.column_stack([linear, place - linear @ ((np.array([shape[1], shape[0]]) - 1) / 2)])
    matrix[:, 2] -= low
    # 3. What it covers, its colours, and the shadow next to its edges.
    size = (patch.shape[1], patch.shape[0])
    outline = cv2.warpAffine(layout.deck.mask(px_per_mm), matrix, size, flags=cv2.INTER_LINEAR)
    share = np.asarray(outline, np.float32) / np.float32(255)
    colours = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    way = np.array([card.x_mm, card.y_mm]) - light.lamp_mm[:2]
    shift = np.clip(way / max(light.lamp_mm[2], 50.0), -3, 3) * layout.lift_mm * px_per_mm
    moved = cv2.warpAffine(share, np.array([(1, 0, shift[0]), (0, 1, shift[1])]), size)
    soft = cv2.GaussianBlur(share, (0, 0), max(0.3, 0.6 * px_per_mm)) * 0.25
    cast = cv2.GaussianBlur(moved, (0, 0), max(0.3, light.penumbra * layout.lift_mm * px_per_mm))
    shadow = np.asarray(np.clip(soft + cast * light.lamp * 0.6, 0, 0.9), np.float32)
    shaded, share = patch * (1 - shadow[..., None]), share[..., None]
    patch[:] = np.round(shaded * (1 - share) + colours / np.float32(HEADROOM) * share).astype(np.uint8)


CARD_TOP_MM = 0.7
"""Height of a card's top over the board."""

_FACE_PX_PER_MM = 4.0


def lay_tiles(
    canvas: ImageBgr,
    shine: Mask | None,
    scene: Scene,
    layout: CardLayout,
    standing: tuple[tuple[ScenePiece, PieceShape], ...],
) -> None:
    """Draw tiles with their shadows, and the pieces' shadows on them, in place."""
    camera, light, art = scene.camera, scene.light, layout.art
    size = (art.size_mm, art.size_mm, art.height_mm)
    boxes = [Box(tile.x_mm, tile.y_mm, CARD_TOP_MM, size, tile.turn_rad, art.edge) for tile in layout.tiles]
    darken(canvas, occluder_shadows(camera, light, boxes), light)
    tops = np.zeros(canvas.shape[:2], np.uint8)
    pairs = zip(layout.tiles, boxes, strict=True)
    for tile, body in sorted(pairs, key=lambda pair: -distance_mm(pair[1], camera)):
        top_px = camera.pose.project(box_corners(body)[4:])
        _lay_printed(canvas, shine, scene, body, draw_face(tile, art), top_px=top_px)
        cv2.fillConvexPoly(tops, np.round(top_px).astype(np.int32), 255)
    fallen = piece_shadows(camera, light, standing, CARD_TOP_MM + art.height_mm)
    darken(canvas, np.asarray(cv2.min(fallen, cv2.resize(tops, fallen.shape[::-1])), np.uint8), light)


def _lay_printed(
    canvas: ImageBgr, shine: Mask | None, scene: Scene, thing: Box, face: ImageBgr, *, top_px: Floats
) -> None:
    """Draw a box with a face (canvas values) on its top, whose corners (4, xy) are given, in place."""
    layer = draw_occluder(thing, scene.camera, scene.light, np.random.default_rng(0))
    if layer is None:
        return
    height, width = face.shape[:2]
    whole = box(-0.5, -0.5, width, height).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(whole, (top_px - layer.left_top).astype(np.float32))
    size = layer.share.shape[::-1]
    inside = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, size)
    cv2.copyTo(cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE), inside, layer.paint)
    layer.lay(canvas, shine)


def draw_face(tile: SceneTile, art: TileArt) -> ImageBgr:
    """Return a tile's face, canvas values uint8 (side, side, 3), upright."""
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
    symbol = (middle + polygon * art.symbol_mm / 2 for polygon in SYMBOLS[art.symbols[tile.suit]])
    Sheet(face, _FACE_PX_PER_MM, HEADROOM).fill(symbol, ink)
    if art.value_mm:
        left, bottom = art.inset_mm + 2, art.inset_mm + 2 + art.value_mm
        place = (round(left * _FACE_PX_PER_MM), round(bottom * _FACE_PX_PER_MM))
        scale = art.value_mm * _FACE_PX_PER_MM / 22
        cv2.putText(face, tile.value, place, cv2.FONT_HERSHEY_TRIPLEX, scale, canvas_bgr(ink), 2, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(face, (0, 0), 0.8), np.uint8)


def _star(rays: int, inner: float) -> Floats:
    points = ring(2 * rays)
    points[1::2] *= inner
    return points


_SUNBEAM = np.array([(0.58, -0.07), (1.0, -0.05), (1.0, 0.05), (0.58, 0.07)])
_LILY_WING = np.array([(0.15, 0.2), (0.35, -0.35), (0.7, -0.45), (0.8, -0.1), (0.5, -0.1), (0.3, 0.25)])
_BAR = np.array([(-0.22, -1.0), (0.22, -1.0), (0.22, 1.0), (-0.22, 1.0)])

SYMBOLS: Mapping[str, Sequence[Floats]] = {
    "sun": [0.42 * ring(40), *(_SUNBEAM @ turn(angle) for angle in np.linspace(0, 2 * np.pi, 8, endpoint=False))],
    "moon": [np.concatenate([ring(31, 0.7)[:26], 0.8 * ring(31, 0.7)[:26][::-1] + np.array([0.32, 0.25])])],
    "crown": [
        np.array([(-0.7, 0.6), (-0.95, -0.6), (-0.45, 0.0), (0, -0.8), (0.45, 0.0), (0.95, -0.6), (0.7, 0.6)]),
        np.array([(-0.7, 0.68), (0.7, 0.68), (0.7, 0.85), (-0.7, 0.85)]),
    ],
    "lily": [
        np.array([(0, -1.0), (0.25, -0.5), (0.12, 0.2), (-0.12, 0.2), (-0.25, -0.5)]),
        *(_LILY_WING, _LILY_WING * (-1, 1)),
        np.array([(-0.45, 0.22), (0.45, 0.22), (0.45, 0.36), (-0.45, 0.36)]),
        np.array([(0, 0.3), (0.2, 0.75), (0, 0.95), (-0.2, 0.75)]),
    ],
    "shield": [
        np.array([(-0.75, -0.9), (0.75, -0.9), (0.75, 0.1), (0.4, 0.65), (0, 0.95), (-0.4, 0.65), (-0.75, 0.1)])
    ],
    "cross": [_BAR, _BAR[:, ::-1]],
    "disc": [ring(40)],
    "diamond": [ring(4)],
    "triangle": [ring(3, -np.pi / 2)],
    "star": [_star(5, 0.45)],
    "burst": [_star(12, 0.6)],
}
"""Symbols as polygons, float64 (n, xy) each, in a square from -1 to 1 with y down."""


_PX_PER_MM = 6.0
_THICK_MM = 0.5
_PAPER: Rgb = (244, 240, 230)
_INK: Rgb = (34, 30, 28)
_SQUARE: Rgb = (206, 190, 160)
_WHITE_MM = 2.0
_PICTURE_SQUARES = 3


def lay_objective(canvas: ImageBgr, shine: Mask | None, scene: Scene, card: SceneObjective) -> None:
    """Draw a card with its shadow on the table next to the board, in place."""
    # 1. its upper side, canvas values uint8 (height, width, 3), upright
    board = scene.board
    width, height = (round(side * _PX_PER_MM) for side in board.cards["size"])
    face = np.empty((height, width, 3), np.uint8)
    face[:] = canvas_bgr(_PAPER)
    inset = round(1.5 * _PX_PER_MM)
    cv2.rectangle(face, (inset, inset), (width - inset, height - inset), canvas_bgr(_INK), 2, cv2.LINE_AA)
    # 2. the squares of the picture, without the pieces, which are too small to matter
    (x, y), side = board.cards["picture_centre"], board.cards["picture_side"]
    square = side / _PICTURE_SQUARES
    for row, column in product(range(_PICTURE_SQUARES), repeat=2):
        corner = np.array([x - side / 2 + column * square, y - side / 2 + row * square])
        start, end = (np.round(at * _PX_PER_MM).astype(int).tolist() for at in (corner, corner + square))
        cv2.rectangle(face, start, end, canvas_bgr(_SQUARE if (row + column) % 2 == 0 else _PAPER), cv2.FILLED)
        cv2.rectangle(face, start, end, canvas_bgr(_INK), 1)
    # 3. the marker, with white about it
    (x, y), side = board.cards["marker_centre"], round(board.cards["marker_side"] * _PX_PER_MM)
    base = board.cards["face_base"] if card.side == "face" else board.cards["back_base"]
    white = module_is_white(board.markers.dictionary, base + card.number)
    printed = cv2.resize(white.astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST)
    printed = np.pad(printed, round(_WHITE_MM * _PX_PER_MM), constant_values=1)
    left, top = (round(middle * _PX_PER_MM - len(printed) / 2) for middle in (x, y))
    levels = np.round(np.array([24, 238]) / HEADROOM).astype(np.uint8)
    face[top : top + len(printed), left : left + len(printed)] = levels[printed][..., None]
    # 4. the card on the table, softened if it is smaller in the picture
    table_mm = -scene.skin.thickness_mm
    thing = Box(card.x_mm, card.y_mm, table_mm, (*board.cards["size"], _THICK_MM), card.turn_rad, _PAPER)
    darken(canvas, occluder_shadows(scene.camera, scene.light, [thing], table_mm), scene.light)
    top_px = scene.camera.pose.project(box_corners(thing)[4:])
    shrink = float(np.linalg.norm(top_px[1] - top_px[0])) / face.shape[1]
    if shrink < 1:
        face = np.asarray(cv2.GaussianBlur(face, (0, 0), max(0.4 / shrink, 0.3)), np.uint8)
    _lay_printed(canvas, shine, scene, thing, face, top_px=top_px)

"""An objective card beside the board: a stiff card with a marker and a place for a picture, on the table's top."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import Board, Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.colour import HEADROOM, canvas_bgr
from vision.simulation.lighting import Mask, box_corners, darken, occluder_shadows
from vision.simulation.occluders import draw_occluder
from vision.simulation.scene import Box, Scene, SceneCamera, SceneObjective

_PX_PER_MM = 6.0
_THICK_MM = 0.5
_PAPER: Rgb = (244, 240, 230)
_INK: Rgb = (34, 30, 28)
_SQUARE: Rgb = (206, 190, 160)
_WHITE_MM = 2.0
_PICTURE_SQUARES = 3


def lay_objective(canvas: ImageBgr, shine: Mask | None, scene: Scene, card: SceneObjective) -> None:
    """Draw a card with its shadow on the table beside the board, in place."""
    width, height = scene.board.cards["size"]
    table_mm = -scene.skin.thickness_mm
    box = Box(card.x_mm, card.y_mm, table_mm, (width, height, _THICK_MM), card.turn_rad, _PAPER)
    darken(canvas, occluder_shadows(scene.camera.pose, scene.light, [box], scene.camera.size_wh, table_mm), scene.light)
    layer = draw_occluder(box, scene.camera, scene.light, np.random.default_rng(0))
    if layer is not None:
        _print_face(layer.paint, draw_objective(scene.board, card), _top_px(box, scene.camera) - layer.left_top)
        layer.lay(canvas, shine)


def draw_objective(board: Board, card: SceneObjective) -> ImageBgr:
    """Draw a card's side, canvas values uint8 (height, width, 3), as seen when the card is not turned."""
    width, height = (round(side * _PX_PER_MM) for side in board.cards["size"])
    face = np.empty((height, width, 3), np.uint8)
    face[:] = canvas_bgr(_PAPER)
    inset = round(1.5 * _PX_PER_MM)
    ends = (face.shape[1] - inset, face.shape[0] - inset)
    cv2.rectangle(face, (inset, inset), ends, canvas_bgr(_INK), 2, cv2.LINE_AA)
    _picture(face, board)
    _marker(face, board, card)
    return face


def _picture(face: ImageBgr, board: Board) -> None:
    """Draw the squares of the picture; what stands on them is too small to matter from above."""
    (x, y), side = board.cards["picture_centre"], board.cards["picture_side"]
    square = side / _PICTURE_SQUARES
    for row in range(_PICTURE_SQUARES):
        for column in range(_PICTURE_SQUARES):
            corner = np.array([x - side / 2 + column * square, y - side / 2 + row * square])
            ends = [tuple(np.round(end * _PX_PER_MM).astype(int).tolist()) for end in (corner, corner + square)]
            fill = _SQUARE if (row + column) % 2 == 0 else _PAPER
            cv2.rectangle(face, ends[0], ends[1], canvas_bgr(fill), cv2.FILLED)
            cv2.rectangle(face, ends[0], ends[1], canvas_bgr(_INK), 1)


def _marker(face: ImageBgr, board: Board, card: SceneObjective) -> None:
    number = int(board.cards[f"{card.side}_base"]) + card.number
    (x, y), side = board.cards["marker_centre"], board.cards["marker_side"]
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.markers.dictionary))
    bits = cv2.aruco.generateImageMarker(dictionary, number, round(side * _PX_PER_MM))
    white = round(_WHITE_MM * _PX_PER_MM)
    printed = np.pad(bits, white, constant_values=255).astype(np.float32) / 255
    left, top = (round(middle * _PX_PER_MM - printed.shape[0] / 2) for middle in (x, y))
    patch = face[top : top + printed.shape[0], left : left + printed.shape[1]]
    patch[:] = np.round((24 + printed * (238 - 24)) / HEADROOM).astype(np.uint8)[..., None]


def _top_px(box: Box, camera: SceneCamera) -> Floats:
    """Where the corners of a box's upper face appear, float64 (4, xy)."""
    return camera.pose.project(box_corners(box)[4:])


def _print_face(paint: ImageBgr, face: ImageBgr, corners_px: Floats) -> None:
    """Warp a face (canvas values) to its corners, smoothly, in place."""
    height, width = face.shape[:2]
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    shrink = np.linalg.norm(corners_px[1] - corners_px[0]) / width
    soft = cv2.GaussianBlur(face, (0, 0), max(0.4 / shrink, 0.3)) if shrink < 1 else face
    matrix = cv2.getPerspectiveTransform(whole, corners_px.astype(np.float32))
    size = (paint.shape[1], paint.shape[0])
    inside = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, size)
    cv2.copyTo(cv2.warpPerspective(soft, matrix, size, borderMode=cv2.BORDER_REPLICATE), inside, paint)

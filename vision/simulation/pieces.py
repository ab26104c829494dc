"""Standing pieces, drawn from the farthest to the nearest with light, highlights and soft edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.simulation.colour import albedo_bgr, canvas_bgr, canvas_of_light, toned
from vision.simulation.figures_draw import Surroundings, draw_figure, standing_figures
from vision.simulation.lighting import Mask
from vision.simulation.rays import Floats32
from vision.simulation.scene import PieceShape, Scene, SceneCamera, SceneLight, ScenePiece
from vision.simulation.solids import SHEAR_STEP, Impression, impression, solid_of

_WHITE = (240, 240, 236)
_RESOLUTIONS = np.array([1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0])


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """How the camera sees the surroundings of one piece.

    `head_px`: where the top of its axis appears; `jacobian`: pixels per mm of board x and y at its head; `shear`: the
    board vector by which a point appears shifted for each mm of height.
    """

    head_px: Floats
    jacobian: Floats
    shear: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """A piece as it appears: canvas colours, coverage float32 (height, width), and its corner in the picture."""

    paint: ImageBgr
    share: Floats32
    left_top: tuple[int, int]


def shape_of(scene: Scene, piece: ScenePiece) -> PieceShape:
    """Return the outline of a piece: the scene's, or the table file's sizes with a plain head."""
    if piece.kind in scene.shapes:
        return scene.shapes[piece.kind]
    size = scene.board.pieces[piece.kind]
    return SHAPES.get(size.shape, SHAPES["turned"])(
        size.head_diameter or size.diameter or 20.0, size.height, size.dot_diameter
    )


def _tee(head_mm: float, height_mm: float, dot_mm: float | None) -> PieceShape:
    head = "ball" if dot_mm is None else "cup"
    return PieceShape(
        head=head, head_mm=head_mm, height_mm=height_mm, dot="ball" if dot_mm else None, dot_mm=dot_mm or 0
    )


def _counter(head_mm: float, height_mm: float, _dot_mm: float | None) -> PieceShape:
    return PieceShape(head="disc", head_mm=head_mm, height_mm=height_mm, stem_mm=head_mm * 0.9, foot_mm=head_mm * 0.9)


def _turned(head_mm: float, height_mm: float, _dot_mm: float | None) -> PieceShape:
    return PieceShape(head="ball", head_mm=head_mm * 0.6, height_mm=height_mm, stem_mm=head_mm * 0.4, foot_mm=head_mm)


SHAPES = {"tee": _tee, "disc": _counter, "turned": _turned, "pawn": _turned, "tile": _counter}
"""What stands for each `shape` of the table files, from head diameter, height and dot diameter in mm."""


def draw_pieces(canvas: ImageBgr, shine: Mask | None, scene: Scene, pieces: Iterable[ScenePiece]) -> None:
    """Draw pieces into the canvas, over what the board mirrors: from the farthest to the nearest, stacks from below."""
    eye, pieces = scene.camera.pose.eye_mm, tuple(pieces)
    figures = standing_figures(scene, pieces)
    around = Surroundings(scene.camera.pose, scene.light, figures.values())
    lowest = {piece.cell or piece: piece for piece in sorted(pieces, key=lambda p: -p.z_mm)}
    for piece in sorted(pieces, key=lambda p: (-_away(lowest[p.cell or p], eye), p.z_mm)):
        if piece in figures:
            draw_figure(canvas, shine, figures[piece], around)
            continue
        colour = toned(scene.tints.get(piece.colour) or _seat_colour(scene, piece.colour), piece.tone)
        _lay(canvas, shine, _print_of(scene.camera, scene.light, shape_of(scene, piece), colour, piece))


def _away(piece: ScenePiece, eye_mm: Floats) -> float:
    return float(np.hypot(piece.x_mm - eye_mm[0], piece.y_mm - eye_mm[1]))


def _seat_colour(scene: Scene, colour: str) -> Rgb:
    return next((seat.rgb for seat in scene.board.seats_and_saved if seat.colour == colour), (128, 128, 128))


def _view(camera: SceneCamera, piece: ScenePiece, top_mm: float) -> _View:
    """Linearise the camera about a piece's head."""
    lean_x, lean_y = piece.lean_mm
    head = np.array([piece.x_mm + lean_x, piece.y_mm + lean_y, piece.z_mm + top_mm])
    ways = np.array([(0, 0, 0), (4, 0, 0), (-4, 0, 0), (0, 4, 0), (0, -4, 0), (-lean_x, -lean_y, -top_mm)], np.float64)
    near = camera.pose.project(head + ways)
    jacobian = np.column_stack([near[1] - near[2], near[3] - near[4]]) / 8
    return _View(near[0], jacobian, np.linalg.solve(jacobian, (near[0] - near[5]) / top_mm))


@lru_cache(maxsize=256)
def _print_of(
    camera: SceneCamera, light: SceneLight, shape: PieceShape, colour: Rgb, piece: ScenePiece
) -> _Print | None:
    """Draw one piece; kept, because from frame to frame most pieces stay. None if it is out of the picture."""
    view = _view(camera, piece, solid_of(shape).top_mm)
    length = float(np.hypot(*view.shear))
    scale = float(np.sqrt(abs(np.linalg.det(view.jacobian))))
    seen = impression(shape, round(length / SHEAR_STEP), _resolution(scale))
    turn = view.shear / length if length > 1e-6 else np.array([1.0, 0.0])
    frame = np.array([(turn[0], -turn[1]), (turn[1], turn[0])])  # columns: along and across the shear, in board x, y
    place = np.array([piece.x_mm, piece.y_mm, piece.z_mm + solid_of(shape).top_mm])
    to_lamp = _turned_in(_unit(np.array(light.lamp_mm) - place), frame)
    to_eye = _turned_in(_unit(camera.pose.eye_mm - place), frame)
    own = albedo_bgr(colour)
    inlaid = _inlaid(seen, shape, frame.T @ np.array([np.cos(piece.turn_rad), np.sin(piece.turn_rad)]))
    albedo = np.where(inlaid[:, None], _opposite(own), own) if inlaid.any() else own
    paint = _shade(light, shape, colour, albedo, seen, to_lamp=to_lamp, to_eye=to_eye)
    to_px = view.jacobian @ frame / seen.px_per_mm
    matrix = np.column_stack([to_px, view.head_px - to_px @ np.array(seen.origin)])
    return _warped(paint, seen.inside.astype(np.uint8) * np.uint8(255), matrix, camera.size_wh)


def _resolution(scale_px_per_mm: float) -> float:
    """Finer than the picture's resolution, from a short list so that impressions can be shared."""
    return float(_RESOLUTIONS[min(int(np.searchsorted(_RESOLUTIONS, 1.4 * scale_px_per_mm)), len(_RESOLUTIONS) - 1)])


def _shade(
    light: SceneLight,
    shape: PieceShape,
    colour: Rgb,
    own: Floats32,
    seen: Impression,
    *,
    to_lamp: Floats,
    to_eye: Floats,
) -> ImageBgr:
    """Light the visible surface, canvas values uint8 (height, width, 3); directions in the impression's frame.

    `own` is the light that the surface reflects, float32 (3,) or (n_inside, 3); `colour` paints what is beside.
    """
    solid = solid_of(shape)
    openness = solid.openness[seen.slice_index]
    everywhere, lamp = light_shares(light, float(to_lamp[2]))
    facing = np.maximum(seen.normal @ to_lamp.astype(np.float32), 0)
    diffuse = everywhere * openness * (0.72 + 0.28 * seen.normal[:, 2]) + lamp * facing * np.minimum(1, openness * 1.3)
    shine = _highlight(seen.normal, to_lamp, to_eye, shape.gloss, light) * openness
    white = solid.white[seen.slice_index][:, None]
    albedo = own * (1 - white) + albedo_bgr(_WHITE) * white
    paint = np.empty((*seen.inside.shape, 3), np.uint8)
    paint[:] = canvas_bgr(colour)
    paint[seen.inside] = canvas_of_light(albedo * diffuse[:, None] + shine[:, None])
    return paint


def _inlaid(seen: Impression, shape: PieceShape, axis: Floats) -> NDArray[np.bool_]:
    """Return where a flat top has its inlay, bool (n_inside,); `axis` is its direction in the impression's frame."""
    if not shape.mark:
        return np.zeros(len(seen.slice_index), np.bool_)
    solid = solid_of(shape)
    across, along = ((v - o) / seen.px_per_mm for v, o in zip(np.nonzero(seen.inside), seen.origin[::-1], strict=True))
    u, v = (along * axis[0] + across * axis[1], across * axis[0] - along * axis[1])
    flat = (solid.normal_up[seen.slice_index] > 0.95) & (solid.z_mm[seen.slice_index] > solid.top_mm - 0.3)
    return np.asarray(flat & _MARKS[shape.mark](u / shape.head_mm, v / shape.head_mm))


def _dots(u: Floats, v: Floats) -> NDArray[np.bool_]:
    near = [np.hypot(u - x, v - y) < 0.055 for x, y in ((0, 0), (0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2))]
    return np.asarray(np.any(near, axis=0))


def _ring(u: Floats, v: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.abs(np.hypot(u, v) - 0.33) < 0.025)


def _spot(u: Floats, v: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.hypot(u, v) < 0.12)


_MARKS = {"dots": _dots, "ring": _ring, "spot": _spot}


def _opposite(own: Floats32) -> Floats32:
    """A colour to be seen on another: near white on a dark one, near black on a light one."""
    return np.full(3, 0.75 if own.mean() < 0.25 else 0.03, np.float32)


def light_shares(light: SceneLight, lamp_slope: float) -> tuple[float, float]:
    """Light from everywhere, and the lamp's on a surface that faces it, so that a lying surface gets 1 in all."""
    return 1 - light.lamp, light.lamp / max(lamp_slope, 0.15)


def _highlight(normal: Floats32, to_lamp: Floats, to_eye: Floats, gloss: float, light: SceneLight) -> Floats32:
    """Mirror image of the lamp on plastic: a bright core and a wide glow (Blinn's half-way vector)."""
    cosine = np.maximum(normal @ _unit(to_lamp + to_eye).astype(np.float32), 0)
    glow = np.square(np.square(np.square(cosine)))
    core = glow
    for _ in range(1 if light.penumbra > 0.2 else 2 if light.penumbra > 0.05 else 3):  # 16th, 32nd, 64th power
        core = np.square(core)
    rim = np.square(1 - np.clip(normal @ to_eye.astype(np.float32), 0, 1))
    strength = 0.3 + light.lamp
    shine = gloss * (strength * (0.9 * core + 0.06 * glow) + 0.05 * rim * rim)
    return np.asarray(shine, np.float32)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector), np.float64)


def _turned_in(vector: Floats, frame: Floats) -> Floats:
    """Turn a board vector into the frame of an impression."""
    return np.append(frame.T @ vector[:2], vector[2])


def _warped(paint: ImageBgr, mask: Mask, matrix: Floats, size_wh: tuple[int, int]) -> _Print | None:
    """Bring a patch into the picture by an affine map (patch pixel to picture pixel), with soft edges."""
    height, width = mask.shape
    corners = matrix @ np.array([(0, width, width, 0), (0, 0, height, height), (1, 1, 1, 1)])
    low = np.maximum(np.floor(corners.min(axis=1)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(axis=1)).astype(int) + 2, size_wh)
    if (high - low < 1).any():
        return None
    moved = matrix.copy()
    moved[:, 2] -= low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    colours = cv2.warpAffine(paint, moved, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpAffine(mask, moved, size, flags=cv2.INTER_LINEAR).astype(np.float32) * np.float32(1 / 255)
    return _Print(np.asarray(colours, np.uint8), share, (int(low[0]), int(low[1])))


def _lay(canvas: ImageBgr, shine: Mask | None, seen: _Print | None) -> None:
    """Lay a piece over the canvas, and over what the board mirrors there."""
    if seen is None:
        return
    (left, top), (height, width) = seen.left_top, seen.share.shape
    rows, columns = slice(top, top + height), slice(left, left + width)
    free = 1 - seen.share
    patch = canvas[rows, columns]
    patch[:] = cv2.blendLinear(seen.paint, np.ascontiguousarray(patch), seen.share, free)
    if shine is not None:
        shine[rows, columns] = shine[rows, columns] * free


def sample_points(pose: Pose, shape: PieceShape, piece: ScenePiece) -> Floats:
    """Points spread over a piece's visible side, float64 (n, xyz) in mm: for finding what hides it."""
    solid = solid_of(shape)
    towards = _unit(pose.eye_mm[:2] - np.array([piece.x_mm, piece.y_mm]) + 1e-9)
    side = np.array([-towards[1], towards[0]])
    outer = np.flatnonzero(~solid.inner)[:: max(1, len(solid.z_mm) // 24)]
    rows = []
    for radius, z in zip(solid.radius_mm[outer], solid.z_mm[outer], strict=True):
        for across, along in ((0.0, 0.6), (-0.8, 0.2), (0.8, 0.2)):
            x, y = np.array([piece.x_mm, piece.y_mm]) + radius * (across * side + along * towards)
            rows.append((x, y, piece.z_mm + z))
    return np.array(rows, np.float64)

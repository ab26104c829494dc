"""Renders pieces as solids of revolution.

Within one small piece the camera is nearly affine: in board coordinates a point at height z appears shifted by z times
a fixed vector, the shear. So the picture of a solid depends only on the shear's length. It is drawn once for a length,
as a stack of discs from the lowest up, then shaded and warped into the picture for each piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32, Pose
from vision.simulation.canvas import Layer, Mask, albedo_bgr, canvas_bgr, canvas_of_light, toned, unit
from vision.simulation.figures_draw import draw_figure, standing_figures
from vision.simulation.lighting import cast, disc, light_shares, px_per_mm, soften
from vision.simulation.outlines import divided
from vision.simulation.scene import PieceShape, Scene, SceneCamera, SceneLight, ScenePiece

_SLICE_MM = 0.4
SHEAR_STEP = 0.04


@dataclass(frozen=True, eq=False)
class Solid:
    """Slices of a solid of revolution in painting order, arrays (n_slices,).

    `radius_mm`, `z_mm`; `normal_out`, `normal_up`: the surface's normal; `inner`: whether it is inside a hollow,
    visible only through its opening; `white`: share of white colour; `openness`: share of the ambient light that
    reaches it.
    """

    radius_mm: Floats32
    z_mm: Floats32
    normal_out: Floats32
    normal_up: Floats32
    inner: NDArray[np.bool_]
    white: Floats32
    openness: Floats32

    @property
    def top_mm(self) -> float:
        """Height of the highest slice."""
        return float(self.z_mm.max())


@lru_cache(maxsize=64)
def solid_of(shape: PieceShape) -> Solid:
    """Return the solid of a piece's shape."""
    # 1. Its outline, and places along that.
    share = {"ball": 0.92, "cone": 0.6, "cup": 0.55, "disc": 0.22, "mushroom": 0.5}.get(shape.head)
    neck = _FOOT_MM if share is None else shape.height_mm - share * shape.head_mm
    stem = [(shape.foot_mm / 2, 0.0), (shape.stem_mm / 2, max(neck - 2, 0.5)), (shape.stem_mm / 2 + 0.4, neck)]
    outline = stem + _head(shape, neck)
    places, piece, along = divided(outline, _SLICE_MM)
    radius, z = places.T.astype(np.float32)
    # 2. The surface's normals, interpolated where segments meet at a flat angle.
    steps = np.diff(np.array(outline, np.float64), axis=0)
    flat = np.stack([steps[:, 1], -steps[:, 0]], axis=1) / (np.hypot(steps[:, 0], steps[:, 1])[:, None] + 1e-9)
    own, follower = flat[piece], flat[np.minimum(piece + 1, len(flat) - 1)]
    gentle = np.sum(own * follower, axis=1) > 0.8
    mixed = np.where(gentle[:, None], own + along[:, None] * (follower - own), own)
    mixed /= np.hypot(mixed[:, 0], mixed[:, 1])[:, None] + 1e-9
    out, up = mixed.T.astype(np.float32)
    # 3. Its light: less under its head and in a hollow.
    inner = (np.arange(len(z)) > int(z.argmax())) & (z < z.max() - 0.05)
    widest = float(z[int(radius.argmax())])
    below = np.clip(0.5 + 0.5 * z / max(widest, 1), 0.5, 0.9) * 0.8
    openness = np.where(z < widest - 0.5, below, 1.0)
    openness = np.where(inner, np.clip(1 - (z.max() - z) / shape.head_mm, 0.35, 1) * 0.85, openness)
    body = Solid(radius, z, out, up, inner, np.zeros_like(z), openness.astype(np.float32))
    if shape.dot is None:
        return body
    dot = _dot(shape, outline)
    return Solid(*(np.concatenate([getattr(part, one.name) for part in (body, dot)]) for one in fields(Solid)))


Outline = list[tuple[float, float]]


_FOOT_MM = 0.6


def _head(shape: PieceShape, low: float) -> Outline:
    """Return the outline of a piece's head, from the height `low` of its lower end to the middle of its top."""
    radius, top = shape.head_mm / 2, shape.height_mm

    def round_about(first_rad: float, count: int, middle: float, half: float, power: float = 1.0) -> Outline:
        angles = np.linspace(first_rad, np.pi / 2, count)
        return [(float(radius * np.cos(a) ** power), float(middle + half * np.sin(a))) for a in angles]

    match shape.head:
        case "ball":
            outline = round_about(-0.9, 16, top - radius, radius)
        case "cone":
            rim = [(radius, top - 1.2), (radius, top - 0.3), (radius * 0.9, top)]
            outline = [(radius * 0.5, low + 0.45 * (top - low)), *rim, (0, top)]
        case "cup":
            deep = max(low + 1, top - 0.45 * shape.head_mm * 0.6)
            side = [(radius * 0.55, low + 0.4 * (top - low)), (radius * 0.95, top - 1.4), (radius, top - 0.6)]
            hollow = [(radius * 0.94, top), (radius * 0.84, top), (radius * 0.6, (top + deep) / 2 - 0.5), (0, deep)]
            outline = [*side, *hollow]
        case "disc":
            edge = [(radius * 0.96, low), (radius, low + 0.5), (radius, top - 0.5), (radius * 0.94, top)]
            outline = [*edge, (0, top)]
        case "mushroom":
            outline = [(radius * 0.92, low), *round_about(0.0, 12, low + 0.3, top - low - 0.3)]
        case "puck":
            bevel = 0.12 * top
            outline = [(radius, _FOOT_MM), (radius, top - bevel), (radius - bevel, top), (0, top)]
        case _:  # a pebble
            outline = round_about(-0.9, 14, 0.45 * top, 0.55 * top, 0.6)
    return outline


def _dot(shape: PieceShape, outline: Outline) -> Solid:
    """Return the slices of the white dot: a ball in the head, or a flat disc of paint on its top."""
    radius, seat = shape.dot_mm / 2, outline[-1][1]
    if shape.dot == "flat":
        ones, zeros = np.ones(2), np.zeros(2)
        rows = (np.array([radius, radius * 0.5]), zeros + seat + 0.05, zeros, ones, zeros, ones, ones)
    else:
        middle = max(seat + radius, shape.height_mm - radius * 0.35) if shape.head == "cup" else seat + radius * 0.6
        angles = np.linspace(-0.3, np.pi / 2, 18)
        c, s = np.cos(angles), np.sin(angles)
        ones, openness = np.ones(18), np.clip(0.75 + 0.25 * s, 0, 1)
        rows = (radius * c, middle + radius * s, c, s, np.zeros(18), ones, openness)
    radius_mm, z_mm, out, up, inner, white, openness = np.array(rows, np.float32)
    return Solid(radius_mm, z_mm, out, up, inner > 0, white, openness)


@dataclass(frozen=True, slots=True, eq=False)
class Impression:
    """A solid rendered for one shear length, in its own frame: `along` the shear, `across` it.

    Attributes:
        inside: bool (height, width), the pixels of the solid.
        slice_index: int (n_inside,), the visible slice.
        normal: float32 (n_inside, (along, across, up)).
        origin: the pixel (along, across) of the *top* of the axis.
        px_per_mm: resolution.
    """

    inside: NDArray[np.bool_]
    slice_index: NDArray[np.int16]
    normal: Floats32
    origin: tuple[float, float]
    px_per_mm: float


@lru_cache(maxsize=64)
def impression(shape: PieceShape, shear_steps: int, px_per_mm: float) -> Impression:
    """Return a shape rendered with a shear of `shear_steps` times SHEAR_STEP, at a resolution."""
    solid, shear = solid_of(shape), shear_steps * SHEAR_STEP
    reach, top = float(solid.radius_mm.max()) + 1, solid.top_mm
    size = (round((2 * reach + top * shear) * px_per_mm), round(2 * reach * px_per_mm))
    origin = ((reach + top * shear) * px_per_mm, reach * px_per_mm)
    index = np.full(size[::-1], -1, np.int16)
    opening: NDArray[np.bool_] | None = None
    for number, (radius, z, inner) in enumerate(zip(solid.radius_mm, solid.z_mm, solid.inner, strict=True)):
        # the rows and columns round the disc, and a mask of their pixels that it covers
        middle, radius_px = (origin[0] + (z - top) * shear * px_per_mm, origin[1]), radius * px_per_mm
        columns, rows = (
            np.arange(max(int(m - radius_px), 0), min(int(m + radius_px) + 2, length), dtype=np.float32)
            for m, length in zip(middle, size, strict=True)
        )
        far = np.square(columns - np.float32(middle[0]))[None, :] + np.square(rows - np.float32(middle[1]))[:, None]
        window = (slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1))
        disc = far <= radius_px * radius_px
        if not inner:
            opening = None
        elif opening is None:
            opening = np.zeros(index.shape, np.bool_)
            opening[window] = disc
        index[window][disc if opening is None else disc & opening[window]] = number
    # the normals of the visible pixels, outwards from the middle of the slice that each is on
    inside = index >= 0
    seen, (across, along) = index[inside], np.argwhere(inside).T.astype(np.float32)
    along -= np.float32(origin[0]) + (solid.z_mm[seen] - np.float32(top)) * np.float32(shear * px_per_mm)
    across -= np.float32(origin[1])
    far, out = np.sqrt(along * along + across * across) + np.float32(1e-3), solid.normal_out[seen]
    normal = np.stack([out * along / far, out * across / far, solid.normal_up[seen]], axis=-1)
    return Impression(inside, seen, normal, origin, px_per_mm)


_WHITE = (240, 240, 236)
_RESOLUTIONS = np.array([1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0])


def shape_of(scene: Scene, piece: ScenePiece) -> PieceShape:
    """Return the shape of a piece: the scene's, or one of the table file's sizes with a plain head."""
    if piece.kind in scene.shapes:
        return scene.shapes[piece.kind]
    size = scene.board.pieces[piece.kind]
    across, height, dot = size.head_diameter or size.diameter or 20.0, size.height, size.dot_diameter
    match size.shape:
        case "tee":
            return (
                PieceShape("cup", across, height, dot="ball", dot_mm=dot) if dot else PieceShape("ball", across, height)
            )
        case "disc" | "tile":
            return PieceShape("disc", across, height, stem_mm=across * 0.9, foot_mm=across * 0.9)
        case _:  # turned, or a pawn
            return PieceShape("ball", across * 0.6, height, stem_mm=across * 0.4, foot_mm=across)


def draw_pieces(canvas: ImageBgr, shine: Mask | None, scene: Scene, pieces: Iterable[ScenePiece]) -> None:
    """Draw pieces on the canvas and over its reflections, from the farthest to the nearest, stacks from below."""
    camera, pieces = scene.camera, tuple(pieces)
    eye = camera.pose.eye_mm
    figures = standing_figures(scene, pieces)
    lowest = {piece.cell or piece: piece for piece in sorted(pieces, key=lambda p: -p.z_mm)}
    away = {place: float(np.hypot(p.x_mm - eye[0], p.y_mm - eye[1])) for place, p in lowest.items()}
    colours = {seat.colour: seat.rgb for seat in scene.board.seats_and_saved}
    for piece in sorted(pieces, key=lambda p: (-away[p.cell or p], p.z_mm)):
        if piece in figures:
            draw_figure(canvas, shine, scene, figures[piece], figures.values())
            continue
        colour = scene.tints.get(piece.colour) or colours.get(piece.colour, (128, 128, 128))
        layer = _drawn(camera, scene.light, shape_of(scene, piece), toned(colour, piece.tone), piece)
        if layer is not None:
            layer.lay(canvas, shine)


@lru_cache(maxsize=256)
def _drawn(camera: SceneCamera, light: SceneLight, shape: PieceShape, colour: Rgb, piece: ScenePiece) -> Layer | None:
    """Return the layer of a piece, cached because most pieces stay between frames; None if out of the picture."""
    # 1. the camera linearised about the piece's head: the pixel of the top of its axis, the pixels per mm of x and
    # y on the board there, and the board vector by which a point appears shifted for each mm of height, the shear
    (lean_x, lean_y), top_mm = piece.lean_mm, solid_of(shape).top_mm
    head = np.array([piece.x_mm + lean_x, piece.y_mm + lean_y, piece.z_mm + top_mm])
    ways = np.array([(0, 0, 0), (4, 0, 0), (-4, 0, 0), (0, 4, 0), (0, -4, 0), (-lean_x, -lean_y, -top_mm)], np.float64)
    near = camera.pose.project(head + ways)
    jacobian = np.column_stack([near[1] - near[2], near[3] - near[4]]) / 8
    shear = np.linalg.solve(jacobian, (near[0] - near[5]) / top_mm)
    # 2. the piece with such a shear, lit
    length = float(np.hypot(*shear))
    scale = float(np.sqrt(abs(np.linalg.det(jacobian))))
    # (finer than the picture's resolution, from a short list so that impressions can be shared)
    finer = min(int(np.searchsorted(_RESOLUTIONS, 1.4 * scale)), len(_RESOLUTIONS) - 1)
    seen = impression(shape, round(length / SHEAR_STEP), float(_RESOLUTIONS[finer]))
    turn = shear / length if length > 1e-6 else np.array([1.0, 0.0])
    frame = np.array([(turn[0], -turn[1]), (turn[1], turn[0])])  # columns: along and across the shear, in board x, y
    place = np.array([piece.x_mm, piece.y_mm, piece.z_mm + top_mm])
    towards = (unit(np.asarray(target) - place) for target in (light.lamp_mm, camera.pose.eye_mm))
    to_lamp, to_eye = (np.append(frame.T @ way[:2], way[2]) for way in towards)
    own = albedo_bgr(colour)
    if shape.mark:  # an inlay is to be seen on its ground: near white on a dark one, near black on a light one
        inlaid = _inlaid(seen, shape, frame.T @ np.array([np.cos(piece.turn_rad), np.sin(piece.turn_rad)]))
        own = np.where(inlaid[:, None], np.float32(0.75 if own.mean() < 0.25 else 0.03), own)
    paint = _shade(light, shape, colour, own, seen, to_lamp=to_lamp, to_eye=to_eye)
    to_px = jacobian @ frame / seen.px_per_mm
    matrix = np.column_stack([to_px, near[0] - to_px @ np.array(seen.origin)])
    # 3. bring it into the picture, with soft edges
    height, width = seen.inside.shape
    corners = matrix @ np.array([(0, width, width, 0), (0, 0, height, height), (1, 1, 1, 1)])
    low = np.maximum(np.floor(corners.min(axis=1)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(axis=1)).astype(int) + 2, camera.size_wh)
    if (high - low < 1).any():
        return None
    matrix[:, 2] -= low
    size, mask = (int(high[0] - low[0]), int(high[1] - low[1])), seen.inside.astype(np.uint8) * np.uint8(255)
    colours = cv2.warpAffine(paint, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpAffine(mask, matrix, size, flags=cv2.INTER_LINEAR)
    return Layer(np.asarray(colours, np.uint8), np.asarray(share, np.uint8), (int(low[0]), int(low[1])))


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
    """Return the lit surface, canvas values uint8 (height, width, 3); directions are in the impression's frame.

    `own` is the surface's albedo, float32 (3,) or (n_inside, 3); `colour` fills the pixels outside the solid.
    """
    solid = solid_of(shape)
    openness = solid.openness[seen.slice_index]
    everywhere, lamp = light_shares(light, float(to_lamp[2]))
    facing = np.maximum(seen.normal @ to_lamp.astype(np.float32), 0)
    diffuse = everywhere * openness * (0.72 + 0.28 * seen.normal[:, 2]) + lamp * facing * np.minimum(1, openness * 1.3)
    # the lamp's highlight on plastic: a bright core and a wide glow (Blinn's half-way vector), and the rim's
    cosine = np.maximum(seen.normal @ unit(to_lamp + to_eye).astype(np.float32), 0)
    core = glow = np.square(np.square(np.square(cosine)))
    for _ in range(1 if light.penumbra > 0.2 else 2 if light.penumbra > 0.05 else 3):  # 16th, 32nd, 64th power
        core = np.square(core)
    rim = np.square(1 - np.clip(seen.normal @ to_eye.astype(np.float32), 0, 1))
    gleam = shape.gloss * ((0.3 + light.lamp) * (0.9 * core + 0.06 * glow) + 0.05 * rim * rim)
    shine = np.asarray(gleam, np.float32) * openness
    white = solid.white[seen.slice_index][:, None]
    albedo = own * (1 - white) + albedo_bgr(_WHITE) * white
    paint = np.empty((*seen.inside.shape, 3), np.uint8)
    paint[:] = canvas_bgr(colour)
    paint[seen.inside] = canvas_of_light(albedo * diffuse[:, None] + shine[:, None])
    return paint


def _inlaid(seen: Impression, shape: PieceShape, axis: Floats) -> NDArray[np.bool_]:
    """Return a mask of the inlay of a flat top, bool (n_inside,); `axis` is its direction in the impression's frame."""
    solid = solid_of(shape)
    across, along = ((v - o) / seen.px_per_mm for v, o in zip(np.nonzero(seen.inside), seen.origin[::-1], strict=True))
    u, v = (along * axis[0] + across * axis[1]) / shape.head_mm, (across * axis[0] - along * axis[1]) / shape.head_mm
    flat = (solid.normal_up[seen.slice_index] > 0.95) & (solid.z_mm[seen.slice_index] > solid.top_mm - 0.3)
    match shape.mark:
        case "dots":
            places = ((0, 0), (0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2))
            marked = np.any([np.hypot(u - x, v - y) < 0.055 for x, y in places], axis=0)
        case "ring":
            marked = np.abs(np.hypot(u, v) - 0.33) < 0.025
        case _:  # a spot
            marked = np.hypot(u, v) < 0.12
    return np.asarray(flat & marked)


def sample_points(pose: Pose, shape: PieceShape, piece: ScenePiece) -> Floats:
    """Return points on a piece's visible side, float64 (n, xyz) in mm, with which its visibility is computed."""
    solid = solid_of(shape)
    towards = unit(pose.eye_mm[:2] - np.array([piece.x_mm, piece.y_mm]) + 1e-9)
    side = np.array([-towards[1], towards[0]])
    outer = np.flatnonzero(~solid.inner)[:: max(1, len(solid.z_mm) // 24)]
    rows = []
    for radius, z in zip(solid.radius_mm[outer], solid.z_mm[outer], strict=True):
        for across, along in ((0.0, 0.6), (-0.8, 0.2), (0.8, 0.2)):
            x, y = np.array([piece.x_mm, piece.y_mm]) + radius * (across * side + along * towards)
            rows.append((x, y, piece.z_mm + z))
    return np.array(rows, np.float64)


@lru_cache(maxsize=4)
def piece_shadows(
    pose: Pose,
    light: SceneLight,
    standing: tuple[tuple[ScenePiece, PieceShape], ...],
    size_wh: tuple[int, int],
    floor_mm: float = 0.0,
) -> Mask:
    """Return the coverage of the pieces' shadows on the plane at `floor_mm`, uint8 at half the picture's size.

    The last results are cached, because most pieces stay between frames.
    """
    low, high = (np.zeros((size_wh[1] // 2, size_wh[0] // 2), np.uint8) for _ in range(2))
    if not standing:
        return low
    for mask, is_head in ((low, False), (high, True)):
        hulls = [
            local + np.array([piece.x_mm, piece.y_mm, piece.z_mm])
            for piece, shape in standing
            for local in _hulls(shape, is_head=is_head)
        ]
        cast(mask, pose, light, hulls, floor_mm)
    scale = px_per_mm(pose) / 2
    height = max(solid_of(shape).top_mm for _, shape in standing)
    soften(low, light.penumbra * height * 0.35 * scale)
    soften(high, light.penumbra * height * 0.6 * scale)
    return np.asarray(cv2.max(low, high), np.uint8)


@lru_cache(maxsize=128)
def _hulls(shape: PieceShape, *, is_head: bool) -> list[Floats]:
    """Return sets of points about a piece's foot whose hulls are its head (discs, one over another), or its stem."""
    solid, at = solid_of(shape), np.zeros(2)
    if not is_head:
        ends = ((shape.foot_mm / 2, 0.0), (shape.stem_mm / 2, shape.height_mm - shape.head_mm / 2))
        return [np.concatenate([disc(at, radius, z) for radius, z in ends])]
    outer = np.flatnonzero(~solid.inner & (solid.z_mm > shape.height_mm - shape.head_mm) & (solid.white < 0.5))
    chosen = outer[np.linspace(0, len(outer) - 1, 6).astype(int)]
    return [disc(at, float(solid.radius_mm[i]), float(solid.z_mm[i])) for i in chosen]

"""Renders pieces as solids of revolution: meshes that are painted as those of chess pieces are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.simulation.canvas import Layer, Mask, albedo_bgr, toned
from vision.simulation.figures import Mesh, Outline, circle, joined, middles_of, normals_of, turned
from vision.simulation.figures_draw import draw_figure, lit_faces, paint_faces, placed, standing_figures, visible_faces
from vision.simulation.lighting import disc, shadow_of
from vision.simulation.outlines import divided
from vision.simulation.scene import PieceShape, Scene, SceneCamera, SceneLight, ScenePiece

_STEP_MM = 1.0
_FOOT_MM = 0.6


def _outline_of(shape: PieceShape) -> Outline:
    """Return (radius, z) in mm from the foot to the middle of the head's top."""
    share = {"ball": 0.92, "cone": 0.6, "cup": 0.55, "disc": 0.22, "mushroom": 0.5}.get(shape.head)
    neck = _FOOT_MM if share is None else shape.height_mm - share * shape.head_mm
    stem = [(shape.foot_mm / 2, 0.0), (shape.stem_mm / 2, max(neck - 2, 0.5)), (shape.stem_mm / 2 + 0.4, neck)]
    return [*stem, *_head(shape, neck)]


def _seams(shape: PieceShape) -> Floats:
    """Return the directions of a solid's seams: more round a wide piece, so that none is seen."""
    return circle(int(np.clip(3 * shape.head_mm, 36, 80)))


@lru_cache(maxsize=64)
def body_of(shape: PieceShape) -> Mesh:
    """Return a piece's body about its foot; its tone is lower where less light falls: below the head, in a hollow."""
    outline = _outline_of(shape)
    body = turned(outline, _seams(shape), step_mm=_STEP_MM)
    z, up, top = middles_of(body)[:, 2], normals_of(body)[:, 2], shape.height_mm
    widest = max(outline, key=lambda point: point[0])[1]
    below = np.clip(0.5 + 0.5 * z / max(widest, 1), 0.5, 0.9) * 0.8
    hollow = (up > 0.2) & (z < top - 0.05) & (z > widest - shape.head_mm) & (shape.head == "cup")
    deep = np.clip(1 - (top - z) / shape.head_mm, 0.35, 1) * 0.85
    return Mesh(body.quads_mm, np.where(hollow, deep, np.where(z < widest - 0.5, below, 1.0)))


@lru_cache(maxsize=64)
def _white_dot(shape: PieceShape) -> Mesh:
    """Return the white dot about the piece's foot: a ball in the head, or a flat disc of paint on its top."""
    radius, seat = shape.dot_mm / 2, _outline_of(shape)[-1][1]
    if shape.dot == "flat":
        return turned([(radius, seat + 0.05), (0.0, seat + 0.05)], _seams(shape))
    middle = max(seat + radius, shape.height_mm - radius * 0.35) if shape.head == "cup" else seat + radius * 0.6
    arc = [(float(radius * np.cos(a)), float(middle + radius * np.sin(a))) for a in np.linspace(-0.3, np.pi / 2, 18)]
    ball = turned(arc, _seams(shape))
    return Mesh(ball.quads_mm, np.clip(0.75 + 0.25 * (middles_of(ball)[:, 2] - middle) / radius, 0, 1))


@lru_cache(maxsize=64)
def _inlay(shape: PieceShape) -> Mesh:
    """Return the inlay of a flat top about the piece's foot."""
    wide, z = shape.head_mm, shape.height_mm + 0.02
    if shape.mark == "ring":
        return turned([(0.355 * wide, z), (0.305 * wide, z)], _seams(shape))
    if shape.mark == "spot":
        return turned([(0.12 * wide, z), (0.0, z)], _seams(shape))
    dot = turned([(0.055 * wide, z), (0.0, z)], circle(12))
    places = np.array([(0, 0, 0), (0.2, 0.2, 0), (0.2, -0.2, 0), (-0.2, 0.2, 0), (-0.2, -0.2, 0)]) * wide
    return joined(*(Mesh(dot.quads_mm + at, dot.tone) for at in places))


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


_WHITE = (240, 240, 236)


def shape_of(scene: Scene, piece: ScenePiece) -> PieceShape:
    """Return the shape of a piece: the scene's, or one of the table file's sizes with a plain head."""
    if piece.kind in scene.shapes:
        return scene.shapes[piece.kind]
    size = scene.board.pieces[piece.kind]
    across, height, dot = size.head_diameter or size.diameter or 20.0, size.height, size.dot_diameter
    match size.shape:
        case "tee":
            head, dotted = ("cup", "ball") if dot else ("ball", None)
            return PieceShape(head, across, height, dot=dotted, dot_mm=dot or 0.0)
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
        colour = scene.tints.get(piece.colour)
        if piece.kind in scene.figures:
            layer = draw_figure(camera, scene.light, colour, piece, figures)
        else:
            colour = colour or colours.get(piece.colour, (128, 128, 128))
            layer = _draw(camera, scene.light, shape_of(scene, piece), toned(colour, piece.tone), piece)
        if layer is not None:
            layer.lay(canvas, shine)


@lru_cache(maxsize=256)
def _draw(camera: SceneCamera, light: SceneLight, shape: PieceShape, colour: Rgb, piece: ScenePiece) -> Layer | None:
    """Return the layer of a piece, cached because most pieces stay between frames; None if out of the picture."""
    own, eye = albedo_bgr(colour), camera.pose.eye_mm
    parts = [(body_of(shape), own)]
    if shape.dot is not None:
        parts.append((_white_dot(shape), albedo_bgr(_WHITE)))
    if shape.mark and (shape.head, shape.mark) != ("pebble", "ring"):
        # an inlay is to be seen on its ground: near white on a dark one, near black on a light one
        parts.append((_inlay(shape), np.full(3, 0.75 if own.mean() < 0.25 else 0.03, np.float32)))
    shown = [visible_faces(placed(piece, mesh), eye) for mesh, _albedo in parts]
    albedo = np.concatenate([np.tile(one, (len(mesh.tone), 1)) for mesh, (_m, one) in zip(shown, parts, strict=True)])
    seen = joined(*shown)
    # the lamp reaches the darker parts nearly as well
    free = np.minimum(1.0, 1.3 * seen.tone)
    paint = lit_faces(seen, light, eye, albedo, shape.gloss, free=free, openness=seen.tone)
    return paint_faces(seen, camera, paint)


@lru_cache(maxsize=4)
def piece_shadows(
    camera: SceneCamera,
    light: SceneLight,
    standing: tuple[tuple[ScenePiece, PieceShape], ...],
    floor_mm: float = 0.0,
) -> Mask:
    """Return the coverage of the pieces' shadows on the plane at `floor_mm`, uint8 at half the picture's size.

    The last results are cached, because most pieces stay between frames.
    """
    height, masks = max((shape.height_mm for _, shape in standing), default=0.0), []
    for is_head, share in ((False, 0.35), (True, 0.6)):
        hulls = [
            local + np.array([piece.x_mm, piece.y_mm, piece.z_mm])
            for piece, shape in standing
            for local in _hulls(shape, is_head=is_head)
        ]
        masks.append(shadow_of(hulls, share * height, camera, light, floor_mm))
    return np.asarray(cv2.max(*masks), np.uint8)


@lru_cache(maxsize=128)
def _hulls(shape: PieceShape, *, is_head: bool) -> list[Floats]:
    """Return sets of points about a piece's foot whose hulls are its head (discs, one over another), or its stem."""
    at = np.zeros(2)
    if not is_head:
        ends = ((shape.foot_mm / 2, 0.0), (shape.stem_mm / 2, shape.height_mm - shape.head_mm / 2))
        return [np.concatenate([disc(at, radius, z) for radius, z in ends])]
    radii, z = divided(_outline_of(shape), 0.4).T
    hollow = (np.arange(len(z)) > int(z.argmax())) & (z < z.max() - 0.05)
    outer = np.flatnonzero(~hollow & (z > shape.height_mm - shape.head_mm))
    chosen = outer[np.linspace(0, len(outer) - 1, 6).astype(int)]
    return [disc(at, float(radii[i]), float(z[i])) for i in chosen]

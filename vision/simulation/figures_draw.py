"""Renders chess pieces: faces are lit one by one and painted from the farthest to the nearest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.simulation.canvas import Layer, Mask, albedo_bgr, canvas_of_light, unit
from vision.simulation.figures import Figure, Mesh, middles_of, normals_of, profile_of, profile_radius
from vision.simulation.lighting import fallen, light_shares, px_per_mm, shadow_px
from vision.simulation.outlines import ring, sixteenths, turn
from vision.simulation.scene import Scene, SceneCamera, SceneLight, ScenePiece

_FINER = 2
"""Factor of supersampling, since faces have hard edges."""

_SHADOW_LAYERS = 3
_PALE = (222, 190, 142)

_RAY_MM = np.concatenate([np.arange(3.0, 30.0, 2.5), np.arange(30.0, 170.0, 6.0)])
"""Distances along the way to the lamp at which obstacles are searched."""


Standing: TypeAlias = tuple[tuple[ScenePiece, Figure], ...]
"""The pieces that are chess pieces, each with its figure."""


def standing_figures(scene: Scene, pieces: Iterable[ScenePiece]) -> Standing:
    """Return the figures of those pieces that are chess pieces."""
    return tuple((piece, scene.figures[piece.kind]) for piece in pieces if piece.kind in scene.figures)


@lru_cache(maxsize=64)
def placed(piece: ScenePiece, mesh: Mesh) -> Mesh:
    """Return the surface of a piece, or of a part of it, in the board's frame, turned and leaning."""
    about_z = np.eye(3)
    about_z[:2, :2] = turn(piece.turn_rad)
    quads = mesh.quads_mm @ about_z
    quads[..., :2] += quads[..., 2:] * piece.lean_mm / max(mesh.height_mm, 1.0)
    return Mesh(quads + np.array([piece.x_mm, piece.y_mm, piece.z_mm]), mesh.tone)


def visible_faces(mesh: Mesh, eye_mm: Floats) -> Mesh:
    """Return the faces whose outer sides an eye sees, from the farthest to the nearest."""
    to_eye = eye_mm - middles_of(mesh)
    shown = np.einsum("ij,ij->i", normals_of(mesh), to_eye) > 0
    order = np.flatnonzero(shown)[np.argsort(-np.linalg.norm(to_eye[shown], axis=1))]
    return Mesh(mesh.quads_mm[order], mesh.tone[order])


def paint_faces(seen: Mesh, camera: SceneCamera, paint: NDArray[np.uint8]) -> Layer | None:
    """Return a layer of faces that are painted in their order, with antialiasing; None if they are out of the picture.

    `paint` has their canvas values, uint8 (n, bgr).
    """
    corners_px = camera.pose.project(seen.quads_mm.reshape(-1, 3)).reshape(-1, 4, 2)
    flat = corners_px.reshape(-1, 2)
    low = np.maximum(np.floor(flat.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(flat.max(axis=0)).astype(int) + 2, camera.size_wh)
    if (high - low < 1).any():
        return None
    window = np.zeros((*((high - low)[::-1] * _FINER), 4), np.uint8)
    fixed = sixteenths((corners_px - low + 0.5) * _FINER - 0.5)
    for corners, colour in zip(fixed, paint.tolist(), strict=True):
        cv2.fillConvexPoly(window, corners, (*colour, 255), cv2.LINE_8, 4)
    small = cv2.resize(window, None, fx=1 / _FINER, fy=1 / _FINER, interpolation=cv2.INTER_AREA)
    share = np.ascontiguousarray(small[..., 3], np.uint8)
    # the colours of the covered part of each pixel
    own = cv2.divide(np.ascontiguousarray(small[..., :3]), cv2.cvtColor(share, cv2.COLOR_GRAY2BGR), scale=255)
    return Layer(np.asarray(own, np.uint8), share, (int(low[0]), int(low[1])))


def lit_faces(
    seen: Mesh, light: SceneLight, eye_mm: Floats, albedo: Floats, gloss: float, *, free: Floats, openness: Floats
) -> NDArray[np.uint8]:
    """Return the canvas values of faces, uint8 (n, bgr).

    Args:
        seen: the faces.
        light: falls on them.
        eye_mm: the camera's place.
        albedo: of each face, (n, bgr).
        gloss: of the surface, 0 to 1.
        free: the share of the lamp's light that nothing hides, (n,).
        openness: the share of ambient light that reaches them, (n,).
    """
    middles, normals = middles_of(seen), normals_of(seen)
    to_lamp, to_eye = unit(np.asarray(light.lamp_mm) - middles), unit(eye_mm - middles)
    ambient, lamp = light_shares(light, float(to_lamp[:, 2].mean()))
    facing = np.clip(np.einsum("ij,ij->i", normals, to_lamp), 0, None) * free
    everywhere = ambient * openness * (0.7 + 0.3 * normals[:, 2])
    half_way = np.clip(np.einsum("ij,ij->i", normals, unit(to_lamp + to_eye)), 0, 1)
    sharpness = 16 if light.penumbra > 0.2 else 32 if light.penumbra > 0.05 else 64
    glint = (0.3 + light.lamp) * (0.9 * half_way**sharpness + 0.06 * half_way**8) * free
    rim = 0.05 * (1 - np.clip(np.einsum("ij,ij->i", normals, to_eye), 0, 1)) ** 4
    return canvas_of_light(albedo * (everywhere + lamp * facing)[:, None] + gloss * (glint + rim)[:, None])


@lru_cache(maxsize=64)
def draw_figure(
    camera: SceneCamera, light: SceneLight, colour: Rgb | None, piece: ScenePiece, figures: Standing
) -> Layer | None:
    """Return the layer of one of some figures, which cast shadows on one another; None if out of the picture.

    It is cached because most pieces stay between frames.
    """
    own = dict(figures)[piece]
    seen = visible_faces(placed(piece, own.mesh), camera.pose.eye_mm)
    middles = middles_of(seen)
    # 1. the share of the lamp that no figure hides, by ray marching past every figure's profile
    to_lamp = unit(np.asarray(light.lamp_mm) - middles)
    way = (middles + 0.4 * normals_of(seen))[:, None] + _RAY_MM[:, None] * to_lamp[:, None]
    hidden, soft = np.zeros(len(way)), 0.8 + light.penumbra * _RAY_MM
    for other, figure in figures:
        far = np.hypot(way[..., 0] - other.x_mm, way[..., 1] - other.y_mm)
        radius = profile_radius(profile_of(figure.mesh), way[..., 2] - other.z_mm)
        clear = far - radius * (0.85 if other == piece else 1.0)
        hidden = np.maximum(hidden, np.clip(0.5 - clear / (2 * soft), 0, 1).max(axis=1))
    # 2. the share of ambient light that reaches the faces: less near the board and near other pieces
    x, y, z = (middles - np.array([piece.x_mm, piece.y_mm, piece.z_mm])).T
    openness = 0.62 + 0.38 * np.clip(z / 30.0, 0, 1)
    for other, figure in figures:
        if other != piece:
            away = np.hypot(other.x_mm - piece.x_mm, other.y_mm - piece.y_mm)
            openness = openness * (1 - 0.12 * np.clip(1.6 - away / 50.0, 0, 1) * (z < figure.mesh.height_mm))
    # 3. the grain of turned wood: slow waves along the axis
    waves = np.sin(0.9 * x + 0.4 * y + 0.05 * z + 2 * np.sin(0.05 * z + 0.2 * x) + 7 * piece.turn_rad)
    albedo = albedo_bgr(colour or _PALE) * (seen.tone * (1 + 0.6 * own.grain * waves))[:, None]
    paint = lit_faces(seen, light, camera.pose.eye_mm, albedo, own.gloss, free=1 - hidden, openness=openness)
    return paint_faces(seen, camera, paint)


@lru_cache(maxsize=4)
def figure_shadows(camera: SceneCamera, light: SceneLight, figures: Standing) -> Mask:
    """Return the coverage of the figures' shadows on the board, uint8 at half the picture's size.

    The higher a part, the softer its shadow.
    """
    pose, (width, height) = camera.pose, camera.size_wh
    masks = [np.zeros((height // 2, width // 2), np.uint8) for _ in range(_SHADOW_LAYERS)]
    for piece, figure in figures:
        # the faces that the lamp shines on, each in the layer of its height
        mesh = placed(piece, figure.mesh)
        middles = middles_of(mesh)
        facing = np.einsum("ij,ij->i", normals_of(mesh), np.asarray(light.lamp_mm) - middles) > 0
        flat = fallen(mesh.quads_mm[facing].reshape(-1, 3), light, piece.z_mm)
        layer = (middles[facing, 2] / figure.mesh.height_mm * len(masks)).astype(int).clip(0, len(masks) - 1)
        pixels = shadow_px(pose, flat, piece.z_mm).reshape(-1, 4, 2)
        for corners, k in zip(pixels, layer.tolist(), strict=True):
            cv2.fillConvexPoly(masks[k], corners, 255, cv2.LINE_8, 4)
    for k, mask in enumerate(masks):
        sigma_px = (4.0 + 24.0 * k) * light.penumbra * (px_per_mm(pose) / 2)
        if sigma_px > 0.4:
            cv2.GaussianBlur(mask, (0, 0), min(sigma_px, 40.0), dst=mask)
    return np.asarray(np.max(masks, axis=0), np.uint8)


def contact_shade(canvas: ImageBgr, pose: Pose, light: SceneLight, figures: Standing) -> None:
    """Darken the board about every foot, in place, where half of the ambient light is hidden."""
    for piece, figure in figures:
        foot = np.array([piece.x_mm, piece.y_mm, piece.z_mm])
        reach = 2.1 * float(profile_of(figure.mesh)[:4].max())
        round_px = pose.project(foot + reach * np.column_stack([ring(16), np.zeros(16)]))
        x, y, w, h = cv2.boundingRect(round_px.astype(np.float32))
        if x < 0 or y < 0 or x + w > canvas.shape[1] or y + h > canvas.shape[0]:
            continue
        # 1 in the middle of the outline, falling to 0 on it
        (cx, cy), (a, b), angle = cv2.fitEllipse((round_px - (x, y)).astype(np.float32))
        along, down = np.meshgrid(np.arange(w) - cx, np.arange(h) - cy)
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        far = np.hypot((along * c + down * s) / (a / 2), (down * c - along * s) / (b / 2))
        glow = np.clip(1 - far, 0, 1) ** 1.2
        patch = canvas[y : y + h, x : x + w]
        patch[:] = patch * (1 - 0.5 * (1 - light.lamp) * glow)[..., None]


def surface_points(mesh: Mesh, eye_mm: Floats) -> Floats:
    """Return points evenly on a mesh's visible side, float64 (n, xyz) in mm, with which its visibility is computed."""
    seen = visible_faces(mesh, eye_mm)
    corners = seen.quads_mm
    area = np.linalg.norm(np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]), axis=1)
    even = (np.arange(150) + 0.5) / 150
    return middles_of(seen)[np.searchsorted(np.cumsum(area) / area.sum(), even)]

"""Renders what is above the board: arms of round limbs with hands, mugs and boxes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32
from vision.simulation.canvas import Layer, Mask, albedo_bgr, canvas_of_light, noise_field
from vision.simulation.figures import Mesh, circle, middles_of, normals_of, turned
from vision.simulation.figures_draw import paint_faces, visible_faces
from vision.simulation.lighting import box_corners, light_shares
from vision.simulation.scene import Arm, Bead, Box, Limb, Mug, Occluder, SceneCamera, SceneLight

_SIDES_RAD = {"right": 0.0, "bottom": np.pi / 2, "left": np.pi, "top": -np.pi / 2}
_Beads = list[tuple[float, float, float, float]]  # forward, across, up, radius; forward 0 is the fingertips


@dataclass(frozen=True, slots=True)
class Limbs:
    """The look of an arm: skin and sleeve colours, distance of the sleeve from the fingertips, and a size factor."""

    skin: Rgb = (196, 146, 118)
    sleeve: Rgb = (70, 92, 150)
    sleeve_from_mm: float = 170.0
    size: float = 1.0
    left_handed: bool = False


def reaching_arm(
    board: Board,
    tip_mm: tuple[float, float],
    *,
    side: str | float = "bottom",
    gesture: str = "pinch",
    height_mm: float = 30.0,
    limbs: Limbs | None = None,
) -> Arm:
    """Return an arm that reaches over a board.

    Args:
        board: the board; the arm's elbow is well outside it.
        tip_mm: the fingertips, (x, y) in mm.
        side: the edge that the arm comes in from, or the angle (radians) of the way from tip to elbow, 0 along x.
        gesture: one of GESTURES.
        height_mm: height of the fingertips over the board.
        limbs: the look of the arm.
    """
    limbs = limbs or Limbs()
    angle = _SIDES_RAD[side] if isinstance(side, str) else side
    back = np.array([np.cos(angle), np.sin(angle)])
    thumb = np.array([-back[1], back[0]]) * (1 if limbs.left_handed else -1)

    def place(bead: tuple[float, float, float, float]) -> Bead:
        forward, across, up, radius = (v * limbs.size for v in bead)
        x, y = np.array(tip_mm) - forward * back + across * thumb
        return Bead(float(x), float(y), height_mm + up, radius)

    hand = [Limb(place(a), place(b), limbs.skin) for chain in _hand(gesture) for a, b in pairwise(chain)]
    cuff, elbow = limbs.sleeve_from_mm if hand else 12.0, place((-1.4 * max(board.size), 0, 120, 56))
    sleeve = Limb(place((-cuff, 0, 40, 36)), elbow, limbs.sleeve, folds=1.0)
    forearm = Limb(place((-118, 0, 38, 23)), place((-cuff - 20, 0, 44, 29)), limbs.skin)
    return Arm((sleeve, forearm, *hand) if hand else (sleeve,))


GESTURES = ("pinch", "fist", "point", "flat", "sleeve")
"""Gestures of a hand; "sleeve" is a long sleeve that hides it."""


def _hand(gesture: str) -> list[_Beads]:
    """Return a hand's chains of beads: from the wrist to each knuckle, the ball of the thumb, fingers and thumb."""
    knuckles: _Beads
    match gesture:
        case "fist":
            knuckles, fronts = _row(-38, 34, 13.5), _row(-12, 12, 11.5)
            fingers = [[k, f, (f[0] - 22, f[1], f[2] - 8, 10.0)] for k, f in zip(knuckles, fronts, strict=True)]
            fingers.append([(-78, 30, 22, 15), (-40, 38, 12, 11.5), (-16, 26, 6, 10)])
        case "pinch":
            knuckles = _row(-72, 46, 13)
            bent = [(k, (k[0] + 40, k[1] * 0.8, k[2] - 2, 10), (k[0] + 52, k[1] * 0.5, 16, 8.5)) for k in knuckles[1:]]
            fingers = [*map(list, bent), [knuckles[0], (-30, 22, 38, 9.5), (-4, 4, 8, 7.5)]]
            fingers.append([(-78, 30, 22, 15), (-38, 28, 14, 10.5), (-6, 10, 4, 8)])
        case "point":
            knuckles = _row(-88, 40, 13.5)
            bent = [(k, (k[0] + 28, k[1], 22, 11), (k[0] + 6, k[1], 8, 10)) for k in knuckles[1:]]
            fingers = [*map(list, bent), [knuckles[0], (-44, 22, 28, 9.5), (0, 12, 4, 7)]]
            fingers.append([(-92, 32, 22, 14), (-62, 34, 14, 10.5), (-52, 14, 8, 9)])
        case "flat":
            knuckles, ends = _row(-86, 20, 12.5), zip(_row(-86, 20, 12.5), (0, 8, 2, -18), strict=True)
            fingers = [[k, (-44 + n * 0.5, k[1] * 1.25, 14, 9.5), (-4 + n, k[1] * 1.45, 8, 7.5)] for k, n in ends]
            fingers.append([(-92, 32, 16, 14), (-64, 54, 10, 10), (-40, 64, 6, 8)])
        case _:
            return []
    palm: list[_Beads] = [[(-118, (k[1]) * 0.45, 36, 20), k] for k in knuckles]
    return [*palm, [(-112, 14, 30, 19), (-78, 30, 22, 15)], *fingers]


def _row(forward: float, up: float, radius: float, spread: float = 19.0) -> _Beads:
    """Return four knuckles or joints side by side, from the forefinger to the little finger."""
    return [(forward - 5 * abs(i - 1), (1.5 - i) * spread, up - 2 * i, radius - 0.6 * i) for i in range(4)]


_MUG_SEAMS = 96
_NOTHING = -1e6
_NEAREST_MM = 50.0
"""Least distance along the camera's axis at which solids are drawn."""


def draw_occluder(occluder: Occluder, camera: SceneCamera, light: SceneLight, rng: np.random.Generator) -> Layer | None:
    """Return the layer of an occluder; None if it is out of the picture."""
    match occluder:
        case Arm():
            return _draw_arm(occluder, camera, light, rng)
        case Mug():
            return _draw_mug(occluder, camera, light)
        case Box():
            return _draw_box(occluder, camera, light)


def coverage(occluder: Occluder, camera: SceneCamera) -> Mask:
    """Return the coverage of an occluder, uint8 (height, width), 255 = hidden."""
    mask = np.zeros(camera.size_wh[::-1], np.uint8)
    layer = draw_occluder(occluder, camera, SceneLight(), np.random.default_rng(0))
    if layer is not None:
        x, y = layer.left_top
        mask[y : y + layer.share.shape[0], x : x + layer.share.shape[1]] = layer.share
    return mask


def distance_mm(occluder: Occluder, camera: SceneCamera) -> float:
    """Return the horizontal distance of an occluder from the eye, 0 for an arm."""
    if isinstance(occluder, Arm):
        return 0.0
    eye = camera.pose.eye_mm
    return float(np.hypot(occluder.x_mm - eye[0], occluder.y_mm - eye[1]))


def front_mm(occluder: Occluder, camera: SceneCamera) -> float:
    """Return the horizontal distance of an occluder's near side from the eye; it hides nothing that is nearer."""
    match occluder:
        case Arm():
            return 0.0
        case Mug():
            return distance_mm(occluder, camera) - occluder.radius_mm
        case Box():
            return distance_mm(occluder, camera) - 0.5 * min(occluder.size_mm[:2])


@dataclass(slots=True, eq=False)
class _Relief:
    """Heights towards the camera in small pixels, and colours, into which limbs are drawn."""

    height: Floats32
    albedo: Floats32
    folds: Floats32


def _draw_arm(arm: Arm, camera: SceneCamera, light: SceneLight, rng: np.random.Generator) -> Layer | None:
    # 1. the part of the picture round the arm, at a fraction of its resolution
    beads = [bead for limb in arm.limbs for bead in (limb.start, limb.end)]
    places = np.array([(b.x, b.y, b.z) for b in beads])
    pixels, depth = camera.pose.project(places), _depth(camera, places)
    scale = camera.pose.lens.focal_px / depth
    reach = float(max(b.r * s for b, s in zip(beads, scale, strict=True)))
    low = np.maximum(np.floor(pixels.min(axis=0) - reach).astype(int), 0)
    high = np.minimum(np.ceil(pixels.max(axis=0) + reach).astype(int), np.array(camera.size_wh))
    if (high - low < 2).any():
        return None
    step = max(1, round(camera.size_wh[0] / 820))
    columns, rows = np.maximum((high - low) // step, 1).tolist()
    small, per_mm = np.asarray((pixels - low + 0.5) / step - 0.5, np.float64), float(scale.mean()) / step
    # 2. a relief of its limbs
    relief = _Relief(
        np.full((rows, columns), _NOTHING, np.float32),
        np.zeros((rows, columns, 3), np.float32),
        np.zeros((rows, columns), np.float32),
    )
    for i, limb in enumerate(arm.limbs):
        ends = slice(2 * i, 2 * i + 2)
        _press(relief, limb, small[ends], scale[ends] / step, -depth[ends] * per_mm)
    inside = relief.height > _NOTHING / 2
    if not inside.any():
        return None
    # 3. lit, and as large as in the picture
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    paint = cv2.resize(_lit_relief(relief, inside, camera, light, per_mm=per_mm, rng=rng), size)
    share = cv2.resize(inside.astype(np.uint8) * 255, size, interpolation=cv2.INTER_LINEAR)
    return Layer(np.asarray(paint, np.uint8), np.asarray(share, np.uint8), (int(low[0]), int(low[1])))


def _depth(camera: SceneCamera, places: Floats) -> Floats:
    """Return distances along the camera's axis in mm, at least `_NEAREST_MM`."""
    matrix = camera.pose.board_to_camera
    return np.asarray(np.maximum((places - camera.pose.eye_mm) @ matrix[2], _NEAREST_MM), np.float64)


def _press(relief: _Relief, limb: Limb, ends: Floats, px_per_mm: Floats, lift: Floats) -> None:
    """Add one limb to the relief, with a soft transition into limbs of the same colour."""
    radii = np.array([limb.start.r, limb.end.r]) * px_per_mm
    low = np.maximum(np.floor((ends - radii[:, None]).min(axis=0)).astype(int), 0)
    high = np.ceil((ends + radii[:, None]).max(axis=0)).astype(int) + 1
    rows, columns = slice(low[1], high[1]), slice(low[0], high[0])
    below = relief.height[rows, columns]
    if below.size == 0:
        return
    y, x = np.mgrid[low[1] : low[1] + below.shape[0], low[0] : low[0] + below.shape[1]].astype(np.float32)
    # 1. The height of the limb, a round cone, over each pixel.
    along = ends[1] - ends[0]
    share = ((x - ends[0, 0]) * along[0] + (y - ends[0, 1]) * along[1]) / (along @ along + 1e-6)
    share = np.clip(share, 0, 1).astype(np.float32)
    radius = np.float32(radii[0]) + share * np.float32(radii[1] - radii[0])
    off = np.square(x - ends[0, 0] - share * along[0]) + np.square(y - ends[0, 1] - share * along[1])
    bulge = radius * radius - off
    raised = np.float32(lift[0]) + share * np.float32(lift[1] - lift[0]) + np.sqrt(np.maximum(bulge, 0))
    height = np.where(bulge > 0, raised, np.float32(_NOTHING)).astype(np.float32)
    # 2. It wins where it is higher than what is there, and melts into that nearby.
    wins = height > below
    soft = np.float32(0.22 * radii.min()) if not limb.folds else np.float32(0.5)
    near = np.maximum(soft - np.abs(height - below), 0)
    relief.height[rows, columns] = np.maximum(height, below) + near * near / (4 * soft)
    relief.albedo[rows, columns][wins] = albedo_bgr(limb.colour)
    relief.folds[rows, columns][wins] = limb.folds


def _lit_relief(
    relief: _Relief,
    inside: NDArray[np.bool_],
    camera: SceneCamera,
    light: SceneLight,
    *,
    per_mm: float,
    rng: np.random.Generator,
) -> ImageBgr:
    """Return a relief lit by its slopes, with darker creases."""
    size = (inside.shape[1], inside.shape[0])
    height = np.where(inside, relief.height, relief.height[inside].min()).astype(np.float32)
    height = height + relief.folds * per_mm * noise_field(rng, size, (40 * per_mm, 14 * per_mm)) * 2
    height = height + noise_field(rng, size, (2.5, 2.5)) * np.float32(0.06 * per_mm)
    slope_x, slope_y = (
        np.asarray(cv2.Sobel(height, cv2.CV_32F, a, 1 - a, ksize=3, scale=1 / 8), np.float32) for a in (1, 0)
    )
    normal = np.stack([-slope_x, -slope_y, -np.ones_like(slope_x)], axis=-1)  # the camera looks along +z
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    turned = normal @ camera.pose.board_to_camera.astype(np.float32)
    # a wide blur, computed at a quarter of the size; an arm at the picture's rim may be a sliver
    rows, columns = (max(1, n // 4) for n in height.shape)
    small = cv2.resize(height, (columns, rows), interpolation=cv2.INTER_AREA)
    around = cv2.resize(cv2.GaussianBlur(small, (0, 0), (6 * per_mm + 0.5) / 4), size)
    crease = np.clip((np.asarray(around, np.float32) - height) / (14 * per_mm), 0, 0.6)
    kernel = np.ones((max(3, round(6 * per_mm)),) * 2, np.uint8)
    crease[~np.asarray(cv2.erode(inside.astype(np.uint8), kernel), np.bool_)] *= 0.3
    skin = relief.albedo * (1 + 0.07 * noise_field(rng, size, (12 * per_mm, 12 * per_mm)))[..., None]
    return canvas_of_light(skin * _shade(turned, light)[..., None] * (1 - crease)[..., None])


def _shade(normal: Floats32, light: SceneLight) -> Floats32:
    """Return the light on surfaces by their normals (..., xyz) in the board's frame; 1 on a horizontal one."""
    to_lamp = np.array(light.lamp_mm) / np.linalg.norm(light.lamp_mm)
    everywhere, lamp = light_shares(light, float(to_lamp[2]))
    facing = np.maximum(normal @ to_lamp.astype(np.float32), 0)
    return np.asarray(everywhere * (0.66 + 0.34 * normal[..., 2]) + lamp * facing, np.float32)


def _draw_mug(mug: Mug, camera: SceneCamera, light: SceneLight) -> Layer | None:
    at, eye = np.array([mug.x_mm, mug.y_mm, mug.z_mm]), camera.pose.eye_mm
    ends = at + np.array([(0.0, 0.0, 0.0), (0.0, 0.0, mug.height_mm)])
    if _depth(camera, ends).min() <= _NEAREST_MM + mug.radius_mm:
        return None
    # 1. the handle, a chain of limbs
    c, s = np.cos(mug.handle_rad), np.sin(mug.handle_rad)
    angles = np.linspace(-1.3, 1.3, 6)
    out = mug.radius_mm * (0.85 + 0.65 * np.cos(angles))
    z = mug.z_mm + mug.height_mm * (0.52 + 0.3 * np.sin(angles))
    beads = [Bead(mug.x_mm + o * c, mug.y_mm + o * s, float(h), 5.0) for o, h in zip(out, z, strict=True)]
    limbs = tuple(Limb(a, b, mug.colour) for a, b in pairwise(beads))
    handle = _draw_arm(Arm(limbs), camera, light, np.random.default_rng(1))
    # 2. the visible faces of the body: a wall outside, a rim, and a wall and a floor inside
    r, h, wall = mug.radius_mm, mug.height_mm, max(2.5, mug.radius_mm * 0.07)
    outline = [(r * 0.9, 0.0), (r * 0.97, 4.0), (r, 0.3 * h), (r, h - 1.5), (r - 0.8, h), (r - wall, h)]
    outline += [(r - wall - 0.5, h - 2), (r - wall, 8.0), (0.0, 6.0)]
    whole = turned(outline, circle(_MUG_SEAMS), step_mm=4.0)
    seen = visible_faces(Mesh(whole.quads_mm + at, whole.tone), eye)
    # 3. their light, of which less reaches the inside
    normals, (x, y, z) = normals_of(seen), (middles_of(seen) - at).T
    inner = (normals[:, 0] * x + normals[:, 1] * y < 0) | ((normals[:, 2] > 0.9) & (z < 8.0))
    openness = np.where(inner, np.clip(1 - (h - z) / 150, 0.35, 1) * 0.7, 1)
    shade = _shade(normals.astype(np.float32), light) * openness
    body = paint_faces(seen, camera, canvas_of_light(albedo_bgr(mug.colour) * shade[:, None]))
    # 4. one over the other, in a layer of the picture's size
    paint, free = np.zeros((*camera.size_wh[::-1], 3), np.uint8), np.full(camera.size_wh[::-1], 255, np.uint8)
    points_away = bool((at - eye)[:2] @ (c, s) > 0)
    for layer in (handle, body) if points_away else (body, handle):
        if layer is not None:
            layer.lay(paint, free)
    return Layer(paint, 255 - free, (0, 0)) if free.min() < 255 else None


def _draw_box(box: Box, camera: SceneCamera, light: SceneLight) -> Layer | None:
    corners = box_corners(box)
    if (_depth(camera, corners) <= _NEAREST_MM).any():
        return None
    sides = [(i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4) for i in range(4)]
    quads = corners[np.array([*sides, (4, 5, 6, 7)])]
    seen = visible_faces(Mesh(quads, np.ones(len(quads))), camera.pose.eye_mm)
    shade = np.minimum(_shade(normals_of(seen).astype(np.float32), light), 1.0)
    return paint_faces(seen, camera, canvas_of_light(albedo_bgr(box.colour) * shade[:, None]))

"""The simulated table's camera: renders a scene in mm to a picture.

    scene = random_scene(shipped_board("royal-tee"), np.random.default_rng(7), tier="medium")
    image_bgr = render(scene, rng)                              # one picture

For many pictures with one camera and light, lay the table once; a frame then costs only its pieces, hands and noise:

    table = lay_table(scene, rng)                               # board, table and light, cached
    frame_bgr = render_frame(table, pieces, (reaching_arm(scene.board, (228.0, 214.0), side="bottom"),), rng)

Order of drawing: table, board, clutter and their shadows (the static part); then shadows of the pieces, pieces and
mugs from far to near, arms with their shadows; then the light, reflected lamps and the sensor. True pixels of places
are those of `scene.camera.pose.project`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32, box
from vision.simulation.board_art import draw_board
from vision.simulation.canvas import HEADROOM, TILE_MM, Layer, Mask, Rays, blend, canvas_bgr, cast_rays, table_tile
from vision.simulation.card_art import lay_card, lay_objective, lay_tiles
from vision.simulation.figures_draw import contact_shade, figure_shadows, standing_figures
from vision.simulation.lighting import SHINE_UNIT, darken, fallen, light_map, occluder_shadows, shine_map
from vision.simulation.occluders import distance_mm, draw_occluder, front_mm
from vision.simulation.outlines import sixteenths, turn
from vision.simulation.pieces import draw_pieces, piece_shadows, shape_of
from vision.simulation.scene import Arm, Occluder, Scene, ScenePiece, Sensor

_NOISE_UNIT = 32.0  # one standard deviation in the grains' bytes, whose middle is 128
_GRAINS = 262_147  # prime, so that the grains do not stand in columns


def expose(
    canvas: ImageBgr,
    shine: Mask | None,
    light: Floats32,
    sensor: Sensor,
    rng: np.random.Generator,
    *,
    level: float = 1.0,
) -> ImageBgr:
    """Return the photograph of a canvas, both uint8 (height, width, 3).

    `light` is the square root of the light on each pixel, float32 (height, width, bgr), at the lamp's `level` 1.
    """
    dimmed = sqrt(level)
    image = cv2.multiply(_blur(canvas, sensor), light, scale=HEADROOM * dimmed, dtype=cv2.CV_8U)
    if shine is not None:
        _add_shine(np.asarray(image, np.uint8), shine, light, dimmed)
    if sensor.covered:
        # red light through the finger on the lens, from one corner, uint8 of a shape
        y, x = np.mgrid[0 : 1 : image.shape[0] * 1j, 0 : 1 : image.shape[1] * 1j]
        glow = 45 * sensor.covered * np.exp(-3 * np.hypot(1.1 - x, y))
        image = cv2.add(image, np.asarray(glow[..., None] * (0.1, 0.25, 1.0), np.uint8))
    if sensor.saturation != 1:
        grey = (1 - sensor.saturation) * np.array([0.114, 0.587, 0.299])
        image = cv2.transform(image, (np.eye(3) * sensor.saturation + grey).astype(np.float32))
    if sensor.contrast:
        x = np.arange(256) / 255
        bent = x + sensor.contrast * (x * x * (3 - 2 * x) - x)
        image = cv2.LUT(image, np.asarray(np.round(np.clip(bent, 0, 1) * 255), np.uint8))
    if sensor.sharpen:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = cv2.addWeighted(image, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    image = _noisy(np.asarray(image, np.uint8), sensor, rng)
    if sensor.jpeg is None:
        return image
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _blur(canvas: ImageBgr, sensor: Sensor) -> ImageBgr:
    image, shake_px = canvas, sensor.shake_px
    if sensor.blur_px > 0.2:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sensor.blur_px), np.uint8)
    if np.hypot(*shake_px) > 0.3:
        # the kernel of a motion blur, a centred line with sum 1
        half = int(np.ceil(np.hypot(*shake_px) / 2)) + 1
        along = np.linspace(-0.5, 0.5, 4 * half)[:, None, None]
        y, x = np.mgrid[-half : half + 1, -half : half + 1]
        near = np.maximum(1 - np.abs(x - along * shake_px[0]), 0) * np.maximum(1 - np.abs(y - along * shake_px[1]), 0)
        image = np.asarray(cv2.filter2D(image, -1, (near.sum(axis=0) / near.sum()).astype(np.float32)), np.uint8)
    return image


def _add_shine(image: ImageBgr, shine: Mask, light: Floats32, dimmed: float) -> None:
    """Add reflected light in place; on the square root's scale the sum of lights is a hypotenuse."""
    x, y, w, h = cv2.boundingRect(cv2.threshold(shine, 2, 255, cv2.THRESH_BINARY)[1])
    if w == 0:
        return
    rows, columns = slice(y, y + h), slice(x, x + w)
    added = cv2.multiply(
        cv2.cvtColor(shine[rows, columns], cv2.COLOR_GRAY2BGR),
        light[rows, columns],
        scale=255 / SHINE_UNIT * dimmed,
        dtype=cv2.CV_32F,
    )
    image[rows, columns] = cv2.convertScaleAbs(cv2.magnitude(image[rows, columns].astype(np.float32), added))


def _noisy(image: ImageBgr, sensor: Sensor, rng: np.random.Generator) -> ImageBgr:
    if sensor.noise <= 0:
        return image
    weight = sensor.noise / _NOISE_UNIT
    out = cv2.addWeighted(image, 1, _grains(image.shape, rng), weight, -128 * weight)
    if sensor.blotch > 0:
        small = _grains((image.shape[0] // 6 + 1, image.shape[1] // 6 + 1, 3), rng)
        weight = sensor.blotch / _NOISE_UNIT
        slow = cv2.resize(small, image.shape[1::-1])
        out = cv2.addWeighted(out, 1, slow, weight, -128 * weight)
    return np.asarray(out, np.uint8)


def _grains(shape: tuple[int, ...], rng: np.random.Generator) -> ImageBgr:
    """Return normal noise about 128, uint8 of a shape, with a period of a large prime number of values."""
    count = int(np.prod(shape))
    few = rng.standard_normal(min(count, _GRAINS), dtype=np.float32) * np.float32(_NOISE_UNIT) + np.float32(128)
    return np.asarray(np.resize(cv2.convertScaleAbs(few).ravel(), shape), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class StaticTable:
    """What does not change from frame to frame: the empty table on the canvas, reflected lamps, and the light.

    `canvas` uint8 (height, width, 3), `shine` uint8 (height, width) or None, `light` float32 (height, width, bgr):
    the square root of the light on each pixel while the lamp's `level` is 1.
    """

    scene: Scene
    canvas: ImageBgr
    shine: Mask | None
    light: Floats32
    level: float = 1.0


def render(scene: Scene, rng: np.random.Generator) -> ImageBgr:
    """Return the picture of a scene, uint8 (height, width, bgr).

    Equal scenes and generators in equal states give equal pictures.
    """
    return render_frame(lay_table(scene, rng), scene.pieces, scene.occluders, rng)


def lay_table(scene: Scene, rng: np.random.Generator) -> StaticTable:
    """Return the drawn static part: table, board, clutter, light."""
    rays = cast_rays(scene.camera)
    # 1. The table's top over the whole picture, rendered at half resolution.
    scale = float(np.clip(0.6 * _px_per_mm(scene), 0.5, 1.2))
    tile = table_tile(scene.surface, rng, scale)
    place = rays.on_plane(-scene.skin.thickness_mm if scene.board_present else 0.0) @ turn(scene.surface.turn_rad).T
    sources = rays.stretch((place + 2 * TILE_MM) * (tile.shape[0] / TILE_MM), shrink=2)
    half = _sample(tile, sources, cv2.BORDER_REFLECT)
    width, height = scene.camera.size_wh
    canvas = np.asarray(cv2.resize(half, (half.shape[1] * 2, half.shape[0] * 2))[:height, :width], np.uint8).copy()
    # 2. The board.
    board_share = None
    if scene.board_present:
        board_share = _fill(scene, _edge(scene, 0.0))
        _lay_board(canvas, scene, rays, board_share, rng)
    # 3. The light, the lamps reflected on board and table, and clutter.
    middle = (scene.board.size[0] / 2, scene.board.size[1] / 2)
    light = rays.stretch(light_map(rays, scene.light, scene.sensor, middle))
    shine: Mask | None = None
    if scene.light.glare > 0:
        full = np.asarray(cv2.convertScaleAbs(rays.stretch(shine_map(rays, scene.light, 0.0))), np.uint8)
        dull = cv2.convertScaleAbs(full, alpha=float(np.sqrt(scene.surface.gloss)))
        shine = full if board_share is None else np.asarray(np.where(board_share > 127, full, dull), np.uint8)
    _lay_occluders(canvas, shine, scene, scene.clutter, rng, floor_mm=-scene.skin.thickness_mm)
    return StaticTable(scene, canvas, shine, light)


def render_frame(
    table: StaticTable, pieces: Sequence[ScenePiece], occluders: Sequence[Occluder], rng: np.random.Generator
) -> ImageBgr:
    """Return the picture of a laid table with these pieces and hands, uint8 (height, width, bgr)."""
    scene = table.scene
    # 1. Shadows on the board, and what lies on it.
    canvas, shine = table.canvas.copy(), None if table.shine is None else table.shine.copy()
    standing = tuple((piece, shape_of(scene, piece)) for piece in pieces if piece.kind not in scene.figures)
    darken(canvas, piece_shadows(scene.camera, scene.light, standing), scene.light)
    if figures := standing_figures(scene, pieces):
        contact_shade(canvas, scene.camera.pose, scene.light, figures)
        darken(canvas, figure_shadows(scene.camera, scene.light, figures), scene.light)
    if scene.objective is not None:
        lay_objective(canvas, shine, scene, scene.objective)
    if scene.layout is not None:
        lay_tiles(canvas, shine, scene, scene.layout, standing)
    # 2. Pieces and mugs from far to near, then arms.
    eye, left = scene.camera.pose.eye_mm, list(pieces)
    things = [o for o in occluders if not isinstance(o, Arm)]
    for thing in sorted(things, key=lambda t: -distance_mm(t, scene.camera)):
        limit = front_mm(thing, scene.camera)
        behind = [p for p in left if np.hypot(p.x_mm - eye[0], p.y_mm - eye[1]) >= limit]
        left = [p for p in left if p not in behind]
        draw_pieces(canvas, shine, scene, behind)
        _lay_occluders(canvas, shine, scene, [thing], rng)
    draw_pieces(canvas, shine, scene, left)
    _lay_occluders(canvas, shine, scene, [o for o in occluders if isinstance(o, Arm)], rng)
    return expose(canvas, shine, table.light, scene.sensor, rng, level=table.level)


def _lay_occluders(
    canvas: ImageBgr,
    shine: Mask | None,
    scene: Scene,
    occluders: Sequence[Occluder],
    rng: np.random.Generator,
    *,
    floor_mm: float = 0.0,
) -> None:
    camera, light = scene.camera, scene.light
    if not occluders:
        return
    darken(canvas, occluder_shadows(camera, light, occluders, floor_mm), light)
    for occluder in sorted(occluders, key=lambda o: -distance_mm(o, camera)):
        layer: Layer | None = draw_occluder(occluder, camera, light, rng)
        if layer is not None:
            layer.lay(canvas, shine)


def _sample(image: ImageBgr, sources: Floats32, border: int) -> ImageBgr:
    """Return an image whose pixels come from sources (x, y) in another image."""
    x, y = cv2.split(sources)
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=border), np.uint8)


def _px_per_mm(scene: Scene) -> float:
    """Return the resolution of the picture in the board's middle."""
    middle = np.array([scene.board.size[0] / 2, scene.board.size[1] / 2, 0.0])
    return scene.camera.pose.lens.focal_px / float(np.linalg.norm(scene.camera.pose.eye_mm - middle))


def _edge(scene: Scene, z_mm: float) -> Floats:
    """Return points along the board's edge at a height, (n, xyz), close enough for lens distortion."""
    share, corners = np.arange(12) / 12, box(0.0, 0.0, *scene.board.size)
    sides = [a + share[:, None] * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    flat = np.concatenate(sides)
    return np.column_stack([flat, np.full(len(flat), z_mm)])


def _fill(scene: Scene, points_mm: Floats) -> Mask:
    mask = np.zeros(scene.camera.size_wh[::-1], np.uint8)
    pixels = scene.camera.pose.project(points_mm).clip(-1e5, 1e5)
    cv2.fillPoly(mask, [sixteenths(pixels)], 255, cv2.LINE_AA, 4)
    return mask


def _lay_board(canvas: ImageBgr, scene: Scene, rays: Rays, share: Mask, rng: np.random.Generator) -> None:
    """Draw the board on the table in place: its shadow, its edge, its face."""
    # 1. Its shadow on the table.
    light, thickness = scene.light, scene.skin.thickness_mm
    flat = fallen(_edge(scene, 0.0), light, -thickness)
    mask = _fill(scene, np.column_stack([flat, np.full(len(flat), -thickness)]))
    small = cv2.resize(mask, (mask.shape[1] // 2, mask.shape[0] // 2), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), 0.6 + light.penumbra * thickness * 2 * _px_per_mm(scene))
    darken(canvas, np.asarray(blurred, np.uint8), light)
    # 2. Its outline, edges included, in the colour of its edges.
    both = np.concatenate([_edge(scene, 0.0), _edge(scene, -thickness)])
    hull = cv2.convexHull(sixteenths(scene.camera.pose.project(both).clip(-1e5, 1e5)))
    cv2.fillConvexPoly(canvas, hull, canvas_bgr(blend(scene.skin.frame, (30, 24, 20), 0.55)), cv2.LINE_AA, 4)
    # 3. Its face, with the cards on it.
    x, y, w, h = cv2.boundingRect(share)
    rows, columns = slice(y, y + h), slice(x, x + w)
    scale = float(np.clip(_px_per_mm(scene) * 1.25, 1.0, 9.0))
    face = draw_board(scene.board, scene.skin, rng, scale)
    if scene.layout is not None:
        for card in scene.layout.cards:
            lay_card(face, scene.layout, card, light, scale)
    seen = _sample(face, rays.stretch(rays.on_plane(0.0) * scale - 0.5)[rows, columns], cv2.BORDER_REPLICATE)
    # 4. Copy it over the canvas, blended at its edge.
    target, share = canvas[rows, columns], share[rows, columns]
    soft = (share > 0) & (share < 255)
    part = share[soft].astype(np.float32)[:, None] / 255
    edge = seen[soft] * part + target[soft] * (1 - part)
    cv2.copyTo(seen, cv2.threshold(share, 254, 255, cv2.THRESH_BINARY)[1], target)
    target[soft] = edge

"""Pictures of thrown dice with their truth: dice on a lit table, photographed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats32
from vision.simulation.canvas import sixteenths
from vision.training.render.dice_ground import TILE_PX, random_ground
from vision.training.render.dice_light import Surroundings, shade
from vision.training.render.dice_scene import DiceScene, Die, random_dice_scene
from vision.training.render.dice_solid import faces_of, meet

_FINER = 2
"""Scenes are drawn so much larger than the picture, then averaged."""

_COARSER = 4
"""What mirrors in a die is never sharp."""

_FARTHEST_MIRRORED = 4.0
"""How far from a die the table still lights it, in edges."""


@dataclass(frozen=True, slots=True)
class TopFace:
    """The truth about one die.

    Attributes:
        value: of its top face; None if that has no pips.
        centre_px: middle of the top face, (x, y).
        size_px: root of the top face's area.
        seen: share of the top face that is in the picture and not covered.
        marks_seen: share of its pips that is.
    """

    value: int | None
    centre_px: tuple[float, float]
    size_px: float
    seen: float
    marks_seen: float


@dataclass(frozen=True, slots=True, eq=False)
class DicePicture:
    """A picture of dice and the truth about it.

    Attributes:
        image_bgr: square.
        faces: the tops of all dice whose middle is in it.
        decoys: places (x, y, size) of things that are no dice, in px.
        steep: whether the camera looked steeply down everywhere, so that the picture may be turned at will.
    """

    image_bgr: ImageBgr
    faces: Sequence[TopFace]
    decoys: Sequence[tuple[float, float, float]] = ()
    steep: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class _Canvas:
    """What a camera sees of a scene, drawn in place.

    Attributes:
        light: float32 (side, side, 3).
        table: the same of the table alone, smaller by _COARSER.
        owner: int16 (side, side), the number of the die whose top face is seen, negative on its sides, 0 elsewhere.
        marks: bool (side, side), where a pip or emblem of a top face is seen.
        face_px: length of an ordinary die's edge.
    """

    scene: DiceScene
    light: Floats32
    table: Floats32
    owner: NDArray[np.int16]
    marks: NDArray[np.bool_]
    face_px: float

    @staticmethod
    def over(scene: DiceScene, light: Floats32, face_px: float) -> _Canvas:
        shape = light.shape[:2]
        small = cv2.resize(light, (shape[1] // _COARSER, shape[0] // _COARSER), interpolation=cv2.INTER_AREA)
        return _Canvas(
            scene, light, np.asarray(small, np.float32), np.zeros(shape, np.int16), np.zeros(shape, np.bool_), face_px
        )


def random_dice_picture(rng: np.random.Generator, size_px: int, face_px: float) -> DicePicture:
    """Draw a square picture of random dice; faces are about `face_px` long where the camera looks."""
    scene = random_dice_scene(rng, size_px * _FINER, face_px * _FINER)
    canvas = _Canvas.over(scene, _draw_ground(scene, rng, face_px * _FINER), face_px * _FINER)
    faces = _draw_things(canvas)
    small = cv2.resize(canvas.light, (size_px, size_px), interpolation=cv2.INTER_AREA)
    in_sight = (face for face in faces if face.seen > 0 and all(0 <= side < size_px for side in face.centre_px))
    decoys = tuple(_decoy(scene, thing) for thing in (*scene.counters, *scene.blocks))
    image_bgr = _photographed(np.asarray(small, np.float32), rng)
    return DicePicture(image_bgr, tuple(in_sight), decoys, scene.camera.steep)


def _decoy(scene: DiceScene, thing: Die) -> tuple[float, float, float]:
    top_px = scene.camera.project(thing.corners()[1::2]) / _FINER
    x, y = top_px.mean(axis=0)
    return float(x), float(y), float(np.ptp(top_px, axis=0).mean() / 1.2)


def _draw_ground(scene: DiceScene, rng: np.random.Generator, face_px: float) -> Floats32:
    """Draw the lit table with all shadows, float32 (side, side, 3)."""
    camera, side = scene.camera, scene.size_px
    ends = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    ways = camera.rays(ends[:, 0], ends[:, 1])
    on_ground = (camera.eye - camera.eye[2] / ways[:, 2:] * ways)[:, :2]
    middle, spread = on_ground.mean(axis=0), np.ptp(on_ground, axis=0).max()
    per_edge = TILE_PX / spread
    on_tile = ((on_ground - middle) * per_edge + TILE_PX / 2).astype(np.float32)
    homography = cv2.getPerspectiveTransform(on_tile, ends)
    tile = random_ground(rng, float(per_edge))
    ground = cv2.warpPerspective(tile, homography, (side, side), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(ground * _ground_light(scene, face_px, rng), np.float32)


def _ground_light(scene: DiceScene, face_px: float, rng: np.random.Generator) -> Floats32:
    """The light on the table, float32 (side, side, 3): lamps with soft shadows, and less from the sky near a die."""
    project = scene.camera.project
    near = _soft(scene, (project(_footprint(die.corners(1.1))) for die in scene.things), 0.16 * face_px)
    light = scene.lights.ambient_rgb * (1 - rng.uniform(0.3, 0.8) * near)
    for way, lamp_rgb in scene.lights.lamps:
        shadow = _lamp_shadow(scene, way, face_px * float(np.exp(rng.uniform(-4, -1.2))))
        light = light + lamp_rgb * way[2] * (1 - shadow)
    return np.asarray(light, np.float32)


def _lamp_shadow(scene: DiceScene, way: Floats32, blur_px: float) -> Floats32:
    """What is kept from a lamp, float32 (side, side, 1): sharpest near the dice, softer towards a shadow's end."""
    slices = []
    for height in (0.4, 0.7, 1.0):
        outlines = (scene.camera.project(_shadow(die.corners(0.93), way, height)) for die in scene.things)
        slices.append(_soft(scene, outlines, 2 * height * blur_px))
    return np.asarray(np.max(slices, axis=0), np.float32)


def _soft(scene: DiceScene, outlines_px: Iterable[Floats32], blur_px: float) -> Floats32:
    """Fill outlines and blur them, float32 (side, side, 1)."""
    mask = np.zeros((scene.size_px, scene.size_px), np.float32)
    for outline_px in outlines_px:
        hull = cv2.convexHull(np.clip(outline_px, -4000, 8000).astype(np.float32))
        cv2.fillConvexPoly(mask, sixteenths(hull), (1.0,), cv2.LINE_8, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur_px), np.float32)[..., None]


def _shadow(corners: Floats32, way: Floats32, height: float) -> Floats32:
    """Where a die's corners, cut off at a share of its height, and what they throw away from a lamp, lie."""
    low = np.asarray(corners * (1, 1, height), np.float32)
    return np.vstack([low - low[:, 2:] / way[2] * way, _footprint(corners)])


def _footprint(corners: Floats32) -> Floats32:
    return np.asarray(corners * (1, 1, 0), np.float32)


def _draw_things(canvas: _Canvas) -> list[TopFace]:
    """Draw dice and other things, the farthest first; return the truth about the dice."""
    scene, whole = canvas.scene, {}
    far_first = sorted(scene.things, key=lambda thing: -float(np.linalg.norm(scene.camera.eye[:2] - thing.place)))
    for number, thing in enumerate(far_first, start=1):
        whole[number] = _draw_thing(canvas, thing, number)
    return [_truth(canvas, die, n, whole[n]) for n, die in enumerate(far_first, start=1) if die in scene.dice]


def _draw_thing(canvas: _Canvas, die: Die, number: int) -> tuple[int, int]:
    """Draw a die, counter or block over what is there; give how many pixels its top face and that face's marks have."""
    camera = canvas.scene.camera
    rows, columns = _around(camera.project(die.corners()), len(canvas.light))
    ways = camera.rays(columns + np.float32(0.5), rows + np.float32(0.5)) @ die.turn
    hits = meet(die.body, np.asarray((camera.eye - die.middle) @ die.turn / die.edge, np.float32), ways)
    if not len(hits.rays):
        return 0, 0
    at = rows[hits.rays], columns[hits.rays]
    below_rgb = canvas.light[at].mean(axis=0).clip(0, 1)
    soft = 1.5 / (canvas.face_px * die.edge)
    table = _table_round(canvas, die)
    light, marked = shade(die.body, hits, die.turn, canvas.scene.lights, table, ground_rgb=below_rgb, soft=soft)
    on_top = faces_of(die.body, hits.points) == 0
    canvas.light[at] = light
    canvas.owner[at] = np.where(on_top, number, -number)
    canvas.marks[at] = marked
    return int(on_top.sum()), int(marked.sum())


def _table_round(canvas: _Canvas, die: Die) -> Surroundings:
    """Return a function for how light the table is in a direction from a die; beyond the picture its edge goes on."""
    last = len(canvas.table) - 1

    def light(points: Floats32, ways: Floats32) -> Floats32:
        start = die.in_world(points)
        reach = np.minimum(start[:, 2] / np.maximum(-ways[:, 2], 0.05), _FARTHEST_MIRRORED * die.edge)
        places = _footprint(np.asarray(start + reach[:, None] * ways, np.float32))
        column, row = np.clip(canvas.scene.camera.project(places) / _COARSER, 0, last).astype(int).T
        return np.asarray(canvas.table[row, column], np.float32)

    return light


def _around(outline_px: Floats32, side: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns of the pixels that an outline's box holds."""
    x0, y0 = np.clip(np.floor(outline_px.min(axis=0)), 0, side).astype(int)
    x1, y1 = np.clip(np.ceil(outline_px.max(axis=0)) + 1, 0, side).astype(int)
    rows, columns = np.mgrid[y0:y1, x0:x1]
    return rows.ravel(), columns.ravel()


def _truth(canvas: _Canvas, die: Die, number: int, whole: tuple[int, int]) -> TopFace:
    camera, left, side_px = canvas.scene.camera, canvas.owner == number, canvas.scene.size_px
    top_px = camera.project(die.corners()[1::2])
    pips_px = camera.project(die.on_top(die.body.faces[0].pips[:, :2]))
    ((x, y),) = camera.project(die.on_top(np.zeros((1, 2), np.float32))) / _FINER
    return TopFace(
        value=die.body.faces[0].value,
        centre_px=(float(x), float(y)),
        size_px=float(cv2.contourArea(cv2.convexHull(top_px))) ** 0.5 / _FINER,
        seen=_area_inside(top_px, side_px) * float(left.sum() / max(whole[0], 1)),
        marks_seen=_middles_inside(pips_px, side_px) * float((left & canvas.marks).sum() / max(whole[1], 1)),
    )


def _area_inside(outline_px: Floats32, side_px: int) -> float:
    """Return what share of a convex outline (n, 2) is in a square picture."""
    hull_px = cv2.convexHull(outline_px)
    frame_px = np.array([(0, 0), (side_px, 0), (side_px, side_px), (0, side_px)], np.float32)
    return cv2.intersectConvexConvex(hull_px, frame_px)[0] / float(cv2.contourArea(hull_px))


def _middles_inside(pips_px: Floats32, side_px: int) -> float:
    """Return what share of pips have their middle (n, 2) in a square picture; of none, all."""
    inside = ((pips_px >= 0) & (pips_px < side_px)).all(axis=1)
    return float(inside.mean()) if len(pips_px) else 1.0


def _photographed(light: Floats32, rng: np.random.Generator) -> ImageBgr:
    """Expose light (side, side, 3) as a camera does: uneven, soft, noisy, curved, sharpened, compressed."""
    light = light * _falloff(len(light), rng)
    exposure = rng.uniform(0.25, 1.0) / max(float(np.percentile(light, 97)), 0.05)
    image = np.sqrt(np.clip(light * exposure * np.exp(rng.normal(0, 0.07, 3)), 0, 4)).astype(np.float32)
    image = _focused(image, rng)
    grain = cv2.GaussianBlur(rng.standard_normal(image.shape, np.float32), (0, 0), rng.uniform(0.3, 1))
    image = 255 * (image + grain * rng.uniform(0, 0.04) * rng.uniform(0.2, 1))
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 98))]
    coded = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _falloff(side: int, rng: np.random.Generator) -> Floats32:
    """Light that grows to one side, about 1, float32 (side, side, 1)."""
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    return np.asarray(np.exp(rng.normal(0, 0.15) * x + rng.normal(0, 0.15) * y), np.float32)[..., None]


def _focused(image: Floats32, rng: np.random.Generator) -> Floats32:
    """Blur most pictures a little, and sharpen some as phones do."""
    if rng.random() < 0.7:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.3) * rng.uniform(0.4, 1)), np.float32)
    if rng.random() < 0.35:
        image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    return np.asarray(image, np.float32)

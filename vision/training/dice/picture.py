"""Labelled pictures of thrown dice: dice and other things on a table, rendered from any slant.

The table is the plane z = 0; lengths are in edges of an ordinary die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32, box
from vision.simulation.canvas import noise_field
from vision.simulation.dice import pip_places
from vision.simulation.outlines import SHIFT, ring, sixteenths
from vision.training.dice.bodies import (
    Body,
    DiceLights,
    faces_of,
    meet,
    poured_again,
    random_albedo,
    random_block,
    random_body,
    random_counter,
    random_lights,
    shade,
)

TILE_PX = 512
"""Side of a ground's picture."""

_OUTLINES = (
    box(0.0, 0.0, 1.0, 1.0),
    np.array([(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)]),
    0.5 + 0.5 * ring(40),
)
"""Outlines of prints: squares, diamonds, discs, in lengths of a field."""


def random_ground(rng: np.random.Generator, px_per_edge: float) -> Floats32:
    """Return a random table top, albedo float32 (TILE_PX, TILE_PX, 3); `px_per_edge` is a die's edge in pixels."""
    ground = _material(rng, px_per_edge)
    if rng.random() < 0.3:  # the straight or round rim of a tray, which darkens what is near
        rim = _material(rng, px_per_edge)
        row, column = np.mgrid[:TILE_PX, :TILE_PX].astype(np.float32) - TILE_PX / 2
        angle = rng.uniform(0, 2 * np.pi)
        along = column * np.cos(angle) + row * np.sin(angle)
        radius = rng.uniform(0.5, 2) * TILE_PX
        round_px = np.hypot(along + radius, column * np.sin(angle) - row * np.cos(angle)) - radius
        beyond_px = (along if rng.random() < 0.6 else round_px) - rng.uniform(-0.35, 0.35) * TILE_PX
        darker = rng.uniform(0, 0.6) * np.exp(np.minimum(beyond_px, 0) / (rng.uniform(0.2, 1.5) * px_per_edge + 1))
        share = np.clip(beyond_px + 0.5, 0, 1)[..., None]
        ground = np.asarray(ground * (1 - darker[..., None]) * (1 - share) + rim * share, np.float32)
    if rng.random() >= 0.3:
        return ground
    coded = (255 * np.sqrt(ground)).astype(np.uint8)
    _print_on(coded, rng, px_per_edge)
    return np.square(coded.astype(np.float32) / 255)


def _material(rng: np.random.Generator, px_per_edge: float) -> Floats32:
    first = random_albedo(rng)
    first = np.asarray(first.mean() + rng.uniform(0.1, 1) * (first - first.mean()), np.float32)
    second = np.clip(first * np.exp(rng.normal(0, 0.5) + rng.normal(0, 0.15, 3)), 0, 1)
    # the share of the second colour, (TILE_PX, TILE_PX)
    size = (TILE_PX, TILE_PX)
    scale = px_per_edge * np.exp(rng.uniform(-1.5, 1.2))
    grain = noise_field(rng, size, (1.5, 1.5)) * rng.uniform(0, 0.25)
    match rng.integers(5):
        case 0:
            share = grain + 0.3
        case 1:
            share = grain + 0.5 + 0.3 * noise_field(rng, size, (scale, scale))
        case 2:
            bend = noise_field(rng, size, (10 * scale, scale)) * 2.5
            across = np.arange(TILE_PX, dtype=np.float32)[:, None] / (0.3 * scale + 1)
            fibre = noise_field(rng, size, (4 * scale + 2, 1.5)) * 0.2
            share = np.asarray(grain + 0.5 + 0.3 * np.sin(across + bend) + fibre, np.float32)
        case 3:
            weave = noise_field(rng, size, (3, 1)) + noise_field(rng, size, (1, 3))
            share = grain + 0.5 + 0.25 * weave
        case _:
            veins = np.exp(-np.square(12 * noise_field(rng, size, (2 * scale + 2, 2 * scale + 2))))
            share = np.asarray(grain + 0.2 + 0.6 * veins, np.float32)
    return np.asarray(np.clip(first + share[..., None] * (second - first), 0, 1), np.float32)


def _print_on(ground: ImageBgr, rng: np.random.Generator, px_per_edge: float) -> None:
    """Print rows of squares, diamonds or discs with dots, rings or numbers on a ground at any angle, in place."""
    field_px = px_per_edge * rng.uniform(0.8, 2.0)
    paper, ink = ((255 * np.sqrt(random_albedo(rng))).tolist() for _ in range(2))
    outline = _OUTLINES[rng.choice(len(_OUTLINES), p=(0.6, 0.25, 0.15))]
    angle = rng.uniform(0, 2 * np.pi)
    field = field_px * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    start, gap = rng.uniform(0.2, 0.8, 2) * TILE_PX, rng.choice([1.0, rng.uniform(1.0, 1.6)])
    columns, rows = rng.integers(1, 5, 2)
    lined = rng.random() < 0.7
    for place in np.ndindex(columns, rows):
        corner = start + gap * np.array(place) @ field
        edge = sixteenths(corner + outline @ field)
        cv2.fillPoly(ground, [edge], paper, cv2.LINE_AA, SHIFT)
        _sign(ground, rng, corner, field, ink)
        if lined:
            thick = max(1, int(field_px / 24))
            cv2.polylines(ground, [edge], isClosed=True, color=ink, thickness=thick, lineType=cv2.LINE_AA, shift=SHIFT)


def _sign(ground: ImageBgr, rng: np.random.Generator, corner: Floats, field: Floats, ink: Sequence[float]) -> None:
    """Draw dots as on dice or anywhere, a ring, a number or nothing into a field with the axes `field`, (2, 2)."""
    field_px, kind = float(np.hypot(*field[0])), rng.random()
    if kind < 0.65:
        radius = int(field_px * rng.uniform(0.06, 0.14) * 2**SHIFT)
        if rng.random() < 0.3:
            dots = rng.permutation([(x, y) for x in (0.25, 0.5, 0.75) for y in (0.25, 0.5, 0.75)])
            dots = dots[: rng.integers(1, 7)]
        else:  # as on dice, often one
            value = int(rng.choice(6, p=(0.4, 0.12, 0.12, 0.12, 0.12, 0.12))) + 1
            dots = 0.5 + pip_places(value, 0.25, 0.25)
        for x, y in sixteenths(corner + np.asarray(dots, np.float64) @ field).tolist():
            cv2.circle(ground, (x, y), radius, ink, -1, cv2.LINE_AA, SHIFT)
    elif kind < 0.75:
        ((x, y),) = sixteenths(corner + np.full((1, 2), 0.5) @ field).tolist()
        radius, thick = int(field_px * rng.uniform(0.1, 0.4) * 2**SHIFT), max(1, int(field_px / 16))
        cv2.circle(ground, (x, y), radius, ink, thick, cv2.LINE_AA, SHIFT)
    elif kind < 0.9:
        x, y = (corner + np.array((0.2, 0.8)) @ field).astype(int).tolist()
        text = str(rng.integers(1, 13))
        cv2.putText(ground, text, (x, y), int(rng.integers(0, 5)), field_px / 40, ink, max(1, int(field_px / 16)))


_STEEP_RAD = float(np.radians(42))
"""Largest angle from the vertical of a camera whose picture may be turned by any angle. A camera with a larger one
anywhere in its picture is held upright, so that sides are below their tops."""

_SHORTEST_LENS = 0.65
"""Least focal length in sides of the picture: 75 degrees, as of the widest common lenses."""

_CUBE = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)], np.float32)

_DISC = np.array(
    [(x / 2, y / 2, z) for x, y in ring(16) for z in (-0.5, 0.5)],
    np.float32,
)


@dataclass(frozen=True, slots=True, eq=False)
class DiceCamera:
    """A pinhole camera: axes float32 (3, 3), its right, down and forward directions in the world, and its place."""

    axes: Floats32
    eye: Floats32
    focal_px: float
    centre_px: float

    @property
    def steep(self) -> bool:
        """Whether it looks steeply down everywhere, so that its picture may be turned by any angle."""
        slant = np.arccos(np.clip(-self.axes[2, 2], -1, 1))
        return bool(slant + np.arctan(self.centre_px / self.focal_px) < _STEEP_RAD)

    def project(self, points: Floats32) -> Floats32:
        """Return pixels (n, 2) of points (n, 3)."""
        seen = (points - self.eye) @ self.axes.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + self.centre_px, np.float32)

    def rays(self, x_px: Floats32, y_px: Floats32) -> Floats32:
        """Return the unit directions (n, 3) of the rays of pixels (n,)."""
        flat = np.stack([x_px - self.centre_px, y_px - self.centre_px, np.full_like(x_px, self.focal_px)], axis=1)
        ways = flat @ self.axes
        return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A die on the table: its middle (x, y), its edge, its rotation, and its body."""

    place: Floats32
    edge: float
    turn: Floats32
    body: Body

    @property
    def middle(self) -> Floats32:
        """Its middle in the world, (3,)."""
        return np.array([*self.place, self.edge * self.body.height / 2], np.float32)

    def corners(self, scale: float = 1.0) -> Floats32:
        """Return its corners (n, 3) in the world, alternately below and above, scaled about its middle."""
        corners = _CUBE if self.body.disc_height is None else _DISC
        return self.in_world(scale * corners * np.array((1, 1, self.body.height), np.float32))

    def on_top(self, places: Floats32) -> Floats32:
        """Return places (n, 2) of its top face, in edges from its middle, in the world, (n, 3)."""
        return self.in_world(np.column_stack([places, np.full(len(places), self.body.height / 2, np.float32)]))

    def in_world(self, points: Floats32) -> Floats32:
        """Return points (n, 3) of its own axes, in edges, in the world, (n, 3)."""
        return np.asarray(self.edge * points @ self.turn.T + self.middle, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class DiceScene:
    """Dice, other things, lights and the camera.

    Counters (flat round pieces with dots or a ring) and blocks (blank cubes) are not dice; `size_px` is the side of the
    picture.
    """

    camera: DiceCamera
    dice: Sequence[Die]
    counters: Sequence[Die]
    blocks: Sequence[Die]
    lights: DiceLights
    size_px: int

    @property
    def things(self) -> list[Die]:
        """All dice, counters and blocks."""
        return [*self.dice, *self.counters, *self.blocks]


def random_dice_scene(rng: np.random.Generator, size_px: int, face_px: float) -> DiceScene:
    """Return a random scene for a square picture, with faces about `face_px` long in its middle."""
    # 1. a camera up to 60 degrees off the vertical, upright if it is not steep everywhere
    tilt = np.radians(rng.choice([rng.uniform(0, 35), rng.uniform(20, 62)]))
    away = rng.uniform(max(9, _SHORTEST_LENS * size_px / face_px), 60)
    forward = np.array([0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0, 0])
    axes = np.stack([right, np.cross(forward, right), forward]).astype(np.float32)
    camera = DiceCamera(axes, (-away * forward).astype(np.float32), float(face_px * away), size_px / 2)
    roll = rng.uniform(-np.pi, np.pi) if camera.steep else rng.normal(0, 0.2)
    turn = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    camera = replace(camera, axes=(turn @ axes).astype(np.float32))
    # 2. dice, in some pictures with counters or blocks
    reach = 0.62 * size_px / face_px
    many = int(rng.integers(0, 3 + max(2, int(1.1 * reach * reach))))
    dice = list(_thrown(rng, min(many, 24), reach))
    counters: list[Die] = []
    blocks: list[Die] = []
    if rng.random() < 0.25:
        at = int(rng.integers(0, len(dice) + 1))
        set_of_counters = random_counter(rng) if rng.random() < 0.5 else None
        counters = [replace(die, body=set_of_counters or random_counter(rng)) for die in dice[at:]]
        dice = dice[:at]
    if rng.random() < 0.1:
        at = int(rng.integers(0, len(dice) + 1))
        dice, blocks = dice[:at], [replace(die, body=random_block(rng)) for die in dice[at:]]
    return DiceScene(camera, dice, counters, blocks, random_lights(rng), size_px)


def _thrown(rng: np.random.Generator, number: int, reach: float) -> Iterator[Die]:
    """Yield random dice, which often touch but never overlap."""
    alike = random_body(rng) if rng.random() < 0.4 else None
    mixed = 0.25 if rng.random() < 0.25 else 0.02
    lying: list[Die] = []
    for _ in range(6 * number):
        if len(lying) == number:
            return
        edge = float(np.clip(np.exp(rng.normal(0, mixed)), 0.6, 1.6))
        angle, place = rng.uniform(0, 2 * np.pi), rng.uniform(-reach, reach, 2)
        if lying and rng.random() < 0.45:
            beside = lying[int(rng.integers(len(lying)))]
            way = rng.uniform(0, 2 * np.pi)
            place = beside.place + rng.uniform(1.0, 1.4) * np.array([np.cos(way), np.sin(way)])
            angle = np.arctan2(beside.turn[1, 0], beside.turn[0, 0]) if rng.random() < 0.3 else angle
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]], np.float32)
        if alike is None:
            body = random_body(rng)
        else:  # a die of the same set with another face on top
            order = _ROLLS[int(rng.integers(len(_ROLLS)))]
            body = replace(poured_again(rng, alike), faces=[alike.faces[k] for k in order])
        die = Die(place.astype(np.float32), edge, turn, body)
        bases = (cv2.convexHull(np.ascontiguousarray(one.corners()[::2, :2])) for one in lying)
        hull = cv2.convexHull(np.ascontiguousarray(die.corners()[::2, :2]))
        if not any(cv2.intersectConvexConvex(hull, base)[0] > _LEAST_OVERLAP for base in bases):
            lying.append(die)
            yield die


_ROLLS = (
    (0, 1, 2, 3, 4, 5),
    (5, 3, 2, 1, 4, 0),
    (1, 5, 2, 0, 4, 3),
    (3, 0, 2, 5, 4, 1),
    (2, 1, 5, 3, 0, 4),
    (4, 1, 0, 3, 5, 2),
)
"""The order of the faces after a quarter or half turn about an axis."""


_LEAST_OVERLAP = 0.005
"""Area in square edges from which on two dice overlap."""

_FINER = 2
"""Factor of supersampling."""

_COARSER = 4
"""Factor by which the reflected table is reduced, since reflections in dice are never sharp."""

_FARTHEST_MIRRORED = 4.0
"""Largest distance in edges from which the table lights a die."""


@dataclass(frozen=True, slots=True)
class TopFace:
    """The truth of one die.

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
    """A picture of dice and its truth.

    Attributes:
        image_bgr: the square picture.
        faces: the top faces of all dice whose middle is in it.
        decoys: places (x, y, size) in pixels of things that are not dice.
        steep: whether the camera looked steeply down everywhere, so that the picture may be turned by any angle.
    """

    image_bgr: ImageBgr
    faces: Sequence[TopFace]
    decoys: Sequence[tuple[float, float, float]] = ()
    steep: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class _Canvas:
    """The buffers into which a scene is rendered.

    Attributes:
        light: float32 (side, side, 3).
        table: the light of the table alone, smaller by _COARSER.
        owner: int16 (side, side), the number of the die whose top face is visible, negative on its sides, 0 elsewhere.
        marks: bool (side, side), whether a pip or emblem of a top face is visible.
        face_px: length of an ordinary die's edge.
    """

    scene: DiceScene
    light: Floats32
    table: Floats32
    owner: NDArray[np.int16]
    marks: NDArray[np.bool_]
    face_px: float


def random_dice_picture(rng: np.random.Generator, size_px: int, face_px: float) -> DicePicture:
    """Return a square picture of random dice, with faces about `face_px` long in its middle."""
    scene = random_dice_scene(rng, size_px * _FINER, face_px * _FINER)
    light = _draw_ground(scene, rng, face_px * _FINER)
    coarse = cv2.resize(light, (scene.size_px // _COARSER,) * 2, interpolation=cv2.INTER_AREA)
    owner, marks = np.zeros(light.shape[:2], np.int16), np.zeros(light.shape[:2], np.bool_)
    canvas = _Canvas(scene, light, np.asarray(coarse, np.float32), owner, marks, face_px * _FINER)
    # the farthest first
    things = sorted(scene.things, key=lambda thing: -float(np.linalg.norm(scene.camera.eye[:2] - thing.place)))
    whole = [_draw_thing(canvas, thing, number) for number, thing in enumerate(things, start=1)]
    faces = [_truth(canvas, die, n, whole[n - 1]) for n, die in enumerate(things, start=1) if die in scene.dice]
    small = cv2.resize(canvas.light, (size_px, size_px), interpolation=cv2.INTER_AREA)
    in_sight = (face for face in faces if face.seen > 0 and all(0 <= side < size_px for side in face.centre_px))
    decoys = []
    for thing in (*scene.counters, *scene.blocks):
        top_px = scene.camera.project(thing.corners()[1::2]) / _FINER
        x, y = top_px.mean(axis=0)
        decoys.append((float(x), float(y), float(np.ptp(top_px, axis=0).mean() / 1.2)))
    image_bgr = _photograph(np.asarray(small, np.float32), rng)
    return DicePicture(image_bgr, tuple(in_sight), decoys, scene.camera.steep)


def _draw_ground(scene: DiceScene, rng: np.random.Generator, face_px: float) -> Floats32:
    """Return the lit table with all shadows, float32 (side, side, 3)."""
    camera, side = scene.camera, scene.size_px
    ends = box(0, 0, side, side).astype(np.float32)
    ways = camera.rays(ends[:, 0], ends[:, 1])
    on_ground = (camera.eye - camera.eye[2] / ways[:, 2:] * ways)[:, :2]
    middle, spread = on_ground.mean(axis=0), np.ptp(on_ground, axis=0).max()
    per_edge = TILE_PX / spread
    on_tile = ((on_ground - middle) * per_edge + TILE_PX / 2).astype(np.float32)
    homography = cv2.getPerspectiveTransform(on_tile, ends)
    tile = random_ground(rng, float(per_edge))
    ground = cv2.warpPerspective(tile, homography, (side, side), borderMode=cv2.BORDER_REFLECT)
    # its light: occluded ambient light, and lamps with shadows that are sharper near the dice, softer at their ends
    near = _soft(scene, (camera.project(_footprint(die.corners(1.1))) for die in scene.things), 0.16 * face_px)
    light = scene.lights.ambient_rgb * (1 - rng.uniform(0.3, 0.8) * near)
    for way, lamp_rgb in scene.lights.lamps:
        blur_px, slices = face_px * float(np.exp(rng.uniform(-4, -1.2))), []
        for height in (0.4, 0.7, 1.0):
            # the footprint of each die and the shadows of its corners, cut off at a share of its height
            lows = [np.asarray(die.corners(0.93) * (1, 1, height), np.float32) for die in scene.things]
            shadows = (np.vstack([low - low[:, 2:] / way[2] * way, _footprint(low)]) for low in lows)
            slices.append(_soft(scene, map(camera.project, shadows), 2 * height * blur_px))
        light = light + lamp_rgb * way[2] * (1 - np.max(slices, axis=0))
    return np.asarray(ground * np.asarray(light, np.float32), np.float32)


def _soft(scene: DiceScene, outlines_px: Iterable[Floats32], blur_px: float) -> Floats32:
    """Return filled and blurred outlines, float32 (side, side, 1)."""
    mask = np.zeros((scene.size_px, scene.size_px), np.float32)
    for outline_px in outlines_px:
        hull = cv2.convexHull(np.clip(outline_px, -4000, 8000).astype(np.float32))
        cv2.fillConvexPoly(mask, sixteenths(hull), (1.0,), cv2.LINE_8, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur_px), np.float32)[..., None]


def _footprint(corners: Floats32) -> Floats32:
    return np.asarray(corners * (1, 1, 0), np.float32)


def _draw_thing(canvas: _Canvas, die: Die, number: int) -> tuple[int, int]:
    """Draw a die, counter or block; return the number of pixels of its top face and of that face's marks."""
    camera = canvas.scene.camera
    # the pixels in the bounding box of its outline
    outline_px, side = camera.project(die.corners()), len(canvas.light)
    x0, y0 = np.clip(np.floor(outline_px.min(axis=0)), 0, side).astype(int)
    x1, y1 = np.clip(np.ceil(outline_px.max(axis=0)) + 1, 0, side).astype(int)
    rows, columns = (places.ravel() for places in np.mgrid[y0:y1, x0:x1])
    ways = camera.rays(columns + np.float32(0.5), rows + np.float32(0.5)) @ die.turn
    hits = meet(die.body, np.asarray((camera.eye - die.middle) @ die.turn / die.edge, np.float32), ways)
    if not len(hits.rays):
        return 0, 0
    at = rows[hits.rays], columns[hits.rays]
    below_rgb = canvas.light[at].mean(axis=0).clip(0, 1)
    soft = 1.5 / (canvas.face_px * die.edge)

    def table(points: Floats32, ways: Floats32) -> Floats32:
        """Return the light of the table in directions from the die, extrapolated beyond the picture."""
        start = die.in_world(points)
        reach = np.minimum(start[:, 2] / np.maximum(-ways[:, 2], 0.05), _FARTHEST_MIRRORED * die.edge)
        places = _footprint(np.asarray(start + reach[:, None] * ways, np.float32))
        column, row = np.clip(camera.project(places) / _COARSER, 0, len(canvas.table) - 1).astype(int).T
        return np.asarray(canvas.table[row, column], np.float32)

    light, marked = shade(die.body, hits, die.turn, canvas.scene.lights, table, ground_rgb=below_rgb, soft=soft)
    on_top = faces_of(die.body, hits.points) == 0
    canvas.light[at] = light
    canvas.owner[at] = np.where(on_top, number, -number)
    canvas.marks[at] = marked
    return int(on_top.sum()), int(marked.sum())


def _truth(canvas: _Canvas, die: Die, number: int, whole: tuple[int, int]) -> TopFace:
    camera, left, side_px = canvas.scene.camera, canvas.owner == number, canvas.scene.size_px
    top_px = camera.project(die.corners()[1::2])
    pips_px = camera.project(die.on_top(die.body.faces[0].pips[:, :2]))
    ((x, y),) = camera.project(die.on_top(np.zeros((1, 2), np.float32))) / _FINER
    # the shares of the face and of the pips' middles that are in the picture
    hull_px, area = cv2.convexHull(top_px), float(cv2.contourArea(cv2.convexHull(top_px)))
    inside = cv2.intersectConvexConvex(hull_px, box(0, 0, side_px, side_px).astype(np.float32))[0] / area
    pips_inside = ((pips_px >= 0) & (pips_px < side_px)).all(axis=1)
    return TopFace(
        value=die.body.faces[0].value,
        centre_px=(float(x), float(y)),
        size_px=area**0.5 / _FINER,
        seen=inside * float(left.sum() / max(whole[0], 1)),
        marks_seen=(float(pips_inside.mean()) if len(pips_px) else 1.0)
        * float((left & canvas.marks).sum() / max(whole[1], 1)),
    )


def _photograph(light: Floats32, rng: np.random.Generator) -> ImageBgr:
    """Return the photograph of light (side, side, 3): uneven, blurred, noisy, with a tone curve, sharpened, JPEG."""
    y, x = np.mgrid[-1 : 1 : len(light) * 1j, -1 : 1 : len(light) * 1j]
    light = light * np.asarray(np.exp(rng.normal(0, 0.15) * x + rng.normal(0, 0.15) * y), np.float32)[..., None]
    exposure = rng.uniform(0.25, 1.0) / max(float(np.percentile(light, 97)), 0.05)
    image = np.sqrt(np.clip(light * exposure * np.exp(rng.normal(0, 0.07, 3)), 0, 4)).astype(np.float32)
    # mostly blurred a little, and sometimes sharpened as by phones
    if rng.random() < 0.7:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.3) * rng.uniform(0.4, 1)), np.float32)
    if rng.random() < 0.35:
        image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    grain = cv2.GaussianBlur(rng.standard_normal(image.shape, np.float32), (0, 0), rng.uniform(0.3, 1))
    image = 255 * (image + grain * rng.uniform(0, 0.04) * rng.uniform(0.2, 1))
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 98))]
    coded = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)

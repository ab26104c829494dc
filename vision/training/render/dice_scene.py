"""Thrown dice: a camera at any slant over a table, many dice, and things that are not dice.

The table is the plane z = 0; lengths are in edges of an ordinary die.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry import Floats32
from vision.training.render.dice_light import DiceLights
from vision.training.render.dice_looks import poured_again, random_block, random_body, random_counter, random_lights
from vision.training.render.dice_solid import Body

_STEEP_RAD = float(np.radians(42))
"""A camera that looks farther off than this from straight down anywhere in its picture is held upright: sides lie below
their tops. Others may be turned at will, and sides are seen on any side of their tops."""

_SHORTEST_LENS = 0.65
"""Least focal length, in sides of the picture: it sees 75 degrees, as the widest common lenses do."""

_CUBE = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)], np.float32)

_DISC = np.array(
    [(np.cos(a) / 2, np.sin(a) / 2, z) for a in np.linspace(0, 2 * np.pi, 16, endpoint=False) for z in (-0.5, 0.5)],
    np.float32,
)


@dataclass(frozen=True, slots=True, eq=False)
class DiceCamera:
    """A pinhole camera: axes float32 (3, 3), its right, down and forward in the world, and where it stands."""

    axes: Floats32
    eye: Floats32
    focal_px: float
    centre_px: float

    @property
    def steep(self) -> bool:
        """Whether it looks steeply down everywhere: its picture may be turned at will."""
        slant = np.arccos(np.clip(-self.axes[2, 2], -1, 1))
        return bool(slant + np.arctan(self.centre_px / self.focal_px) < _STEEP_RAD)

    def project(self, points: Floats32) -> Floats32:
        """Return pixels (n, 2) of points (n, 3)."""
        seen = (points - self.eye) @ self.axes.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + self.centre_px, np.float32)

    def rays(self, x_px: Floats32, y_px: Floats32) -> Floats32:
        """Return the directions (n, 3), of unit length, in which pixels (n,) look."""
        flat = np.stack([x_px - self.centre_px, y_px - self.centre_px, np.full_like(x_px, self.focal_px)], axis=1)
        ways = flat @ self.axes
        return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A die on the table: its middle's place (x, y), its edge, how far it is turned, and its body."""

    place: Floats32
    edge: float
    turn: Floats32
    body: Body

    @property
    def middle(self) -> Floats32:
        """Where its middle is in the world, (3,)."""
        return np.array([*self.place, self.edge * self.body.height / 2], np.float32)

    def corners(self, scale: float = 1.0) -> Floats32:
        """Return its corners (n, 3) in the world, below and above by turns; `scale` draws them in."""
        corners = _CUBE if self.body.disc_height is None else _DISC
        return self.in_world(scale * corners * np.array((1, 1, self.body.height), np.float32))

    def on_top(self, places: Floats32) -> Floats32:
        """Return where places (n, 2) of its top face, in edges from its middle, are in the world, (n, 3)."""
        return self.in_world(np.column_stack([places, np.full(len(places), self.body.height / 2, np.float32)]))

    def in_world(self, points: Floats32) -> Floats32:
        """Return where points (n, 3) of its own axes, in edges from its middle, are in the world, (n, 3)."""
        return np.asarray(self.edge * points @ self.turn.T + self.middle, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class DiceScene:
    """What is where, in what light, and how it is photographed.

    Counters (flat round pieces with dots or a ring) and blocks (blank cubes) are no dice; `size_px` is the side of the
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
        """All that is there."""
        return [*self.dice, *self.counters, *self.blocks]


def random_dice_scene(rng: np.random.Generator, size_px: int, face_px: float) -> DiceScene:
    """Throw dice where a camera sees square pictures; faces are about `face_px` long where it looks."""
    camera = _random_camera(rng, size_px, face_px)
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


def _random_camera(rng: np.random.Generator, side_px: int, face_px: float) -> DiceCamera:
    """Look from straight above down to 60 degrees off, upright where not everywhere steeply down."""
    tilt = np.radians(rng.choice([rng.uniform(0, 35), rng.uniform(20, 62)]))
    away = rng.uniform(max(9, _SHORTEST_LENS * side_px / face_px), 60)
    forward = np.array([0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0, 0])
    axes = np.stack([right, np.cross(forward, right), forward]).astype(np.float32)
    camera = DiceCamera(axes, (-away * forward).astype(np.float32), float(face_px * away), side_px / 2)
    roll = rng.uniform(-np.pi, np.pi) if camera.steep else rng.normal(0, 0.2)
    turn = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    return replace(camera, axes=(turn @ axes).astype(np.float32))


def _thrown(rng: np.random.Generator, number: int, reach: float) -> Iterator[Die]:
    """Let dice are anywhere, often touching one another, never in one another."""
    alike = random_body(rng) if rng.random() < 0.4 else None
    mixed = 0.25 if rng.random() < 0.25 else 0.02
    lying: list[Die] = []
    for _ in range(6 * number):
        if len(lying) == number:
            return
        die = _die(rng, reach, lying, alike, mixed)
        if not any(_overlap(die, other) for other in lying):
            lying.append(die)
            yield die


def _die(rng: np.random.Generator, reach: float, lying: Sequence[Die], alike: Body | None, mixed: float) -> Die:
    edge = float(np.clip(np.exp(rng.normal(0, mixed)), 0.6, 1.6))
    angle = rng.uniform(0, 2 * np.pi)
    place = rng.uniform(-reach, reach, 2)
    if lying and rng.random() < 0.45:
        beside = lying[int(rng.integers(len(lying)))]
        way = rng.uniform(0, 2 * np.pi)
        place = beside.place + rng.uniform(1.0, 1.4) * np.array([np.cos(way), np.sin(way)])
        angle = np.arctan2(beside.turn[1, 0], beside.turn[0, 0]) if rng.random() < 0.3 else angle
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]], np.float32)
    return Die(place.astype(np.float32), edge, turn, _thrown_like(rng, alike) if alike else random_body(rng))


def _thrown_like(rng: np.random.Generator, body: Body) -> Body:
    """Throw a die of the same set: other faces of the same kind on top."""
    order = _ROLLS[int(rng.integers(len(_ROLLS)))]
    return replace(poured_again(rng, body), faces=[body.faces[k] for k in order])


_ROLLS = (
    (0, 1, 2, 3, 4, 5),
    (5, 3, 2, 1, 4, 0),
    (1, 5, 2, 0, 4, 3),
    (3, 0, 2, 5, 4, 1),
    (2, 1, 5, 3, 0, 4),
    (4, 1, 0, 3, 5, 2),
)
"""Which of the faces is on top and which around, after a quarter or half turn about an axis."""


def _overlap(one: Die, other: Die) -> bool:
    bases = [np.ascontiguousarray(die.corners()[::2, :2]) for die in (one, other)]
    hulls = [cv2.convexHull(base) for base in bases]
    area, _ = cv2.intersectConvexConvex(hulls[0], hulls[1])
    return area > 0.005

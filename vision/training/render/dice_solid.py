"""One die as rays see it: a cube with rounded edges or corners, and what its faces bear.

A counter is seen likewise: a round disc with rounded edges instead of the cube.

Lengths are in edges of the die; its own axes have the origin in its middle and z upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats32

_MARCH_STEPS = 12
_TOUCH = 0.012

FACE_AXES = ((2, 1), (0, 1), (1, 1), (0, -1), (1, -1), (2, -1))
"""Axis and side of every face: the top, four around, the bottom."""

_FACES = np.array([[1, 2, 0], [3, 4, 5]])
"""The face of each axis, of the side above 0 and of that below."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """What one face bears.

    Attributes:
        value: number of pips; None if it has something else or nothing.
        pips: float32 (n, 3): middle (u, v) and radius of each.
        emblem: instead of pips, coverage float32 (side, side); None for none.
        pip_rgb: albedo of either.
    """

    value: int | None
    pips: Floats32
    emblem: Floats32 | None
    pip_rgb: Floats32


@dataclass(frozen=True, slots=True, eq=False)
class Swirl:
    """A second colour that runs through a die's first.

    Attributes:
        rgb: its albedo.
        amount: how much of it there is where there is most, 0 for none.
        frequencies, phases: of the pattern, float32 (3,).
        edge: how sharply the two meet: 1 softly, 8 as dyes in poured acrylic.
        flow: how far the dyes have run, from 0.5 to 4.
        level: how little of the die the second has reached, from -0.5 to 0.5: beyond half of it to a few wisps.
    """

    rgb: Floats32
    amount: float
    frequencies: Floats32
    phases: Floats32
    edge: float
    flow: float
    level: float


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A die's shape and material.

    Attributes:
        edge_radius: of its edges, 0.02 (sharp) to 0.3, if its faces are flat.
        bulge: the exponent of the superellipsoid that it is, from 4 (a pillow) to 12 (nearly a cube); None if its
            faces are flat.
        ball_radius: of the ball that cuts its corners off; 0.87 cuts nothing.
        body_rgb: albedo.
        swirl: the second colour in it.
        shine: share of light mirrored when looking straight down, on top of Fresnel's.
        roughness: how softly windows end in what it mirrors, as a cosine: 0.02 polished, 0.5 satin.
        wobble: how far normals stray, as in dice that were tumbled or worn, to 0.1.
        clearness: 0 opaque, 1 clear as glass.
        dent: how deep the pips are, from flat paint 0 to half balls 1 and deeper.
        drill: how much darker their very middle is.
        bleed: how far a lamp's light goes round the body's edges, inside it: 0 in what is opaque, to 0.6.
        glow: share of the light that comes back from inside: 0 in what is opaque, 1 in what is milky.
        scatter: how deep that light goes, in edges.
        faces: in the order of FACE_AXES.
        disc_height: of the disc that it is, one edge across, for counters; None for a die.
    """

    edge_radius: float
    bulge: float | None
    ball_radius: float
    body_rgb: Floats32
    swirl: Swirl
    shine: float
    roughness: float
    wobble: float
    clearness: float
    dent: float
    drill: float
    bleed: float
    glow: float
    scatter: float
    faces: Sequence[Face]
    disc_height: float | None = None

    @property
    def height(self) -> float:
        """How high it stands, in edges."""
        return 1.0 if self.disc_height is None else self.disc_height


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays meet a die: which of them, their ways, point and normal on it, float32 (n, 3), in its own axes."""

    rays: NDArray[np.intp]
    ways: Floats32
    points: Floats32
    normals: Floats32


def meet(body: Body, origin: Floats32, directions: Floats32) -> Hits:
    """Follow rays from one origin along directions (n, 3) of unit length to the surface.

    See Hart, "Sphere tracing" (1996).
    """
    inverse = 1 / np.where(np.abs(directions) < 1e-6, 1e-6, directions)
    one, other = (-0.5 - origin) * inverse, (0.5 - origin) * inverse
    near, far = _largest(np.minimum(one, other)), -_largest(-np.maximum(one, other))
    rays = np.flatnonzero((near < far) & (far > 0))
    ways = directions[rays]
    points = origin + near[rays, None] * ways
    for _ in range(_MARCH_STEPS):
        points += _distance(body, points)[:, None] * ways
    met = np.flatnonzero((_distance(body, points) < _TOUCH) & (_largest(np.abs(points)) < 0.52))
    return Hits(rays[met], ways[met], points[met], _normals(body, points[met]))


def _largest(rows: Floats32) -> Floats32:
    """Return largest of each row, (n,), of few, (n, k): numpy's own way over short rows takes four times as long."""
    return np.asarray(np.maximum.reduce(list(rows.T)), np.float32)


def lengths(rows: Floats32) -> Floats32:
    """Return the length of each row, (n,), of vectors (n, k)."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows)), np.float32)


def _distance(body: Body, points: Floats32) -> Floats32:
    """Distance to the rounded cube cut by the ball, or a little less, float32 (n,)."""
    return np.asarray(np.maximum(_block(body, points), lengths(points) - body.ball_radius), np.float32)


def _block(body: Body, points: Floats32) -> Floats32:
    """Distance to the body that the ball cuts, float32 (n,)."""
    if body.bulge is not None:
        powers = np.power(np.abs(points), body.bulge)
        return np.asarray(np.power(powers[:, 0] + powers[:, 1] + powers[:, 2], 1 / body.bulge) - 0.5, np.float32)
    beyond = _beyond(body, points)
    outside = lengths(np.maximum(beyond, 0))
    return np.asarray(outside + np.minimum(_largest(beyond), 0) - body.edge_radius, np.float32)


def _beyond(body: Body, points: Floats32) -> Floats32:
    """How far points are beyond where edges begin to be round: along x, y and z, or away from a disc's axis and z."""
    if body.disc_height is None:
        return np.asarray(np.abs(points) - (0.5 - body.edge_radius), np.float32)
    apart = np.column_stack([np.hypot(points[:, 0], points[:, 1]) - 0.5, np.abs(points[:, 2]) - body.disc_height / 2])
    return np.asarray(apart + body.edge_radius, np.float32)


def _normals(body: Body, points: Floats32) -> Floats32:
    if body.bulge is not None:
        of_block = np.sign(points) * np.power(np.abs(points) + 1e-3, body.bulge - 1)
    elif body.disc_height is not None:
        outwards = points / np.maximum(np.hypot(points[:, 0], points[:, 1]), 1e-6)[:, None]
        beyond = np.maximum(_beyond(body, points), 1e-4)
        of_block = np.column_stack([outwards[:, :2] * beyond[:, :1], np.sign(points[:, 2]) * beyond[:, 1]])
    else:
        of_block = np.sign(points) * np.maximum(_beyond(body, points), 1e-4)
    on_ball = lengths(points) - body.ball_radius > _block(body, points)
    normals = np.where(on_ball[:, None], points, of_block)
    return np.asarray(normals / lengths(normals)[:, None], np.float32)


def faces_of(body: Body, points: Floats32) -> NDArray[np.intp]:
    """Return on which face each point (n, 3) is, as an index of FACE_AXES."""
    axis = np.abs(points / np.array((1, 1, body.height), np.float32)).argmax(axis=1)
    below = points[np.arange(len(points)), axis] < 0
    return np.asarray(_FACES[below.astype(int), axis])


def on_face(face: int, points: Floats32) -> Floats32:
    """Return the places (u, v) of points (n, 3) on a face."""
    return points[:, [k for k in range(3) if k != FACE_AXES[face][0]]]


def marked(face: Face, places: Floats32, soft: float) -> tuple[Floats32, Floats32]:
    """How much of a pip or emblem covers places (n, 2) on a face, (n,), and the ways from the pips' middles, (n, 2).

    The ways are in radii of the pip.
    """
    if face.emblem is not None:
        side = len(face.emblem)
        column, row = np.clip((places.T + 0.5) * side, 0, side - 1).astype(int)
        return face.emblem[row, column], np.zeros_like(places)
    if not len(face.pips):
        return np.zeros(len(places), np.float32), np.zeros_like(places)
    ways = places[:, None] - face.pips[None, :, :2]
    apart = np.linalg.norm(ways, axis=2)
    nearest = (apart - face.pips[:, 2]).argmin(axis=1)
    index = np.arange(len(places))
    radius = face.pips[nearest, 2]
    cover = np.clip((radius - apart[index, nearest]) / soft + 0.5, 0, 1)
    return np.asarray(cover, np.float32), np.asarray(ways[index, nearest] / radius[:, None], np.float32)

"""One die as rays see it: a cube with rounded edges or corners, its pips, and the light that comes back from it.

A counter is seen likewise: a round disc with rounded edges instead of the cube.

Lengths are in edges of the die; its own axes have the origin in its middle and z upwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.synthetic.rays import Floats32

_MARCH_STEPS = 12
_TOUCH = 0.012

FACE_AXES = ((2, 1), (0, 1), (1, 1), (0, -1), (1, -1), (2, -1))
"""Axis and side of every face: the top, four around, the bottom."""

_OUTWARDS = np.array([[side * (k == axis) for k in range(3)] for axis, side in FACE_AXES], np.float32)
"""Which way each face looks, (6, 3)."""

_FACES = np.array([[1, 2, 0], [3, 4, 5]])
"""The face of each axis, of the side above 0 and of that below."""

_RIM_SHADE = 0.25
"""Less light reaches the rim of a deep pip."""

_DRILLED = 0.5
"""How much of a pip's radius the drill's point shades."""

_LEAST_ALBEDO = 1e-3
"""Of a dye: less would leave no colour that another can be mixed with."""

_WISPS = (1, 2, 4)
"""How fine the currents are that dyes run along, one after the other."""

_POLISHED = 0.02
"""The least roughness."""

_WAVES = 6.0
"""How often normals stray this way and that along an edge, in radians."""

_INTO_GLASS = 1 / 1.5
"""Refractive index of air over that of acrylic glass."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """What one face bears.

    Attributes:
        value: number of pips; None where it bears something else or nothing.
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
        bulge: the exponent of the superellipsoid that it is, from 4 (a pillow) to 12 (nearly a cube); None where its
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
class Lights:
    """Lamps far away, in the world's axes.

    Attributes:
        lamps: direction to each and its light's colour.
        ambient_rgb: light from all sides.
        windows: directions, sharpness (cosine) and strength of bright patches that mirror in glossy things.
    """

    lamps: Sequence[tuple[Floats32, Floats32]]
    ambient_rgb: Floats32
    windows: Sequence[tuple[Floats32, float, float]]


Surroundings = Callable[[Floats32, Floats32], Floats32]
"""Gives the light (n, 3) that the table sends to points (n, 3) of a die, in its own axes, from directions (n, 3) of the
world that look down."""


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
    """Give the largest of each row, (n,), of few, (n, k): numpy's own way over short rows takes four times as long."""
    return np.asarray(np.maximum.reduce(list(rows.T)), np.float32)


def _length(rows: Floats32) -> Floats32:
    """Give the length of each row, (n,), of vectors (n, k)."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows)), np.float32)


def _distance(body: Body, points: Floats32) -> Floats32:
    """Distance to the rounded cube cut by the ball, or a little less, float32 (n,)."""
    return np.asarray(np.maximum(_block(body, points), _length(points) - body.ball_radius), np.float32)


def _block(body: Body, points: Floats32) -> Floats32:
    """Distance to the body that the ball cuts, float32 (n,)."""
    if body.bulge is not None:
        powers = np.power(np.abs(points), body.bulge)
        return np.asarray(np.power(powers[:, 0] + powers[:, 1] + powers[:, 2], 1 / body.bulge) - 0.5, np.float32)
    beyond = _beyond(body, points)
    outside = _length(np.maximum(beyond, 0))
    return np.asarray(outside + np.minimum(_largest(beyond), 0) - body.edge_radius, np.float32)


def _beyond(body: Body, points: Floats32) -> Floats32:
    """How far points lie beyond where edges begin to be round: along x, y and z, or away from a disc's axis and z."""
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
    on_ball = _length(points) - body.ball_radius > _block(body, points)
    normals = np.where(on_ball[:, None], points, of_block)
    return np.asarray(normals / _length(normals)[:, None], np.float32)


def faces_of(body: Body, points: Floats32) -> NDArray[np.intp]:
    """Tell on which face each point (n, 3) lies, as an index of FACE_AXES."""
    axis = np.abs(points / np.array((1, 1, body.height), np.float32)).argmax(axis=1)
    below = points[np.arange(len(points)), axis] < 0
    return np.asarray(_FACES[below.astype(int), axis])


def on_face(face: int, points: Floats32) -> Floats32:
    """Give the places (u, v) of points (n, 3) on a face."""
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


def shade(
    body: Body, hits: Hits, turn: Floats32, lights: Lights, table: Surroundings, *, ground_rgb: Floats32, soft: float
) -> tuple[Floats32, NDArray[np.bool_]]:
    """Give the light (n, 3) that comes back along the rays that hit, and which of them see a mark of the top face.

    Args:
        body: the die.
        hits: where.
        turn: float32 (3, 3), from the die's axes to the world's.
        lights: in the world's axes.
        table: what light comes from below.
        ground_rgb: albedo of what lies below, seen through a clear die.
        soft: width of the pips' rims.
    """
    faces = faces_of(body, hits.points)
    colour = _body_colour(body, hits.points)
    if body.clearness:
        colour = _clear(body, hits, colour, ground_rgb=ground_rgb, soft=soft)
    normals, cover = hits.normals + body.wobble * _waves(body, hits.points), np.zeros(len(faces), np.float32)
    for index in np.unique(faces):
        here = np.flatnonzero(faces == index)
        face, (axis, _side) = body.faces[index], FACE_AXES[index]
        cover[here], ways = marked(face, on_face(int(index), hits.points[here]), soft)
        bent = np.zeros((len(here), 3), np.float32)
        bent[:, [k for k in range(3) if k != axis]] = ways
        normals[here] -= body.dent * cover[here, None] * bent
        pip_rgb = face.pip_rgb * _in_pip(body, (ways**2).sum(axis=1, keepdims=True))
        colour[here] += cover[here, None] * (pip_rgb - colour[here])
    normals /= _length(normals)[:, None]
    seen = Hits(hits.rays, hits.ways @ turn.T, hits.points, normals @ turn.T)
    falls = _diffuse(body, seen, lights, table)
    if body.glow:
        within = _within(body, hits.points, turn, lights, table)
        falls += body.glow * (1 - cover[:, None]) * (within - falls)
    light = colour * falls + _mirrored(body, seen, lights, table)
    return np.asarray(light, np.float32), (faces == 0) & (cover > 0.5)


def _waves(body: Body, points: Floats32) -> Floats32:
    return np.asarray(np.sin(_WAVES * points[:, [1, 2, 0]] + body.swirl.phases), np.float32)


def _in_pip(body: Body, away: Floats32) -> Floats32:
    """Give the share of light that reaches the ground of a pip.

    Args:
        body: whose pip it is.
        away: square of the way from the pip's middle, in radii, (n, 1).

    Returns:
        float32 (n, 1): less at the rim of a deep pip, and where a drill's point has left a hollow.
    """
    rim, point = _RIM_SHADE * body.dent * away, body.drill * np.maximum(1 - away / _DRILLED**2, 0)
    return np.asarray(np.clip(1 - rim, 0, 1) * (1 - point), np.float32)


def _body_colour(body: Body, points: Floats32) -> Floats32:
    """Give a body's albedo (n, 3) at points (n, 3): the more of a dye there is, the less light it leaves (Beer)."""
    swirl = body.swirl
    if not swirl.amount:
        return np.broadcast_to(body.body_rgb, points.shape).astype(np.float32)
    flow, currents = points * swirl.frequencies[::-1], points[:, [1, 2, 0]] * swirl.frequencies + swirl.phases
    for finer in _WISPS:
        flow = flow + swirl.flow / finer**1.5 * np.sin(finer * currents)
        currents = flow[:, [2, 0, 1]]
    wave = np.sin(flow).sum(axis=1) / 3
    share = swirl.amount * np.clip(0.5 + swirl.edge * (wave - swirl.level), 0, 1)
    dyed = np.power(np.maximum(swirl.rgb, _LEAST_ALBEDO) / np.maximum(body.body_rgb, _LEAST_ALBEDO), share[:, None])
    return np.asarray(body.body_rgb * dyed, np.float32)


def _clear(body: Body, hits: Hits, colour: Floats32, *, ground_rgb: Floats32, soft: float) -> Floats32:
    """Mix in what is seen through the die: the ground, tinted, and the marks of the far faces."""
    cosine = -(hits.ways * hits.normals).sum(axis=1, keepdims=True)
    inside = _INTO_GLASS * hits.ways + (_INTO_GLASS * cosine - np.sqrt(0.56 + 0.44 * cosine**2)) * hits.normals
    inside = np.where(np.abs(inside) < 1e-5, 1e-5, inside)
    way = ((0.5 * np.sign(inside) - hits.points) / inside).min(axis=1, keepdims=True)
    out = np.asarray(hits.points + np.maximum(way, 0) * inside, np.float32)
    behind = colour * (0.35 + 0.65 * ground_rgb)
    far = faces_of(body, out)
    for index in np.unique(far):
        here = np.flatnonzero(far == index)
        cover, _ways = marked(body.faces[index], on_face(int(index), out[here]), 3 * soft)
        behind[here] += 0.5 * cover[:, None] * (body.faces[index].pip_rgb * body.body_rgb - behind[here])
    return np.asarray(colour + body.clearness * (behind - colour), np.float32)


def _diffuse(body: Body, seen: Hits, lights: Lights, table: Surroundings) -> Floats32:
    """Light that falls on the surface, by Lambert's law: from above, from the lamps and back from the table.

    What is seen has its ways and normals in the world's axes, here and below.
    """
    normals, up = seen.normals, seen.normals[:, 2:]
    low = np.column_stack([normals[:, :2], np.minimum(normals[:, 2], 0) - 0.6])
    low /= _length(low)[:, None]
    light = lights.ambient_rgb * (0.55 + 0.45 * up) + table(seen.points, low) * (0.5 - 0.5 * up)
    for way, lamp_rgb in lights.lamps:
        facing = (normals @ way + body.bleed) / (1 + body.bleed)
        light = light + lamp_rgb * np.maximum(facing, 0)[:, None]
    return np.asarray(light, np.float32)


def _within(body: Body, points: Floats32, turn: Floats32, lights: Lights, table: Surroundings) -> Floats32:
    """Light (n, 3) inside a milky die just below points (n, 3) of its surface: what falls on all its faces, scattered.

    It fades with the way from each face, as light does that diffuses. So a face in the shade is lit from its
    neighbours, and an edge by both its faces. The face that lies on the table lets nothing in.
    """
    outwards = _OUTWARDS[:5]
    middles = Hits(np.arange(5), outwards, np.asarray(outwards / 2, np.float32), np.asarray(outwards @ turn.T))
    falls = _diffuse(body, middles, lights, table)
    depths = np.maximum(0.5 - points @ outwards.T, 0)
    whole = 1 + 4 * np.exp(-0.5 / body.scatter)
    return np.asarray(np.exp(-depths / body.scatter) @ falls / whole, np.float32)


def _mirrored(body: Body, seen: Hits, lights: Lights, table: Surroundings) -> Floats32:
    """Lamps, windows, the sky and the table, mirrored by Schlick's approximation of Fresnel (1994).

    The sides of a glossy die seen from above mirror the table: on a pale one they are paler than the top.
    """
    facing = -(seen.ways * seen.normals).sum(axis=1, keepdims=True)
    ways = np.asarray(seen.ways + 2 * facing * seen.normals, np.float32)
    sheen = np.where(ways[:, 2:] > 0, lights.ambient_rgb, table(seen.points, ways))
    for way, sharpness, strength in lights.windows:
        bright = np.clip((ways @ way - sharpness) / body.roughness, 0, 1)
        sheen = sheen + strength * (_POLISHED / body.roughness) ** 0.5 * bright[:, None]
    fresnel = body.shine * (0.04 + 0.96 * (1 - np.clip(facing, 0, 1)) ** 5)
    return np.asarray(fresnel * sheen, np.float32)

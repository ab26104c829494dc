"""Random dice as solids, and their shading by ray tracing.

A die's own axes have their origin in its middle, unit edges, and z up through its top face. Lengths are in edges;
directions of lights are in the world's axes.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats32
from vision.simulation.dice import pip_places

_MARCH_STEPS = 12
_TOUCH = 0.012

FACE_AXES = ((2, 1), (0, 1), (1, 1), (0, -1), (1, -1), (2, -1))
"""Axis and side of every face: the top, four around, the bottom."""

_FACES = np.array([[1, 2, 0], [3, 4, 5]])
"""The index of the face of each axis, on the positive and on the negative side."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """The marks of one face.

    Attributes:
        value: number of pips; None if it has an emblem or nothing.
        pips: float32 (n, 3): middle (u, v) and radius of each.
        emblem: coverage float32 (side, side) of an emblem instead of pips; None without one.
        pip_rgb: albedo of the marks.
    """

    value: int | None
    pips: Floats32
    emblem: Floats32 | None
    pip_rgb: Floats32


@dataclass(frozen=True, slots=True, eq=False)
class Swirl:
    """A second dye in a die.

    Attributes:
        rgb: its albedo.
        amount: its largest concentration, 0 for none.
        frequencies, phases: of the pattern, float32 (3,).
        edge: sharpness of its border: 1 soft, 8 as in poured acrylic.
        flow: strength of the currents, from 0.5 to 4.
        level: how little of the die it fills, from -0.5 (more than half) to 0.5 (a few wisps).
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
        edge_radius: radius of its edges, 0.02 (sharp) to 0.3, if its faces are flat.
        bulge: the exponent of its superellipsoid, from 4 (a pillow) to 12 (nearly a cube); None if its faces are flat.
        ball_radius: radius of the ball that cuts its corners off; 0.87 cuts nothing.
        body_rgb: albedo.
        swirl: the second colour in it.
        shine: share of light reflected at normal incidence, in addition to Fresnel's.
        roughness: blur of reflections, as a cosine: 0.02 polished, 0.5 satin.
        wobble: deviation of normals, as of tumbled or worn dice, up to 0.1.
        clearness: 0 opaque, 1 clear as glass.
        dent: depth of the pips, from flat paint 0 to half balls 1 and deeper.
        drill: darkness of their centres.
        bleed: how far a lamp's light goes round the edges inside the body: 0 if it is opaque, to 0.6.
        glow: share of the light that is scattered from inside: 0 if it is opaque, 1 if it is milky.
        scatter: depth of that light, in edges.
        faces: in the order of FACE_AXES.
        disc_height: height of a disc, one edge across, for counters; None for a die.
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
        """Its height in edges."""
        return 1.0 if self.disc_height is None else self.disc_height


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """The rays that hit a die: their indices, and their directions, points and normals, float32 (n, 3), in its axes."""

    rays: NDArray[np.intp]
    ways: Floats32
    points: Floats32
    normals: Floats32


def meet(body: Body, origin: Floats32, directions: Floats32) -> Hits:
    """Return the hits of rays from one origin along unit directions (n, 3).

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
    """Return the largest value of each row, (n,), of (n, k); four times as fast as numpy's for short rows."""
    return np.asarray(np.maximum.reduce(list(rows.T)), np.float32)


def lengths(rows: Floats32) -> Floats32:
    """Return the length of each row, (n,), of vectors (n, k)."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows)), np.float32)


def _distance(body: Body, points: Floats32) -> Floats32:
    """Return a lower bound of the distance to the body cut by the ball, float32 (n,)."""
    return np.asarray(np.maximum(_block(body, points), lengths(points) - body.ball_radius), np.float32)


def _block(body: Body, points: Floats32) -> Floats32:
    """Return the distance to the body before the ball cuts it, float32 (n,)."""
    if body.bulge is not None:
        powers = np.power(np.abs(points), body.bulge)
        return np.asarray(np.power(powers[:, 0] + powers[:, 1] + powers[:, 2], 1 / body.bulge) - 0.5, np.float32)
    beyond = _beyond(body, points)
    outside = lengths(np.maximum(beyond, 0))
    return np.asarray(outside + np.minimum(_largest(beyond), 0) - body.edge_radius, np.float32)


def _beyond(body: Body, points: Floats32) -> Floats32:
    """Return the distances of points beyond the begin of rounded edges: along x, y, z, or a disc's radius and z."""
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
    """Return the face of each point (n, 3), as an index of FACE_AXES."""
    axis = np.abs(points / np.array((1, 1, body.height), np.float32)).argmax(axis=1)
    below = points[np.arange(len(points)), axis] < 0
    return np.asarray(_FACES[below.astype(int), axis])


def on_face(face: int, points: Floats32) -> Floats32:
    """Return the places (u, v) of points (n, 3) on a face."""
    return points[:, [k for k in range(3) if k != FACE_AXES[face][0]]]


def marked(face: Face, places: Floats32, soft: float) -> tuple[Floats32, Floats32]:
    """Return the coverage of places (n, 2) on a face by marks, (n,), and offsets from the pips' middles, (n, 2).

    The offsets are in radii of the pip.
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


_OUTWARDS = np.array([[side * (k == axis) for k in range(3)] for axis, side in FACE_AXES], np.float32)
"""The outward normal of each face, (6, 3)."""

_RIM_SHADE = 0.25
"""Loss of light at the rim of a deep pip."""

_DRILLED = 0.5
"""Share of a pip's radius that the drill's point darkens."""

_LEAST_ALBEDO = 1e-3
"""Least albedo of a dye, which must be positive to be mixed."""

_WISPS = (1, 2, 4)
"""Scales of the currents of dyes, applied one after the other."""

_POLISHED = 0.02
"""The least roughness."""

_WAVES = 6.0
"""Frequency of the deviation of normals, in radians per edge."""

_INTO_GLASS = 1 / 1.5
"""Refractive index of air over that of acrylic glass."""


@dataclass(frozen=True, slots=True, eq=False)
class DiceLights:
    """Lamps far away, in the world's axes.

    Attributes:
        lamps: direction to each lamp and the colour of its light.
        ambient_rgb: ambient light.
        windows: directions, sharpness (cosine) and strength of bright patches that glossy things reflect.
    """

    lamps: Sequence[tuple[Floats32, Floats32]]
    ambient_rgb: Floats32
    windows: Sequence[tuple[Floats32, float, float]]


Surroundings = Callable[[Floats32, Floats32], Floats32]
"""Returns the light (n, 3) from the table at points (n, 3) of a die, in its own axes, from downward directions (n, 3)
in the world's axes."""


def shade(
    body: Body,
    hits: Hits,
    turn: Floats32,
    lights: DiceLights,
    table: Surroundings,
    *,
    ground_rgb: Floats32,
    soft: float,
) -> tuple[Floats32, NDArray[np.bool_]]:
    """Return the light (n, 3) along the rays that hit, and whether each sees a mark of the top face.

    Args:
        body: the die.
        hits: the hits of the rays.
        turn: float32 (3, 3), from the die's axes to the world's.
        lights: the lights in the world's axes.
        table: the light from below.
        ground_rgb: albedo of the ground, visible through a clear die.
        soft: width of the pips' rims.
    """
    faces = faces_of(body, hits.points)
    colour = _body_colour(body, hits.points)
    if body.clearness:
        colour = _clear(body, hits, colour, ground_rgb=ground_rgb, soft=soft)
    waves = np.asarray(np.sin(_WAVES * hits.points[:, [1, 2, 0]] + body.swirl.phases), np.float32)
    normals, cover = hits.normals + body.wobble * waves, np.zeros(len(faces), np.float32)
    for index in np.unique(faces):
        here = np.flatnonzero(faces == index)
        face, (axis, _side) = body.faces[index], FACE_AXES[index]
        cover[here], ways = marked(face, on_face(int(index), hits.points[here]), soft)
        bent = np.zeros((len(here), 3), np.float32)
        bent[:, [k for k in range(3) if k != axis]] = ways
        normals[here] -= body.dent * cover[here, None] * bent
        # less light reaches the rim of a deep pip, and the hollow of a drill's point
        away = (ways**2).sum(axis=1, keepdims=True)  # squared distance from the pip's middle, in radii, (n, 1)
        rim, point = _RIM_SHADE * body.dent * away, body.drill * np.maximum(1 - away / _DRILLED**2, 0)
        pip_rgb = face.pip_rgb * np.asarray(np.clip(1 - rim, 0, 1) * (1 - point), np.float32)
        colour[here] += cover[here, None] * (pip_rgb - colour[here])
    normals /= lengths(normals)[:, None]
    seen = Hits(hits.rays, hits.ways @ turn.T, hits.points, normals @ turn.T)
    falls = _diffuse(body, seen, lights, table)
    if body.glow:
        within = _within(body, hits.points, turn, lights, table)
        falls += body.glow * (1 - cover[:, None]) * (within - falls)
    light = colour * falls + _mirror(body, seen, lights, table)
    return np.asarray(light, np.float32), (faces == 0) & (cover > 0.5)


def _body_colour(body: Body, points: Floats32) -> Floats32:
    """Return a body's albedo (n, 3) at points (n, 3), by the Beer-Lambert law of its dyes."""
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
    """Return the colour mixed with what is visible through the die: the tinted ground, and marks of the far faces."""
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


def _diffuse(body: Body, seen: Hits, lights: DiceLights, table: Surroundings) -> Floats32:
    """Return the diffuse light by Lambert's law: from above, from the lamps and from the table.

    Directions and normals are in the world's axes, here and below.
    """
    normals, up = seen.normals, seen.normals[:, 2:]
    low = np.column_stack([normals[:, :2], np.minimum(normals[:, 2], 0) - 0.6])
    low /= lengths(low)[:, None]
    light = lights.ambient_rgb * (0.55 + 0.45 * up) + table(seen.points, low) * (0.5 - 0.5 * up)
    for way, lamp_rgb in lights.lamps:
        facing = (normals @ way + body.bleed) / (1 + body.bleed)
        light = light + lamp_rgb * np.maximum(facing, 0)[:, None]
    return np.asarray(light, np.float32)


def _within(body: Body, points: Floats32, turn: Floats32, lights: DiceLights, table: Surroundings) -> Floats32:
    """Return the light (n, 3) inside a milky die just below points (n, 3) of its surface.

    It is the light on all faces, which fades with the distance from each, as in diffusion. So a face in the shade is
    lit by its neighbours, and an edge by both its faces. No light enters by the face on the table.
    """
    outwards = _OUTWARDS[:5]
    middles = Hits(np.arange(5), outwards, np.asarray(outwards / 2, np.float32), np.asarray(outwards @ turn.T))
    falls = _diffuse(body, middles, lights, table)
    depths = np.maximum(0.5 - points @ outwards.T, 0)
    whole = 1 + 4 * np.exp(-0.5 / body.scatter)
    return np.asarray(np.exp(-depths / body.scatter) @ falls / whole, np.float32)


def _mirror(body: Body, seen: Hits, lights: DiceLights, table: Surroundings) -> Floats32:
    """Return the reflected light of lamps, windows, the sky and the table, by Schlick's approximation (1994).

    From above, the sides of a glossy die reflect the table: on a pale table they are paler than the top.
    """
    facing = -(seen.ways * seen.normals).sum(axis=1, keepdims=True)
    ways = np.asarray(seen.ways + 2 * facing * seen.normals, np.float32)
    sheen = np.where(ways[:, 2:] > 0, lights.ambient_rgb, table(seen.points, ways))
    for way, sharpness, strength in lights.windows:
        bright = np.clip((ways @ way - sharpness) / body.roughness, 0, 1)
        sheen = sheen + strength * (_POLISHED / body.roughness) ** 0.5 * bright[:, None]
    fresnel = body.shine * (0.04 + 0.96 * (1 - np.clip(facing, 0, 1)) ** 5)
    return np.asarray(fresnel * sheen, np.float32)


_EMBLEM_PX, _LEAST_EMBLEM_PX = 64, 26
"""Side of an emblem's square, which covers a face, and its least length."""

_COMMON_HSV = (
    ((0.12, 0.08, 0.92), 0.24),  # white and ivory
    ((0.6, 0.1, 0.08), 0.12),  # black
    ((0.0, 0.85, 0.65), 0.14),  # red
    ((0.6, 0.8, 0.6), 0.12),  # blue
    ((0.38, 0.7, 0.5), 0.09),  # green
    ((0.14, 0.8, 0.85), 0.06),  # yellow
    ((0.07, 0.55, 0.55), 0.06),  # wood
    ((0.78, 0.6, 0.5), 0.05),  # purple
    ((0.6, 0.05, 0.55), 0.04),  # metal
)


def random_albedo(rng: np.random.Generator) -> Floats32:
    """Return a random colour of dice, albedo (blue, green, red)."""
    weights = np.array([weight for _, weight in _COMMON_HSV])
    pick = rng.choice(len(weights) + 1, p=[*weights, 1 - weights.sum()])
    if pick == len(weights):
        hsv = (rng.random(), rng.random(), rng.uniform(0.1, 1))
    else:
        middle = np.array(_COMMON_HSV[pick][0])
        hue, saturation, value = middle + rng.normal(0, (0.03, 0.1, 0.08))
        hsv = (hue % 1, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0.03, 0.97)))
    return np.square(np.array(colorsys.hsv_to_rgb(*hsv)[::-1], np.float32))


def random_body(rng: np.random.Generator) -> Body:
    """Return a random die with a random top."""
    body_rgb = random_albedo(rng)
    sharp = rng.random() < 0.2
    clearness = float(rng.uniform(0.2, 0.85)) if rng.random() < 0.25 else 0.0
    return Body(
        edge_radius=float(rng.uniform(0.02, 0.06) if sharp else rng.uniform(0.06, 0.26)),
        bulge=float(np.exp(rng.uniform(np.log(4.2), np.log(12)))) if rng.random() < 0.5 else None,
        ball_radius=float(rng.uniform(0.64, 0.8)) if rng.random() < 0.6 else 0.87,
        body_rgb=body_rgb,
        swirl=_swirl(rng, body_rgb),
        shine=float(rng.uniform(0, 0.5) if rng.random() < 0.5 else rng.uniform(0.5, 1.3)),
        roughness=float(np.exp(rng.uniform(np.log(0.02), np.log(0.5)))),
        wobble=float(rng.uniform(0, 0.1)) if rng.random() < 0.6 else 0.0,
        clearness=clearness,
        dent=float(rng.uniform(0, 1.6)) if rng.random() < 0.7 else 0.0,
        drill=float(rng.uniform(0, 0.6)) if rng.random() < 0.4 else 0.0,
        bleed=float(rng.uniform(0, 0.6)) if rng.random() < 0.5 else 0.0,
        glow=float(rng.uniform(0.3, 1)) if rng.random() < 0.45 else 0.0,
        scatter=float(np.exp(rng.uniform(np.log(0.1), np.log(0.6)))),
        faces=_faces(rng, body_rgb),
    )


def _swirl(rng: np.random.Generator, body_rgb: Floats32) -> Swirl:
    amount = float(rng.uniform(0.3, 1) ** 0.5) if rng.random() < 0.6 else 0.0
    way = 1 if rng.random() < 0.6 else -1
    thicker = np.power(body_rgb, np.exp(way * rng.uniform(0.4, 1.3)))  # more or less of the same dye
    other = np.clip(body_rgb * np.exp(rng.normal(0, 0.5, 3) - way * rng.uniform(0.3, 1.6)), 0, 1)
    return Swirl(
        rgb=np.asarray(thicker if rng.random() < 0.5 else other, np.float32),
        amount=amount,
        frequencies=np.exp(rng.uniform(-0.2, 1.7, 3)).astype(np.float32),
        phases=rng.uniform(0, 6.3, 3).astype(np.float32),
        edge=float(np.exp(rng.uniform(0, 2))) if rng.random() < 0.65 else 1.0,
        flow=float(np.exp(rng.uniform(-0.7, 1.4))),
        level=float(rng.uniform(-0.5, 0.5)),
    )


def poured_again(rng: np.random.Generator, body: Body) -> Body:
    """Return another die of the same set, with another pattern of its dyes."""
    phases, level = rng.uniform(0, 6.3, 3).astype(np.float32), float(rng.uniform(-0.5, 0.5))
    return replace(body, swirl=replace(body.swirl, phases=phases, level=level))


def _faces(rng: np.random.Generator, body_rgb: Floats32) -> list[Face]:
    """Return six faces whose opposite values add up to seven, with random marks of one style."""
    # 1. their values
    top, side = rng.permutation([1, 2, 3])[:2]
    top, side = (int(v) if rng.random() < 0.5 else 7 - int(v) for v in (top, side))
    other = next(v for v in (1, 2, 3) if v not in {top, 7 - top, side, 7 - side})
    other = other if rng.random() < 0.5 else 7 - other
    # 2. the pips: their colour, radius and places; a large or red one, and seldom emblems instead
    pip_rgb = _contrasting(rng, body_rgb)
    radius = float(rng.uniform(0.06, 0.115))
    apart = max(0.16, 2.05 * radius)  # a six's three do not touch
    spread = float(rng.uniform(apart, min(0.3, 0.44 - radius)))
    long = spread * float(rng.uniform(1.0, 1.15))
    radius_of_one = radius * float(rng.uniform(1.4, 2.2) if rng.random() < 0.15 else 1.0)
    red = set(rng.choice([1, 4], size=2)) if body_rgb.min() > 0.3 and rng.random() < 0.3 else set()
    red_rgb = np.array([0.03, 0.03, rng.uniform(0.4, 0.7)], np.float32)
    straight, kind = rng.random() < 0.03, rng.random()
    emblems = {1, 2, 3, 4, 5, 6} if kind < 0.08 else {int(rng.choice([1, 6]))} if kind < 0.3 else set()
    # 3. the faces
    faces = []
    for value in (top, side, other, 7 - side, 7 - other, 7 - top):
        if value in emblems:
            faces.append(Face(None, np.zeros((0, 3), np.float32), _emblem(rng, value), pip_rgb))
            continue
        places = pip_places(value, spread, long if value == 6 else spread)
        if straight and value == 2:
            places = np.array([(-spread, 0.0), (spread, 0.0)])
        if rng.integers(2):
            places = np.stack([-places[:, 1], places[:, 0]], axis=1)
        radii = np.full(len(places), radius_of_one if value == 1 else radius)
        pips = np.column_stack([places, radii]).astype(np.float32)
        faces.append(Face(value, pips, None, red_rgb if value in red else pip_rgb))
    return faces


def _contrasting(rng: np.random.Generator, body_rgb: Floats32) -> Floats32:
    """Return a random colour of pips that contrasts with the body's."""
    lightness = float(np.sqrt(body_rgb.mean()))
    white, black = np.full(3, rng.uniform(0.5, 0.95), np.float32), np.full(3, rng.uniform(0.003, 0.04), np.float32)
    plain = black if lightness > 0.72 else white if lightness < 0.5 else (white if rng.random() < 0.6 else black)
    if rng.random() < 0.2:
        other = random_albedo(rng)
        if abs(float(np.sqrt(other.mean())) - lightness) > 0.3:
            return other
    return plain


def _emblem(rng: np.random.Generator, value: int) -> Floats32:
    """Return a numeral or a random sign, coverage float32 (side, side), larger than the pip of a one."""
    image = np.zeros((_EMBLEM_PX, _EMBLEM_PX), np.uint8)
    if rng.random() < 0.4:
        scale = rng.uniform(1.2, 1.9)
        text = str(value) if rng.random() < 0.8 else chr(rng.integers(65, 91))
        cv2.putText(image, text, (17, 48), int(rng.integers(0, 5)), scale, 255, int(rng.integers(3, 7)), cv2.LINE_AA)
    while max(cv2.boundingRect(image)[2:]) < _LEAST_EMBLEM_PX:
        _scribble(image, rng)
    turned = cv2.warpAffine(image, cv2.getRotationMatrix2D((32, 32), rng.uniform(0, 360), 1), image.shape)
    return np.asarray(turned / np.float32(255), np.float32)


def _scribble(image: cv2.typing.MatLike, rng: np.random.Generator) -> None:
    """Draw lines, curves and spots, mirrored half of the time as emblems are."""
    for _ in range(rng.integers(2, 9)):
        one, other = ((int(a), int(b)) for a, b in rng.integers(12, 52, (2, 2)))
        thick = int(rng.integers(2, 6))
        match rng.integers(3):
            case 0:
                cv2.line(image, one, other, 255, thick, cv2.LINE_AA)
            case 1:
                axes = (int(rng.integers(4, 16)), int(rng.integers(4, 16)))
                cv2.ellipse(image, one, axes, float(rng.uniform(0, 180)), 0, 360, 255, int(rng.choice([-1, 2, 3])))
            case _:
                cv2.fillPoly(image, [rng.integers(12, 52, (3, 2)).astype(np.int32)], 255, cv2.LINE_AA)
    if rng.random() < 0.6:
        np.maximum(image, image[:, ::-1].copy(), out=image)


def random_block(rng: np.random.Generator) -> Body:
    """Return a random blank cube, which is not a die."""
    body = random_body(rng)
    blank = Face(None, np.zeros((0, 3), np.float32), None, body.body_rgb)
    return replace(body, faces=[blank] * 6)


def random_counter(rng: np.random.Generator) -> Body:
    """Return a random counter or stack: a disc, plain or with finer dots than a die's, a single dot or a ring."""
    body = random_body(rng)
    height = float(rng.uniform(0.12, 0.5) if rng.random() < 0.7 else rng.uniform(0.5, 1))
    blank = replace(body.faces[0], value=None, pips=np.zeros((0, 3), np.float32), emblem=None)
    top = next((face for face in body.faces if face.value is not None), blank)
    top = replace(top, pips=top.pips * np.array((1, 1, rng.uniform(0.4, 1)), np.float32))
    kind = rng.random()
    if kind < 0.2:
        top = replace(blank, pips=np.array([(*rng.normal(0, 0.04, 2), rng.uniform(0.05, 0.3))], np.float32))
    elif kind < 0.35:  # a ring with or without a dot in it
        image, middle = np.zeros((_EMBLEM_PX, _EMBLEM_PX), np.uint8), (_EMBLEM_PX // 2, _EMBLEM_PX // 2)
        cv2.circle(image, middle, int(rng.integers(10, 28)), 255, int(rng.integers(2, 6)), cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.circle(image, middle, int(rng.integers(3, 8)), 255, -1, cv2.LINE_AA)
        top = replace(blank, emblem=np.asarray(image / np.float32(255), np.float32))
    elif kind < 0.5:
        top = blank
    edge_radius = height * float(rng.uniform(0.05, 0.45))
    disc = replace(
        body, disc_height=height, edge_radius=edge_radius, bulge=None, ball_radius=0.87, clearness=0.0, glow=0.0
    )
    return replace(disc, faces=[top, *[blank] * 5])


def random_lights(rng: np.random.Generator) -> DiceLights:
    """Return random lights: one or two lamps, ambient light, and windows and lamps that dice reflect."""
    lamps = [(_upward(rng, 0.15, 0.98), _tint(rng, 0.1) * rng.uniform(0.25, 0.9)) for _ in range(rng.integers(1, 3))]
    windows = [(way, float(rng.uniform(0.95, 0.995)), float(rng.uniform(5, 30))) for way, _ in lamps]
    windows += [
        (_upward(rng, 0.2, 1.0), float(rng.uniform(0.85, 0.97)), float(rng.uniform(2, 12)))
        for _ in range(rng.integers(0, 3))
    ]
    return DiceLights(lamps, _tint(rng, 0.08) * np.float32(rng.uniform(0.25, 0.8)), windows)


def _upward(rng: np.random.Generator, lowest: float, highest: float) -> Floats32:
    """Return a random unit vector whose z is in a range."""
    z, angle = rng.uniform(lowest, highest), rng.uniform(0, 2 * np.pi)
    flat = np.sqrt(1 - z * z)
    return np.array([flat * np.cos(angle), flat * np.sin(angle), z], np.float32)


def _tint(rng: np.random.Generator, spread: float) -> Floats32:
    return np.exp(rng.normal(0, spread, 3)).astype(np.float32)

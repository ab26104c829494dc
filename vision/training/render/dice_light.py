"""The light that comes back from a die: its dyes, its pips, what it mirrors and what glows from inside it.

Lengths are in edges of the die; directions of lights are in the world's axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats32
from vision.training.render.dice_solid import FACE_AXES, Body, Hits, faces_of, lengths, marked, on_face

_OUTWARDS = np.array([[side * (k == axis) for k in range(3)] for axis, side in FACE_AXES], np.float32)
"""Which way each face looks, (6, 3)."""

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
class DiceLights:
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
    """Return the light (n, 3) that comes back along the rays that hit, and which of them see a mark of the top face.

    Args:
        body: the die.
        hits: where.
        turn: float32 (3, 3), from the die's axes to the world's.
        lights: in the world's axes.
        table: what light comes from below.
        ground_rgb: albedo of what is below, seen through a clear die.
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
    normals /= lengths(normals)[:, None]
    seen = Hits(hits.rays, hits.ways @ turn.T, hits.points, normals @ turn.T)
    falls = _diffuse(body, seen, lights, table)
    if body.glow:
        within = _within(body, hits.points, turn, lights, table)
        falls += body.glow * (1 - cover[:, None]) * (within - falls)
    light = colour * falls + _mirrored(body, seen, lights, table)
    return np.asarray(light, np.float32), (faces == 0) & (cover > 0.5)


def _waves(body: Body, points: Floats32) -> Floats32:
    """Return which way normals stray at points (n, 3), (n, 3), each at most 1."""
    return np.asarray(np.sin(_WAVES * points[:, [1, 2, 0]] + body.swirl.phases), np.float32)


def _in_pip(body: Body, away: Floats32) -> Floats32:
    """Return the share of light that reaches the ground of a pip.

    Args:
        body: whose pip it is.
        away: square of the way from the pip's middle, in radii, (n, 1).

    Returns:
        float32 (n, 1): less at the rim of a deep pip, and where a drill's point has left a hollow.
    """
    rim, point = _RIM_SHADE * body.dent * away, body.drill * np.maximum(1 - away / _DRILLED**2, 0)
    return np.asarray(np.clip(1 - rim, 0, 1) * (1 - point), np.float32)


def _body_colour(body: Body, points: Floats32) -> Floats32:
    """Return a body's albedo (n, 3) at points (n, 3): the more of a dye there is, the less light it leaves (Beer)."""
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


def _diffuse(body: Body, seen: Hits, lights: DiceLights, table: Surroundings) -> Floats32:
    """Light that falls on the surface, by Lambert's law: from above, from the lamps and back from the table.

    What is seen has its ways and normals in the world's axes, here and below.
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
    """Light (n, 3) inside a milky die just below points (n, 3) of its surface: what falls on all its faces, scattered.

    It fades with the way from each face, as light does that diffuses. So a face in the shade is lit from its
    neighbours, and an edge by both its faces. The face that is on the table lets nothing in.
    """
    outwards = _OUTWARDS[:5]
    middles = Hits(np.arange(5), outwards, np.asarray(outwards / 2, np.float32), np.asarray(outwards @ turn.T))
    falls = _diffuse(body, middles, lights, table)
    depths = np.maximum(0.5 - points @ outwards.T, 0)
    whole = 1 + 4 * np.exp(-0.5 / body.scatter)
    return np.asarray(np.exp(-depths / body.scatter) @ falls / whole, np.float32)


def _mirrored(body: Body, seen: Hits, lights: DiceLights, table: Surroundings) -> Floats32:
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

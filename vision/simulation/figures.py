"""Random sets of Staunton chess pieces, as meshes of quadrilaterals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.board import Board
from vision.geometry import Floats
from vision.simulation.outlines import divided

Outline = Sequence[tuple[float, float]]
"""(radius, z) in mm from the foot to the middle of the top."""

_PROFILE_STEP_MM = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A surface. `quads_mm` float64 (n, 4 corners, xyz), counter-clockwise seen from outside in a right-handed frame;
    `tone` float64 (n,): factor on the colour, below 1 in grooves.
    """

    quads_mm: Floats
    tone: Floats

    @property
    def height_mm(self) -> float:
        """Height of the highest point."""
        return float(self.quads_mm[..., 2].max())


def joined(*meshes: Mesh) -> Mesh:
    """Return several meshes as one."""
    return Mesh(np.concatenate([m.quads_mm for m in meshes]), np.concatenate([m.tone for m in meshes]))


def middles_of(mesh: Mesh) -> Floats:
    """Return the middles of the faces, float64 (n, xyz)."""
    return np.asarray(mesh.quads_mm.mean(axis=1))


def normals_of(mesh: Mesh) -> Floats:
    """Return the outer unit normals of the faces, float64 (n, xyz)."""
    corners = mesh.quads_mm
    across = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    return np.asarray(across / (np.linalg.norm(across, axis=1, keepdims=True) + 1e-12))


@lru_cache(maxsize=16)
def profile_of(mesh: Mesh) -> Floats:
    """Return the radius about the axis at every second mm of height, float64 (n,), for shadows on other pieces."""
    middles = middles_of(mesh)
    bins = np.clip((middles[:, 2] / _PROFILE_STEP_MM).astype(int), 0, int(mesh.height_mm / _PROFILE_STEP_MM))
    far = np.hypot(middles[:, 0], middles[:, 1])
    return np.asarray(np.bincount(bins, far) / np.maximum(np.bincount(bins), 1))


def profile_radius(profile: Floats, z_mm: Floats) -> Floats:
    """Return a profile's radius at heights, negative above and below."""
    index = np.floor(z_mm / _PROFILE_STEP_MM).astype(int)
    inside = (index >= 0) & (index < len(profile))
    return np.where(inside, profile[np.clip(index, 0, len(profile) - 1)], -5.0)


def turned(outline: Outline, angles: Floats, top_mm: Floats | None = None, step_mm: float = 1.4) -> Mesh:
    """Return an outline turned about the axis.

    Args:
        outline: radius and height.
        angles: the directions of the seams in radians, ascending.
        top_mm: how high the surface may reach at each angle, float (n_angles,): lower ones cut gaps into a rim.
        step_mm: the longest face along the outline.
    """
    points = np.concatenate([divided(outline, step_mm), np.array(outline[-1:], np.float64)])
    cosine, sine = np.cos(angles), np.sin(angles)
    radius, z = points[:, 0][:, None], np.repeat(points[:, 1][:, None], len(angles), axis=1)
    if top_mm is not None:
        z = np.minimum(z, top_mm[None, :])
    rings = np.stack([radius * cosine, radius * sine, z], axis=-1)
    after = np.roll(rings, -1, axis=1)
    quads = np.stack([rings[:-1], after[:-1], after[1:], rings[1:]], axis=2).reshape(-1, 4, 3)
    return _whole(quads)


def ball(middle_mm: Sequence[float], radius_mm: float, seams: int = 8) -> Mesh:
    """Return a ball."""
    rise = np.linspace(-np.pi / 2, np.pi / 2, max(5, seams // 2 + 1))
    outline = [(float(radius_mm * np.cos(a)), float(radius_mm * np.sin(a))) for a in rise]
    mesh = turned(outline, circle(seams), step_mm=9.0)
    return Mesh(mesh.quads_mm + np.asarray(middle_mm), mesh.tone)


def box(low_mm: Sequence[float], high_mm: Sequence[float]) -> Mesh:
    """Return a box between two corners (xyz)."""
    (x0, y0, z0), (x1, y1, z1) = low_mm, high_mm
    a, b, c, d = (x0, y0), (x1, y0), (x1, y1), (x0, y1)
    floor, roof = [(*p, z0) for p in (a, b, c, d)], [(*p, z1) for p in (a, b, c, d)]
    sides = [[floor[i], floor[(i + 1) % 4], roof[(i + 1) % 4], roof[i]] for i in range(4)]
    quads = np.array([*sides, roof, floor[::-1]], dtype=np.float64)
    return Mesh(quads, np.ones(len(quads)))


def prism(polygon_mm: Floats, half_mm: float) -> Mesh:
    """Return a plate of a convex outline (n, (x, z)), counter-clockwise, twice `half_mm` thick along y."""
    x, z = polygon_mm.T
    front, back = (np.column_stack([x, np.full(len(x), y), z]) for y in (-half_mm, half_mm))
    fan = [[0, i, i + 1, i + 1] for i in range(1, len(x) - 1)]
    faces = [front[list(f)] for f in fan] + [back[list(f)[::-1]] for f in fan]
    around = [[back[i], back[(i + 1) % len(x)], front[(i + 1) % len(x)], front[i]] for i in range(len(x))]
    quads = np.array([*faces, *around])
    return Mesh(quads, np.ones(len(quads)))


def relief(
    polygon_mm: Floats, half_mm: Floats, cell_mm: float, *, bevel_mm: float, roundness: float, edge: float
) -> Mesh:
    """Return a plate of any outline (n, (x, z)), thick in the middle and thin at its edge.

    Args:
        polygon_mm: the outline.
        half_mm: half the thickness at the foot and at the top.
        cell_mm: size of a face.
        bevel_mm: how far inside its edge the outline has its whole thickness.
        roundness: 1 for a straight bevel, 0.5 for a rounded one.
        edge: share of the thickness that is left at the edge.
    """
    low, high = polygon_mm.min(axis=0) - 2 * cell_mm, polygon_mm.max(axis=0) + 2 * cell_mm
    columns, rows = (int(n) for n in np.ceil((high - low) / cell_mm) + 1)
    fine = 4
    mask = np.zeros((rows * fine, columns * fine), np.uint8)
    cv2.fillPoly(mask, [np.round((polygon_mm - low) / cell_mm * fine).astype(np.int32)], 255)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 5)[::fine, ::fine] * cell_mm / fine
    share = np.clip(depth / bevel_mm, 0, 1) ** roundness
    x, z = np.meshgrid(low[0] + np.arange(columns) * cell_mm, low[1] + np.arange(rows) * cell_mm)
    upwards = np.clip((z - polygon_mm[:, 1].min()) / np.ptp(polygon_mm[:, 1]), 0, 1)
    half = (half_mm[0] + (half_mm[1] - half_mm[0]) * upwards) * (edge + (1 - edge) * share)
    inside = depth > 0
    y = np.where(inside, half, 0.0)
    used = inside[:-1, :-1] | inside[1:, :-1] | inside[:-1, 1:] | inside[1:, 1:]
    near, far = np.stack([x, -y, z], axis=-1), np.stack([x, y, z], axis=-1)
    front = np.stack([near[:-1, :-1], near[:-1, 1:], near[1:, 1:], near[1:, :-1]], axis=2)[used]
    behind = np.stack([far[:-1, :-1], far[1:, :-1], far[1:, 1:], far[:-1, 1:]], axis=2)[used]
    return _whole(np.concatenate([front, behind]))


def circle(seams: int) -> Floats:
    """Return evenly spaced angles in radians."""
    return np.asarray(np.arange(seams) * 2 * np.pi / seams)


def _whole(quads: Floats) -> Mesh:
    """Return a mesh of the faces that are not degenerate."""
    across = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    whole = quads[np.linalg.norm(across, axis=1) > 1e-6]
    return Mesh(whole, np.ones(len(whole)))


_SEAMS = 30


@dataclass(frozen=True, slots=True)
class Style:
    """The style of one set; lengths are shares of the foot's radius or of a piece's height.

    Attributes:
        plinth: height of the foot's lowest step; `steps`: how many rings the foot has.
        waist: how slender the body is; `flare`: how quickly it gets so (above 1: at once).
        collars: number of rings below the head; `collar`: how far they stand out.
        gloss: of the surface, 0 to 1.
    """

    plinth: float
    steps: int
    waist: float
    flare: float
    collars: int
    collar: float
    gloss: float


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A chess piece: its mesh, its gloss (0 to 1), and the strength of its wood grain (0 to 1)."""

    mesh: Mesh
    gloss: float
    grain: float


def random_figures(board: Board, rng: np.random.Generator) -> dict[str, Figure]:
    """Return a random set: one figure for each of the board's pieces that is a chess piece."""
    if not set(board.pieces) & set(_MAKERS):
        return {}
    style = Style(
        plinth=rng.uniform(0.03, 0.11),
        steps=int(rng.integers(0, 4)),
        waist=rng.uniform(0.8, 1.25),
        flare=rng.uniform(0.35, 1.1),
        collars=int(rng.integers(1, 4)),
        collar=rng.uniform(0.08, 0.3),
        gloss=rng.uniform(0.0, 1.0),
    )
    grain = rng.uniform(0.0, 0.5) if rng.random() < 0.5 else 0.0
    figures = {}
    for kind, piece in board.pieces.items():
        if kind in _MAKERS:
            height, radius = piece.height * rng.uniform(0.91, 1.06), (piece.diameter or 26.0) / 2
            mesh = _MAKERS[kind](height, radius * rng.uniform(0.9, 1.1), style, rng)
            figures[kind] = Figure(mesh, style.gloss, grain)
    return figures


def _body(height_mm: float, radius_mm: float, neck: tuple[float, float], style: Style) -> Outline:
    """Return the outline from the foot to the neck, (radius, z) in mm, with collars about the neck."""
    plinth = style.plinth * height_mm
    points = [(0.94 * radius_mm, 0.0), (radius_mm, 0.25 * plinth), (radius_mm, plinth)]
    radius, z = 0.9 * radius_mm, plinth
    for _ in range(style.steps):
        points += [(radius, z + 0.4), (radius, z + 0.35 * plinth + 0.8)]
        radius, z = 0.9 * radius, z + 0.35 * plinth + 0.8
    shares = np.linspace(0, 1, 9)
    narrowing = 1 - (1 - shares) ** (1.0 + 2.2 * style.flare)
    points += [
        (float(radius + (neck[0] - radius) * n), float(z + (neck[1] - z) * s))
        for s, n in zip(shares, narrowing, strict=True)
    ]
    out, thick = style.collar * radius_mm, 0.11 * radius_mm
    for number in range(style.collars):
        reach, z = neck[0] + out * (1 - 0.3 * number), neck[1] + number * 2.1 * thick
        points += [(neck[0], z), (reach, z + 0.3 * thick), (reach, z + 1.2 * thick), (neck[0], z + 1.6 * thick)]
    return points


def _king(height: float, radius: float, style: Style, rng: np.random.Generator) -> Mesh:
    cross = height * rng.uniform(0.1, 0.165)
    top = height - cross
    neck = radius * rng.uniform(0.3, 0.46) * style.waist, height * rng.uniform(0.56, 0.66)
    cap, brim = radius * rng.uniform(0.42, 0.66), height * rng.uniform(0.77, 0.82)
    body = _body(height, radius, neck, style)
    low = body[-1][1]
    head = [
        (0.85 * neck[0], low + 0.5),
        (cap, max(brim, low + 3)),
        (cap * rng.uniform(0.86, 1.0), max(brim, low + 3) + 1),
    ]
    dome = [(0.55 * cap, 0.55 * brim + 0.45 * top), (0.25 * cap, top - 0.6), (0.0, top)]
    return joined(turned([*body, *head, *dome], circle(_SEAMS)), _cross(top - 1.5, cross + 1.5, rng))


def _cross(foot: float, height: float, rng: np.random.Generator) -> Mesh:
    """Return a cross with straight or widening arms."""
    half, reach = rng.uniform(0.9, 1.7), height * rng.uniform(0.34, 0.55)
    thick, middle = rng.uniform(0.9, 1.8), foot + height * rng.uniform(0.55, 0.68)
    if rng.random() < 0.5:
        return joined(
            box((-half, -thick, foot), (half, thick, foot + height)),
            box((-reach, -thick, middle - half), (reach, thick, middle + half)),
        )
    wide = half * rng.uniform(1.3, 2.0)
    up = np.array([(-wide, foot), (wide, foot), (0.6 * half, middle), (-0.6 * half, middle)])
    top = np.array([(-0.6 * half, middle), (0.6 * half, middle), (wide, foot + height), (-wide, foot + height)])
    arm = np.array([(0, middle - 0.6 * half), (reach, middle - wide), (reach, middle + wide), (0, middle + 0.6 * half)])
    return joined(*(prism(p, thick) for p in (up, top, arm, (arm * (-1, 1))[::-1])))


def _queen(height: float, radius: float, style: Style, rng: np.random.Generator) -> Mesh:
    finial = radius * rng.uniform(0.1, 0.22)
    top = height - 1.5 * finial
    neck = radius * rng.uniform(0.28, 0.44) * style.waist, height * rng.uniform(0.56, 0.66)
    body = _body(height, radius, neck, style)
    rim, brim = radius * rng.uniform(0.46, 0.72), top - height * rng.uniform(-0.01, 0.05)
    low = body[-1][1]
    bulge = rng.uniform(-0.12, 0.2) * rim
    side = [(0.85 * neck[0], low + 0.5), (0.5 * (neck[0] + rim) - bulge, 0.5 * (low + brim)), (rim, brim)]
    cup, wide, foot = _coronet([*body, *side], rng), 0.75 * rim, brim - 0.3 * rim
    dome = turned([(wide, foot), (0.6 * wide, 0.35 * foot + 0.65 * top), (0.0, top)], circle(16))
    return joined(cup, dome, ball((0.0, 0.0, top + 0.5 * finial), finial))


def _coronet(outline: Outline, rng: np.random.Generator) -> Mesh:
    """Return a turned body with an open rim at its top, with points cut into the rim, beads on it, or both."""
    rim, brim = outline[-1]
    points, beads = int(rng.integers(5, 11)), rng.random() < 0.5
    angles = circle(5 * points)
    saw = np.abs((angles * points / (2 * np.pi)) % 1 - 0.5) * 2
    depth = rim * rng.uniform(0.15, 0.5) * (rng.choice([0.0, 0.5]) if beads else 1.0)
    inside = [(0.86 * rim, brim), (0.74 * rim, brim - 1.2), (0.7 * rim, brim - 0.3 * rim)]
    cup = turned([*outline, *inside], angles, brim - depth * saw ** rng.uniform(0.6, 2.0))
    if not beads:
        return cup
    size = rim * rng.uniform(0.11, 0.2)
    at = [(rim * 0.93 * np.cos(a), rim * 0.93 * np.sin(a), brim + 0.5 * size) for a in circle(points)]
    return joined(cup, *(ball(place, size, 6) for place in at))


def _bishop(height: float, radius: float, style: Style, rng: np.random.Generator) -> Mesh:
    finial = radius * rng.uniform(0.08, 0.17)
    top = height - 1.6 * finial
    neck = radius * rng.uniform(0.26, 0.42) * style.waist, height * rng.uniform(0.5, 0.62)
    body = _body(height, radius, neck, style)
    low, belly = body[-1][1], radius * rng.uniform(0.36, 0.56)
    shares = np.linspace(0.08, 1, 12)
    widest, point = rng.uniform(0.28, 0.45), rng.uniform(0.6, 1.1)
    rise = np.where(
        shares < widest,
        np.sqrt(np.clip(1 - ((widest - shares) / widest) ** 2 * 0.8, 0, 1)),
        np.clip(1 - ((shares - widest) / (1 - widest)) ** 2, 0, 1) ** point,
    )
    mitre = [(float(belly * r), float(low + (top - low) * s)) for s, r in zip(shares, rise, strict=True)]
    mesh = turned([*body, *mitre], circle(_SEAMS), step_mm=1.0)
    if rng.random() < 0.65:
        # a slanting dark groove in the mitre's side
        at = low + rng.uniform(0.45, 0.65) * (top - low)
        slope, half = rng.uniform(0.5, 1.3), rng.uniform(0.6, 1.1)
        x, _y, z = middles_of(mesh).T
        dark = (np.abs((z - at - slope * x) / np.hypot(1, slope)) < half) & (x > -0.5) & (z > at - 2)
        mesh = Mesh(mesh.quads_mm, np.where(dark, rng.uniform(0.1, 0.45), mesh.tone))
    return joined(mesh, ball((0.0, 0.0, top + 0.6 * finial), finial))


def _rook(height: float, radius: float, style: Style, rng: np.random.Generator) -> Mesh:
    neck = radius * rng.uniform(0.48, 0.7) * min(style.waist, 1.1), height * rng.uniform(0.52, 0.66)
    body = _body(height, radius, neck, style)
    tower, low = radius * rng.uniform(0.62, 0.88), body[-1][1]
    brim = max(height * rng.uniform(0.66, 0.8), low + 1.5)
    inner, deep = tower * rng.uniform(0.6, 0.78), height * rng.uniform(0.1, 0.2)
    top = [(0.9 * neck[0], low + 0.4), (tower, brim), (tower * rng.uniform(0.94, 1.06), height), (inner, height)]
    well = [(0.95 * inner, height - deep), (0.0, height - deep)]
    merlons, gap = int(rng.integers(4, 9)), rng.uniform(0.22, 0.45)
    edges = np.array([0.0, 0.02, 0.5 * gap, gap - 0.02, gap, 0.35 + 0.65 * gap, 0.65 + 0.35 * gap])
    angles = np.ravel((np.arange(merlons)[:, None] + edges) * 2 * np.pi / merlons)
    open_ = np.tile([False, True, True, True, False, False, False], merlons)
    limit = np.where(open_, height - min(deep, height * rng.uniform(0.07, 0.14)), height + 1)
    return turned([*body, *top, *well], angles, limit)


_HORSE = np.array([
    (0.72, 0.00), (0.62, 0.16), (0.40, 0.30), (0.26, 0.44),  # chest and throat
    (0.50, 0.42), (0.80, 0.36), (0.98, 0.44), (0.96, 0.57),  # jaw and muzzle
    (0.70, 0.72), (0.50, 0.86), (0.38, 1.00), (0.14, 0.92),  # forehead and ear
    (-0.25, 0.84), (-0.58, 0.62), (-0.74, 0.32), (-0.74, 0.00),  # mane and back
])  # fmt: skip
"""The outline of a horse's head and neck from the side, over the foot's radius and the height above the foot."""


def _knight(height: float, radius: float, style: Style, rng: np.random.Generator) -> Mesh:
    stand = height * rng.uniform(0.1, 0.28)
    plain = replace(style, steps=min(style.steps, 1), collars=0)
    foot = _body(height, radius, (radius * rng.uniform(0.66, 0.85), stand), plain)
    base = turned([*foot, (0.0, foot[-1][1])], circle(_SEAMS))
    profile = _HORSE + rng.normal(0, 0.045, _HORSE.shape) * (1, 0.6)
    profile[[0, -1], 1] = 0.0
    profile[:, 0] = profile[:, 0] * rng.uniform(0.72, 1.12) + rng.uniform(-0.1, 0.1)
    profile[:, 1] = profile[:, 1] / profile[:, 1].max()
    for _ in range(int(rng.integers(0, 3))):
        # cut the corners of a closed outline (Chaikin, "An algorithm for high-speed curve generation", 1974)
        after = np.roll(profile, -1, axis=0)
        profile = np.stack([0.75 * profile + 0.25 * after, 0.25 * profile + 0.75 * after], axis=1).reshape(-1, 2)
    outline = profile * (radius, height - stand + 1.0) + (0.0, stand - 1.0)
    outline[:, 1] += height - outline[:, 1].max()
    half = radius * rng.uniform(0.32, 0.62) * np.array([1.0, rng.uniform(0.4, 1.0)])
    head = relief(
        outline,
        half,
        1.1,
        bevel_mm=radius * rng.uniform(0.12, 0.6),
        roundness=rng.uniform(0.5, 1.0),
        edge=rng.uniform(0.0, 0.7),
    )
    return joined(base, head)


_MAKERS = {"king": _king, "queen": _queen, "rook": _rook, "bishop": _bishop, "knight": _knight}

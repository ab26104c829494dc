"""Chess pieces as surfaces of small four-sided faces: turned bodies, crenels, coronets, crosses and horses' heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats

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
    """Put several surfaces into one."""
    return Mesh(np.concatenate([m.quads_mm for m in meshes]), np.concatenate([m.tone for m in meshes]))


def toned_mesh(mesh: Mesh, dark: Floats, tone: float) -> Mesh:
    """Darken the faces for which `dark`, bool (n,), holds."""
    return Mesh(mesh.quads_mm, np.where(dark, tone, mesh.tone))


def middles_of(mesh: Mesh) -> Floats:
    """Middles of the faces, float64 (n, xyz)."""
    return np.asarray(mesh.quads_mm.mean(axis=1))


def normals_of(mesh: Mesh) -> Floats:
    """Unit vectors out of the faces, float64 (n, xyz)."""
    corners = mesh.quads_mm
    across = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    return np.asarray(across / (np.linalg.norm(across, axis=1, keepdims=True) + 1e-12))


def profile_of(mesh: Mesh) -> Floats:
    """The radius about the axis at every second mm of height, float64 (n,): what casts shadows on other pieces."""
    middles = middles_of(mesh)
    bins = np.clip((middles[:, 2] / _PROFILE_STEP_MM).astype(int), 0, int(mesh.height_mm / _PROFILE_STEP_MM))
    far = np.hypot(middles[:, 0], middles[:, 1])
    radius = np.zeros(bins.max() + 1)
    count = np.zeros(bins.max() + 1)
    np.add.at(radius, bins, far)
    np.add.at(count, bins, 1)
    return np.asarray(radius / np.maximum(count, 1))


def profile_radius(profile: Floats, z_mm: Floats) -> Floats:
    """Look up a profile at heights; 0 above and below."""
    index = np.floor(z_mm / _PROFILE_STEP_MM).astype(int)
    inside = (index >= 0) & (index < len(profile))
    return np.where(inside, profile[np.clip(index, 0, len(profile) - 1)], -5.0)


def turned(outline: Outline, angles: Floats, top_mm: Floats | None = None, step_mm: float = 1.4) -> Mesh:
    """Turn an outline about the axis.

    Args:
        outline: radius and height.
        angles: the directions of the seams, rising, in radians.
        top_mm: how high the surface may reach at each angle, float (n_angles,): lower ones cut gaps into a rim.
        step_mm: the longest face along the outline.
    """
    points = _finely(outline, step_mm)
    cosine, sine = np.cos(angles), np.sin(angles)
    radius, z = points[:, 0][:, None], np.repeat(points[:, 1][:, None], len(angles), axis=1)
    if top_mm is not None:
        z = np.minimum(z, top_mm[None, :])
    rings = np.stack([radius * cosine, radius * sine, z], axis=-1)
    after = np.roll(rings, -1, axis=1)
    quads = np.stack([rings[:-1], after[:-1], after[1:], rings[1:]], axis=2).reshape(-1, 4, 3)
    return _whole(quads)


def ball(middle_mm: Sequence[float], radius_mm: float, seams: int = 8) -> Mesh:
    """A ball."""
    rise = np.linspace(-np.pi / 2, np.pi / 2, max(5, seams // 2 + 1))
    outline = [(float(radius_mm * np.cos(a)), float(radius_mm * np.sin(a))) for a in rise]
    mesh = turned(outline, circle(seams), step_mm=9.0)
    return Mesh(mesh.quads_mm + np.asarray(middle_mm), mesh.tone)


def box(low_mm: Sequence[float], high_mm: Sequence[float]) -> Mesh:
    """A box between two corners (xyz)."""
    (x0, y0, z0), (x1, y1, z1) = low_mm, high_mm
    a, b, c, d = (x0, y0), (x1, y0), (x1, y1), (x0, y1)
    floor, roof = [(*p, z0) for p in (a, b, c, d)], [(*p, z1) for p in (a, b, c, d)]
    sides = [[floor[i], floor[(i + 1) % 4], roof[(i + 1) % 4], roof[i]] for i in range(4)]
    quads = np.array([*sides, roof, floor[::-1]], dtype=np.float64)
    return Mesh(quads, np.ones(len(quads)))


def prism(polygon_mm: Floats, half_mm: float) -> Mesh:
    """A convex outline (n, (along x, z)), counter-clockwise, as a plate of twice `half_mm` across y."""
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
    """An outline (n, (x, z)) of any form, thick in the middle and thin at its edge.

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
    """Evenly spread angles."""
    return np.asarray(np.arange(seams) * 2 * np.pi / seams)


def _finely(outline: Outline, step_mm: float) -> Floats:
    points = np.array(outline, dtype=np.float64)
    steps = np.diff(points, axis=0)
    counts = np.maximum(1, np.ceil(np.hypot(steps[:, 0], steps[:, 1]) / step_mm)).astype(int)
    shares = np.concatenate([np.arange(n) / n for n in counts])[:, None]
    piece = np.repeat(np.arange(len(steps)), counts)
    return np.concatenate([points[piece] + shares * steps[piece], points[-1:]])


def _whole(quads: Floats) -> Mesh:
    """Leave out faces that have shrunk to nothing."""
    across = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    whole = quads[np.linalg.norm(across, axis=1) > 1e-6]
    return Mesh(whole, np.ones(len(whole)))

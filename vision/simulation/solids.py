"""Pieces as solids of revolution: an outline turned about a vertical axis, seen at a slant and lit.

Within one small piece the camera is nearly affine: in board coordinates a point at height z appears shifted by z times
a fixed vector, the shear. So the picture of a solid depends on the shear's length alone; it is drawn once for a length
as a stack of discs, of which each overwrites what it covers, and shaded and laid into the picture for each piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.simulation.rays import Floats32
from vision.simulation.scene import PieceShape

_SLICE_MM = 0.4
SHEAR_STEP = 0.04


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Slices of a solid in painting order, arrays (n_slices,).

    `radius_mm`, `z_mm`; `normal_out`, `normal_up`: the surface's direction; `white`: share of white colour;
    `openness`: share of the light from everywhere that gets there; `inner`: inside a hollow, seen only through its
    opening.
    """

    radius_mm: Floats32
    z_mm: Floats32
    normal_out: Floats32
    normal_up: Floats32
    white: Floats32
    openness: Floats32
    inner: NDArray[np.bool_]

    @property
    def top_mm(self) -> float:
        """Height of the highest slice."""
        return float(self.z_mm.max())

    @property
    def reach_mm(self) -> float:
        """Radius of the widest slice."""
        return float(self.radius_mm.max())

    @property
    def head_mm(self) -> float:
        """Height of the widest slice: the middle of the head."""
        return float(self.z_mm[int(self.radius_mm.argmax())])


@lru_cache(maxsize=64)
def solid_of(shape: PieceShape) -> Solid:
    """Turn a piece's outline about its axis."""
    outline = _stem(shape) + _HEADS[shape.head](shape)
    parts = [_slices(outline, shape)]
    if shape.dot is not None:
        parts.append(_dot(shape, outline))
    return Solid(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


Outline = list[tuple[float, float]]
_Columns = tuple[Floats32, Floats32, Floats32, Floats32, Floats32, Floats32, NDArray[np.bool_]]


def _stem(shape: PieceShape) -> Outline:
    neck = shape.height_mm - _head_height(shape)
    return [(shape.foot_mm / 2, 0.0), (shape.stem_mm / 2, max(neck - 2, 0.5)), (shape.stem_mm / 2 + 0.4, neck)]


def _head_height(shape: PieceShape) -> float:
    if shape.head in _LOW_HEADS:
        return shape.height_mm - _FOOT_MM
    share = {"ball": 0.92, "cone": 0.6, "cup": 0.55, "disc": 0.22, "mushroom": 0.5}[shape.head]
    return share * shape.head_mm


def _ball(shape: PieceShape) -> Outline:
    radius, top = shape.head_mm / 2, shape.height_mm
    angles = np.linspace(-0.9, np.pi / 2, 16)
    return [(float(radius * np.cos(a)), float(top - radius + radius * np.sin(a))) for a in angles]


def _cone(shape: PieceShape) -> Outline:
    radius, top = shape.head_mm / 2, shape.height_mm
    low = top - _head_height(shape)
    return [
        (radius * 0.5, low + 0.45 * (top - low)),
        (radius, top - 1.2),
        (radius, top - 0.3),
        (radius * 0.9, top),
        (0, top),
    ]


def _cup(shape: PieceShape) -> Outline:
    radius, top = shape.head_mm / 2, shape.height_mm
    low = top - _head_height(shape)
    deep = max(low + 1, top - 0.45 * shape.head_mm * 0.6)
    side = [(radius * 0.55, low + 0.4 * (top - low)), (radius * 0.95, top - 1.4), (radius, top - 0.6)]
    return [*side, (radius * 0.94, top), (radius * 0.84, top), (radius * 0.6, (top + deep) / 2 - 0.5), (0, deep)]


def _disc(shape: PieceShape) -> Outline:
    radius, top = shape.head_mm / 2, shape.height_mm
    low = top - _head_height(shape)
    return [(radius * 0.96, low), (radius, low + 0.5), (radius, top - 0.5), (radius * 0.94, top), (0, top)]


def _mushroom(shape: PieceShape) -> Outline:
    radius, high = shape.head_mm / 2, _head_height(shape)
    low = shape.height_mm - high
    angles = np.linspace(0, np.pi / 2, 12)
    return [
        (radius * 0.92, low),
        *((float(radius * np.cos(a)), float(low + 0.3 + (high - 0.3) * np.sin(a))) for a in angles),
    ]


def _puck(shape: PieceShape) -> Outline:
    radius, top, bevel = shape.head_mm / 2, shape.height_mm, 0.12 * shape.height_mm
    return [(radius, _FOOT_MM), (radius, top - bevel), (radius - bevel, top), (0, top)]


def _pebble(shape: PieceShape) -> Outline:
    radius, top = shape.head_mm / 2, shape.height_mm
    angles = np.linspace(-0.9, np.pi / 2, 14)
    middle, half = 0.45 * top, 0.55 * top
    return [(float(radius * np.cos(a) ** 0.6), float(middle + half * np.sin(a))) for a in angles]


_FOOT_MM = 0.6
_LOW_HEADS = ("puck", "pebble")
_HEADS = {
    "ball": _ball,
    "cone": _cone,
    "cup": _cup,
    "disc": _disc,
    "mushroom": _mushroom,
    "puck": _puck,
    "pebble": _pebble,
}


def slices_of(outline: Outline, slice_mm: float) -> tuple[Floats32, Floats32, Floats32, Floats32, NDArray[np.bool_]]:
    """Cut an outline, a list of (radius, z) from foot to the middle of the top, into slices in painting order.

    Returns arrays (n_slices,): radius, z, the surface's direction outwards and upwards, and whether a slice is inside
    a hollow.
    """
    points = np.array(outline, np.float64)
    steps = np.diff(points, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    counts = np.maximum(1, np.ceil(lengths / slice_mm)).astype(int)
    piece = np.repeat(np.arange(len(steps)), counts)
    share = np.concatenate([np.arange(c) / c for c in counts])[:, None]
    radius, z = (points[piece] + share * steps[piece]).T.astype(np.float32)
    out, up = _smooth_normals(steps, lengths, piece, share[:, 0])
    inner = (np.arange(len(z)) > int(z.argmax())) & (z < z.max() - 0.05)
    return radius, z, out.astype(np.float32), up.astype(np.float32), inner


def _slices(outline: Outline, shape: PieceShape) -> _Columns:
    """Slices of a piece's own colour; less light gets under its head and into a hollow."""
    radius, z, out, up, inner = slices_of(outline, _SLICE_MM)
    widest = float(z[int(radius.argmax())])
    below = np.clip(0.5 + 0.5 * z / max(widest, 1), 0.5, 0.9) * 0.8
    openness = np.where(z < widest - 0.5, below, 1.0)
    openness = np.where(inner, np.clip(1 - (z.max() - z) / shape.head_mm, 0.35, 1) * 0.85, openness)
    return _columns(radius, z, out, up, np.zeros_like(z), openness, inner)


def _smooth_normals(steps: Floats, lengths: Floats, piece: NDArray[np.int_], share: Floats) -> tuple[Floats, Floats]:
    """Directions of the surface, blended between the outline's pieces where these meet at a flat angle."""
    flat = np.stack([steps[:, 1], -steps[:, 0]], axis=1) / (lengths[:, None] + 1e-9)
    follower = flat[np.minimum(piece + 1, len(flat) - 1)]
    own = flat[piece]
    gentle = np.sum(own * follower, axis=1) > 0.8
    mixed = np.where(gentle[:, None], own + share[:, None] * (follower - own), own)
    mixed /= np.hypot(mixed[:, 0], mixed[:, 1])[:, None] + 1e-9
    return mixed[:, 0], mixed[:, 1]


def _dot(shape: PieceShape, outline: Outline) -> _Columns:
    """The white dot: a ball that rests in the head, or a flat disc of paint on its top."""
    radius, seat = shape.dot_mm / 2, outline[-1][1]
    if shape.dot == "flat":
        radii = np.array([radius, radius * 0.5])
        ones, zeros = np.ones(2), np.zeros(2)
        return _columns(radii, zeros + seat + 0.05, zeros, ones, ones, ones, zeros > 1)
    middle = max(seat + radius, shape.height_mm - radius * 0.35) if shape.head == "cup" else seat + radius * 0.6
    angles = np.linspace(-0.3, np.pi / 2, 18)
    ones = np.ones_like(angles)
    open_share = np.clip(0.75 + 0.25 * np.sin(angles), 0, 1)
    return _columns(
        radius * np.cos(angles),
        middle + radius * np.sin(angles),
        np.cos(angles),
        np.sin(angles),
        ones,
        open_share,
        ones < 0,
    )


def _columns(*values: NDArray[np.generic]) -> _Columns:
    numbers = [np.asarray(v, np.float32) for v in values[:6]]
    return numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], np.asarray(values[6], np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Impression:
    """A solid seen under one shear length, in its own frame: `along` the shear, `across` it.

    Attributes:
        inside: bool (height, width), where the solid is.
        slice_index: int (n_inside,), the slice seen.
        normal: float32 (n_inside, (along, across, up)).
        origin: the pixel (along, across) over which the *top* of the axis stands.
        px_per_mm: resolution.
    """

    inside: NDArray[np.bool_]
    slice_index: NDArray[np.int16]
    normal: Floats32
    origin: tuple[float, float]
    px_per_mm: float


@lru_cache(maxsize=64)
def impression(shape: PieceShape, shear_steps: int, px_per_mm: float) -> Impression:
    """Draw a shape under a shear of `shear_steps` times SHEAR_STEP, at a resolution."""
    solid, shear = solid_of(shape), shear_steps * SHEAR_STEP
    reach, top = solid.reach_mm + 1, solid.top_mm
    size = (round((2 * reach + top * shear) * px_per_mm), round(2 * reach * px_per_mm))
    origin = ((reach + top * shear) * px_per_mm, reach * px_per_mm)
    index = np.full(size[::-1], -1, np.int16)
    opening: NDArray[np.bool_] | None = None
    for number, (radius, z, inner) in enumerate(zip(solid.radius_mm, solid.z_mm, solid.inner, strict=True)):
        window, disc = _covered(size, (origin[0] + (z - top) * shear * px_per_mm, origin[1]), radius * px_per_mm)
        if not inner:
            opening = None
        elif opening is None:
            opening = np.zeros(index.shape, np.bool_)
            opening[window] = disc
        index[window][disc if opening is None else disc & opening[window]] = number
    inside = index >= 0
    normal = _normals(solid, index, origin, shear, px_per_mm)[inside]
    return Impression(inside, index[inside], normal, origin, px_per_mm)


def _covered(
    size_wh: tuple[int, int], middle: tuple[float, float], radius_px: float
) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
    """The rows and columns round a disc, and which of their pixels it covers."""
    columns, rows = (
        np.arange(max(int(m - radius_px), 0), min(int(m + radius_px) + 2, length), dtype=np.float32)
        for m, length in zip(middle, size_wh, strict=True)
    )
    far = np.square(columns - np.float32(middle[0]))[None, :] + np.square(rows - np.float32(middle[1]))[:, None]
    window = (slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1))
    return window, np.asarray(far <= radius_px * radius_px)


def _normals(
    solid: Solid, index: NDArray[np.int16], origin: tuple[float, float], shear: float, px_per_mm: float
) -> Floats32:
    across, along = np.mgrid[: index.shape[0], : index.shape[1]].astype(np.float32)
    seen = np.maximum(index, 0)
    along -= np.float32(origin[0]) + (solid.z_mm[seen] - np.float32(solid.top_mm)) * np.float32(shear * px_per_mm)
    across -= np.float32(origin[1])
    far = np.sqrt(along * along + across * across) + np.float32(1e-3)
    out = solid.normal_out[seen]
    return np.stack([out * along / far, out * across / far, solid.normal_up[seen]], axis=-1)

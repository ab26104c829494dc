"""What dice are on: cloth, wood, the rims of trays, and prints with dots that are no dice."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32
from vision.simulation.canvas import noise_field
from vision.training.render.dice_looks import pip_places, random_albedo

TILE_PX = 512
"""Side of a ground's picture."""

_OUTLINES = (
    np.array([(0, 0), (1, 0), (1, 1), (0, 1)]),
    np.array([(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)]),
    0.5 + 0.5 * np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40, endpoint=False)]),
)
"""What is printed: squares, diamonds, discs, in a field's own length."""

_SHIFT = 4
"""Bits after the point in what OpenCV draws."""


def random_ground(rng: np.random.Generator, px_per_edge: float) -> Floats32:
    """Draw a table's top, albedo float32 (TILE_PX, TILE_PX, 3); `px_per_edge` is the length of a die's edge on it."""
    ground = _material(rng, px_per_edge)
    if rng.random() < 0.3:
        ground = _rimmed(ground, _material(rng, px_per_edge), rng, px_per_edge)
    if rng.random() >= 0.3:
        return ground
    coded = (255 * np.sqrt(ground)).astype(np.uint8)
    _print_on(coded, rng, px_per_edge)
    return np.square(coded.astype(np.float32) / 255)


def _material(rng: np.random.Generator, px_per_edge: float) -> Floats32:
    first = random_albedo(rng)
    first = np.asarray(first.mean() + rng.uniform(0.1, 1) * (first - first.mean()), np.float32)
    second = np.clip(first * np.exp(rng.normal(0, 0.5) + rng.normal(0, 0.15, 3)), 0, 1)
    share = _pattern(rng, px_per_edge)
    return np.asarray(np.clip(first + share[..., None] * (second - first), 0, 1), np.float32)


def _rimmed(inside: Floats32, rim: Floats32, rng: np.random.Generator, px_per_edge: float) -> Floats32:
    """Lay the straight or round rim of a tray about the ground; it takes some light from what is near."""
    row, column = np.mgrid[:TILE_PX, :TILE_PX].astype(np.float32) - TILE_PX / 2
    angle = rng.uniform(0, 2 * np.pi)
    along = column * np.cos(angle) + row * np.sin(angle)
    radius = rng.uniform(0.5, 2) * TILE_PX
    round_px = np.hypot(along + radius, column * np.sin(angle) - row * np.cos(angle)) - radius
    beyond_px = (along if rng.random() < 0.6 else round_px) - rng.uniform(-0.35, 0.35) * TILE_PX
    darker = rng.uniform(0, 0.6) * np.exp(np.minimum(beyond_px, 0) / (rng.uniform(0.2, 1.5) * px_per_edge + 1))
    share = np.clip(beyond_px + 0.5, 0, 1)[..., None]
    return np.asarray(inside * (1 - darker[..., None]) * (1 - share) + rim * share, np.float32)


def _pattern(rng: np.random.Generator, px_per_edge: float) -> Floats32:
    """How much of the second colour there is, float32 (TILE_PX, TILE_PX)."""
    size = (TILE_PX, TILE_PX)
    scale = px_per_edge * np.exp(rng.uniform(-1.5, 1.2))
    grain = noise_field(rng, size, (1.5, 1.5)) * rng.uniform(0, 0.25)
    match rng.integers(5):
        case 0:
            return np.asarray(grain + 0.3, np.float32)
        case 1:
            return np.asarray(grain + 0.5 + 0.3 * noise_field(rng, size, (scale, scale)), np.float32)
        case 2:
            bend = noise_field(rng, size, (10 * scale, scale)) * 2.5
            across = np.arange(TILE_PX, dtype=np.float32)[:, None] / (0.3 * scale + 1)
            fibre = noise_field(rng, size, (4 * scale + 2, 1.5)) * 0.2
            return np.asarray(grain + 0.5 + 0.3 * np.sin(across + bend) + fibre, np.float32)
        case 3:
            weave = noise_field(rng, size, (3, 1)) + noise_field(rng, size, (1, 3))
            return np.asarray(grain + 0.5 + 0.25 * weave, np.float32)
        case _:
            veins = np.exp(-np.square(12 * noise_field(rng, size, (2 * scale + 2, 2 * scale + 2))))
            return np.asarray(grain + 0.2 + 0.6 * veins, np.float32)


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
        edge = _fixed(corner + outline @ field)
        cv2.fillPoly(ground, [edge], paper, cv2.LINE_AA, _SHIFT)
        _sign(ground, rng, corner, field, ink)
        if lined:
            thick = max(1, int(field_px / 24))
            cv2.polylines(ground, [edge], isClosed=True, color=ink, thickness=thick, lineType=cv2.LINE_AA, shift=_SHIFT)


def _fixed(points_px: Floats) -> NDArray[np.int32]:
    """Return points (n, 2) as OpenCV takes them, in parts of a pixel."""
    return np.asarray(np.round(points_px * 2**_SHIFT), np.int32)


def _sign(ground: ImageBgr, rng: np.random.Generator, corner: Floats, field: Floats, ink: Sequence[float]) -> None:
    """Draw dots as on dice or anywhere, a ring, a number or nothing into a field, whose axes `field` are, (2, 2)."""
    field_px, kind = float(np.hypot(*field[0])), rng.random()
    if kind < 0.65:
        radius = int(field_px * rng.uniform(0.06, 0.14) * 2**_SHIFT)
        for x, y in _fixed(corner + _dots(rng) @ field).tolist():
            cv2.circle(ground, (x, y), radius, ink, -1, cv2.LINE_AA, _SHIFT)
    elif kind < 0.75:
        ((x, y),) = _fixed(corner + np.full((1, 2), 0.5) @ field).tolist()
        radius, thick = int(field_px * rng.uniform(0.1, 0.4) * 2**_SHIFT), max(1, int(field_px / 16))
        cv2.circle(ground, (x, y), radius, ink, thick, cv2.LINE_AA, _SHIFT)
    elif kind < 0.9:
        x, y = (corner + np.array((0.2, 0.8)) @ field).astype(int).tolist()
        text = str(rng.integers(1, 13))
        cv2.putText(ground, text, (x, y), int(rng.integers(0, 5)), field_px / 40, ink, max(1, int(field_px / 16)))


def _dots(rng: np.random.Generator) -> Floats:
    """Choose places of one to six dots in a field, float64 (n, 2): often one, often as on dice."""
    if rng.random() < 0.3:
        grid = [(x, y) for x in (0.25, 0.5, 0.75) for y in (0.25, 0.5, 0.75)]
        return np.asarray(rng.permutation(grid)[: rng.integers(1, 7)], np.float64)
    value = int(rng.choice(6, p=(0.4, 0.12, 0.12, 0.12, 0.12, 0.12))) + 1
    return np.asarray(0.5 + pip_places(value, 0.25, 0.25), np.float64)

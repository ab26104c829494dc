"""Patterns without a beginning: speckle, wood, planks, cloth and marble as fields of values about 0."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.simulation.colour import canvas_bgr
from vision.simulation.rays import Floats32
from vision.simulation.scene import Surface

TILE_MM = 1024
"""Side of a table's pattern; it repeats beyond."""


def noise_field(rng: np.random.Generator, size_wh: tuple[int, int], period_wh: tuple[float, float]) -> Floats32:
    """Smooth noise of about unit strength, float32 (height, width); `period_wh` is its coarseness in pixels."""
    cells = [max(2, round(s / p) + 1) for s, p in zip(size_wh, period_wh, strict=True)]
    seed = rng.standard_normal((cells[1], cells[0]), dtype=np.float32)
    return np.asarray(cv2.resize(seed, size_wh, interpolation=cv2.INTER_CUBIC), np.float32)


def weave_field(rng: np.random.Generator, weave: str, size_wh: tuple[int, int], px_per_mm: float) -> Floats32:
    """Texture of a material of the given pixels per mm, about 0, mostly within -1 to 1, float32 (height, width)."""
    fine = noise_field(rng, size_wh, (1.2, 1.2)) * 0.5
    if weave == "wood":
        return np.asarray(fine * 0.4 + _rings(rng, size_wh, px_per_mm), np.float32)
    if weave == "mottle":
        return np.asarray(fine * 0.3 + noise_field(rng, size_wh, (9 * px_per_mm, 9 * px_per_mm)) * 0.6, np.float32)
    return fine


def _rings(rng: np.random.Generator, size_wh: tuple[int, int], px_per_mm: float) -> Floats32:
    """Wood: long fibres and the bent bands of year rings."""
    fibre = noise_field(rng, size_wh, (60 * px_per_mm, 0.9 * px_per_mm)) * 0.4
    bend = noise_field(rng, size_wh, (160 * px_per_mm, 24 * px_per_mm)) * 1.6
    across = np.arange(size_wh[1], dtype=np.float32)[:, None] / (px_per_mm * rng.uniform(5, 14))
    return np.asarray(fibre + 0.5 * np.sin(across + bend), np.float32)


def table_tile(surface: Surface, rng: np.random.Generator, px_per_mm: float) -> ImageBgr:
    """Draw one tile of a table's top, TILE_MM wide, canvas values uint8 (side, side, 3)."""
    side = round(TILE_MM * px_per_mm)
    share = np.maximum(_pattern(surface, rng, side, px_per_mm) * 255, 0)
    first, second = (np.array(canvas_bgr(c)) for c in (surface.colour, surface.second))
    palette = np.round(first + np.linspace(0, 1, 256)[:, None] * (second - first)).astype(np.uint8)
    return np.asarray(cv2.LUT(cv2.cvtColor(cv2.convertScaleAbs(share), cv2.COLOR_GRAY2BGR), palette[None]), np.uint8)


def _pattern(surface: Surface, rng: np.random.Generator, side: int, px_per_mm: float) -> Floats32:
    """How much of the second colour there is, float32 (side, side)."""
    size, scale = (side, side), surface.scale_mm * px_per_mm
    grain = noise_field(rng, size, (1.5, 1.5)) * 0.06
    if surface.kind in ("wood", "planks"):
        return grain + _timber(surface, rng, side, px_per_mm)
    if surface.kind == "cloth":
        threads, waves = noise_field(rng, size, (3, 1)), noise_field(rng, size, (scale, scale))
        return np.asarray(0.5 + grain * 4 + threads * 0.12 + waves * 0.1, np.float32)
    if surface.kind == "marble":
        return grain + _veins(rng, size, scale)
    return np.asarray(0.3 + grain * 0.5 + noise_field(rng, size, (scale * 4, scale * 4)) * 0.1, np.float32)


def _timber(surface: Surface, rng: np.random.Generator, side: int, px_per_mm: float) -> Floats32:
    size, scale = (side, side), surface.scale_mm
    bend = noise_field(rng, size, (400 * px_per_mm, scale * px_per_mm)) * 2.5
    across = np.arange(side, dtype=np.float32)[:, None] / (px_per_mm * scale / 4)
    fibre = noise_field(rng, size, (100 * px_per_mm, 1.5 * px_per_mm)) * 0.16
    wood = 0.5 + 0.28 * np.sin(across + bend) + fibre
    if surface.kind == "planks":
        plank = (np.arange(side) / (px_per_mm * 2.2 * scale)).astype(int)
        shift = rng.uniform(-0.22, 0.22, plank.max() + 1).astype(np.float32)[plank][:, None]
        gap = np.diff(plank, prepend=plank[:1])[:, None]
        wood = wood + shift + gap * 0.8
    return np.asarray(wood, np.float32)


def _veins(rng: np.random.Generator, size_wh: tuple[int, int], scale_px: float) -> Floats32:
    """Dark lines where slow noise crosses zero."""
    slow = noise_field(rng, size_wh, (scale_px * 1.6, scale_px * 1.6)) + 0.4 * noise_field(
        rng, size_wh, (scale_px / 3, scale_px / 3)
    )
    cloud = noise_field(rng, size_wh, (scale_px, scale_px)) * 0.1 + 0.15
    return np.asarray(cloud + 0.5 * np.exp(-np.square(slow * 12)), np.float32)

"""Light and cameras by chance: from an even sky to a dim warm lamp, a low sun and a mirrored window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from vision.board import Board
from vision.simulation.scene import Point3, SceneLight, Sensor, Spot

_BY_TIER: Mapping[str, tuple[str, ...]] = {
    "easy": ("even", "even", "daylight"),
    "medium": ("even", "window", "window", "glare", "lamp"),
    "hard": ("window", "dim", "warm", "side", "sun", "glare", "lamp"),
    "occluded": ("even", "window", "window", "warm", "sun", "lamp", "dim"),
}


def random_light(board: Board, rng: np.random.Generator, tier: str) -> SceneLight:
    """Make up the light of a room for a tier."""
    return _ROOMS[str(rng.choice(_BY_TIER[tier]))](board, rng)


def _lamp(board: Board, rng: np.random.Generator, slope: tuple[float, float], far: tuple[float, float]) -> Point3:
    """A place above the board: `slope` is its angle over the table in degrees, `far` its distance in mm."""
    angle, height, distance = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(*slope)), rng.uniform(*far)
    out = distance * np.cos(height)
    x, y = board.size[0] / 2 + out * np.cos(angle), board.size[1] / 2 + out * np.sin(angle)
    return float(x), float(y), float(distance * np.sin(height))


def _warmth(rng: np.random.Generator, low_kelvin: float, high_kelvin: float) -> tuple[float, float, float]:
    """Colour of a glowing body against daylight, roughly: red and blue move in opposite ways."""
    mired = 1e6 / rng.uniform(low_kelvin, high_kelvin) - 1e6 / 5500
    return float(np.exp(mired * 0.0019)), 1.0, float(np.exp(-mired * 0.0031))


def _even(board: Board, rng: np.random.Generator) -> SceneLight:
    return SceneLight(
        _lamp(board, rng, (45, 85), (900, 3000)),
        lamp=rng.uniform(0.2, 0.5),
        penumbra=rng.uniform(0.2, 0.5),
        gain_rgb=_warmth(rng, 4500, 6500),
    )


def _window(board: Board, rng: np.random.Generator) -> SceneLight:
    return SceneLight(
        _lamp(board, rng, (25, 60), (700, 2000)),
        lamp=rng.uniform(0.4, 0.75),
        penumbra=rng.uniform(0.12, 0.35),
        gain_rgb=_warmth(rng, 4000, 8000),
        glare=float(rng.choice([0.0, 0.15, 0.4])),
        glare_width=rng.uniform(0.1, 0.25),
    )


def _dim(board: Board, rng: np.random.Generator) -> SceneLight:
    dark = rng.uniform(0.08, 0.4)
    warm = np.array(_warmth(rng, 2700, 5500)) * dark
    return SceneLight(
        _lamp(board, rng, (25, 70), (600, 2500)),
        lamp=rng.uniform(0.3, 0.75),
        penumbra=rng.uniform(0.05, 0.3),
        gain_rgb=(float(warm[0]), float(warm[1]), float(warm[2])),
    )


def _warm(board: Board, rng: np.random.Generator) -> SceneLight:
    return SceneLight(
        _lamp(board, rng, (30, 75), (500, 1500)),
        lamp=rng.uniform(0.5, 0.85),
        penumbra=rng.uniform(0.04, 0.2),
        gain_rgb=_warmth(rng, 2300, 3200),
    )


def _side(board: Board, rng: np.random.Generator) -> SceneLight:
    return SceneLight(
        _lamp(board, rng, (15, 35), (450, 1500)),
        lamp=rng.uniform(0.55, 0.85),
        penumbra=rng.uniform(0.04, 0.2),
        gain_rgb=_warmth(rng, 3000, 7000),
    )


def _sun(board: Board, rng: np.random.Generator) -> SceneLight:
    return SceneLight(
        _lamp(board, rng, (25, 65), (20000, 30000)),
        lamp=rng.uniform(0.65, 0.9),
        penumbra=rng.uniform(0.005, 0.03),
        gain_rgb=_warmth(rng, 4500, 6500),
    )


def _glare(board: Board, rng: np.random.Generator) -> SceneLight:
    """A lamp whose mirror image is on or beside the board."""
    return SceneLight(
        _lamp(board, rng, (35, 70), (500, 1200)),
        lamp=rng.uniform(0.3, 0.7),
        penumbra=rng.uniform(0.03, 0.2),
        gain_rgb=_warmth(rng, 2700, 6500),
        glare=rng.uniform(0.4, 4.0),
        glare_width=rng.uniform(0.04, 0.14),
        glare_panes=int(rng.choice([0, 1, 2, 3], p=[0.6, 0.1, 0.2, 0.1])),
    )


def _desk_lamp(board: Board, rng: np.random.Generator) -> SceneLight:
    """A narrow cone of light on part of the board, or somebody's shadow."""
    spot = Spot(
        float(rng.uniform(0, board.size[0])),
        float(rng.uniform(0, board.size[1])),
        radius_mm=rng.uniform(0.2, 0.7) * board.size[0],
        strength=rng.uniform(0.2, 1.2) if rng.random() < 0.6 else -rng.uniform(0.2, 0.65),
        edge_mm=rng.uniform(4, 80),
    )
    return SceneLight(
        _lamp(board, rng, (40, 80), (400, 900)),
        lamp=rng.uniform(0.3, 0.7),
        penumbra=rng.uniform(0.02, 0.15),
        gain_rgb=_warmth(rng, 2700, 5000),
        spot=spot,
    )


_ROOMS: Mapping[str, Callable[[Board, np.random.Generator], SceneLight]] = {
    "even": _even,
    "daylight": lambda board, rng: replace(_window(board, rng), glare=0.0),
    "window": _window,
    "dim": _dim,
    "warm": _warm,
    "side": _side,
    "sun": _sun,
    "glare": _glare,
    "lamp": _desk_lamp,
}


def random_sensor(rng: np.random.Generator, tier: str, size_wh: tuple[int, int]) -> Sensor:
    """Make up a camera's behaviour: exposure and white balance miss more in the harder tiers."""
    miss = {"easy": 0.04, "medium": 0.11, "hard": 0.13, "occluded": 0.1}[tier]
    red, blue = np.exp(rng.normal(0, miss, 2))
    unit = size_wh[0] / 1640
    return Sensor(
        exposure=float(np.exp(rng.normal(-0.12, 2.2 * miss))),
        white_rgb=(float(red), 1.0, float(blue)),
        contrast=rng.uniform(-0.15, 0.45),
        saturation=rng.uniform(0.8, 1.2),
        noise=float(rng.choice([0.8, 1.5, 3.0, 5.0], p=[0.35, 0.35, 0.2, 0.1])),
        blotch=rng.uniform(0, 1.5),
        vignette=rng.uniform(0, 0.35),
        blur_px=float(max(0.35, rng.normal(0.75, 0.3) * unit)),
        shake_px=(float(rng.normal(0, 0.8) * unit), float(rng.normal(0, 0.8) * unit)),
        sharpen=float(rng.choice([0.0, 0.4, 0.9], p=[0.5, 0.3, 0.2])),
        jpeg=int(rng.integers(60, 96)),
    )

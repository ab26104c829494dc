"""The four French suits as outlines of unit size about (0, 0), y down, in random proportions."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats
from vision.simulation.decks.sheet import Polygons, ellipse

_STEPS = np.linspace(0, 1, 12)[:, None]


def random_suits(rng: np.random.Generator) -> dict[str, Polygons]:
    """Draw a deck's own four suits."""
    stem = _stem(rng)
    return {
        "clubs": _club(rng, stem),
        "diamonds": (_diamond(rng),),
        "hearts": (_heart(rng),),
        "spades": _spade(rng, stem),
    }


def _curve(start: Floats, pull: Floats, push: Floats, end: Floats) -> Floats:
    """A cubic Bezier curve, float64 (12, xy)."""
    t = _STEPS
    return np.asarray((1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * pull + 3 * t**2 * (1 - t) * push + t**3 * end)


def _mirrored(half: Floats) -> Floats:
    """Close a right half, from the axis down to the axis, with its mirror image."""
    return np.concatenate([half, half[::-1] * (-1, 1)])


def _diamond(rng: np.random.Generator) -> Floats:
    width = rng.uniform(0.36, 0.5)
    bend = rng.choice((0.0, rng.uniform(0.0, 0.14), rng.uniform(-0.05, 0.0)), p=(0.4, 0.45, 0.15))
    top, side = np.array([0, -0.5]), np.array([width, 0])
    middle = (top + side) / 2 * (1 - 2 * bend)
    upper = _curve(top, (top + middle) / 2, (side + middle) / 2, side)
    return _mirrored(np.concatenate([upper, upper[::-1] * (1, -1)]))


def _heart(rng: np.random.Generator) -> Floats:
    notch = np.array([0, rng.uniform(-0.34, -0.18)])
    side = np.array([rng.uniform(0.42, 0.5), rng.uniform(-0.3, -0.14)])
    shoulder = rng.uniform(0.5, 0.68)
    lobe = _curve(notch, np.array([rng.uniform(0.02, 0.14), -shoulder]), np.array([side[0], -shoulder]), side)
    belly = rng.uniform(0.0, 0.3)
    tip = np.array([0, 0.5])
    flank = _curve(
        side, np.array([side[0], side[1] + belly]), np.array([rng.uniform(0.04, 0.25), rng.uniform(0.15, 0.35)]), tip
    )
    return _mirrored(np.concatenate([lobe, flank]))


def _stem(rng: np.random.Generator) -> Floats:
    """A foot that flares, from (0, 0) down to y = 0.5."""
    neck, foot = rng.uniform(0.015, 0.06), rng.uniform(0.06, 0.26)
    flare = _curve(
        np.array([neck, 0]), np.array([neck, 0.3]), np.array([foot * rng.uniform(0.2, 1), 0.48]), np.array([foot, 0.5])
    )
    return _mirrored(np.concatenate([[(0, -0.05)], flare]))


def _spade(rng: np.random.Generator, stem: Floats) -> Polygons:
    leaf = _heart(rng) * (1, -1)
    height = rng.uniform(0.7, 0.9)
    leaf = leaf * (1, height) + (0, height / 2 - 0.5)
    return leaf, stem


def _club(rng: np.random.Generator, stem: Floats) -> Polygons:
    """Three leaves, round or like drops, and a stem."""
    radius = rng.uniform(0.19, 0.25)
    spread = 0.5 - radius
    low = rng.uniform(0.02, 0.14)
    middles = np.array([(0, radius - 0.5), (-spread, low), (spread, low)])
    heart = np.array([0, low * rng.uniform(0.2, 0.9) - 0.02])
    if rng.random() < 0.25:
        leaves = tuple(_drop(heart, middle, radius) for middle in middles)
    else:
        leaves = tuple(ellipse(middle, radius) for middle in middles)
    thick = rng.uniform(0.03, 0.13)
    return *leaves, ellipse(heart, thick), stem


def _drop(tip: Floats, middle: Floats, radius: float) -> Floats:
    """A leaf that is round about its middle and runs to a point."""
    round_end = ellipse(middle, radius) + (middle - tip) * 0.1
    return np.asarray(cv2.convexHull(np.vstack([round_end, tip]).astype(np.float32)), np.float64).reshape(-1, 2)

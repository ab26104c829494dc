"""Bands of a lamp are taken out of pictures, and nothing else is taken for bands."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera.flicker import FlickerFilter
from vision.frame import Frame, ImageBgr

_HEIGHT, _WIDTH = 300, 400


def _table(rng: np.random.Generator) -> ImageBgr:
    """Draw a table of squares of all levels."""
    squares = rng.uniform(40, 180, size=(10, 10, 3))
    return np.asarray(np.kron(squares, np.ones((_HEIGHT // 10, _WIDTH // 10, 1))), np.uint8)


def _banded(image_bgr: ImageBgr, phase: float, depth: float, periods: float) -> ImageBgr:
    at = np.arange(len(image_bgr)) / len(image_bgr)
    gain = 1 + depth * np.sin(2 * np.pi * (periods * at + phase))
    return np.asarray((image_bgr * gain[:, None, None]).clip(0, 255), np.uint8)


@pytest.mark.parametrize(("depth", "periods"), [(0.08, 2.6), (0.15, 2.0), (0.15, 6.3)])
def test_bands_are_recognised_and_taken_out_of_the_pictures(depth: float, periods: float) -> None:
    rng = np.random.default_rng(1)
    still, flicker = _table(rng), FlickerFilter()
    frames = [Frame(_banded(still, phase, depth, periods), i) for i, phase in enumerate(rng.random(24))]
    steadied = [flicker.steadied(frame).image_bgr.astype(float) for frame in frames]
    assert flicker.flickers
    last = np.log(steadied[-1] + 1) - np.log(steadied[-2] + 1)
    assert np.abs(last).mean() < 0.25 * depth


def test_a_hand_and_a_dimmed_lamp_are_no_bands() -> None:
    rng = np.random.default_rng(2)
    still, flicker = _table(rng), FlickerFilter()
    for i in range(20):
        image_bgr = np.asarray(still * (1.0 - 0.01 * i) + rng.normal(0, 3, still.shape), np.float64)
        image_bgr[10 * i : 10 * i + 120, 100 : 100 + 10 * i] = (90, 120, 180)
        frame = Frame(image_bgr.clip(0, 255).astype(np.uint8), i)
        assert flicker.steadied(frame) is frame
    assert not flicker.flickers

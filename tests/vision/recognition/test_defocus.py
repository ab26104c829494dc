"""Undoing a lens out of focus shows what it hid, and shows nothing where nothing was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.recognition.scenes import BOARD, out_of_focus, pictured
from vision.board import known_boards
from vision.localization.locate import ScaledImage
from vision.localization.markers import SEARCH_WIDTH_PX, Gray, count_markers
from vision.recognition.refusal import is_blurred, refocused
from vision.simulation.canvas import noise_field


@pytest.mark.parametrize("reduced_px", [4.0, 4.5])
def test_markers_that_blur_hides_show_when_it_is_undone(reduced_px: float) -> None:
    blurred = ScaledImage(out_of_focus(pictured()[0], reduced_px)).reduced_gray
    assert count_markers(blurred, [BOARD]) == 0
    assert max(count_markers(gray, [BOARD]) for gray in refocused(blurred)) == 4


@pytest.mark.parametrize("seed", range(3))
def test_noise_shows_no_markers(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (615, SEARCH_WIDTH_PX), dtype=np.uint8)
    assert all(count_markers(gray, known_boards()) == 0 for gray in refocused(noise))


@pytest.mark.parametrize("shape", [(96, 128), (95, 127), (1, 1)])
def test_pictures_keep_their_shape(shape: tuple[int, int]) -> None:
    assert {gray.shape for gray in refocused(np.zeros(shape, np.uint8))} == {shape}


def soft_wood(seed: int) -> Gray:
    """A table's top with wide soft grain and fine fibres, sharply seen: a picture with nothing on the table."""
    rng = np.random.default_rng(6_600 + seed)
    width, height = size_wh = (SEARCH_WIDTH_PX, 615)
    period_px = float(np.exp(rng.uniform(3.2, 4.4)))
    bend = noise_field(rng, size_wh, (600.0, 3 * period_px)) * rng.uniform(0.5, 2.5)
    across = np.arange(height)[:, None] * 2 * np.pi / period_px
    grain = 0.5 + 0.5 * np.sin(across + bend) + 0.1 * noise_field(rng, size_wh, (80.0, 1.5))
    levels = 160 * (1 - rng.uniform(0.35, 0.6) * grain) + rng.normal(0, 2, (height, width))
    return np.asarray(levels.clip(0, 255), np.uint8)


@pytest.mark.parametrize("seed", range(4))
def test_the_soft_grain_of_wood_is_not_blurred(seed: int) -> None:
    assert not is_blurred(soft_wood(seed), [BOARD], 0)


@pytest.mark.parametrize("seed", range(2))
def test_things_on_wood_that_are_out_of_focus_are_blurred(seed: int) -> None:
    gray = soft_wood(seed)
    for middle, angle in (((250, 200), 20.0), ((520, 380), 75.0)):
        corners = cv2.boxPoints((middle, (90.0, 126.0), angle))
        cv2.fillPoly(gray, [np.round(corners).astype(np.int32)], (235.0,))
    assert is_blurred(np.asarray(cv2.GaussianBlur(gray, (0, 0), 5.0), np.uint8), [BOARD], 0)

"""Undoing a lens out of focus shows what it hid, and shows nothing where nothing was."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.recognition.scenes import out_of_focus, pictured
from vision.localization.locate import ScaledImage
from vision.localization.markers import SEARCH_WIDTH_PX, count_markers
from vision.recognition.refusal import refocused


@pytest.mark.parametrize("reduced_px", [4.0, 4.5])
def test_markers_that_blur_hides_show_when_it_is_undone(reduced_px: float) -> None:
    blurred = ScaledImage(out_of_focus(pictured()[0], reduced_px)).reduced_gray
    assert count_markers(blurred) == 0
    assert max(count_markers(gray) for gray in refocused(blurred)) == 4


@pytest.mark.parametrize("seed", range(3))
def test_noise_shows_no_markers(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (615, SEARCH_WIDTH_PX), dtype=np.uint8)
    assert all(count_markers(gray) == 0 for gray in refocused(noise))


@pytest.mark.parametrize("shape", [(96, 128), (95, 127), (1, 1)])
def test_pictures_keep_their_shape(shape: tuple[int, int]) -> None:
    assert {gray.shape for gray in refocused(np.zeros(shape, np.uint8))} == {shape}

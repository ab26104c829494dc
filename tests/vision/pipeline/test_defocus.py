"""Undoing a lens out of focus shows what it hid, and shows nothing where nothing was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.pipeline.scenes import out_of_focus, pictured
from vision.frame import ImageBgr
from vision.pipeline.defocus import refocused
from vision.pipeline.markers import SEARCH_WIDTH_PX, Gray, count_markers


def _reduced(image_bgr: ImageBgr) -> Gray:
    height = round(image_bgr.shape[0] * SEARCH_WIDTH_PX / image_bgr.shape[1])
    small = cv2.resize(image_bgr, (SEARCH_WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.mark.parametrize("reduced_px", [4.0, 4.5])
def test_markers_that_blur_hides_show_when_it_is_undone(reduced_px: float) -> None:
    blurred = _reduced(out_of_focus(pictured()[0], reduced_px))
    assert count_markers(blurred) == 0
    assert max(count_markers(gray) for gray in refocused(blurred)) == 4


@pytest.mark.parametrize("seed", range(3))
def test_noise_shows_no_markers(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (615, SEARCH_WIDTH_PX), dtype=np.uint8)
    assert all(count_markers(gray) == 0 for gray in refocused(noise))


@pytest.mark.parametrize("shape", [(96, 128), (95, 127), (1, 1)])
def test_pictures_keep_their_shape(shape: tuple[int, int]) -> None:
    assert {gray.shape for gray in refocused(np.zeros(shape, np.uint8))} == {shape}

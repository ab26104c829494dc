"""Whether cards are seen finely enough to be distinguished is measured, not hoped for."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.readings import table_view
from tests.vision.recognition.cards.scenes import BOARD, pictured
from vision.frame import ImageBgr
from vision.recognition.cards.sharpness import median_edge_px, too_coarse


def _too_coarse(image_bgr: ImageBgr) -> NDArray[np.bool_]:
    view = table_view(BOARD, image_bgr)
    edge_px = median_edge_px(view.scaled, BOARD, view.located.detections)
    return too_coarse(edge_px, view.pose, BOARD.centres_mm())


def test_a_sharp_picture_is_fine_enough() -> None:
    assert not _too_coarse(pictured()[0]).any()


@pytest.mark.parametrize("width_px", [420, 360])
def test_a_picture_with_few_pixels_is_too_coarse(width_px: int) -> None:
    image_bgr = pictured()[0]
    ratio = width_px / image_bgr.shape[1]
    small = cv2.resize(image_bgr, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    assert _too_coarse(np.asarray(small, np.uint8)).mean() > 0.9


def test_an_unsharp_picture_is_too_coarse_however_many_pixels_it_has() -> None:
    image_bgr = np.asarray(cv2.resize(pictured()[0], None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert not _too_coarse(image_bgr).any()
    assert _too_coarse(np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), 8.0), np.uint8)).mean() > 0.9

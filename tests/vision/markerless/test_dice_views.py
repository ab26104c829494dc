"""A face is seen turned and mirrored about its own middle, and what is estimated in a view can be brought back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frame import ImageBgr
from vision.markerless.dice_network import ALL_ROUND, EVERY, FACE_PX, FEW, PATCH_PX, UPRIGHT, DieView, views

_CENTRE_PX, _SIZE_PX = np.array([150.0, 90.0]), 52.0


def _picture(spot_px: tuple[float, float]) -> ImageBgr:
    picture = np.zeros((200, 300, 3), np.uint8)
    cv2.circle(picture, (round(spot_px[0]), round(spot_px[1])), 5, (255, 255, 255), -1)
    return picture


def _brightest(patch_bgr: ImageBgr) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    rows, columns = np.nonzero(patch_bgr[..., 0] > 128)
    return np.array([columns.mean() + 0.5, rows.mean() + 0.5])


@pytest.mark.parametrize("way", EVERY)
def test_the_way_to_a_spot_in_a_view_is_brought_back_to_the_picture_s(way: DieView) -> None:
    spot = _CENTRE_PX + np.array([20.0, -10.0])
    patch = views(_picture((spot[0], spot[1])), _CENTRE_PX, _SIZE_PX, [way])[0]
    seen = (_brightest(patch) - PATCH_PX / 2) / FACE_PX
    assert seen @ way.turn() == pytest.approx((spot - _CENTRE_PX) / _SIZE_PX, abs=0.05)


def test_upright_views_never_turn_a_face_far_and_the_others_turn_it_to_every_side() -> None:
    assert all(abs(way.angle_rad) < 0.3 for way in UPRIGHT)
    assert {round(way.angle_rad / (np.pi / 2)) for way in ALL_ROUND} == {0, 1, 2, 3}
    assert {way.mirrored for way in FEW} == {way.mirrored for way in UPRIGHT} == {False, True}


def test_what_is_asked_for_both_is_looked_at_once() -> None:
    assert len(EVERY) == len(set(EVERY)) == 14
    assert set(EVERY) == {*UPRIGHT, *ALL_ROUND}


def test_beyond_the_picture_s_edge_a_view_is_grey() -> None:
    patch = views(_picture((3, 3)), np.array([2.0, 2.0]), _SIZE_PX, FEW)[0]
    assert (patch[:10, :10] == 128).all()

"""A board is followed through a film, by its markers or only from corners that somebody gave."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from tests.vision.occlusion.films import BOARD, Act, Moment, Take, clean, film, scene
from vision.frame import ImageBgr
from vision.localization.follow import Follower
from vision.localization.locate import ScaledImage
from vision.occlusion.gate import OcclusionState
from vision.occlusion.watcher import Watcher


def pushed(share: float) -> Moment:
    return Moment(None, shift_px=(30.0 * share, -12.0 * share), light=1.0 - 0.3 * share)


def test_a_board_is_followed_to_a_fraction_of_a_pixel_while_it_moves_and_the_light_changes() -> None:
    takes = list(film(scene(), [(0.2, clean), (0.8, pushed)], np.random.default_rng(1)))
    follower = Follower(ScaledImage(takes[0].image_bgr), takes[0].outline_px)
    for take in takes[1:]:
        outline_px = follower.follow(ScaledImage(take.image_bgr))
        assert outline_px is not None
        assert np.abs(outline_px - take.outline_px).max() < 1.0


def test_a_board_of_which_nothing_is_to_be_seen_is_not_followed() -> None:
    first = next(film(scene(), [(0.1, clean)], np.random.default_rng(1)))
    follower = Follower(ScaledImage(first.image_bgr), first.outline_px)
    assert follower.follow(ScaledImage(np.zeros_like(first.image_bgr))) is None
    assert follower.follow(ScaledImage(np.zeros((100, 120, 3), np.uint8))) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("by", ["markers", "corners"])
def test_a_recording_is_watched_from_an_empty_picture_to_a_board_that_was_pushed(by: str) -> None:
    acts: list[tuple[float, Act]] = [(1.2, clean), (0.4, pushed), (1.8, lambda _share: pushed(1.0))]
    takes = list(film(scene(), acts, np.random.default_rng(1)))
    watcher = Watcher([BOARD]) if by == "markers" else Watcher(corners_px=takes[0].outline_px)
    if by == "markers":
        assert watcher.look(np.full((480, 640, 3), 128, np.uint8), -1.0).state is OcclusionState.BLIND
    states = [watcher.look(take.image_bgr, take.at_s).state for take in takes]
    assert set(states[:11]) == {OcclusionState.CLEAN}
    assert OcclusionState.MOVED in states[11:20]
    assert states[-1] is OcclusionState.CLEAN
    assert OcclusionState.HAND not in states


@cache
def clean_takes() -> list[Take]:
    return list(film(scene(), [(2.6, clean)], np.random.default_rng(2), fps=5.0))


def torn(image_bgr: ImageBgr) -> ImageBgr:
    """Repeat a row from a third of the picture on, as a decoder does where the data end."""
    third = len(image_bgr) // 3
    return np.concatenate([image_bgr[:third], np.repeat(image_bgr[third : third + 1], len(image_bgr) - third, axis=0)])


def covered(image_bgr: ImageBgr) -> ImageBgr:
    return np.full_like(image_bgr, 90)


def dark(image_bgr: ImageBgr) -> ImageBgr:
    return np.asarray(image_bgr // 14, np.uint8)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("spoilt", [torn, covered, dark])
@pytest.mark.parametrize("count", [1, 3])
def test_first_pictures_that_are_torn_or_covered_do_not_stay_the_clean_board(
    spoilt: Callable[[ImageBgr], ImageBgr], count: int
) -> None:
    takes = clean_takes()
    watcher = Watcher(corners_px=takes[0].outline_px)
    states = [
        watcher.look(spoilt(take.image_bgr) if k < count else take.image_bgr, take.at_s).state
        for k, take in enumerate(takes)
    ]
    assert set(states[-3:]) == {OcclusionState.CLEAN}
    if spoilt is not torn:
        assert set(states[:count]) == {OcclusionState.BLIND}


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_watcher_never_raises_on_any_picture(level: int) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (96, 128, 3)).astype(np.uint8)
    outside = np.array([(-50.0, 10.0), (90.0, 5.0), (100.0, 300.0), (0.0, 90.0)])
    for watcher in (Watcher([BOARD]), Watcher(corners_px=outside), Watcher([BOARD], corners_px=outside)):
        for k, picture in enumerate((np.full_like(noise, level), noise, np.full_like(noise, level))):
            watcher.look(picture, 0.1 * k)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("amplitude", [0.08, 0.15])
def test_a_lamp_that_flickers_is_no_shadow_and_lets_the_table_be_still(amplitude: float) -> None:
    rng, watcher = np.random.default_rng(2), Watcher([BOARD])
    takes = list(film(scene(), [(4.0, clean)], rng))
    seen = []
    for take in takes:
        rows = np.linspace(0.0, 1.0, len(take.image_bgr))[:, None, None]
        bands = 1.0 + amplitude * np.sin(2 * np.pi * (3.3 * rows + rng.random()))
        seen.append(watcher.look(np.clip(take.image_bgr * bands, 0, 255).astype(np.uint8), take.at_s))
    half = len(seen) // 2
    assert {one.state for one in seen[half:]} == {OcclusionState.CLEAN}
    assert all(one.still for one in seen[half:])

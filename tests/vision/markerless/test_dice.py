"""Loose dice are read at any size, nothing wrong is reported as certain, and no die if there is none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluate.dice import TrueDie, judged
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.image_file import load_image
from vision.markerless.dice import LEAST_READ_PX, Candidates, DiceReader, LooseDie, non_max_suppression
from vision.markerless.dice_network import DieDetector, PipClassifier, Places
from vision.observation import SURE, Blind, BlindReason
from vision.training.dice.picture import DicePicture, random_dice_picture

_READER = DiceReader()

_SEEDS = range(90_001, 90_009)
"""Beyond those that the network learned from."""


def _picture(seed: int) -> DicePicture:
    return random_dice_picture(np.random.default_rng(seed), 384, 34)


def _read(image_bgr: ImageBgr) -> tuple[LooseDie, ...]:
    found = _READER.read(image_bgr)
    assert isinstance(found, tuple)
    return found


@pytest.mark.sampled(7)
@pytest.mark.parametrize("scale", [0.7, 1.7, 4.0])
def test_the_same_throw_is_read_alike_at_another_scale(scale: float) -> None:
    picture = _picture(_SEEDS[0])
    larger = np.asarray(cv2.resize(picture.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    one, other = _read(picture.image_bgr), _read(larger)
    truth = [TrueDie(die.value, die.centre_px, (die.size_px, die.size_px)) for die in one if die.value is not None]
    scaled = [
        LooseDie(die.value, die.confidence, (die.centre_px[0] / scale, die.centre_px[1] / scale), die.size_px / scale)
        for die in other
    ]
    seen = judged(truth, scaled)
    assert seen["wrong"] == 0
    assert seen["right"] >= 0.8 * len(truth) > 0


def test_a_die_that_fills_the_picture_is_read() -> None:
    picture = _picture(_SEEDS[0])
    right = wrong = 0
    for die in [die for die in _read(picture.image_bgr) if die.value is not None][:2]:
        (x, y), half = np.rint(die.centre_px).astype(int), round(0.75 * die.size_px)
        part = picture.image_bgr[max(y - half, 0) : y + half, max(x - half, 0) : x + half]
        close = np.asarray(cv2.resize(part, (300, 300), interpolation=cv2.INTER_CUBIC), np.uint8)
        values = [seen.value for seen in _read(close)]
        right += values == [die.value]
        wrong += any(value not in (None, die.value) for value in values)
    assert (right >= 1, wrong) == (True, 0)


def test_dice_that_are_large_in_a_picture_are_not_searched_for_at_its_full_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = np.asarray(cv2.resize(_picture(_SEEDS[0]).image_bgr, (1920, 1920), interpolation=cv2.INTER_CUBIC), np.uint8)
    searched: list[int] = []
    look = DieDetector.look

    def noting(detector: DieDetector, image_bgr: ImageBgr) -> Places:
        searched.append(max(image_bgr.shape))
        return look(detector, image_bgr)

    monkeypatch.setattr(DieDetector, "look", noting)
    assert any(die.value for die in _read(large))
    assert max(searched) == 1000


def test_places_that_no_pips_can_make_a_die_are_not_classified() -> None:
    image_bgr = load_image(Path(__file__).parents[2] / "recorded" / "dice" / "drawn-3.jpg")
    every, worth = (_READER.look(image_bgr, hopeless=hopeless) for hopeless in (True, False))
    presence = PipClassifier().file.presence
    kept = [list(non_max_suppression(seen.places, seen.p_die(presence))) for seen in (every, worth)]
    assert len(every.p) > len(worth.p) > 0
    assert every.p[kept[0]] == pytest.approx(worth.p[kept[1]])


def test_a_picture_is_read_alike_in_one_tile_and_in_many(monkeypatch: pytest.MonkeyPatch) -> None:
    image_bgr = _picture(_SEEDS[1]).image_bgr
    whole = _read(image_bgr)
    monkeypatch.setattr("vision.markerless.dice_network._MOST_PX", 350**2)
    tiled = _read(image_bgr)
    assert [die.value for die in tiled] == [die.value for die in whole]
    for one, other in zip(tiled, whole, strict=True):
        assert one.centre_px == pytest.approx(other.centre_px, abs=0.1)


@pytest.mark.parametrize("seed", [90_003, 90_005])
def test_a_throw_seen_from_above_looks_alike_upside_down(seed: int) -> None:
    picture = _picture(seed)
    assert picture.steep
    side = picture.image_bgr.shape[0]
    looks = [_READER.look(np.ascontiguousarray(view)) for view in (picture.image_bgr, picture.image_bgr[::-1, ::-1])]
    surprises = []
    for face in picture.faces:
        places = (face.centre_px, (side - face.centre_px[0], side - face.centre_px[1]))
        said = [_said_at(look, place, face.size_px) for look, place in zip(looks, places, strict=True)]
        if said[0] is not None and said[1] is not None:
            surprises.append(np.abs(np.log(said[0] + 1e-3) - np.log(said[1] + 1e-3)).max())
    assert len(surprises) > 4
    assert np.mean(surprises) < 0.5


def _said_at(look: Candidates, centre_px: tuple[float, float], size_px: float) -> Floats | None:
    away = np.hypot(*(look.places.centres_px - centre_px).T)
    nearest = int(away.argmin())
    return look.p[nearest] if away[nearest] < 0.3 * size_px else None


@pytest.mark.parametrize(("p_beside", "expected"), [(0.9, [0]), (0.985, [0]), (0.999, [0, 1])])
def test_a_place_beside_a_surer_top_is_a_side_unless_it_is_very_sure_itself(
    p_beside: float, expected: list[int]
) -> None:
    p_die = np.array([0.9999, p_beside])
    places = Places(p_die, np.array([[50.0, 50.0], [50.0, 76.0]]), np.array([32.0, 32.0]))
    assert list(non_max_suppression(places, p_die)) == expected


def test_what_is_reported_is_as_sure_as_it_says() -> None:
    dice = [die for seed in _SEEDS[:2] for die in _read(_picture(seed).image_bgr)]
    assert all(die.value is None or (die.confidence >= SURE and die.size_px >= LEAST_READ_PX) for die in dice)
    assert all(0 <= die.confidence < 1 and die.size_px > 0 for die in dice)


def test_dice_are_reported_from_the_top_of_the_picture_down() -> None:
    heights = [die.centre_px[1] for die in _read(_picture(_SEEDS[1]).image_bgr)]
    assert heights == sorted(heights)
    assert len(heights) > 1


@pytest.mark.parametrize(
    "image_bgr",
    [
        np.full((480, 640, 3), 180, np.uint8),
        np.random.default_rng(0).integers(0, 256, (240, 320, 3)).astype(np.uint8),
        np.tile(np.linspace(0, 255, 640).astype(np.uint8)[None, :, None], (480, 1, 3)),
    ],
    ids=["plain", "noise", "a ramp"],
)
def test_where_there_are_no_dice_none_are_reported(image_bgr: ImageBgr) -> None:
    assert _read(image_bgr) == ()


def test_a_covered_lens_is_too_dark_to_read() -> None:
    assert _READER.read(np.full((480, 640, 3), 20, np.uint8)) == Blind(BlindReason.DARK)


def test_a_picture_out_of_focus_is_too_blurred_to_read() -> None:
    edges = np.zeros((480, 640, 3), np.uint8)
    edges[:, 100:300] = edges[150:300, 400:600] = 230
    blurred = np.asarray(cv2.GaussianBlur(edges, (0, 0), 12), np.uint8)
    assert _READER.read(blurred) == Blind(BlindReason.BLURRED)


@settings(max_examples=8, deadline=None)
@given(
    size_wh=st.tuples(st.integers(64, 300), st.integers(64, 300)),
    seed=st.integers(0, 2**32 - 1),
    spread=st.floats(0, 400),
)
def test_no_picture_makes_the_reader_fail(size_wh: tuple[int, int], seed: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    spots = rng.normal(128, spread, (12, 12, 3)).clip(0, 255).astype(np.uint8)
    image_bgr = np.asarray(cv2.resize(spots, size_wh, interpolation=cv2.INTER_NEAREST), np.uint8)
    assert isinstance(_READER.read(image_bgr), tuple | Blind)


def _pips_on(ground_bgr: tuple[int, int, int], *dice: tuple[int, int, int]) -> ImageBgr:
    """Draw nothing but the pips of sixes 48 px wide, at a slant, each about a place (x, y) and turned (degrees)."""
    image = np.full((480, 640, 3), ground_bgr, np.uint8)
    image[300:, 500:] = 255  # the brightest of the picture
    spots = np.array([(x, y) for x in (-12.0, 12.0) for y in (-13.4, 0.0, 13.4)])
    for x, y, degrees in dice:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        for spot in np.rint(16 * ((spots @ np.array([(c, s), (-s, c)])) * (1, 0.55) + (x, y))).astype(int).tolist():
            cv2.ellipse(image, spot, (69, 38), 0, 0, 360, (30, 25, 25), -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def test_white_dice_whose_edges_are_lost_on_white_cloth_are_not_overlooked_without_a_word() -> None:
    places = ((120, 100, 10), (330, 150, 40), (150, 330, -20))
    found = _read(_pips_on((250, 252, 253), *places))
    for x, y, _degrees in places:
        near = [die for die in found if np.hypot(die.centre_px[0] - x, die.centre_px[1] - y) < 45]
        assert [die.value for die in near] == [None]


@pytest.mark.parametrize("ground_bgr", [(90, 120, 150), (200, 230, 120)], ids=["brown", "green"])
def test_dots_on_what_is_no_white_cloth_are_no_white_dice(ground_bgr: tuple[int, int, int]) -> None:
    found = _READER.read(_pips_on(ground_bgr, (120, 100, 10)))
    assert isinstance(found, Blind) or not [die for die in found if die.confidence == 0.0]


@pytest.mark.parametrize(
    ("p_one_beside", "values"), [(0.0, []), (0.999, [1, None])], ids=["alone", "beside a die that is read"]
)
def test_what_may_be_a_die_and_shows_no_value_is_reported_only_beside_one_that_is_read(
    p_one_beside: float, values: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    p = np.zeros((2, 8))
    p[0, [0, 1]] = 1 - p_one_beside, p_one_beside
    p[1, [0, 7]] = 0.4, 0.6
    places = Places(np.array([p_one_beside, 0.93]), np.array([[100.0, 100.0], [300.0, 200.0]]), np.array([40.0, 40.0]))
    looked = Candidates(places, p)
    assert 0.5 < looked.p_die(PipClassifier().file.presence)[1] < SURE
    monkeypatch.setattr(DiceReader, "look", lambda _reader, _image_bgr: looked)
    assert [die.value for die in _read(np.full((480, 640, 3), 180, np.uint8))] == values

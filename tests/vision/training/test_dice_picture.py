"""Drawn dice show what their truth says, where it says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.training.dice import picture as dice_picture
from vision.training.dice.bodies import Body, DiceLights, meet, random_block, random_body, random_counter
from vision.training.dice.picture import DicePicture, DiceScene, Die, random_dice_picture, random_dice_scene


def _plain(die: Die) -> Die:
    """Make a die white with black dots, whatever it was."""
    white, black = np.full(3, 0.8, np.float32), np.full(3, 0.01, np.float32)
    faces = [replace(face, pip_rgb=black) for face in die.body.faces]
    swirl = replace(die.body.swirl, amount=0.0)
    body = replace(die.body, body_rgb=white, clearness=0.0, shine=0.0, dent=0.0, swirl=swirl, faces=faces)
    return replace(die, body=body)


def _one_plain_die(rng: np.random.Generator, size_px: int, face_px: float) -> DiceScene:
    """Throw one white die with pips into the middle of a picture."""
    while True:
        scene = random_dice_scene(rng, size_px, face_px)
        if scene.dice and scene.dice[0].body.faces[0].value is not None:
            die = replace(_plain(scene.dice[0]), place=np.zeros(2, np.float32))
            even = DiceLights([], np.ones(3, np.float32), [])
            return replace(scene, dice=[die], counters=[], blocks=[], lights=even)


def _one_from_above(rng: np.random.Generator, size_px: int, face_px: float) -> DiceScene:
    """Lay that die straight below the camera."""
    scene = _one_plain_die(rng, size_px, face_px)
    axes = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]], np.float32)
    eye = np.array([0, 0, scene.camera.focal_px / face_px], np.float32)
    die = replace(scene.dice[0], turn=np.eye(3, dtype=np.float32))
    return replace(scene, camera=replace(scene.camera, axes=axes, eye=eye), dice=[die])


def _dots(picture: DicePicture) -> int:
    """Count the dark spots that lie wholly on the top face."""
    (face,) = picture.faces
    grey = cv2.cvtColor(picture.image_bgr, cv2.COLOR_BGR2GRAY)
    (x, y), reach = (round(side) for side in face.centre_px), round(0.36 * face.size_px)
    top = grey[y - reach : y + reach, x - reach : x + reach]
    bright, dark = np.percentile(top, 90), top.min()
    spots = (top < (float(bright) + float(dark)) / 2).astype(np.uint8)
    return int(cv2.connectedComponentsWithStats(spots)[0]) - 1


@pytest.mark.parametrize("seed", range(6))
def test_the_top_face_has_as_many_dots_as_its_value(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice_picture, "random_dice_scene", _one_from_above)
    monkeypatch.setattr(dice_picture, "_photograph", lambda light, _rng: (light * 120).clip(0, 255).astype(np.uint8))
    picture = random_dice_picture(np.random.default_rng(seed), 192, 90)
    assert _dots(picture) == picture.faces[0].value


@pytest.mark.parametrize("seed", range(20))
def test_opposite_faces_add_up_to_seven_and_have_as_many_pips_as_their_value(seed: int) -> None:
    top, one, two, across_one, across_two, bottom = random_body(np.random.default_rng(seed)).faces
    for face, other in ((top, bottom), (one, across_one), (two, across_two)):
        if face.value is not None and other.value is not None:
            assert face.value + other.value == 7
    assert all(len(face.pips) == face.value for face in (top, one, two) if face.value is not None)


@pytest.mark.parametrize(
    ("random_thing", "share"),
    [(random_body, 0.99), (random_counter, 0.97)],  # the rims of some counters are sharper than a touch is fine
    ids=["die", "counter"],
)
@pytest.mark.parametrize("seed", range(20))
def test_rays_meet_a_thing_where_it_looks_at_their_origin(
    seed: int, random_thing: Callable[[np.random.Generator], Body], share: float
) -> None:
    rng = np.random.default_rng(seed)
    origin = rng.normal(size=3).astype(np.float32)
    origin *= 6 / np.linalg.norm(origin)
    ways = -origin + rng.uniform(-0.7, 0.7, (400, 3))
    ways = (ways / np.linalg.norm(ways, axis=1, keepdims=True)).astype(np.float32)
    hits = meet(random_thing(rng), origin, ways)
    assert len(hits.rays) > 50
    assert ((hits.normals * hits.ways).sum(axis=1) < 0.2).mean() > share


def test_counters_and_blocks_are_no_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_dice(rng: np.random.Generator, size_px: int, face_px: float) -> DiceScene:
        scene = random_dice_scene(rng, size_px, face_px)
        counters = [replace(die, body=random_counter(rng)) for die in scene.dice[::2]]
        blocks = [replace(die, body=random_block(rng)) for die in scene.dice[1::2]]
        return replace(scene, dice=[], counters=counters, blocks=blocks)

    monkeypatch.setattr(dice_picture, "random_dice_scene", without_dice)
    pictures = [random_dice_picture(np.random.default_rng(seed), 192, 30) for seed in range(8)]
    assert sum(len(picture.decoys) for picture in pictures) > 15
    assert all(not picture.faces for picture in pictures)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("beyond", "seen"), [(0.0, 1.0), (0.3, 0.7), (0.45, 0.55)])
@pytest.mark.parametrize(("ball_radius", "bulge"), [(0.64, None), (0.87, 4.2), (0.87, None)])
def test_how_much_of_a_face_is_seen_does_not_depend_on_how_round_it_is(
    ball_radius: float, bulge: float | None, beyond: float, seen: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice_picture, "random_dice_scene", _across_the_edge(beyond, ball_radius, bulge))
    faces = [face for seed in range(3) for face in random_dice_picture(np.random.default_rng(seed), 192, 40).faces]
    assert [face.seen for face in faces] == pytest.approx([seen] * 3, abs=0.03)


def test_pips_beyond_the_picture_s_edge_are_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice_picture, "random_dice_scene", _across_the_edge(0.45, 0.87, None))
    faces = [face for seed in range(8) for face in random_dice_picture(np.random.default_rng(seed), 192, 40).faces]
    assert len({face.value for face in faces}) > 3
    inside = {1: [1.0], 2: [1 / 2], 3: [2 / 3], 4: [1 / 2], 5: [3 / 5], 6: [1 / 2, 2 / 3]}  # a six lies along or across
    for face in faces:
        assert face.value is not None
        assert any(face.marks_seen == pytest.approx(share, abs=0.01) for share in inside[face.value])


def _across_the_edge(
    beyond: float, ball_radius: float, bulge: float | None
) -> Callable[[np.random.Generator, int, float], DiceScene]:
    """Lay that die so that a share of its top is beyond the left edge of the picture."""

    def scene_of(rng: np.random.Generator, size_px: int, face_px: float) -> DiceScene:
        scene = _one_from_above(rng, size_px, face_px)
        (die,) = scene.dice
        height = float(scene.camera.eye[2])
        edge = (height - die.edge) / scene.camera.focal_px * size_px / 2  # what is seen of its top's plane ends there
        place = np.array([(0.5 - beyond) * die.edge - edge, 0], np.float32)
        body = replace(die.body, ball_radius=ball_radius, bulge=bulge)
        return replace(scene, dice=[replace(die, place=place, body=body)])

    return scene_of

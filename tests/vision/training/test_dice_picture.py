"""Drawn dice show what their truth says, where it says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.geometry import Floats32
from vision.training.dice import picture as dice_picture
from vision.training.dice.bodies import (
    Body,
    DiceLights,
    Hits,
    faces_of,
    meet,
    random_block,
    random_body,
    random_counter,
    shade,
)
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
    monkeypatch.setattr(dice_picture, "_photographed", lambda light, _rng: (light * 120).clip(0, 255).astype(np.uint8))
    picture = random_dice_picture(np.random.default_rng(seed), 192, 90)
    assert _dots(picture) == picture.faces[0].value


@pytest.mark.parametrize("seed", range(20))
def test_opposite_faces_add_up_to_seven_and_have_as_many_pips_as_their_value(seed: int) -> None:
    top, one, two, across_one, across_two, bottom = random_body(np.random.default_rng(seed)).faces
    for face, other in ((top, bottom), (one, across_one), (two, across_two)):
        if face.value is not None and other.value is not None:
            assert face.value + other.value == 7
    assert all(len(face.pips) == face.value for face in (top, one, two) if face.value is not None)


def test_no_two_pips_touch_and_all_lie_on_their_face() -> None:
    bodies = (random_body(np.random.default_rng(seed)) for seed in range(150))
    pips = [face.pips.astype(float) for body in bodies for face in body.faces if face.value is not None]
    assert {len(each) for each in pips} == {1, 2, 3, 4, 5, 6}
    for each in pips:
        places, radius = each[:, :2], each[:, 2]
        apart = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) + np.eye(len(each))
        assert (apart > radius[:, None] + radius).all()
        assert (np.abs(places).max(axis=1) + radius < 0.5).all()


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


def _seen_from_a_corner(body: Body) -> Hits:
    """Look at a die from a point from which its top and two sides are seen."""
    origin = np.array([4, 3, 5], np.float32)
    rng = np.random.default_rng(0)
    ways = rng.uniform(-0.4, 0.4, (600, 3)) - origin
    return meet(body, origin, (ways / np.linalg.norm(ways, axis=1, keepdims=True)).astype(np.float32))


@pytest.mark.parametrize("bulge", [4.5, 7.0, 11.0])
def test_a_die_that_bulges_is_a_superellipsoid(bulge: float) -> None:
    hits = _seen_from_a_corner(replace(random_body(np.random.default_rng(1)), bulge=bulge, ball_radius=0.87))
    assert len(hits.rays) > 200
    assert np.power(np.abs(hits.points), bulge).sum(axis=1) ** (1 / bulge) == pytest.approx(0.5, abs=0.02)
    towards = np.sign(hits.points) * np.abs(hits.points) ** (bulge - 1)
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    assert ((towards * hits.normals).sum(axis=1) > 0.99).all()


@pytest.mark.parametrize("height", [0.15, 0.3, 0.5, 0.95])
def test_a_counter_is_a_flat_disc_that_bears_its_marks_on_top(height: float) -> None:
    body = replace(random_counter(np.random.default_rng(1)), disc_height=height, edge_radius=0.2 * height)
    hits = _seen_from_a_corner(body)
    away, level = np.hypot(hits.points[:, 0], hits.points[:, 1]), hits.points[:, 2]
    assert len(hits.rays) > 100
    assert away.max() == pytest.approx(0.5, abs=0.02)
    assert level.max() == pytest.approx(height / 2, abs=0.02)
    on_top, inside = faces_of(body, hits.points) == 0, away < 0.48 - body.edge_radius
    assert on_top[inside].all()
    assert hits.normals[inside, 2] == pytest.approx(1, abs=1e-3)
    assert on_top[level < 0.3 * height].sum() == 0


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


def test_a_picture_nowhere_seen_at_a_slant_may_be_turned_and_no_other() -> None:
    scenes = [random_dice_scene(np.random.default_rng(seed), 384, 60) for seed in range(60)]
    for scene in scenes:
        edges = np.array([(0, 192), (384, 192), (192, 0), (192, 384)], np.float32)
        slants = np.degrees(np.arccos(-scene.camera.rays(edges[:, 0], edges[:, 1])[:, 2]))
        upright = scene.camera.axes[1, 2] < 0
        assert scene.camera.steep or upright
        assert slants.max() < 42.5 if scene.camera.steep else slants.max() > 38
    assert 10 < sum(scene.camera.steep for scene in scenes) < 50


def test_no_emblem_is_as_small_as_the_pip_of_a_one() -> None:
    bodies = (random_body(np.random.default_rng(seed)) for seed in range(150))
    emblems = [face.emblem for body in bodies for face in body.faces if face.emblem is not None]
    assert len(emblems) > 30
    for emblem in emblems:
        places = np.argwhere(emblem > 0.5) / len(emblem)
        assert np.linalg.norm(np.ptp(places, axis=0)) > 0.3


def _flat_die() -> Body:
    body = replace(random_body(np.random.default_rng(1)), bulge=None, edge_radius=0.03, ball_radius=0.87, shine=1.0)
    return replace(body, glow=0.0, wobble=0.0)


def _seen_on(body: Body, hits: Hits, lights: DiceLights, level: float) -> Floats32:
    """Shade a die on a table that sends light of one level back."""

    def table(points: Floats32, _ways: Floats32) -> Floats32:
        return np.full_like(points, level)

    ground = np.full(3, level, np.float32)
    return shade(body, hits, np.eye(3, dtype=np.float32), lights, table, ground_rgb=ground, soft=0.1)[0]


def test_a_pale_table_lights_the_sides_of_a_die_and_not_its_top() -> None:
    body, lights = _flat_die(), DiceLights([], np.ones(3, np.float32), [])
    hits = _seen_from_a_corner(body)
    brighter = (_seen_on(body, hits, lights, 0.8) - _seen_on(body, hits, lights, 0.1)).mean(axis=1)
    flat = np.abs(hits.normals).max(axis=1) > 0.999
    on_top = faces_of(body, hits.points) == 0
    assert np.median(brighter[flat & on_top]) == pytest.approx(0, abs=1e-5)
    assert np.median(brighter[flat & ~on_top]) > 0.01


def test_the_top_of_a_milky_die_lights_its_sides() -> None:
    solid = replace(_flat_die(), shine=0.0, clearness=0.0, bleed=0.0, swirl=replace(_flat_die().swirl, amount=0.0))
    lights = DiceLights([(np.array([0, 0, 1], np.float32), np.ones(3, np.float32))], np.zeros(3, np.float32), [])
    hits = _seen_from_a_corner(solid)
    on_top, seen = faces_of(solid, hits.points) == 0, {}
    for glow in (0.0, 1.0):
        milky = replace(solid, glow=glow, scatter=0.5, faces=[random_block(np.random.default_rng(1)).faces[0]] * 6)
        light = _seen_on(milky, hits, lights, 0.0).mean(axis=1)
        seen[glow] = np.median(light[~on_top]) / np.median(light[on_top])
    assert seen[0.0] < 0.01
    assert 0.2 < seen[1.0] < 1


@pytest.mark.long
def test_what_covers_a_die_leaves_less_of_it_to_be_seen() -> None:
    faces = [face for seed in range(60) for face in random_dice_picture(np.random.default_rng(seed), 192, 30).faces]
    assert len(faces) > 60
    assert all(0 < face.seen <= 1.01 and 0 <= face.marks_seen <= 1 for face in faces)
    assert 0.05 < np.mean([face.seen < 0.6 for face in faces]) < 0.6
    assert {face.value for face in faces} == {None, 1, 2, 3, 4, 5, 6}


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


def test_dice_of_a_set_are_marbled_each_in_its_own_way() -> None:
    scenes = [random_dice_scene(np.random.default_rng(seed), 384, 40) for seed in range(40)]
    sets = [[die.body for die in scene.dice] for scene in scenes if len({_dyes(die.body) for die in scene.dice}) == 1]
    sets = [bodies for bodies in sets if len(bodies) > 1]
    assert len(sets) > 5
    for bodies in sets:
        assert len({body.swirl.level for body in bodies}) == len(bodies)


def _dyes(body: Body) -> tuple[bytes, bytes]:
    return body.body_rgb.tobytes(), body.swirl.rgb.tobytes()

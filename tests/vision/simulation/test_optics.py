"""Pictures of the simulated table: everything appears where the pose says, as it should."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board import Board, shipped_board
from vision.simulation.board_art import LINE_ART, draw_board
from vision.simulation.occluders import GESTURES, reaching_arm
from vision.simulation.optics import lay_table, render, render_frame
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import BoardSkin, PieceShape, Scene, SceneLight, ScenePiece, Sensor, camera_over

_SIZE = (800, 600)
_QUIET = Sensor(noise=0.0, blotch=0.0, blur_px=0.4, vignette=0.0)


def _board() -> Board:
    return shipped_board("royal-tee")


def _scene(**changes: object) -> Scene:
    plain = Scene(_board(), camera_over(_board(), _SIZE, tilt_deg=25, turn_deg=30, k1=-0.05), sensor=_QUIET)
    return replace(plain, **changes)  # type: ignore[arg-type] # the fields are passed by name in each test


def _rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("head", ["ball", "cone", "cup", "disc", "mushroom"])
def test_a_piece_appears_with_its_head_where_the_pose_projects_it(head: str) -> None:
    shape = PieceShape(head=head, gloss=0.0)
    piece = ScenePiece("tee", "red", 303.0, 213.0)
    scene = _scene(shapes={"tee": shape}, tints={"red": (220, 10, 10)}, light=SceneLight(lamp=0.0))
    table = lay_table(scene, _rng())
    change = np.abs(
        render_frame(table, [piece], (), _rng()).astype(int) - render_frame(table, [], (), _rng()).astype(int)
    ).max(axis=2)
    rows, columns = np.nonzero(change > 40)
    sides = scene.camera.pose.project([(303.0 + dx, 213.0 + dy, 20.0) for dx, dy in ((0, 0), (6, 0), (0, 6))])
    foot = scene.camera.pose.project([(303.0, 213.0, 0.0)])[0]
    assert change[tuple(np.round(sides[0][::-1]).astype(int))] > 40
    radius_px = np.linalg.norm(sides[1:] - sides[0], axis=1).max()
    far = np.hypot(*(np.stack([columns, rows], axis=1) - sides[0]).T)
    assert far.max() < np.linalg.norm(sides[0] - foot) + radius_px + 3
    assert (far < radius_px).mean() > 0.5


def test_a_royal_piece_shows_its_white_dot() -> None:
    shapes = {"royal": PieceShape("cup", 20.0, 34.0, dot="ball")}
    scene = _scene(shapes=shapes, tints={"red": (220, 10, 10)}, pieces=(ScenePiece("royal", "red", 213.0, 213.0),))
    image = render(scene, _rng())
    x, y = np.round(scene.camera.pose.project([(213.0, 213.0, 34.0)])[0]).astype(int)
    assert image[y, x].min() > 150
    ring = scene.camera.pose.project([(213.0 + 8.5 * np.cos(a), 213.0 + 8.5 * np.sin(a), 34.0) for a in range(6)])
    for x, y in np.round(ring).astype(int):
        assert image[y, x, 2] > image[y, x, :2].max() + 60


def test_a_lamp_throws_the_shadow_of_a_piece_away_from_it() -> None:
    lit = SceneLight(lamp_mm=(-20000.0, 213.0, 20000.0), lamp=0.8, penumbra=0.01)
    scene = _scene(light=lit, camera=camera_over(_board(), _SIZE))
    table = lay_table(scene, _rng())
    piece = ScenePiece("tee", "blue", 213.0, 213.0)
    with_piece, bare = (render_frame(table, p, (), _rng()).astype(int).sum(axis=2) for p in ([piece], []))
    shadow, lit_side = np.round(scene.camera.pose.project([(230.0, 213.0, 0.0), (196.0, 213.0, 0.0)])).astype(int)
    assert with_piece[shadow[1], shadow[0]] < 0.7 * bare[shadow[1], shadow[0]]
    assert with_piece[lit_side[1], lit_side[0]] == bare[lit_side[1], lit_side[0]]


def test_the_same_seed_gives_the_same_picture_and_another_seed_another() -> None:
    pictures = [
        render(random_scene(_board(), rng, tier="occluded", size_wh=(320, 240)), rng)
        for rng in (_rng(7), _rng(7), _rng(8))
    ]
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])


def test_frames_of_one_laid_table_differ_only_by_noise_and_never_change_the_table() -> None:
    scene = _scene(light=SceneLight(glare=1.0), sensor=replace(_QUIET, noise=2.0))
    table, arm = lay_table(scene, _rng()), reaching_arm(scene.board, (228.0, 228.0))
    first = render_frame(table, (), (), _rng(3))
    render_frame(table, [ScenePiece("tee", "red", 100.0, 100.0)], (arm,), _rng(4))
    assert np.array_equal(render_frame(table, (), (), _rng(3)), first)
    assert 0 < np.abs(render_frame(table, (), (), _rng(5)).astype(int) - first).mean() < 4


@pytest.mark.parametrize("gesture", GESTURES)
def test_an_arm_covers_its_fingertips_and_reaches_in_from_its_side(gesture: str) -> None:
    scene = _scene(camera=camera_over(_board(), _SIZE))
    table = lay_table(scene, _rng())
    arm = reaching_arm(scene.board, (228.0, 200.0), side="left", gesture=gesture)
    change = np.abs(
        render_frame(table, (), (arm,), _rng()).astype(int) - render_frame(table, (), (), _rng()).astype(int)
    ).max(axis=2)
    behind, ahead = np.round(scene.camera.pose.project([(120.0, 200.0, 60.0), (330.0, 200.0, 0.0)])).astype(int)
    assert change[behind[1], behind[0]] > 15
    assert change[ahead[1], ahead[0]] < 5


def test_a_covered_lens_gives_a_dark_picture() -> None:
    assert render(_scene(sensor=replace(_QUIET, covered=0.9995)), _rng()).mean() < 12


def test_random_ornaments_are_printed_within_their_cells_each_by_its_name() -> None:
    ur, px_per_mm = shipped_board("royal-ur"), 2.0
    at = dict(zip(ur.places, ur.places_mm(), strict=True))["C3"]

    def drawn(motif: str) -> NDArray[np.int_]:
        return draw_board(ur, BoardSkin(motifs={"C3": motif}), _rng(), px_per_mm).astype(int)

    changes = [np.abs(drawn(f"{LINE_ART}{seed}") - drawn("")).max(axis=2) > 8 for seed in range(20)]
    for change in changes:
        rows, columns = np.nonzero(change)
        assert len(rows) > 20
        away = np.abs(np.stack([columns, rows], axis=1) / px_per_mm - at)
        assert away.max() < 0.5 * min(ur.grid.pitch)
    assert len({change.tobytes() for change in changes}) == len(changes)

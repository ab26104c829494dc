"""Drawn chess pieces: as high and as thick as the table file says, closed surfaces, seen where they stand."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from vision.board import shipped_board
from vision.simulation.figures import Figure, Mesh, ball, box, circle, middles_of, normals_of, random_figures, turned
from vision.simulation.figures_draw import placed, surface_points
from vision.simulation.occluders import reaching_arm
from vision.simulation.optics import render
from vision.simulation.scene import Scene, SceneLight, ScenePiece, camera_over
from vision.simulation.truth import truth_of
from vision.training.figures import random_figure_scene

BOARD = shipped_board("royal-study")
SETS = range(12)


@cache
def figures(seed: int) -> dict[str, Figure]:
    return random_figures(BOARD, np.random.default_rng(seed))


def volume_mm3(mesh: Mesh) -> float:
    """By the divergence theorem: positive when the faces look outwards."""
    corners, normals = mesh.quads_mm, normals_of(mesh)
    area = np.linalg.norm(np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]), axis=1) / 2
    return float((np.einsum("ij,ij->i", middles_of(mesh), normals) * area).sum() / 3)


@pytest.mark.parametrize("seed", SETS)
def test_a_set_has_every_piece_in_about_the_sizes_of_the_table_file(seed: int) -> None:
    made = figures(seed)
    assert set(made) == set(BOARD.pieces)
    for kind, figure in made.items():
        piece = BOARD.pieces[kind]
        assert figure.mesh.height_mm == pytest.approx(piece.height, rel=0.13)
        assert figure.mesh.quads_mm[..., 2].min() > -0.5
        reach = 2 * float(np.abs(figure.mesh.quads_mm[..., :2]).max())
        assert reach == pytest.approx(piece.diameter, rel=0.45)  # a horse looks over its foot


@pytest.mark.parametrize(
    ("mesh", "volume"),
    [
        (box((0, 0, 0), (2, 3, 4)), 24.0),
        (ball((1.0, 2.0, 3.0), 5.0, 40), 4 / 3 * np.pi * 125),
        (turned([(0.0, 0.0), (3.0, 0.0), (3.0, 10.0), (0.0, 10.0)], circle(60)), np.pi * 90),
    ],
)
def test_surfaces_look_outwards_and_hold_their_volume(mesh: Mesh, volume: float) -> None:
    assert volume_mm3(mesh) == pytest.approx(volume, rel=0.03)


def scene(*kinds: str, occluded: bool = False) -> Scene:
    """Pieces in the upper row, seen from below the board."""
    pieces = tuple(ScenePiece(kind, "wood", 70.0 + 50 * i, 70.0, cell="ABC"[i] + "1") for i, kind in enumerate(kinds))
    arm = (reaching_arm(BOARD, (120.0, 60.0), side="bottom"),) if occluded else ()
    camera = camera_over(BOARD, (1280, 960), tilt_deg=35.0, distance_mm=520.0)
    tints = {"wood": (30, 200, 40)}
    return Scene(BOARD, camera, pieces, figures=figures(1), tints=tints, light=SceneLight(lamp=0.2), occluders=arm)


def test_a_piece_is_seen_where_its_points_are_projected() -> None:
    made = scene("king")
    image = render(made, np.random.default_rng(0)).astype(int)
    points_mm = surface_points(placed(made.pieces[0], figures(1)["king"].mesh), made.camera.pose.eye_mm)
    x, y = np.rint(made.camera.pose.project(points_mm)).astype(int).T
    green = image[y, x, 1] > image[y, x, 2] + 25
    assert green.mean() > 0.9
    assert (image[..., 1] > image[..., 2] + 25)[:, 700:].mean() < 0.01


def test_a_piece_that_falls_over_has_its_top_beside_its_foot() -> None:
    mesh = figures(1)["king"].mesh
    fallen = placed(ScenePiece("king", "wood", 70.0, 60.0, lean_mm=(40.0, 0.0), turn_rad=1.0), mesh)
    foot, top = (fallen.quads_mm[mesh.quads_mm[..., 2] == end(mesh.quads_mm[..., 2])] for end in (np.min, np.max))
    assert foot[:, :2].mean(axis=0) == pytest.approx((70.0, 60.0), abs=0.5)
    assert top[:, :2].mean(axis=0) == pytest.approx((110.0, 60.0), abs=2.5)


def test_truth_has_what_stands_and_what_an_arm_hides() -> None:
    truth = truth_of(scene("king", "rook", occluded=True))
    read_as = dict(zip(BOARD.cells, truth.labels, strict=True))
    assert (read_as["A1"], read_as["B1"], read_as["C1"]) == ("king", "rook", "empty")
    visible = dict(zip(BOARD.cells, truth.visible.tolist(), strict=True))
    assert visible["B2"] < 0.5 < visible["A1"]


@pytest.mark.parametrize("tier", ["easy", "medium", "hard", "occluded"])
def test_scenes_by_chance_have_each_piece_once_at_most_and_follow_from_their_seed(tier: str) -> None:
    one, again = (random_figure_scene(BOARD, np.random.default_rng(4), tier=tier) for _ in range(2))
    assert [p.kind for p in one.pieces] == [p.kind for p in again.pieces]
    assert len({p.kind for p in one.pieces}) == len(one.pieces) == len({p.cell for p in one.pieces})

"""Scenes whose pictures must be refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.board import Board
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene, SceneCamera, camera_over

REFUSALS = ("no-board", "motion-blur", "defocus", "lens-covered", "cut-off")


def random_refusal(
    board: Board, rng: np.random.Generator, *, reason: str, size_wh: tuple[int, int] | None = None
) -> Scene:
    """Make up a scene whose picture must be refused, for one of REFUSALS."""
    scene = random_scene(board, rng, tier="medium", size_wh=size_wh)
    unit = scene.camera.size_wh[0] / 1640
    angle, length = rng.uniform(0, 2 * np.pi), rng.uniform(32, 80) * unit
    match reason:
        case "no-board":
            return replace(scene, board_present=False, pieces=())
        case "motion-blur":
            shake = (float(length * np.cos(angle)), float(length * np.sin(angle)))
            return replace(scene, sensor=replace(scene.sensor, shake_px=shake))
        case "defocus":
            return replace(scene, sensor=replace(scene.sensor, blur_px=float(rng.uniform(6, 14) * unit)))
        case "lens-covered":
            covered = float(rng.uniform(0.9985, 0.99999))
            return replace(scene, sensor=replace(scene.sensor, covered=covered, white_rgb=(1.6, 0.8, 0.6)))
        case _:
            return replace(scene, camera=_aimed_away(board, rng, scene.camera))


def _aimed_away(board: Board, rng: np.random.Generator, camera: SceneCamera) -> SceneCamera:
    """The same kind of camera, looking past the board so that at most one marker stays in the picture."""
    hfov = float(np.degrees(2 * np.arctan(camera.size_wh[0] / 2 / camera.pose.lens.focal_px)))
    angle, tilt = rng.uniform(0, 2 * np.pi), rng.uniform(0, 25)
    away = 0.3
    while True:
        aim = (float(away * board.size[0] * np.cos(angle)), float(away * board.size[1] * np.sin(angle)))
        moved = camera_over(
            board, camera.size_wh, hfov_deg=hfov, tilt_deg=tilt, distance_mm=1.1 * max(board.size), aim_mm=aim
        )
        pixels = moved.pose.project_at(board.markers.corners_mm().reshape(-1, 2), 0.0).reshape(4, 4, 2)
        inside = ((pixels > 0) & (pixels < np.array(camera.size_wh))).all(axis=(1, 2))
        if inside.sum() <= 1:
            return moved
        away += 0.05

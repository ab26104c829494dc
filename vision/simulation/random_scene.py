"""Scenes by chance: boards, sets, rooms, cameras and hands that vary more widely than any one table does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vision.board import Board
from vision.geometry import Floats
from vision.simulation.figures import random_figures
from vision.simulation.positions import random_labels
from vision.simulation.random_light import random_light, random_sensor
from vision.simulation.random_looks import (
    random_arm,
    random_clutter,
    random_mugs,
    random_set,
    random_skin,
    random_surface,
)
from vision.simulation.scene import Occluder, Scene, SceneCamera, camera_over, sees_board
from vision.simulation.truth import stand_pieces

TIERS = ("easy", "medium", "hard", "occluded")
REFUSALS = ("no-board", "motion-blur", "defocus", "lens-covered", "cut-off")

_SIZES = ((1640, 1232), (1280, 960), (1920, 1080), (2304, 1296), (1296, 972), (3280, 2464), (4608, 2592))
_TILTS_DEG = {"easy": (0.0, 15.0), "medium": (15.0, 30.0), "hard": (30.0, 45.0), "occluded": (8.0, 32.0)}


def random_scene(
    board: Board,
    rng: np.random.Generator,
    *,
    tier: str,
    labels: Mapping[str, str] | None = None,
    size_wh: tuple[int, int] | None = None,
) -> Scene:
    """Make up a scene.

    Args:
        board: the table's contract.
        rng: the only source of chance.
        tier: one of TIERS: "easy" (to 15 degrees off the vertical, even light), "medium" (to 30, white balance and
            exposure off), "hard" (to 45, from any side, any light), "occluded" (arms or mugs over the board or
            its markers).
        labels: what stands in the cells; None makes up a position.
        size_wh: the picture's size in pixels; None picks one of the usual ones.
    """
    labels = random_labels(board, rng) if labels is None else labels
    size_wh = size_wh or _SIZES[int(rng.choice(len(_SIZES), p=[0.45, 0.2, 0.1, 0.15, 0.05, 0.03, 0.02]))]
    shapes, tints = random_set(board, rng)
    camera = _random_camera(board, rng, tier, size_wh)
    scene = Scene(
        board,
        camera,
        stand_pieces(board, labels, rng, jitter_mm=float(rng.uniform(0.1, 0.8))),
        skin=random_skin(board, rng),
        shapes=shapes,
        figures=random_figures(board, rng),
        tints=tints,
        light=random_light(board, rng, tier),
        surface=random_surface(rng),
        sensor=random_sensor(rng, tier, size_wh),
        clutter=random_clutter(board, rng),
    )
    return replace(scene, occluders=_random_occluders(board, rng)) if tier == "occluded" else scene


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
        case "cut-off":
            return replace(scene, camera=_aimed_away(board, rng, scene.camera))
    message = f'"{reason}" is no reason to refuse: expected one of {", ".join(REFUSALS)}'
    raise ValueError(message)


def _random_camera(board: Board, rng: np.random.Generator, tier: str, size_wh: tuple[int, int]) -> SceneCamera:
    """A camera that sees the whole board, from a distance that leaves it large."""
    any_side = tier == "hard" or rng.random() < 0.3
    turn = rng.uniform(-180, 180) if any_side else rng.normal(0, 7)
    tilt = rng.uniform(*_TILTS_DEG[tier])
    hfov, roll, k1 = rng.uniform(52, 78), rng.normal(0, 2), rng.uniform(-0.1, 0.05)
    aim = _centred(board, size_wh, hfov, tilt, turn)

    views = {"hfov_deg": hfov, "tilt_deg": tilt, "turn_deg": turn, "roll_deg": roll, "k1": k1}
    nearest = camera_over(board, size_wh, aim_mm=(aim[0], aim[1]), **views)
    distance = float(np.linalg.norm(nearest.pose.eye_mm - (*(aim + np.array(board.size) / 2), 0.0)))
    farther = rng.uniform(1.0, 1.2) if rng.random() < 0.8 else rng.uniform(1.2, 1.6)
    aim = aim + rng.uniform(-0.5, 0.5, 2) * (farther - 1) * max(board.size)
    moved = camera_over(board, size_wh, distance_mm=distance * farther, aim_mm=(aim[0], aim[1]), **views)
    return moved if sees_board(moved, board) else nearest


def _centred(board: Board, size_wh: tuple[int, int], hfov: float, tilt: float, turn: float) -> Floats:
    """Where to aim, off the board's middle in mm, so that the board's outline is about the picture's middle."""
    aim = np.zeros(2)
    corners = np.array([(x, y) for x in (0, board.size[0]) for y in (0, board.size[1])])
    for _ in range(3):
        camera = camera_over(
            board,
            size_wh,
            hfov_deg=hfov,
            tilt_deg=tilt,
            turn_deg=turn,
            aim_mm=(aim[0], aim[1]),
            distance_mm=2 * max(board.size),
        )
        pixels = camera.pose.project_at(corners, 0.0)
        middle = (pixels.min(axis=0) + pixels.max(axis=0)) / 2
        plane = np.linalg.inv(camera.pose.homography(0.0)) @ np.append(middle, 1.0)
        aim = plane[:2] / plane[2] - np.array(board.size) / 2
    return aim


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


def _random_occluders(board: Board, rng: np.random.Generator) -> tuple[Occluder, ...]:
    kind = rng.choice(["arm", "arms", "mugs", "both"], p=[0.5, 0.1, 0.25, 0.15])
    arms = {"arm": 1, "arms": 2, "both": 1}.get(str(kind), 0)
    mugs = random_mugs(board, rng, int(rng.integers(1, 3))) if kind in ("mugs", "both") else ()
    return (*mugs, *(random_arm(board, rng) for _ in range(arms)))

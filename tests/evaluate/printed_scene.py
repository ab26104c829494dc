"""Rooms and cameras for pictures of printed kits: as near as marks need it, in pictures of usual sizes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.board import Board
from vision.localization.markers import modules_of
from vision.recognition.marks import modules_at
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene, SceneCamera

SIZES_WH = ((1280, 960), (1640, 1232), (2304, 1728), (3280, 2464), (4608, 3456))
"""Pictures of usual cameras, from the smallest."""

_BESIDE = 0.3
"""How far beside the middle of a place a mark may be, in cells."""

_MARGIN = 1.02
"""By how much more pixels a module has than a sure reading needs: the pose is estimated to about one in a hundred."""


def near_scene(plain: Board, board: Board, rng: np.random.Generator, *, tier: str, least_px: float) -> Scene:
    """Make up a scene in the smallest usual picture in which marks have that many pixels a module.

    A camera that is too far away for that is put elsewhere.

    Args:
        plain: the table without marks, which the simulation draws.
        board: the table.
        rng: the only source of chance.
        tier: of `random_scene`.
        least_px: 0 for the smallest usual picture.
    """
    size_wh = SIZES_WH[0] if not least_px else SIZES_WH[1]
    least_px *= _MARGIN
    while True:
        scene = _large_enough(random_scene(plain, rng, tier=tier, labels={}, size_wh=size_wh), board, least_px)
        if module_px(scene.camera, board) >= least_px:
            return scene


def _large_enough(scene: Scene, board: Board, least_px: float) -> Scene:
    """Return the scene in the smallest usual picture in which marks have that many pixels a module."""
    for size_wh in SIZES_WH:
        camera = _resized(scene.camera, size_wh)
        if size_wh[0] >= scene.camera.size_wh[0] and module_px(camera, board) >= least_px:
            break
    ratio = size_wh[0] / scene.camera.size_wh[0]
    shake = tuple(ratio**0.5 * v for v in scene.sensor.shake_px)
    sensor = replace(scene.sensor, blur_px=scene.sensor.blur_px * ratio**0.5, shake_px=(shake[0], shake[1]))
    return replace(scene, camera=camera, sensor=sensor)


def _resized(camera: SceneCamera, size_wh: tuple[int, int]) -> SceneCamera:
    ratio = size_wh[0] / camera.size_wh[0]
    lens = camera.pose.lens
    x, y = ((place + 0.5) * ratio - 0.5 for place in lens.centre_px)
    scaled = replace(lens, focal_px=lens.focal_px * ratio, centre_px=(x, y))
    return SceneCamera(replace(camera.pose, lens=scaled), size_wh)


def module_px(camera: SceneCamera, board: Board) -> float:
    """Return the width in pixels of a module of the smallest mark where it is narrowest on a board.

    Marks may be beside the middle of a place: a disc's symbol, the foot of a figure or the card's other mark is there.
    """
    if board.marks is None:
        return float("inf")
    module_mm = min(board.marks.size_of(part) for part in board.marks.ids) / modules_of(board.marks.dictionary)
    beside = _BESIDE * np.asarray(board.grid.pitch) * [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return float(modules_at((board.places_mm()[:, None] + beside).reshape(-1, 2), module_mm, camera.pose).min())

"""Training data of the network for figures: random scenes of chess pieces, and patches of their cells with truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Rgb
from vision.geometry import Pose
from vision.recognition.figure_patches import BRIGHTEST, CELL_PX, warp_patches
from vision.simulation.canvas import blend
from vision.simulation.random_looks import any_colour, hsv_rgb, tinted
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import BoardSkin, Scene, SceneCamera, ScenePiece
from vision.simulation.truth import PLAIN
from vision.training.data import BoardData, CellTruth, Example, cell_truth_in, cell_truth_of

_WOODS: tuple[Rgb, ...] = (
    (226, 190, 136),  # box, maple
    (200, 150, 96),
    (150, 90, 52),  # walnut
    (112, 50, 32),  # rosewood
    (40, 32, 30),  # ebony
    (22, 22, 24),
    (236, 232, 224),  # bone, white plastic
    (214, 210, 204),
    (128, 30, 28),  # red
    (60, 70, 84),
)
_SIZES = ((1280, 960), (1640, 1232), (1024, 768))


def random_figure_scene(board: Board, rng: np.random.Generator, *, tier: str) -> Scene:
    """Return a random scene with a set of chess pieces, of which in a quarter of the scenes some are missing."""
    words = [word for word in board.label_words if word in board.pieces]
    number = len(words) if rng.random() < 0.75 else int(rng.integers(0, len(words)))
    chosen, cells = rng.permutation(words)[:number].tolist(), rng.permutation(board.cells)[:number].tolist()
    kinds = dict(zip(cells, chosen, strict=True))
    size_wh = _SIZES[int(rng.choice(len(_SIZES), p=[0.6, 0.1, 0.3]))]
    scene = random_scene(board, rng, tier=tier, labels={}, size_wh=size_wh)
    # seen from farther away than it need be
    pose, middle = scene.camera.pose, np.array([*board.size, 0.0]) / 2
    eye_mm = middle + (pose.eye_mm - middle) * rng.uniform(1.0, 1.8)
    camera = SceneCamera(Pose.from_matrix(pose.lens, pose.board_to_camera, eye_mm), size_wh)
    # each off its cell's middle by up to 8 mm in x and y, and turned at random
    pieces, careless = [], rng.uniform(0.5, 4.0)
    for cell, middle in zip(board.cells, board.centres_mm(), strict=True):
        if cell in kinds:
            x, y = (middle + np.clip(rng.normal(0, careless, 2), -8, 8)).tolist()
            turn = float(rng.uniform(0, 2 * np.pi))
            pieces.append(ScenePiece(kinds[cell], PLAIN, x, y, cell=cell, turn_rad=turn))
    # a colour near that of a wood, bone or plastic; one time in ten any colour
    known = tinted(_WOODS[int(rng.integers(len(_WOODS)))], rng, hue=0.03, saturation=0.4, value=0.35)
    wood = any_colour(rng) if rng.random() < 0.1 else known
    skin = _checker(scene.skin, rng)
    return replace(scene, camera=camera, pieces=tuple(pieces), tints={PLAIN: wood}, skin=skin)


def _checker(skin: BoardSkin, rng: np.random.Generator) -> BoardSkin:
    """Return a random skin like a chess board's: mostly of two colours, seldom with holes or rings in its squares."""
    pale, dark = (
        blend(skin.ground, (255, 250, 240), rng.uniform(0, 0.85)),
        blend(skin.ground, hsv_rgb(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.05, 0.9)), rng.uniform(0, 1)),
    )
    ground, second = (pale, dark) if rng.random() < 0.5 else (skin.ground, dark)
    return replace(
        skin,
        ground=ground,
        second=second if rng.random() < 0.85 else None,
        hole_mm=skin.hole_mm if rng.random() < 0.05 else 0.0,
        ring=skin.ring if rng.random() < 0.15 else None,
        line_mm=skin.line_mm * float(rng.integers(0, 2)),
    )


_TIERS = ("easy", "easy", "medium", "medium", "hard", "hard", "hard", "occluded", "occluded")


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Cells of many pictures.

    Attributes:
        colours: uint8 (n, bgr, rows px, columns px), 255 the brightest.
        steepness: float32 (n,), sine of the angle at which the camera looks down on the cell.
        labels: int64 (n,), indices of the board's label words.
        visible: float32 (n,), the share of each cell that no hand, mug or edge hides.
    """

    colours: NDArray[np.uint8]
    steepness: NDArray[np.float32]
    labels: NDArray[np.int64]
    visible: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.labels)


def joined(parts: Iterable[Lessons]) -> Lessons:
    """Return lessons concatenated."""
    several = list(parts)
    return Lessons(*(np.concatenate([getattr(part, field.name) for part in several]) for field in fields(Lessons)))


class FigureData(BoardData[CellTruth]):
    """What the network for figures learns from; its truth is (n_places,)."""

    cell_px = CELL_PX

    def _drawn(self, rng: np.random.Generator, seed: int) -> tuple[Scene, CellTruth]:
        scene = random_figure_scene(self.board, rng, tier=_TIERS[seed % len(_TIERS)])
        return scene, cell_truth_of(scene)

    def _truth_in(self, file: Mapping[str, Any]) -> CellTruth:
        return cell_truth_in(file, self.board)

    def cut(self, example: Example[CellTruth]) -> Lessons:
        """Cut every cell out of a picture, as the reader does."""
        patches = warp_patches(example.source, self.board, example.estimate.pose, example.light)
        colours = np.round(patches[:, :3] / BRIGHTEST * 255).astype(np.uint8)
        return Lessons(colours, patches[:, 3, 0, 0], example.truth.labels, example.truth.visible)

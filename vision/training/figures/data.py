"""What the network for figures learns from: patches of cells with truth, cut out by the chain that will read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.image_file import load_image
from vision.localization.locate import ScaledImage, locate, search
from vision.localization.markers import of_board
from vision.localization.planes import choose_source
from vision.recognition.figure_patches import BRIGHTEST, CELL_PX, warp_patches
from vision.recognition.light import estimate_light
from vision.recognition.trust import rejection_reason
from vision.simulation.optics import render
from vision.simulation.truth import truth_of
from vision.training.render.figures_scene import random_figure_scene

_TIERS = ("easy", "easy", "medium", "medium", "hard", "hard", "hard", "occluded", "occluded")


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Cells of many pictures.

    Attributes:
        colours: uint8 (n, bgr, rows px, columns px), the patches' colours, 255 the brightest.
        steepness: float32 (n,).
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
    """Put lessons into one."""
    several = list(parts)
    return Lessons(
        *(np.concatenate([getattr(p, name) for p in several]) for name in ("colours", "steepness", "labels", "visible"))
    )


def save(lessons: Lessons, path: Path) -> None:
    """Keep lessons, for rendering takes longer than learning."""
    np.savez(
        path,
        colours=lessons.colours,
        steepness=lessons.steepness,
        labels=lessons.labels,
        visible=lessons.visible,
    )


def load(path: Path) -> Lessons:
    """Take up what `save` has kept."""
    with np.load(path) as kept:
        return Lessons(*(kept[name] for name in ("colours", "steepness", "labels", "visible")))


def rendered(board: Board, seeds: Sequence[int]) -> Iterator[Lessons]:
    """Render one random scene a seed; those that the reader would refuse are left out."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        scene = random_figure_scene(board, rng, tier=_TIERS[seed % len(_TIERS)])
        truth = truth_of(scene)
        made = make_lessons(render(scene, rng), board, truth.labels, truth.visible)
        if made is not None:
            yield made


def photographed(board: Board, pictures: Iterable[Path]) -> Iterator[Lessons]:
    """Read pictures that have a truth file beside them, in the form of tests/recorded."""
    for picture in pictures:
        truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
        visible = np.array([float(cell not in truth["hidden"]) for cell in board.cells])
        labels = [truth["cells"][cell] for cell in board.cells]
        made = make_lessons(load_image(picture), board, labels, visible)
        if made is not None:
            yield made


def make_lessons(
    image_bgr: ImageBgr, board: Board, labels: Sequence[str], visible: NDArray[np.float64]
) -> Lessons | None:
    """Cut out every cell of a picture uint8 (height, width, 3), as the reader does; None if it would refuse it."""
    scaled = ScaledImage(image_bgr)
    detections = of_board(search(scaled), board)
    located = locate(scaled, board, detections, None) if detections else None
    if located is None or rejection_reason(scaled, board, located):
        return None
    pose = located.estimate.pose
    source = choose_source(image_bgr, scaled.reduced_bgr, board, pose, cell_px=CELL_PX)
    patches = warp_patches(source, board, pose, estimate_light(image_bgr, board, pose, located.detections))
    return Lessons(
        np.round(patches[:, :3] / BRIGHTEST * 255).astype(np.uint8),
        patches[:, 3, 0, 0],
        np.array([board.label_words.index(word) for word in labels]),
        visible.astype(np.float32),
    )

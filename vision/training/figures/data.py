"""What the network for figures learns from: patches of cells with truth, cut out by the chain that will read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.recognition.figure_patches import BRIGHTEST, CELL_PX, warp_patches
from vision.simulation.scene import Scene
from vision.simulation.truth import truth_of
from vision.training import data
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
    """Render one random scene a seed."""

    def make(image_bgr: ImageBgr, scene: Scene) -> Lessons | None:
        truth = truth_of(scene)
        return make_lessons(image_bgr, board, truth.labels, truth.visible)

    return data.rendered(
        seeds, lambda rng, seed: random_figure_scene(board, rng, tier=_TIERS[seed % len(_TIERS)]), make
    )


def photographed(board: Board, pictures: Iterable[Path]) -> Iterator[Lessons]:
    """Read pictures that have a truth file."""
    return data.photographed(
        pictures, lambda image_bgr, truth: make_lessons(image_bgr, board, *data.labels_and_visible(board, truth))
    )


def make_lessons(
    image_bgr: ImageBgr, board: Board, labels: Sequence[str], visible: NDArray[np.float64]
) -> Lessons | None:
    """Cut out every cell of a picture uint8 (height, width, 3), as the reader does; None if it would refuse it."""
    seen = data.register(image_bgr, board, cell_px=CELL_PX)
    if seen is None:
        return None
    patches = warp_patches(seen.source, board, seen.estimate.pose, seen.light)
    return Lessons(
        np.round(patches[:, :3] / BRIGHTEST * 255).astype(np.uint8),
        patches[:, 3, 0, 0],
        np.array([board.label_words.index(word) for word in labels]),
        visible.astype(np.float32),
    )

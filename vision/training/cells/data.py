"""What the network learns from: pictures with truth, registered and lit by the very chain that will read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.board import Board, cell_column_row
from vision.frame import ImageBgr
from vision.image_file import load_image
from vision.localization.locate import ScaledImage, locate, search
from vision.localization.markers import of_board
from vision.localization.planes import CELL_PX, Planes, PlaneSource, choose_source, warp_planes
from vision.localization.pose import PoseEstimate
from vision.recognition.light import Illumination, estimate_light
from vision.recognition.trust import rejection_reason
from vision.simulation.optics import render
from vision.simulation.random_scene import random_scene
from vision.simulation.truth import truth_of
from vision.training.augment import blurred, jittered, relit

_TIERS = ("easy", "medium", "hard", "hard", "occluded")

_OPENING_EVERY = 6
"""One scene in this many is an opening; with five tiers, openings come in all of them."""


_FINE_PX = 24


def cell_px_of(board: Board) -> int:
    """Choose how many pixels a cell of the planes has: more if only detail distinguishes a flat piece from a print."""
    return _FINE_PX if all(piece.shape == "disc" for piece in board.pieces.values()) else CELL_PX


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One picture, ready to be warped, with its truth.

    Attributes:
        source: the picture, reduced for warping.
        estimate: the board's pose, as estimated, with its doubt.
        light: as estimated.
        labels: int64 (rows, columns), indices of the board's label words.
        visible: float32 (rows, columns), the share of each place that can be seen; 0 where the grid has none.
    """

    source: PlaneSource
    estimate: PoseEstimate
    light: Illumination
    labels: NDArray[np.int64]
    visible: NDArray[np.float32]


def rendered(board: Board, seeds: Sequence[int]) -> Iterator[Example]:
    """Render one random scene a seed; those whose markers cannot be found are left out."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        labels = opening(board, rng) if seed % _OPENING_EVERY == 0 and any(seat.start for seat in board.seat) else None
        scene = random_scene(board, rng, tier=_TIERS[seed % len(_TIERS)], labels=labels)
        truth = truth_of(scene)
        example = make_example(render(scene, rng), board, truth.labels, truth.visible)
        if example is not None:
            yield example


def opening(board: Board, rng: np.random.Generator) -> dict[str, str]:
    """Make up labels as after the first turns: tees on start spaces, which are tinted like them, and few elsewhere.

    A tee on a ground of its own colour is the hardest to read, and every game begins with it.
    """
    labels = dict.fromkeys(board.cells, "empty")
    for cell in rng.choice(board.cells, size=int(rng.integers(0, 10)), replace=False):
        labels[str(cell)] = str(rng.choice(board.colours))
    for seat in board.seat:
        if seat.start is not None:
            labels[seat.start] = seat.colour if rng.random() < 0.7 else "empty"
            beside = [cell for cell in board.cells if _steps_between(cell, seat.start) == 1]
            labels[str(rng.choice(beside))] = f"{seat.colour}-royal"
    return labels


def _steps_between(one: str, other: str) -> int:
    return sum(abs(a - b) for a, b in zip(cell_column_row(one), cell_column_row(other), strict=True))


def photographed(board: Board, pictures: Iterable[Path]) -> Iterator[Example]:
    """Read pictures that have a truth file beside them, in the form of tests/recorded."""
    for picture in pictures:
        truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
        labels = [truth["cells"].get(place, "empty") for place in board.places]
        visible = np.array([place not in truth["hidden"] for place in board.places], dtype=np.float64)
        example = make_example(load_image(picture), board, labels, visible)
        if example is not None:
            yield example


def make_example(
    image_bgr: ImageBgr, board: Board, labels: Sequence[str], visible: NDArray[np.float64]
) -> Example | None:
    """Register a picture as the reader does; None if it would refuse it.

    Args:
        image_bgr: uint8 (height, width, 3).
        board: the table.
        labels: the true label of each place.
        visible: float (n_places,), the share of each place that can be seen.
    """
    scaled = ScaledImage(image_bgr)
    detections = of_board(search(scaled), board)
    located = locate(scaled, board, detections, None) if detections else None
    if located is None or rejection_reason(scaled, board, located):
        return None
    pose = located.estimate.pose
    return Example(
        choose_source(image_bgr, scaled.reduced_bgr, board, pose, cell_px=cell_px_of(board)),
        located.estimate,
        estimate_light(image_bgr, board, pose, located.detections),
        _on_grid(board, np.array([board.label_words.index(word) for word in labels])),
        _on_grid(board, visible.astype(np.float32)),
    )


_Number = TypeVar("_Number", bound=np.generic)


def _on_grid(board: Board, values: NDArray[_Number]) -> NDArray[_Number]:
    """Put values of the places (n_places,) where they are on the grid (rows, columns); 0 where no place is."""
    columns, rows = np.transpose([cell_column_row(place) for place in board.places])
    grid = np.zeros((board.grid.rows, board.grid.columns), values.dtype)
    grid[rows, columns] = values
    return grid


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What the network is shown: planes, labels int64 (rows, columns), visible float32 (rows, columns)."""

    planes: Planes
    labels: NDArray[np.int64]
    visible: NDArray[np.float32]


def draw(example: Example, board: Board, heights_mm: Sequence[float], rng: np.random.Generator) -> Sample:
    """Make one variation of an example."""
    source = replace(example.source, image_bgr=blurred(example.source, rng))
    pose = jittered(example.estimate, rng)
    planes = warp_planes(source, board, pose, example.light, heights_mm, cell_px=cell_px_of(board))
    return turned(Sample(relit(planes, rng), example.labels, example.visible), rng)


def turned(sample: Sample, rng: np.random.Generator) -> Sample:
    """Turn a sample by quarters and mirror it, or not: the network knows nothing of where the board's top is.

    Only boards with as many rows as columns can be turned by single quarters.
    """
    quarters, mirrored = int(rng.integers(4)), rng.random() < 0.5
    rows, columns = sample.labels.shape
    quarters = quarters if rows == columns else quarters // 2 * 2
    flip = slice(None, None, -1) if mirrored else slice(None)
    planes = np.rot90(sample.planes, quarters, (1, 2))[:, :, flip]
    labels, visible = (np.rot90(a, quarters)[:, flip] for a in (sample.labels, sample.visible))
    return Sample(np.ascontiguousarray(planes), np.ascontiguousarray(labels), np.ascontiguousarray(visible))

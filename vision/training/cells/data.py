"""Training data of the cells' network: labelled pictures, registered and normalised as by the reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.board import Board, cell_column_row
from vision.frame import ImageBgr
from vision.localization.planes import CELL_PX, Planes
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene
from vision.simulation.truth import truth_of
from vision.training import data
from vision.training.data import relit

_TIERS = ("easy", "medium", "hard", "hard", "occluded")

_OPENING_EVERY = 6
"""One scene in this many is an opening; with five tiers, openings come in all of them."""

_SCENES_ASKEW, _PIECES_ASKEW = 0.5, 0.4
"""The share of scenes in which pieces lie askew, and of the pieces in them."""

_FINE_PX = 24


def cell_px_of(board: Board) -> int:
    """Return the side of a cell in the planes: larger if only detail distinguishes a flat piece from a print."""
    return _FINE_PX if all(piece.shape == "disc" for piece in board.pieces.values()) else CELL_PX


@dataclass(frozen=True, slots=True, eq=False)
class Example(data.Registered):
    """One picture, ready to be warped, with its truth.

    Attributes:
        labels: int64 (rows, columns), indices of the board's label words.
        visible: float32 (rows, columns), the visible share of each place; 0 for cells that are missing.
    """

    labels: NDArray[np.int64]
    visible: NDArray[np.float32]


def rendered(board: Board, seeds: Sequence[int]) -> Iterator[Example]:
    """Yield an example of one random scene for each seed."""

    def scene_of(rng: np.random.Generator, seed: int) -> Scene:
        labels = opening(board, rng) if seed % _OPENING_EVERY == 0 and any(seat.start for seat in board.seat) else None
        scene = random_scene(board, rng, tier=_TIERS[seed % len(_TIERS)], labels=labels)
        return put_askew(scene, rng) if rng.random() < _SCENES_ASKEW else scene

    def make(image_bgr: ImageBgr, scene: Scene) -> Example | None:
        truth = truth_of(scene)
        return make_example(image_bgr, board, truth.labels, truth.visible)

    return data.rendered(seeds, scene_of, make)


def put_askew(scene: Scene, rng: np.random.Generator) -> Scene:
    """Return a scene in which pieces of some cells lie up to a third of a cell off its middle, as people lay them."""
    most_mm = min(scene.board.grid.pitch) / 3 / np.sqrt(2)  # along each axis
    places = scene.board.places
    off = dict(zip(places, rng.uniform(-most_mm, most_mm, (len(places), 2)), strict=True))
    askew = {place for place in places if rng.random() < _PIECES_ASKEW}
    pieces = (
        replace(piece, x_mm=piece.x_mm + off[piece.cell][0], y_mm=piece.y_mm + off[piece.cell][1])
        if piece.cell in askew
        else piece
        for piece in scene.pieces
    )
    return replace(scene, pieces=tuple(pieces))


def opening(board: Board, rng: np.random.Generator) -> dict[str, str]:
    """Return random labels as after the first turns: tees on start spaces, which have their tint, and few elsewhere.

    A tee on a ground of its own colour is the hardest to read, and every game begins with it.
    """
    labels = dict.fromkeys(board.cells, "empty")
    for cell in rng.choice(board.cells, size=int(rng.integers(0, 10)), replace=False):
        labels[str(cell)] = str(rng.choice(board.colours))
    for seat in board.seat:
        if seat.start is not None:
            labels[seat.start] = seat.colour if rng.random() < 0.7 else "empty"
            steps = np.subtract([cell_column_row(cell) for cell in board.cells], cell_column_row(seat.start))
            beside = np.array(board.cells)[np.abs(steps).sum(axis=1) == 1]
            labels[str(rng.choice(beside))] = f"{seat.colour}-royal"
    return labels


def photographed(board: Board, pictures: Iterable[Path]) -> Iterator[Example]:
    """Read pictures that have a truth file."""
    return data.photographed(
        pictures, lambda image_bgr, truth: make_example(image_bgr, board, *data.labels_and_visible(board, truth))
    )


def make_example(
    image_bgr: ImageBgr, board: Board, labels: Sequence[str], visible: NDArray[np.float64]
) -> Example | None:
    """Return an example of a picture, registered as by the reader; None if the reader would refuse it.

    Args:
        image_bgr: uint8 (height, width, 3).
        board: the table.
        labels: the true label of each place.
        visible: float (n_places,), the visible share of each place.
    """
    seen = data.register(image_bgr, board, cell_px=cell_px_of(board))
    if seen is None:
        return None
    return Example(
        *(seen.source, seen.estimate, seen.light),
        _on_grid(board, np.array([board.label_words.index(word) for word in labels])),
        _on_grid(board, visible.astype(np.float32)),
    )


_Number = TypeVar("_Number", bound=np.generic)


def _on_grid(board: Board, values: NDArray[_Number]) -> NDArray[_Number]:
    """Return values of the places (n_places,) on the grid (rows, columns), with 0 for missing cells."""
    columns, rows = np.transpose([cell_column_row(place) for place in board.places])
    grid = np.zeros((board.grid.rows, board.grid.columns), values.dtype)
    grid[rows, columns] = values
    return grid


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A sample: planes, labels int64 (rows, columns), visible float32 (rows, columns)."""

    planes: Planes
    labels: NDArray[np.int64]
    visible: NDArray[np.float32]


def draw(example: Example, board: Board, heights_mm: Sequence[float], rng: np.random.Generator) -> Sample:
    """Return a random sample of an example."""
    planes, _pose = data.warp(example, board, heights_mm, rng, cell_px=cell_px_of(board))
    return turned(Sample(relit(planes, rng), example.labels, example.visible), rng)


def turned(sample: Sample, rng: np.random.Generator) -> Sample:
    """Return a sample turned by quarters and mirrored at random: the board's orientation must not matter.

    Only boards with as many rows as columns can be turned by single quarters.
    """
    quarters, mirrored = int(rng.integers(4)), rng.random() < 0.5
    rows, columns = sample.labels.shape
    quarters = quarters if rows == columns else quarters // 2 * 2
    flip = slice(None, None, -1) if mirrored else slice(None)
    planes = np.rot90(sample.planes, quarters, (1, 2))[:, :, flip]
    labels, visible = (np.rot90(a, quarters)[:, flip] for a in (sample.labels, sample.visible))
    return Sample(np.ascontiguousarray(planes), np.ascontiguousarray(labels), np.ascontiguousarray(visible))

"""Training data of the layout's network: labelled pictures of tables of cards, and their variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.labels import BACK, EMPTY, parse_label
from vision.localization.planes import Planes
from vision.recognition.cards.layout import CELL_PX, FACE, NOTHING, heights_mm, lying_words, standing_words
from vision.simulation.card_table import random_card_scene
from vision.simulation.scene import Scene
from vision.simulation.truth import CardTruth, card_truth_of
from vision.training import data
from vision.training.data import relit

_TIERS = ("easy", "medium", "hard", "hard", "occluded")
_SIZE_WH = ((1280, 960), (1280, 720), (1640, 1232))
"""Sizes of rendered pictures: small ones are sufficient for the coarse planes, and fast."""

_BLACK_TINT = 0.01
"""Strength of a cast on black, small because dark green pawns must differ from black ones."""

_REACHED_OVER = 0.3
"""Share of the samples with something like an arm over the table."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutTruth:
    """The true outputs for each cell; arrays (rows, columns, ...).

    Attributes:
        lying, standing: int64, indices of the layout's words.
        visible: float32, the visible share of the cell's card.
        place: float32 (rows, columns, 3), NaN if it is not known.
    """

    lying: NDArray[np.int64]
    standing: NDArray[np.int64]
    visible: NDArray[np.float32]
    place: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class LayoutExample(data.Registered):
    """One picture, ready to be warped, with its truth."""

    truth: LayoutTruth


@dataclass(frozen=True, slots=True, eq=False)
class LayoutSample:
    """A sample: the network's input and its true outputs."""

    planes: Planes
    truth: LayoutTruth


def rendered(board: Board, seeds: Sequence[int]) -> Iterator[LayoutExample]:
    """Yield an example of one random scene for each seed."""

    def scene_of(rng: np.random.Generator, seed: int) -> Scene:
        size = _SIZE_WH[int(rng.integers(len(_SIZE_WH)))]
        tier, crowded = _TIERS[seed % len(_TIERS)], seed % 2 == 0
        return random_card_scene(board, rng, tier=tier, size_wh=size, crowded=crowded)

    return data.rendered(seeds, scene_of, lambda image, scene: make_example(image, board, card_truth_of(scene)))


def photographed(board: Board, pictures: Iterable[Path]) -> Iterator[LayoutExample]:
    """Yield examples of pictures with a truth file that lists pieces."""
    return data.photographed(pictures, lambda image, truth: make_example(image, board, _reported(board, truth)))


def _reported(board: Board, truth: Mapping[str, Any]) -> CardTruth:
    """Return the truth of a truth file, in which the cards' rotation is missing."""
    middles = {piece[0]: piece[3:5] for piece in truth["pieces"] if piece[1] == "card"}
    off = [np.asarray(middles[c], np.float64) - m for c, m in zip(board.cells, board.centres_mm(), strict=True)]
    place = np.column_stack([off, np.full(len(off), np.nan)])
    hidden = np.array([cell in truth["hidden"] for cell in board.cells])
    return CardTruth(tuple(truth["cells"][cell] for cell in board.cells), place, np.where(hidden, 0.0, 1.0))


def make_example(image_bgr: ImageBgr, board: Board, truth: CardTruth) -> LayoutExample | None:
    """Return an example of a picture, registered as by the reader; None if the reader would refuse it."""
    seen = data.register(image_bgr, board, cell_px=CELL_PX)
    return None if seen is None else LayoutExample(seen.source, seen.estimate, seen.light, layout_truth(board, truth))


def layout_truth(board: Board, truth: CardTruth) -> LayoutTruth:
    """Return a table's truth in the layout's words."""
    shape = (board.grid.rows, board.grid.columns)
    lying, standing = zip(*(_parts(board, label or EMPTY) for label in truth.labels), strict=True)
    return LayoutTruth(
        np.array([lying_words(board).index(word) for word in lying]).reshape(shape),
        np.array([standing_words(board).index(word) for word in standing]).reshape(shape),
        truth.visible.astype(np.float32).reshape(shape),
        truth.place.astype(np.float32).reshape(*shape, 3),
    )


def _parts(board: Board, label: str) -> tuple[str, str]:
    """Return the words for what lies and what stands on a cell of this label."""
    card, *things = parse_label(label).parts() or ("",)
    covering = next((thing for thing in things if thing in board.parts_on_cards(covers=True)), None)
    standing = next((thing for thing in things if thing in board.parts_on_cards(covers=False)), NOTHING)
    return covering or {"": NOTHING, BACK: BACK}.get(card, FACE), standing


def draw(example: LayoutExample, board: Board, rng: np.random.Generator) -> LayoutSample:
    """Return a random sample of an example."""
    planes, pose = data.warp(example, board, heights_mm(board), rng, cell_px=CELL_PX)
    place = shifted(example.truth.place, board, example.estimate.pose, pose)
    sample = LayoutSample(relit(planes, rng, tint=_BLACK_TINT), replace(example.truth, place=place))
    return _reached_over(sample, rng) if rng.random() < _REACHED_OVER else sample


def shifted(place: NDArray[np.float32], board: Board, true_pose: Pose, pose: Pose) -> NDArray[np.float32]:
    """Return the places of cards (rows, columns, 3) as they appear under a wrong pose."""
    known = np.nan_to_num(place.reshape(-1, 3)[:, :2])
    middles = board.centres_mm() + known
    ahead = [pose.project_at(middles + np.array(step), 0.0) for step in ((0, 0), (1, 0), (0, 1))]
    jacobians = np.stack([ahead[1] - ahead[0], ahead[2] - ahead[0]], axis=-1)
    shift = np.linalg.solve(jacobians, (true_pose.project_at(middles, 0.0) - ahead[0])[..., None])[..., 0]
    return place + np.pad(shift, ((0, 0), (0, 1))).reshape(place.shape).astype(np.float32)


def _reached_over(sample: LayoutSample, rng: np.random.Generator) -> LayoutSample:
    """Return a sample with something like an arm: a smooth bar with a round end, shifted a little at each height."""
    heights, (rows_px, columns_px) = len(sample.planes) // 3, sample.planes.shape[1:]
    size = np.array([columns_px, rows_px])
    angle = rng.uniform(0, 2 * np.pi)
    tip, towards = rng.uniform(0.1, 0.9, 2) * size, np.array([np.cos(angle), np.sin(angle)])
    radius = float(rng.uniform(0.25, 0.8) * CELL_PX)
    colour = rng.uniform(0.05, 1.1, 3)
    planes, shift = sample.planes.copy(), rng.normal(0, 2.0, 2)
    hidden = np.zeros(sample.planes.shape[1:], np.float32)
    for level in range(heights):
        # how far each pixel is from the axis of a bar that begins at `tip`, in radii, float64 (rows, columns)
        shape = sample.planes.shape[1:]
        y, x = np.mgrid[: shape[0], : shape[1]] - (tip + level * shift)[::-1, None, None]
        along = np.maximum(x * towards[0] + y * towards[1], 0)
        across = np.asarray(np.hypot(x - along * towards[0], y - along * towards[1]) / radius)
        inside = across < 1
        shade = np.sqrt(np.clip(1 - across[inside] ** 2, 0, 1)) * 0.6 + 0.4
        planes[3 * level : 3 * level + 3, inside] = colour[:, None] * shade + rng.normal(0, 0.02, shade.shape)
        hidden += inside / heights
    return LayoutSample(planes, replace(sample.truth, visible=sample.truth.visible * (1 - _share_of_cells(hidden))))


def _share_of_cells(mask: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the share of each cell's middle part that a mask covers, float32 (rows, columns)."""
    half, rim = CELL_PX // 2, CELL_PX // 12
    inner = mask[half:-half, half:-half]
    rows, columns = (n // CELL_PX for n in inner.shape)
    cells = inner.reshape(rows, CELL_PX, columns, CELL_PX)[:, rim:-rim, :, rim:-rim]
    return np.asarray(cells.mean(axis=(1, 3)), dtype=np.float32)


def turned(sample: LayoutSample, rng: np.random.Generator) -> LayoutSample:
    """Return a sample turned by 180 degrees and mirrored at random: the board's orientation must not matter."""
    if rng.random() < 0.5:
        sample = _flipped(_flipped(sample, 0), 1)
    return _flipped(sample, 1) if rng.random() < 0.5 else sample


_MIRRORED: tuple[Floats, Floats] = (np.array([1.0, -1.0, -1.0]), np.array([-1.0, 1.0, -1.0]))
"""Factors of a place when rows, and when columns, are reversed."""


def _flipped(sample: LayoutSample, axis: int) -> LayoutSample:
    """Return a sample with rows (0) or columns (1) reversed."""
    truth = sample.truth
    mirrored = LayoutTruth(
        np.flip(truth.lying, axis).copy(),
        np.flip(truth.standing, axis).copy(),
        np.flip(truth.visible, axis).copy(),
        np.flip(truth.place, axis) * _MIRRORED[axis].astype(np.float32),
    )
    return LayoutSample(np.flip(sample.planes, axis + 1).copy(), mirrored)

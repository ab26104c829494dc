"""The network for cells: fitted to examples, and its confidence to the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.board import Board
from vision.localization.planes import CELL_PX
from vision.training.cells.data import Example, Sample, cell_px_of, draw, turned
from vision.training.learning import Say, TrainingConfig, minimise
from vision.training.networks import convolution
from vision.training.pool import Pool
from vision.training.risk import best_temperature

_BATCH, _POOL, _FRESH = 8, 600, 1
"""Samples a batch, taken from a pool of variations of which so many are made anew each step."""


def train(
    examples: Sequence[Example],
    board: Board,
    planes_mm: Sequence[float],
    config: TrainingConfig,
    say: Say,
) -> CellNet:
    """Learn to label the cells of a board; `say` hears of the progress."""
    torch.manual_seed(config.seed)
    rng = np.random.default_rng(config.seed)
    network = CellNet(len(planes_mm), len(board.label_words), cell_px=cell_px_of(board))

    def make() -> Sample:
        return draw(examples[int(rng.integers(len(examples)))], board, planes_mm, rng)

    pool = Pool(make, turned, _POOL, rng)
    return minimise(network, lambda: _loss(network, pool.batch(_BATCH, _FRESH)), config, say, weight_decay=1e-3)


def _loss(network: CellNet, samples: Sequence[Sample]) -> torch.Tensor:
    """Cross entropy of the labels of what can be seen, and of being seen at all."""
    planes, labels, visible = (
        torch.from_numpy(np.stack(arrays))
        for arrays in zip(*((s.planes, s.labels, s.visible) for s in samples), strict=True)
    )
    with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor knows it
        logits = network(planes.contiguous(memory_format=torch.channels_last)).float()
    weights = torch.where(visible > 0.45, visible, 0.0)
    of_labels = nn.functional.cross_entropy(logits[:, :-1], labels, reduction="none")
    of_seeing = nn.functional.binary_cross_entropy_with_logits(logits[:, -1], visible)
    return (of_labels * weights).sum() / weights.sum() + 0.5 * of_seeing


def fit_temperature(network: CellNet, held_out: Sequence[tuple[torch.Tensor, NDArray[np.int64]]]) -> float:
    """Find the divisor of the logits that makes the truth most probable (Guo et al., "On calibration", 2017).

    Args:
        network: trained.
        held_out: planes and labels (rows, columns) of samples that it has not seen; -1 where nothing can be seen.
    """
    with torch.no_grad():
        logits = torch.stack([network(planes[None])[0, :-1] for planes, _ in held_out])
    labels = torch.from_numpy(np.stack([truth for _, truth in held_out]))
    return best_temperature(lambda t: nn.functional.cross_entropy(logits / t, labels, ignore_index=-1).item())


class CellNet(nn.Module):
    """Planes (n, 3 * heights, rows px, columns px) to logits (n, labels + 1, rows, columns); the last is "visible".

    Fully convolutional: it knows nothing of where on the board a cell is. What the whole board looks like (its
    ground, its light) reaches every cell through the average of the features.
    """

    def __init__(self, heights: int, labels: int, *, cell_px: int = CELL_PX, width: int = 16) -> None:
        super().__init__()
        self._places = cell_px // 4  # along a cell behind the two strided layers; the margin is half as many
        self.features = nn.Sequential(
            *convolution(3 * heights, width, 3, stride=2, padding=1),
            *convolution(width, 2 * width, 3, stride=2, padding=1),
            *convolution(2 * width, 2 * width, 3, padding=1),
            *convolution(2 * width, 2 * width, 3, padding=1),
        )
        self.cell = nn.Sequential(*convolution(2 * width, 4 * width, self._places + 2, stride=self._places))
        self.of_cell = nn.Conv2d(4 * width, 4 * width, 1, bias=False)
        self.of_board = nn.Conv2d(2 * width, 4 * width, 1, bias=False)
        self.head = nn.Sequential(
            nn.BatchNorm2d(4 * width),
            nn.ReLU(),
            *convolution(4 * width, 4 * width, 3, padding=1),  # a neighbour's tall head may stand before this cell
            nn.Conv2d(4 * width, labels + 1, 1),
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Compute the logits."""
        features = self.features(planes)
        rim = self._places // 2 - 1  # the window sees one place past each side of its cell
        cells = self.cell(features[:, :, rim:-rim, rim:-rim])
        average = features.mean(dim=(2, 3), keepdim=True)
        # A difference broadcasts to grids of any size in OpenCV 4.10 and 5.0; a sum and a concatenation do not.
        logits: torch.Tensor = self.head(self.of_cell(cells) - self.of_board(average))
        return logits

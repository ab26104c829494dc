"""Fitting the network to examples, and its confidence to the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.board import Board
from vision.training.cells.data import Example, Sample, cell_px_of, draw, turned
from vision.training.cells.model import CellNet
from vision.training.learning import Say, TrainingConfig, minimise
from vision.training.pool import Pool
from vision.training.risk import best_temperature

_BATCH, _POOL, _FRESH = 8, 600, 1
"""Samples a batch, taken from a pool of variations of which this many are made again each step."""


def train(
    examples: Sequence[Example],
    board: Board,
    planes_mm: Sequence[float],
    config: TrainingConfig,
    say: Say,
) -> CellNet:
    """Learn to label the cells of a board; `say` is called with lines on the progress."""
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

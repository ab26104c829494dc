"""Train the model that labels every cell of a board, from rendered scenes and pictures with truth.

Ten minutes on one core for 6000 steps; most of the rest is rendering.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from vision.board import Board
from vision.localization.planes import CELL_PX
from vision.recognition.labeller import height_mm
from vision.training.cells.data import Example, Sample, cell_px_of, draw, photographed, rendered, turned
from vision.training.command import PlaneModel, train_planes
from vision.training.learning import Say, TrainingConfig, minimise
from vision.training.networks import RESIDUAL, convolution
from vision.training.pool import Pool
from vision.training.risk import best_temperature

# ---- the network


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


# ---- learning, and how far to trust what was learned


_BATCH, _POOL, _FRESH = 8, 600, 1
"""Samples a batch, taken from a pool of variations of which this many are made again each step."""


def train(examples: Sequence[Example], board: Board, config: TrainingConfig, say: Say) -> CellNet:
    """Learn to label the cells of a board; `say` is called with lines on the progress."""
    torch.manual_seed(config.seed)
    rng = np.random.default_rng(config.seed)
    heights_mm = planes_mm(board)
    network = CellNet(len(heights_mm), len(board.label_words), cell_px=cell_px_of(board))

    def make() -> Sample:
        return draw(examples[int(rng.integers(len(examples)))], board, heights_mm, rng)

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


def fit_temperature(network: CellNet, held_out: Sequence[Example], board: Board, rng: np.random.Generator) -> float:
    """Find the divisor of the logits that makes the truth of one variation of each example most probable."""
    samples = [draw(example, board, planes_mm(board), rng) for example in held_out]
    with torch.no_grad():
        logits = torch.stack([network(torch.from_numpy(s.planes)[None])[0, :-1] for s in samples])
    labels = torch.from_numpy(np.stack([np.where(s.visible > 0.5, s.labels, -1) for s in samples]))
    return best_temperature(lambda t: nn.functional.cross_entropy(logits / t, labels, ignore_index=-1).item())


# ---- the command


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    model = PlaneModel(
        description=__doc__,
        scenes=1000,
        weight=8,
        held_out=40,
        heights=lambda board: len(planes_mm(board)),
        cell_px=cell_px_of,
        rendered=rendered,
        photographed=photographed,
        train=train,
        fit_temperature=fit_temperature,
        parameters=parameters,
    )
    return train_planes(game, argv, model)


def heights_of(board: Board) -> tuple[str, ...]:
    """Return the names of the planes' heights: of each piece, and of a medium stack where pieces are stacked."""
    pieces = sorted(board.pieces, key=lambda name: board.pieces[name].height)
    stacked = any(label.height > 1 for label in board.cell_labels)
    return (*pieces, *(f"{name}*3" for name in pieces if stacked))


def planes_mm(board: Board) -> tuple[float, ...]:
    """Return the heights of the planes: the board's own, and those of `heights_of`."""
    return (0.0, *(height_mm(board, name) for name in heights_of(board)))


def parameters(board: Board, temperature: float) -> dict[str, object]:
    """Return the [network] table of model.toml."""
    return {
        "labels": list(board.label_words),
        "heights": list(heights_of(board)),
        "cell_px": cell_px_of(board),
        "temperature": round(temperature, 3),
        "residual": RESIDUAL,
    }

"""Train the model that labels every cell of a board, on rendered scenes and labelled pictures.

6000 steps take ten minutes on one core, and rendering longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.board import Board, shipped_board
from vision.recognition.labeller import height_mm
from vision.training.cells.data import Example, Sample, cell_px_of, draw, photographed, rendered, turned
from vision.training.learning import RESIDUAL, Batch, GridNet, train_planes


class CellModel:
    """The model of a board's cells; fulfils `vision.training.learning.PlaneModel`."""

    scenes, weight, held_out, fresh = 1000, 8, 40, 1

    def __init__(self, board: Board) -> None:
        self._board, self.cell_px = board, cell_px_of(board)
        # one plane for each piece's height, and for that of a medium stack if pieces are stacked
        pieces = sorted(board.pieces, key=lambda name: board.pieces[name].height)
        stacks = pieces if any(label.height > 1 for label in board.cell_labels) else []
        self._names = [*pieces, *(f"{name}*3" for name in stacks)]
        self._planes_mm = (0.0, *(height_mm(board, name) for name in self._names))
        self.heights = len(self._planes_mm)

    def rendered(self, seeds: Sequence[int]) -> Iterator[Example]:
        """Yield an example of one random scene for each seed."""
        return rendered(self._board, seeds)

    def photographed(self, pictures: Iterable[Path]) -> Iterator[Example]:
        """Read pictures that have a truth file."""
        return photographed(self._board, pictures)

    def draw(self, example: Example, rng: np.random.Generator) -> Sample:
        """Return a random sample of an example."""
        return draw(example, self._board, self._planes_mm, rng)

    def turned(self, sample: Sample, rng: np.random.Generator) -> Sample:
        """Return a sample turned and mirrored at random."""
        return turned(sample, rng)

    def network(self) -> nn.Module:
        """Return a network for logits of the labels; the last output is "visible"."""
        widths, outputs = (3 * self.heights, 16, 32, 32, 32), len(self._board.label_words) + 1
        return GridNet(widths, strided=2, cell_px=self.cell_px, cell=64, mixed=64, outputs=outputs)

    def loss(self, outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Return the cross entropy of the labels of visible cells, plus that of visibility."""
        weights = torch.where(batch.visible > 0.45, batch.visible, 0.0)
        of_labels = nn.functional.cross_entropy(outputs[:, :-1], batch.labels, reduction="none")
        of_seeing = nn.functional.binary_cross_entropy_with_logits(outputs[:, -1], batch.visible)
        return (of_labels * weights).sum() / weights.sum() + 0.5 * of_seeing

    def judged(self, outputs: torch.Tensor, batch: Batch) -> Sequence[tuple[torch.Tensor, torch.Tensor]]:
        """Return the labels' logits with their truth, -1 for hidden cells."""
        return [(outputs[:, :-1], torch.where(batch.visible > 0.5, batch.labels, -1))]

    def parameters(self) -> dict[str, object]:
        """Return the [network] table of model.toml without the temperature."""
        labels = list(self._board.label_words)
        return {"labels": labels, "heights": self._names, "cell_px": self.cell_px, "residual": RESIDUAL}


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    board = shipped_board(game)
    return train_planes(board, argv, CellModel(board), __doc__)

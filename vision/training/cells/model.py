"""The network that labels every cell of a board at once."""

from __future__ import annotations

import torch
from torch import nn

from vision.localization.planes import CELL_PX
from vision.training.networks import convolution


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

"""The network that reads every cell of a table of cards, all cells at once."""

from __future__ import annotations

import torch
from torch import nn

from vision.recognition.cards.layout import CELL_PX
from vision.training.networks import convolution

_STRIDES = 8
_PLACES = CELL_PX // _STRIDES
"""Places along a cell behind the three strided layers; the margin of half a cell is half as many."""

PLACE = 3
"""Outputs for a card's place: its middle (x, y) and its turn."""

_OPPONENT = torch.tensor([(0.6, 0.6, 0.6), (0.0, -3.0, 3.0), (3.0, -1.5, -1.5)])
"""Light, red against green, blue against yellow, each from blue, green and red."""


class LayoutNet(nn.Module):
    """Planes (n, 3 * heights, rows px, columns px) to outputs (n, lying + standing + 1 + PLACE, rows, columns).

    Fully convolutional: it knows nothing of where on the board a cell is. What the whole board looks like (its
    ground, its cards' backs, its light) reaches every cell through the average of the features.
    """

    def __init__(self, heights: int, lying: int, standing: int) -> None:
        super().__init__()
        self.parts = (lying, standing, 1, PLACE)
        self.features = nn.Sequential(
            *convolution(3 * heights, 24, 3, stride=2, padding=1),
            *convolution(24, 32, 3, stride=2, padding=1),
            *convolution(32, 48, 3, stride=2, padding=1),
            *convolution(48, 48, 3, padding=1),
            *convolution(48, 48, 3, padding=1),
        )
        self.cell = nn.Sequential(*convolution(48, 80, _PLACES + 2, stride=_PLACES))
        self.of_cell = nn.Conv2d(80, 64, 1, bias=False)
        self.of_board = nn.Conv2d(48, 64, 1, bias=False)
        self.head = nn.Sequential(
            nn.BatchNorm2d(64),
            nn.ReLU(),
            *convolution(64, 64, 3, padding=1),  # a neighbour's pawn may stand before this cell
            nn.Conv2d(64, sum(self.parts), 1),
        )
        self._see_colours()

    def _see_colours(self) -> None:
        """Begin with filters that see hues as well as light and shade.

        Suits differ by the hue of thin print, which hardly shows in blue, green and red: a network that begins with
        those alone learns the hues last.
        """
        first = self.features[0]
        with torch.no_grad():
            by_plane = first.weight.unflatten(1, (-1, 3))
            first.weight.copy_(torch.einsum("ohcyx,cd->ohdyx", by_plane, _OPPONENT).flatten(1, 2))

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Compute the outputs."""
        features = self.features(planes)
        rim = _PLACES // 2 - 1  # the window sees one place past each side of its cell
        cells = self.cell(features[:, :, rim:-rim, rim:-rim])
        average = features.mean(dim=(2, 3), keepdim=True)
        # A difference broadcasts to grids of any size in OpenCV 4.10 and 5.0; a sum and a concatenation do not.
        outputs: torch.Tensor = self.head(self.of_cell(cells) - self.of_board(average))
        return outputs

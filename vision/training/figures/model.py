"""The network that recognises which figure stands on a cell from what the camera sees of it."""

from __future__ import annotations

import torch
from torch import nn

from vision.recognition.figure_patches import PATCH_WH
from vision.training.networks import convolution

_SHRINK = 16
"""Four strided layers halve a patch this many times."""


class FigureNet(nn.Module):
    """Patches (n, 4, rows px, columns px) to logits (n, labels + 1); the last is "visible".

    The places behind the convolutions keep their own weights: a cross high above the foot is not a cross on the foot.
    """

    def __init__(self, labels: int, width: int = 16) -> None:
        super().__init__()
        self.features = nn.Sequential(
            *convolution(4, width, 3, stride=2, padding=1),
            *convolution(width, 2 * width, 3, stride=2, padding=1),
            *convolution(2 * width, 2 * width, 3, padding=1),
            *convolution(2 * width, 4 * width, 3, stride=2, padding=1),
            *convolution(4 * width, 4 * width, 3, padding=1),
            *convolution(4 * width, 5 * width, 3, stride=2, padding=1),
            nn.Flatten(),
        )
        places = (PATCH_WH[0] // _SHRINK) * (PATCH_WH[1] // _SHRINK)
        self.head = nn.Sequential(
            nn.Dropout(0.3),
            nn.Linear(5 * width * places, 6 * width),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(6 * width, labels + 1),
        )

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Compute the logits."""
        logits: torch.Tensor = self.head(self.features(patches))
        return logits

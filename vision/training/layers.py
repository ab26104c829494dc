"""The layers that the eye's networks are made of."""

from __future__ import annotations

import torch
from torch import nn


def convolution(
    inside: int, outside: int, size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1
) -> list[nn.Module]:
    """Convolve (n, inside, rows, columns) to (n, outside, ...), normalise over the batch and rectify.

    OpenCV folds the second into the first when it loads the network.
    """
    convolve = nn.Conv2d(inside, outside, size, stride=stride, padding=padding, dilation=dilation, bias=False)
    return [convolve, nn.BatchNorm2d(outside), nn.ReLU()]


class Residual(nn.Module):
    """Adds a convolution's output to its input (n, width, rows, columns); at first nothing, so that it learns fast.

    See He et al., "Deep residual learning" (2016), and Goyal et al. (2017) on beginning with nothing.
    """

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        convolve, normalise, rectify = convolution(width, width, 3, padding=dilation, dilation=dilation)
        nn.init.zeros_(normalise.weight)
        self.layer = nn.Sequential(convolve, normalise, rectify)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Compute the sum."""
        added: torch.Tensor = features + self.layer(features)
        return added

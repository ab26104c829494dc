"""The layer that all of the eye's networks are made of."""

from __future__ import annotations

from torch import nn


def convolution(
    inside: int, outside: int, size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1
) -> list[nn.Module]:
    """Convolve (n, inside, rows, columns) to (n, outside, ...), normalise over the batch and rectify.

    OpenCV folds the second into the first when it loads the network.
    """
    convolve = nn.Conv2d(inside, outside, size, stride=stride, padding=padding, dilation=dilation, bias=False)
    return [convolve, nn.BatchNorm2d(outside), nn.ReLU()]

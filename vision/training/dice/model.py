"""The two networks: where top faces of dice are, and what one face by itself shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.markerless.dice_network import PATCH_PX, STRIDE
from vision.markerless.dice_views import ALL_ROUND, UPRIGHT, views
from vision.training.dice.data import CLASSES
from vision.training.dice.patches import spots_of
from vision.training.networks import Residual, convolution
from vision.training.render.dice_picture import DicePicture


class DieDetectorNet(nn.Module):
    """Pictures (n, 3, rows px, columns px) to maps (n, 5, rows / STRIDE, columns / STRIDE).

    The logits of nothing and of a top face; the way to its middle (x, y), and its size, as `examples.targets` has them.
    Fully convolutional: it sees 200 px around a place, four times the largest face that it has to find, so that it can
    distinguish the top face from the sides.
    """

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            *convolution(3, width, 3, stride=2, padding=1),
            *convolution(width, 2 * width, 3, stride=2, padding=1),
            *convolution(2 * width, 2 * width, 3, padding=1),
            *convolution(2 * width, 4 * width, 3, stride=2, padding=1),
        )
        self.around = nn.Sequential(*(Residual(4 * width, dilation) for dilation in (1, 2, 4, 1, 2, 1)))
        self.head = nn.Sequential(nn.Conv2d(4 * width, 4 * width, 1), nn.ReLU(), nn.Conv2d(4 * width, 5, 1))
        bias = self.head[2].bias
        assert bias is not None  # noqa: S101 - for the type checker
        nn.init.zeros_(bias)
        bias.data[0] = 4.0  # most places have nothing

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Compute the maps."""
        maps: torch.Tensor = self.head(self.around(self.stem(pictures)))
        return maps


class PipClassifierNet(nn.Module):
    """Patches (n, 3, PATCH_PX, PATCH_PX) to (n, CLASSES + 3): logits of the face there, and how far off it is.

    Where in the patch something is counts, so nothing is averaged over it.
    """

    def __init__(self, width: int = 16, narrow: int = 24) -> None:
        super().__init__()
        w = width
        self.features = nn.Sequential(
            *convolution(3, w, 3, padding=1),
            *convolution(w, 2 * w, 3, stride=2, padding=1),
            *convolution(2 * w, 2 * w, 3, padding=1),
            *convolution(2 * w, 4 * w, 3, stride=2, padding=1),
            *convolution(4 * w, 4 * w, 3, padding=1),
            Residual(4 * w),
            *convolution(4 * w, 6 * w, 3, stride=2, padding=1),
            *convolution(6 * w, 6 * w, 3, padding=1),
            Residual(6 * w),
            nn.Conv2d(6 * w, narrow, 1, bias=False),
            nn.BatchNorm2d(narrow),
            nn.ReLU(),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(narrow * (PATCH_PX // STRIDE) ** 2, 6 * w), nn.ReLU())
        self.output = nn.Linear(6 * w, CLASSES + 3)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Compute the logits and offsets."""
        output: torch.Tensor = self.output(self.head(self.features(patches)))
        return output


def planes_of(patches: NDArray[np.uint8]) -> torch.Tensor:
    """Make patches (n, height, width, 3) ready for the network."""
    return (torch.from_numpy(patches).permute(0, 3, 1, 2).float() - 128) / 64


def logits_of_values(network: nn.Module, held_out: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits (n, CLASSES), looked at as the reader does, and the truth (n,) of all spots."""
    rng = np.random.default_rng(0)
    spots = list(spots_of(held_out))
    logits = []
    with torch.no_grad():
        for spot in spots:
            offset = np.array(spot.centre_px) + rng.normal(0, 0.03, 2) * spot.size_px
            size_px = spot.size_px * float(np.exp(rng.normal(0, 0.06)))
            picture = held_out[spot.picture]
            patches = views(picture.image_bgr, offset, size_px, ALL_ROUND if picture.steep else UPRIGHT)
            logits.append(network(planes_of(patches))[:, :CLASSES].mean(dim=0))
    return torch.stack(logits), torch.tensor([spot.truth for spot in spots])

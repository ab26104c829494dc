"""What the second network is shown and says, in torch's form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.markerless.dice_views import ALL_ROUND, UPRIGHT, views
from vision.training.dice.data import CLASSES
from vision.training.dice.patches import spots_of
from vision.training.render.dice_picture import DicePicture


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
    return torch.stack(logits), torch.tensor([spot.reported for spot in spots])

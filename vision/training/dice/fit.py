"""Fitting the networks to drawn dice, and their confidence to the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import torch
from torch import nn

from vision.training.dice.data import CLASSES, IGNORED, NOTHING, DiceTargets, targets, varied
from vision.training.dice.model import DieDetectorNet, PipClassifierNet, planes_of
from vision.training.dice.patches import batch_of, spots_of
from vision.training.learning import Say, TrainingConfig, minimise
from vision.training.render.dice_picture import DicePicture
from vision.training.risk import best_temperature

OTHERS = 0.12
"""Share of pictures without dice among those that the places are learned from."""

_FIRST = 400
"""Pictures drawn before the first step."""

_MORE = 2
"""Pictures drawn at each step: what was shown before is soon known by heart, though always varied. The second network,
whose steps take longer, is drawn one."""

_MOST = 12_000
"""Pictures that are kept, in some 1.5 GB."""


def train_places(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], config: TrainingConfig, say: Say
) -> DieDetectorNet:
    """Train on pictures of dice, drawn meanwhile, and on others without; `say` is called with lines on progress."""
    torch.manual_seed(config.seed)
    network, batches = DieDetectorNet(), _picture_batches(pictures, others, config)
    return minimise(network, lambda: _loss_of_places(network, next(batches)), config, say, weight_decay=1e-3)


def train_values(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], config: TrainingConfig, say: Say
) -> PipClassifierNet:
    """Train the network that reads single faces, on the same pictures; `say` is called with lines on the progress."""
    torch.manual_seed(config.seed)
    network, batches = PipClassifierNet(), _patch_batches(pictures, others, config)
    return minimise(network, lambda: _loss_of_values(network, next(batches)), config, say, weight_decay=1e-3)


def _picture_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], config: TrainingConfig, size: int = 12
) -> Iterator[list[DicePicture]]:
    """Make the batches: drawing a picture costs as much as learning from one, so each is shown often, varied."""
    rng = np.random.default_rng(config.seed)
    pool = list(islice(pictures, _FIRST))
    for _ in range(config.steps):
        pool += islice(pictures, _MORE if len(pool) < _MOST else 0)
        picks = [others if others and rng.random() < OTHERS else pool for _ in range(size)]
        yield [varied(pick[int(rng.integers(len(pick)))], rng) for pick in picks]


def _patch_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], config: TrainingConfig, size: int = 96
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    rng = np.random.default_rng(config.seed)
    pool = [*islice(pictures, _FIRST), *others]
    spots = list(spots_of(pool))
    for _ in range(config.steps):
        drawn = list(islice(pictures, 1 if len(pool) < _MOST else 0))
        spots += spots_of(drawn, first=len(pool))
        pool += drawn
        patches, classes, offset = batch_of(pool, spots, size, rng)
        yield planes_of(patches), torch.from_numpy(classes), torch.from_numpy(offset)


def _loss_of_places(network: DieDetectorNet, batch: Sequence[DicePicture]) -> torch.Tensor:
    """Cross entropy of there being a top face, and errors of the way to its middle and its size."""
    planes, classes, shape = _stacked(batch)
    maps = network(planes)
    dice = classes > NOTHING
    truth = torch.where(dice, 1, classes)
    entropy = nn.functional.cross_entropy(maps[:, :2], truth, ignore_index=IGNORED, reduction="none")
    number = dice.sum() + len(batch)
    offset = nn.functional.smooth_l1_loss(maps[:, 2:], shape, reduction="none", beta=0.1).sum(dim=1)
    loss: torch.Tensor = (entropy.sum() + (offset * dice).sum()) / number
    return loss


def _loss_of_values(network: PipClassifierNet, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the cross entropy of the values, plus the error of the places."""
    patches, truth, offset = batch
    output = network(patches)
    entropy = nn.functional.cross_entropy(output[:, :CLASSES], truth)
    wrong = nn.functional.smooth_l1_loss(output[:, CLASSES:], offset, reduction="none", beta=0.05).sum(dim=1)
    loss: torch.Tensor = entropy + (wrong * (truth != NOTHING)).mean()
    return loss


def _stacked(batch: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Make pictures and what to say of them ready for the network."""
    truths: list[DiceTargets] = [targets(picture.faces) for picture in batch]
    classes, shape = (torch.from_numpy(np.stack([getattr(t, name) for t in truths])) for name in ("classes", "shape"))
    return planes_of(np.stack([picture.image_bgr for picture in batch])), classes, shape


def logits_of_places(network: DieDetectorNet, held_out: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits (n, 2) of places in pictures, and whether there is a top face, (n,)."""
    planes, classes, _shape = _stacked(held_out)
    with torch.no_grad():
        logits = network(planes)[:, :2].permute(0, 2, 3, 1)
    counts = classes != IGNORED
    return logits[counts], (classes[counts] > NOTHING).long()


def fit_temperature(logits: torch.Tensor, truth: torch.Tensor) -> tuple[float, float]:
    """Return the divisor of the logits that makes the truth most probable, and the share that is right."""
    temperature = best_temperature(lambda t: nn.functional.cross_entropy(logits / t, truth).item())
    return temperature, float((logits.argmax(dim=1) == truth).float().mean())

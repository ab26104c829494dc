"""Fitting the networks to drawn dice, and their confidence to the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import nn

from vision.synthetic.dice_picture import DicePicture
from vision.training.dice.examples import CLASSES, IGNORED, NOTHING, Targets, targets, varied
from vision.training.dice.net import PlaceNet, ValueNet
from vision.training.dice.patches import batch_of, spots_of
from vision.training.dice.values import planes_of

OTHERS = 0.12
"""Share of pictures without dice among those that the places are learned from."""

_FIRST = 200
"""Pictures drawn before the first step."""

_MOST_FOR_VALUES = 3000
_REPORT_STEPS = 100

Network = TypeVar("Network", bound=nn.Module)
Batch = TypeVar("Batch")
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long and how fast to learn.

    Attributes:
        steps: batches; every other one a picture is drawn.
        seed: of all chance.
        peak_rate: the highest rate of learning.
        start: weights to go on from, if not from the beginning.
        keep: where to keep what was learned, now and then.
    """

    steps: int
    seed: int = 0
    peak_rate: float = 3e-3
    start: Path | None = None
    keep: Path | None = None


def train_places(pictures: Iterator[DicePicture], others: Sequence[DicePicture], recipe: Recipe, say: Say) -> PlaceNet:
    """Learn from pictures of dice, drawn while learning, and from others without; `say` hears of the progress."""
    torch.manual_seed(recipe.seed)
    return _train(PlaceNet(), _picture_batches(pictures, others, recipe), _loss_of_places, recipe, say)


def train_values(pictures: Iterator[DicePicture], others: Sequence[DicePicture], recipe: Recipe, say: Say) -> ValueNet:
    """Learn to tell faces by themselves from the same; `say` hears of the progress."""
    torch.manual_seed(recipe.seed)
    return _train(ValueNet(), _patch_batches(pictures, others, recipe), _loss_of_values, recipe, say)


def _train(
    network: Network,
    batches: Iterable[Batch],
    loss_of: Callable[[Network, Batch], torch.Tensor],
    recipe: Recipe,
    say: Say,
) -> Network:
    if recipe.start is not None:
        network.load_state_dict(torch.load(recipe.start))
    network.to(memory_format=torch.channels_last)  # twice as fast on a processor
    optimiser = torch.optim.AdamW(network.parameters(), lr=recipe.peak_rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.peak_rate, total_steps=recipe.steps, pct_start=0.1)
    heard = 0.0
    for step, batch in enumerate(batches, start=1):
        loss = loss_of(network, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        heard += loss.item()
        if step % _REPORT_STEPS == 0:
            say(f"step {step} of {recipe.steps}: loss {heard / _REPORT_STEPS:.4f}")
            heard = 0.0
            if recipe.keep is not None:
                torch.save(network.state_dict(), recipe.keep)
    network.eval()
    return network


def _picture_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], recipe: Recipe, size: int = 12
) -> Iterator[list[DicePicture]]:
    """Make the batches: drawing a picture costs more than learning from it, so each is shown often, varied."""
    rng = np.random.default_rng(recipe.seed)
    pool = list(islice(pictures, _FIRST))
    for step in range(recipe.steps):
        pool += islice(pictures, 1 - step % 2)
        picks = [others if others and rng.random() < OTHERS else pool for _ in range(size)]
        yield [varied(pick[int(rng.integers(len(pick)))], rng) for pick in picks]


def _patch_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], recipe: Recipe, size: int = 96
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    rng = np.random.default_rng(recipe.seed)
    pool = [*islice(pictures, _FIRST), *others]
    spots = list(spots_of(pool))
    for step in range(recipe.steps):
        if step % 2 == 0 and len(pool) < _MOST_FOR_VALUES + len(others):
            pool.append(next(pictures))
            spots += spots_of(pool[-1:], first=len(pool) - 1)
        patches, told, astray = batch_of(pool, spots, size, rng)
        yield planes_of(patches), torch.from_numpy(told), torch.from_numpy(astray)


def _loss_of_places(network: PlaceNet, batch: Sequence[DicePicture]) -> torch.Tensor:
    """Cross entropy of there being a top face, and errors of the way to its middle and its size."""
    planes, classes, shape = _stacked(batch)
    maps = network(planes)
    dice = classes > NOTHING
    truth = torch.where(dice, 1, classes)
    entropy = nn.functional.cross_entropy(maps[:, :2], truth, ignore_index=IGNORED, reduction="none")
    number = dice.sum() + len(batch)
    astray = nn.functional.smooth_l1_loss(maps[:, 2:], shape, reduction="none", beta=0.1).sum(dim=1)
    loss: torch.Tensor = (entropy.sum() + (astray * dice).sum()) / number
    return loss


def _loss_of_values(network: ValueNet, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Cross entropy of what is told, and how wrong it is told where a face lies."""
    patches, truth, astray = batch
    told = network(patches)
    entropy = nn.functional.cross_entropy(told[:, :CLASSES], truth)
    wrong = nn.functional.smooth_l1_loss(told[:, CLASSES:], astray, reduction="none", beta=0.05).sum(dim=1)
    loss: torch.Tensor = entropy + (wrong * (truth != NOTHING)).mean()
    return loss


def _stacked(batch: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Make pictures and what to say of them ready for the network."""
    truths: list[Targets] = [targets(picture.faces, picture.decoys) for picture in batch]
    classes, shape = (torch.from_numpy(np.stack([getattr(t, name) for t in truths])) for name in ("classes", "shape"))
    return planes_of(np.stack([picture.image_bgr for picture in batch])), classes, shape


def logits_of_places(network: PlaceNet, held_out: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor]:
    """Give the logits (n, 2) of places in pictures, and whether there is a top face, (n,)."""
    planes, classes, _shape = _stacked(held_out)
    with torch.no_grad():
        logits = network(planes)[:, :2].permute(0, 2, 3, 1)
    counts = classes != IGNORED
    return logits[counts], (classes[counts] > NOTHING).long()


def fit_temperature(logits: torch.Tensor, truth: torch.Tensor) -> tuple[float, float]:
    """Find the divisor of the logits that makes the truth likeliest, and tell the share that is right.

    See Guo et al., "On calibration of modern neural networks" (2017).
    """
    candidates = np.geomspace(0.3, 4.0, 50)
    losses = [nn.functional.cross_entropy(logits / float(t), truth).item() for t in candidates]
    return float(candidates[int(np.argmin(losses))]), float((logits.argmax(dim=1) == truth).float().mean())

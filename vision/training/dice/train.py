"""Train one of the two networks that read loose dice, on pictures rendered during training.

"dice-places" detects top faces of dice, "dice-values" reads a single face and refines its place. The second is trained
also on false detections of the first, which must be trained before. `dice-values --presence` then only fits the
probability that a die is there from both. --others adds pictures without dice. Each takes an hour on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.markerless.dice_network import PATCH_PX, STRIDE
from vision.markerless.dice_views import ALL_ROUND, UPRIGHT, views
from vision.shipped_network import Training, describe
from vision.training.dice.data import (
    CLASSES,
    IGNORED,
    NOTHING,
    PLACES_PX,
    SIDE_PX,
    VALUES_PX,
    batch_of,
    drawn,
    spots_of,
    targets,
    varied,
    wide,
    without_dice,
)
from vision.training.dice.picture import DicePicture
from vision.training.dice.presence import fit_presence
from vision.training.learning import (
    Residual,
    convolution,
    minimise,
    parser_of,
    say,
    stacked,
    temperature_of,
    write_model,
)
from vision.training.model_files import record_training, write_model_file

# ---- the networks


def places_network() -> nn.Sequential:
    """Return a network from pictures (n, 3, rows px, columns px) to maps (n, 5, rows / STRIDE, columns / STRIDE).

    The maps are the logits of nothing and of a top face, the offset of its middle (x, y), and its size, as in
    `data.targets`. It is fully convolutional with a receptive field of 200 px, four times the largest face, so that it
    can distinguish the top face from the sides.
    """
    maps = nn.Conv2d(64, 5, 1)
    with torch.no_grad():
        maps.bias.copy_(torch.tensor([4.0, 0, 0, 0, 0]))  # most places have nothing
    return nn.Sequential(
        *convolution(3, 16, stride=2),
        *convolution(16, 32, stride=2),
        *convolution(32, 32),
        *convolution(32, 64, stride=2),
        *(Residual(64, dilation) for dilation in (1, 2, 4, 1, 2, 1)),
        nn.Conv2d(64, 64, 1),
        nn.ReLU(),
        maps,
    )


def values_network() -> nn.Sequential:
    """Return a network from patches (n, 3, PATCH_PX, PATCH_PX) to (n, CLASSES + 3).

    They are the logits of the face, and its offset. There is no pooling over the patch, since places in it matter.
    """
    return nn.Sequential(
        *convolution(3, 16),
        *convolution(16, 32, stride=2),
        *convolution(32, 32),
        *convolution(32, 64, stride=2),
        *convolution(64, 64),
        Residual(64),
        *convolution(64, 96, stride=2),
        *convolution(96, 96),
        Residual(96),
        *convolution(96, 24, 1, padding=0),
        nn.Flatten(),
        nn.Linear(24 * (PATCH_PX // STRIDE) ** 2, 96),
        nn.ReLU(),
        nn.Linear(96, CLASSES + 3),
    )


def planes_of(patches: NDArray[np.uint8]) -> torch.Tensor:
    """Return patches (n, height, width, 3) as the network's input."""
    return (torch.from_numpy(patches).permute(0, 3, 1, 2).float() - 128) / 64


def logits_of_values(network: nn.Module, held_out: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits (n, CLASSES), computed as by the reader, and the truth (n,) of all spots."""
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


# ---- learning, and how far to trust what was learned


OTHERS = 0.12
"""Share of pictures without dice in the training of the places."""

_MORE = 2
"""New pictures at each step, against overfitting; one for the second network, whose steps take longer."""

_MOST = 12_000
"""Largest number of pictures that are kept, in about 1.5 GB."""

_PICTURES_AT_ONCE, _FACES_AT_ONCE = 12, 96
"""Batch sizes of the first and of the second network."""


def _picture_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], args: argparse.Namespace
) -> Iterator[list[DicePicture]]:
    """Yield batches of varied pictures, each used often because rendering one costs as much as a training step."""
    rng = np.random.default_rng(args.seed)
    pool = list(islice(pictures, args.first))
    for _ in range(args.steps):
        pool += islice(pictures, _MORE if len(pool) < _MOST else 0)
        picks = [others if others and rng.random() < OTHERS else pool for _ in range(_PICTURES_AT_ONCE)]
        yield [varied(pick[int(rng.integers(len(pick)))], rng) for pick in picks]


def _patch_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], args: argparse.Namespace
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    rng = np.random.default_rng(args.seed)
    pool = [*islice(pictures, args.first), *others]
    spots = list(spots_of(pool))
    for _ in range(args.steps):
        more = list(islice(pictures, 1 if len(pool) < _MOST else 0))
        spots += spots_of(more, first=len(pool))
        pool += more
        patches, classes, offset = batch_of(pool, spots, _FACES_AT_ONCE, rng)
        yield planes_of(patches), torch.from_numpy(classes), torch.from_numpy(offset)


def _loss_of_places(network: nn.Module, batch: Sequence[DicePicture]) -> torch.Tensor:
    """Return the cross entropy of top faces, plus the errors of their offset and size."""
    planes, classes, shape = _stacked(batch)
    maps = network(planes)
    dice = classes > NOTHING
    truth = torch.where(dice, 1, classes)
    entropy = nn.functional.cross_entropy(maps[:, :2], truth, ignore_index=IGNORED, reduction="none")
    number = dice.sum() + len(batch)
    offset = nn.functional.smooth_l1_loss(maps[:, 2:], shape, reduction="none", beta=0.1).sum(dim=1)
    loss: torch.Tensor = (entropy.sum() + (offset * dice).sum()) / number
    return loss


def _loss_of_values(network: nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the cross entropy of the values, plus the error of the places."""
    patches, truth, offset = batch
    output = network(patches)
    entropy = nn.functional.cross_entropy(output[:, :CLASSES], truth)
    wrong = nn.functional.smooth_l1_loss(output[:, CLASSES:], offset, reduction="none", beta=0.05).sum(dim=1)
    loss: torch.Tensor = entropy + (wrong * (truth != NOTHING)).mean()
    return loss


def _stacked(batch: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return pictures as the network's input, and their targets."""
    truths = [targets(picture.faces) for picture in batch]
    planes = planes_of(np.stack([picture.image_bgr for picture in batch]))
    return planes, stacked(truth.classes for truth in truths), stacked(truth.shape for truth in truths)


def logits_of_places(network: nn.Module, held_out: Sequence[DicePicture]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits (n, 2) of places in pictures, and whether there is a top face, (n,)."""
    planes, classes, _shape = _stacked(held_out)
    with torch.no_grad():
        logits = network(planes)[:, :2].permute(0, 2, 3, 1)
    counts = classes != IGNORED
    return logits[counts], (classes[counts] > NOTHING).long()


# ---- the command


_RESIDUAL = 0.002
"""Probability of an error that the networks do not see: no die of any picture is more certain than that."""


def main(model: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = parser_of(model, __doc__, steps=4000, rate=3e-3)
    parser.add_argument("--held-out", type=int, default=200, help="pictures that only the temperature is fitted on")
    parser.add_argument("--first", type=int, default=400, help="pictures drawn before the first step")
    parser.add_argument("--presence", action="store_true", help="fit only the weights of both networks together")
    parser.add_argument("--pictures", type=int, default=100, help="for --presence: pictures to look at")
    parser.add_argument("--others", type=Path, metavar="FOLDER", help="pictures in which there are no dice")
    args = parser.parse_args(argv)
    torch.set_num_threads(1)
    if args.presence:
        file = describe(model)
        presence = fit_presence(wide(range(args.seed, args.seed + args.pictures)))
        write_model_file(msgspec.structs.replace(file, network=file.network | {"presence": presence}))
        return 0
    others = (
        []
        if args.others is None
        else list(without_dice(args.others, args.steps // 5, np.random.default_rng(args.seed)))
    )
    torch.manual_seed(args.seed)
    (_train_values if model.endswith("values") else _train_places)(model, others, args)
    return 0


def _train_places(model: str, others: Sequence[DicePicture], args: argparse.Namespace) -> None:
    pictures = drawn(count(args.seed), PLACES_PX)
    rng = np.random.default_rng(args.seed)
    held_out = [varied(next(pictures), rng) for _ in range(args.held_out)]
    network, batches = places_network(), _picture_batches(pictures, others, args)
    minimise(network, lambda: _loss_of_places(network, next(batches)), args, weight_decay=1e-3)
    write_model(
        model,
        network,
        torch.zeros(1, 3, SIDE_PX, SIDE_PX),
        inputs={"picture": ("1", "3", "height", "width")},
        of_any_size={2: "rows", 3: "columns"},
        parameters={"temperature": _temperature(*logits_of_places(network, held_out))},
        training=_training(model, args),
    )


def _train_values(model: str, others: Sequence[DicePicture], args: argparse.Namespace) -> None:
    pictures = drawn(count(args.seed), VALUES_PX)
    held_out = [next(pictures) for _ in range(args.held_out)]
    network, batches = values_network(), _patch_batches(pictures, others, args)
    minimise(network, lambda: _loss_of_values(network, next(batches)), args, weight_decay=1e-3)
    temperature = _temperature(*logits_of_values(network, held_out))
    write_model(
        model,
        network,
        torch.zeros(1, 3, PATCH_PX, PATCH_PX),
        inputs={"picture": ("n", "3", str(PATCH_PX), str(PATCH_PX))},
        of_any_size={0: "n"},
        parameters={**describe(model).network, "temperature": temperature, "residual": _RESIDUAL},
        training=_training(model, args),
    )


def _temperature(logits: torch.Tensor, truth: torch.Tensor) -> float:
    """Return the divisor of the logits that makes the truth most probable, and say which share is right."""
    say(f"held out: {float((logits.argmax(dim=1) == truth).float().mean()):.2%} right")
    return round(temperature_of([(logits, truth)]), 3)


def _training(model: str, args: argparse.Namespace) -> Training:
    return record_training(model, (), f"dice drawn from seed {args.seed}", args.seed)

"""Train one of the two networks that read loose dice, on pictures drawn while learning.

"dice-places" finds top faces of dice, "dice-values" reads one face by itself and where it is exactly; some of what the
second learns from is what the first takes for faces by mistake, so train that first. `dice-values --presence` then
fits how far both are to be trusted together that a die is there, and changes nothing else. --others adds pictures
without dice. An hour each on one core.
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
from vision.training.command import parser_of, recipe_of, say
from vision.training.dice.data import (
    CLASSES,
    IGNORED,
    NOTHING,
    PLACES_PX,
    SIDE_PX,
    VALUES_PX,
    DiceTargets,
    drawn,
    targets,
    varied,
    wide,
    without_dice,
)
from vision.training.dice.patches import batch_of, spots_of
from vision.training.dice.presence import fit_presence
from vision.training.learning import TrainingConfig, minimise
from vision.training.model_files import record_training, write_model_file
from vision.training.networks import Residual, convolution, write_model
from vision.training.render.dice_picture import DicePicture
from vision.training.risk import best_temperature

# ---- the network


class DieDetectorNet(nn.Module):
    """Pictures (n, 3, rows px, columns px) to maps (n, 5, rows / STRIDE, columns / STRIDE).

    The logits of nothing and of a top face; the way to its middle (x, y), and its size, as `data.targets` has them.
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


# ---- learning, and how far to trust what was learned


OTHERS = 0.12
"""Share of pictures without dice among those that the places are learned from."""

_FIRST = 400
"""Pictures drawn before the first step."""

_MORE = 2
"""Pictures drawn at each step: what was shown before is soon known by heart, though always varied. The second network,
whose steps take longer, is drawn one."""

_MOST = 12_000
"""Pictures that are kept, in some 1.5 GB."""

_PICTURES_AT_ONCE, _FACES_AT_ONCE = 12, 96
"""Size of the batches that the first network learns from, and the second."""


def _picture_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], config: TrainingConfig
) -> Iterator[list[DicePicture]]:
    """Make the batches: drawing a picture costs as much as learning from one, so each is shown often, varied."""
    rng = np.random.default_rng(config.seed)
    pool = list(islice(pictures, _FIRST))
    for _ in range(config.steps):
        pool += islice(pictures, _MORE if len(pool) < _MOST else 0)
        picks = [others if others and rng.random() < OTHERS else pool for _ in range(_PICTURES_AT_ONCE)]
        yield [varied(pick[int(rng.integers(len(pick)))], rng) for pick in picks]


def _patch_batches(
    pictures: Iterator[DicePicture], others: Sequence[DicePicture], config: TrainingConfig
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    rng = np.random.default_rng(config.seed)
    pool = [*islice(pictures, _FIRST), *others]
    spots = list(spots_of(pool))
    for _ in range(config.steps):
        more = list(islice(pictures, 1 if len(pool) < _MOST else 0))
        spots += spots_of(more, first=len(pool))
        pool += more
        patches, classes, offset = batch_of(pool, spots, _FACES_AT_ONCE, rng)
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


# ---- the command


_HELD_OUT = 200
_RESIDUAL = 0.002
"""Probability of an error that the networks do not see: no die of any picture is more certain than that."""


def main(model: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    args = _arguments(model, argv)
    torch.set_num_threads(1)
    if args.presence:
        return _fit_presence(model, range(args.seed, args.seed + args.pictures))
    others: list[DicePicture] = []
    if args.others is not None:
        others += without_dice(args.others, args.steps // 5, np.random.default_rng(args.seed))
    train = _values if model.endswith("values") else _places
    temperature, right = train(model, others, recipe_of(args))
    say(f"held out: {right:.2%} right, temperature {temperature:.2f}")
    return 0


def _fit_presence(model: str, seeds: Sequence[int]) -> int:
    file = describe(model)
    network = file.network | {"presence": fit_presence(wide(seeds))}
    write_model_file(msgspec.structs.replace(file, network=network))
    return 0


def _places(model: str, others: Sequence[DicePicture], config: TrainingConfig) -> tuple[float, float]:
    pictures = drawn(count(config.seed), PLACES_PX)
    rng = np.random.default_rng(config.seed)
    held_out = [varied(next(pictures), rng) for _ in range(_HELD_OUT)]
    torch.manual_seed(config.seed)
    network, batches = DieDetectorNet(), _picture_batches(pictures, others, config)
    minimise(network, lambda: _loss_of_places(network, next(batches)), config, say, weight_decay=1e-3)
    temperature, right = fit_temperature(*logits_of_places(network, held_out))
    write_model(
        model,
        network,
        torch.zeros(1, 3, SIDE_PX, SIDE_PX),
        inputs={"picture": ("1", "3", "height", "width")},
        of_any_size={2: "rows", 3: "columns"},
        parameters={"temperature": round(temperature, 3)},
        training=_training(model, config),
    )
    return temperature, right


def _values(model: str, others: Sequence[DicePicture], config: TrainingConfig) -> tuple[float, float]:
    pictures = drawn(count(config.seed), VALUES_PX)
    held_out = [next(pictures) for _ in range(_HELD_OUT)]
    torch.manual_seed(config.seed)
    network, batches = PipClassifierNet(), _patch_batches(pictures, others, config)
    minimise(network, lambda: _loss_of_values(network, next(batches)), config, say, weight_decay=1e-3)
    temperature, right = fit_temperature(*logits_of_values(network, held_out))
    write_model(
        model,
        network,
        torch.zeros(1, 3, PATCH_PX, PATCH_PX),
        inputs={"picture": ("n", "3", str(PATCH_PX), str(PATCH_PX))},
        of_any_size={0: "n"},
        parameters={**describe(model).network, "temperature": round(temperature, 3), "residual": _RESIDUAL},
        training=_training(model, config),
    )
    return temperature, right


def _training(model: str, config: TrainingConfig) -> Training:
    return record_training(model, (), f"dice drawn from seed {config.seed}", config.seed)


def _arguments(model: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of(model, __doc__, steps=4000, rate=3e-3)
    parser.add_argument("--presence", action="store_true", help="fit only the weights of both networks together")
    parser.add_argument("--pictures", type=int, default=100, help="for --presence: pictures to look at")
    parser.add_argument("--others", type=Path, metavar="FOLDER", help="pictures in which there are no dice")
    return parser.parse_args(argv)

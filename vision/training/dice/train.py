"""Train one of the two networks that read loose dice, on pictures drawn while learning.

"dice-places" finds top faces of dice, "dice-values" reads one face by itself and where it is exactly; some of what the
second learns from is what the first takes for faces and is none, so train that first. `dice-values --presence` then
fits how far both are to be trusted together that a die is there, and changes nothing else. --others adds pictures
without dice. An hour each on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import msgspec
import numpy as np
import torch

from vision.markerless.dice_network import PATCH_PX
from vision.shipped_network import describe
from vision.training.command import parser_of, recipe_of, say
from vision.training.dice.data import PLACES_PX, SIDE_PX, VALUES_PX, drawn, varied, wide, without_dice
from vision.training.dice.fit import fit_temperature, logits_of_places, train_places, train_values
from vision.training.dice.model import logits_of_values
from vision.training.dice.presence import fit_presence
from vision.training.learning import TrainingConfig
from vision.training.model_files import record_training, write_model_file
from vision.training.networks import write_description, write_weights
from vision.training.render.dice_picture import DicePicture

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
    network = train_places(pictures, others, config, say)
    temperature, right = fit_temperature(*logits_of_places(network, held_out))
    example = torch.zeros(1, 3, SIDE_PX, SIDE_PX)
    write_weights(network, model, example, of_any_size={2: "rows", 3: "columns"}, input_name="picture")
    _describe(model, ("1", "3", "height", "width"), {"temperature": round(temperature, 3)}, config)
    return temperature, right


def _values(model: str, others: Sequence[DicePicture], config: TrainingConfig) -> tuple[float, float]:
    pictures = drawn(count(config.seed), VALUES_PX)
    held_out = [next(pictures) for _ in range(_HELD_OUT)]
    network = train_values(pictures, others, config, say)
    temperature, right = fit_temperature(*logits_of_values(network, held_out))
    example = torch.zeros(1, 3, PATCH_PX, PATCH_PX)
    write_weights(network, model, example, of_any_size={0: "n"}, input_name="picture")
    changed = {**describe(model).network, "temperature": round(temperature, 3), "residual": _RESIDUAL}
    _describe(model, ("n", "3", str(PATCH_PX), str(PATCH_PX)), changed, config)
    return temperature, right


def _describe(model: str, shape: Sequence[str], network: dict[str, object], config: TrainingConfig) -> None:
    training = record_training(model, (), f"dice drawn from seed {config.seed}", config.seed)
    write_description(model, inputs={"picture": shape}, network=network, training=training)


def _arguments(model: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of(model, __doc__, steps=4000, rate=3e-3)
    parser.add_argument("--presence", action="store_true", help="fit only the weights of both networks together")
    parser.add_argument("--pictures", type=int, default=100, help="for --presence: pictures to look at")
    parser.add_argument("--others", type=Path, metavar="FOLDER", help="pictures in which there are no dice")
    return parser.parse_args(argv)

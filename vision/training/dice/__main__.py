"""Train the dice's networks: python -m vision.training.dice places --steps 4000 --others FOLDER

"places" learns where top faces of dice lie, "values" what one face by itself shows and where it lies exactly; some of
what the second learns from is what the first takes for faces and is none, so train that first. "presence" then fits
how far both are to be trusted together that a die lies somewhere. Each draws pictures of dice and learns from them
(and, that boards and counters are no dice, from the pictures without dice in a folder, if given), fits its
temperature on pictures that it has not learned from, and writes its weights and dice.toml beside the reader. An hour
each on one core; the extra "train" is needed.

The networks that ship come from several runs, each of which went on from the one before or from the mean of several
(--keep, --start ONE.pt OTHER.pt; rates from 3e-3 down to 4e-4). The places' last 10,500 steps, at 7e-4, were on dice
whose pips lie as close together as now, though rounded less and marbled alike in a set; the 9,000 before those on dice
whose pips never did, and 10,600 still earlier on dice drawn more simply. The values' last 16,500, at 7e-4, were on dice
as they are drawn now: two runs of 5,500 from the mean of three older ones, then one of 3,500 and one of 2,000 from the
mean of those two and of two of 800 at 4e-4 that had gone on from them. What ships is the mean of the four at 7e-4: of
all such means it had the least cross entropy on drawn pictures that none had learned from. Some 30,000 steps on dice
drawn more simply came before.

Both learned from drawn dice and from pieces of photographs of boards without dice. No photograph of dice was learned
from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np
import torch

import vision.markerless
from vision.training.command import parser_of, recipe_of, say
from vision.training.dice.examples import PLACES_PX, VALUES_PX, drawn, varied, wide, without_dice
from vision.training.dice.export import describe, write_places, write_values
from vision.training.dice.fit import fit_temperature, logits_of_places, train_places, train_values
from vision.training.dice.presence import fit_presence
from vision.training.dice.values import logits_of_values
from vision.training.learning import Recipe
from vision.training.render.dice_picture import DicePicture

_HELD_OUT = 200
_FOLDER = Path(vision.markerless.__path__[0])


def main() -> int:
    """Run the command."""
    args = _arguments()
    if args.network == "presence":
        describe(_FOLDER, presence=fit_presence(wide(range(args.seed, args.seed + args.pictures))))
        return 0
    others: list[DicePicture] = []
    if args.others is not None:
        others += without_dice(args.others, args.steps // 5, np.random.default_rng(args.seed))
    recipe = recipe_of(args)
    temperature, right = (_places if args.network == "places" else _values)(others, recipe)
    say(f"held out: {right:.2%} right, temperature {temperature:.2f}")
    return 0


def _places(others: Sequence[DicePicture], recipe: Recipe) -> tuple[float, float]:
    pictures = drawn(count(recipe.seed), PLACES_PX)
    rng = np.random.default_rng(recipe.seed)
    held_out = [varied(next(pictures), rng) for _ in range(_HELD_OUT)]
    network = train_places(pictures, others, recipe, say)
    temperature, right = fit_temperature(*logits_of_places(network, held_out))
    write_places(network, _FOLDER, temperature)
    return temperature, right


def _values(others: Sequence[DicePicture], recipe: Recipe) -> tuple[float, float]:
    pictures = drawn(count(recipe.seed), VALUES_PX)
    held_out = [next(pictures) for _ in range(_HELD_OUT)]
    network = train_values(pictures, others, recipe, say)
    temperature, right = fit_temperature(*logits_of_values(network, held_out))
    write_values(network, _FOLDER, temperature)
    return temperature, right


def _arguments() -> argparse.Namespace:
    parser = parser_of("vision.training.dice", __doc__, steps=4000, rate=3e-3)
    parser.add_argument("network", choices=("places", "values", "presence"), help="what to learn")
    parser.add_argument("--pictures", type=int, default=100, help="for presence: pictures to look at")
    parser.add_argument("--others", type=Path, metavar="FOLDER", help="pictures in which there are no dice")
    return parser.parse_args()


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(main())

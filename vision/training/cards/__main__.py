"""Train the network that tells playing cards apart: python -m vision.training.cards --steps 4000

It draws cards of random decks and cuts some out of tables that it renders, learns from them, fits the temperature on
cards that it has not learned from, and writes cards.onnx and cards.toml into vision/recognition/cards. About an hour on
one core; the extra "train" is needed. With OpenCV 5, --fonts adds TrueType fonts to the ones that the decks' corners
are written in.

The network that ships learned in runs of 1500, 2500, 250 and 650 steps from drawn cards alone, then 1600, 2200, 2600
and 1800 steps with 7284 lessons cut out of 270 tables (--keep, --start; rates 4e-3 to 1e-3), with the fonts DejaVu,
STIX General and Computer Modern; its weights are the mean of those after the first and the last of these four. No
photograph was learned from.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

import vision.recognition.cards
from vision.recognition.cards.recogniser import joined
from vision.recognition.cards.words import CARD_PX
from vision.training.cards.boards import mixed, rendered
from vision.training.cards.fit import RESIDUAL, fit_temperature, logits_of, train
from vision.training.cards.net import CardNet
from vision.training.cards.pictures import Dealer
from vision.training.command import parser_of, recipe_of, say

_HELD_OUT = 1200


def main() -> int:
    """Run the command."""
    args = _arguments()
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)
    dealer = Dealer(rng, tuple(args.fonts))
    say(f"rendering {args.tables} tables")
    cut = list(rendered(range(args.seed, args.seed + args.tables), tuple(args.fonts)))
    recipe = recipe_of(args)
    network = train(lambda: mixed(dealer, cut, rng), recipe, say)
    stranger = Dealer(np.random.default_rng(args.seed + 1), tuple(args.fonts))
    logits, truth = logits_of(network, [stranger.deal() for _ in range(_HELD_OUT)])
    temperature = fit_temperature(logits, truth)
    right = (joined(logits, 0.0).p.argmax(axis=1) == truth.argmax(axis=1)).mean()
    say(f"of {_HELD_OUT} cards of other decks {right:.2%} are told right; temperature {temperature:.2f}")
    _write(network, Path(vision.recognition.cards.__path__[0]), temperature)
    return 0


def _write(network: CardNet, folder: Path, temperature: float) -> None:
    names = {"input_names": ["cards"], "output_names": ["logits"]}
    batch = {"cards": {0: "n"}, "logits": {0: "n"}}
    pictures = torch.zeros(2, 3, CARD_PX[1], CARD_PX[0])
    network.to(memory_format=torch.contiguous_format)
    path = str(folder / "cards.onnx")
    torch.onnx.export(network, (pictures,), path, dynamo=False, opset_version=13, dynamic_axes=batch, **names)
    lines = (
        "# How the numbers of cards.onnx become probabilities; python -m vision.training.cards writes both files.",
        f"temperature = {temperature:.3f} # divides the logits; fitted on drawn cards that it has not seen",
        f"residual = {RESIDUAL} # probability of an error that the network does not see",
    )
    (folder / "cards.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = parser_of("vision.training.cards", __doc__, steps=4000, rate=4e-3)
    parser.add_argument("--tables", type=int, default=300, help="pictures of whole tables to render, 4 s each")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[], metavar="FILE.ttf", help="fonts for the corners")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

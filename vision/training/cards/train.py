"""Train the model that names playing cards, on cards of random decks and cards cut out of rendered tables.

About an hour on one core. With OpenCV 5, --fonts adds TrueType fonts to the ones that the decks' corners are
written in.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from vision.recognition.cards.recogniser import joined
from vision.recognition.cards.words import CARD_PX
from vision.training.cards.boards import mixed, rendered
from vision.training.cards.data import Dealer
from vision.training.cards.fit import RESIDUAL, fit_temperature, logits_of, train
from vision.training.command import parser_of, recipe_of, say
from vision.training.model_files import record_training
from vision.training.networks import write_description, write_weights

_HELD_OUT = 1200


def main(model: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    args = _arguments(model, argv)
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)
    dealer = Dealer(rng, tuple(args.fonts))
    say(f"rendering {args.tables} tables")
    cut = list(rendered(range(args.seed, args.seed + args.tables), tuple(args.fonts)))
    network = train(lambda: mixed(dealer, cut, rng), recipe_of(args), say)
    stranger = Dealer(np.random.default_rng(args.seed + 1), tuple(args.fonts))
    logits, truth = logits_of(network, [stranger.deal() for _ in range(_HELD_OUT)])
    temperature = fit_temperature(logits, truth)
    right = (joined(logits, 0.0).p.argmax(axis=1) == truth.argmax(axis=1)).mean()
    say(f"of {_HELD_OUT} cards of other decks {right:.2%} are right; temperature {temperature:.2f}")
    write_weights(network, model, torch.zeros(2, 3, *CARD_PX[::-1]), of_any_size={0: "n"}, input_name="cards")
    write_description(
        model,
        inputs={"cards": ("n", "3", *(str(side) for side in CARD_PX[::-1]))},
        network={"temperature": round(temperature, 3), "residual": RESIDUAL},
        training=record_training(model, (), f"drawn decks, {args.tables} tables from seed {args.seed}", args.seed),
    )
    return 0


def _arguments(model: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of(model, __doc__, steps=4000, rate=4e-3)
    parser.add_argument("--tables", type=int, default=300, help="pictures of whole tables to render, 4 s each")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[], metavar="FILE.ttf", help="fonts for the corners")
    return parser.parse_args(argv)

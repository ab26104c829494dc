"""Train the network that tells what lies on a table of cards: python -m vision.training.layout royal-racers

It renders random scenes, learns from them (and from photographs with truth, if a folder is given), fits the
temperature on scenes that it has not learned from, and writes layout.onnx and layout.toml beside the board's table
file. Which card is which the network does not learn: vision.training.cards is for that. Half an hour on one core; the
extra "train" is needed.

The network that ships for royal-racers learned from 1450 scenes and the 45 sample photographs, in four runs of 2200,
700, 2200 and 2600 steps (--keep, --start). The first two saw no photograph and the third only every other one, so that
the rest could measure it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import vision.boards
from vision.board import shipped_board
from vision.training.command import add_board_arguments, parser_of, recipe_of, say
from vision.training.layout_examples import draw, photographed, rendered
from vision.training.layout_fit import fit_temperature, train, write_network
from vision.training.render.decks.random_deck import random_deck

_HELD_OUT = 60


def main() -> int:
    """Run the command."""
    args = _arguments()
    board = shipped_board(args.game)
    say(f"rendering {args.scenes + _HELD_OUT} scenes")
    scenes = list(rendered(board, range(args.seed, args.seed + args.scenes + _HELD_OUT), random_deck))
    lessons, held_out = scenes[_HELD_OUT:], scenes[:_HELD_OUT]
    if args.photographs is not None:
        lessons += list(photographed(board, args.photographs)) * args.weight
    say(f"learning from {len(lessons)} pictures")
    recipe = recipe_of(args)
    network = train(lessons, board, recipe, say)
    rng = np.random.default_rng(args.seed)
    temperature = fit_temperature(network, [draw(example, board, rng) for example in held_out])
    folder = Path(vision.boards.__path__[0]) / board.game.replace("-", "_")
    write_network(network, folder, board, temperature)
    say(f"written to {folder}, temperature {temperature:.2f}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = parser_of("vision.training.layout", __doc__, steps=6000, rate=3e-3)
    add_board_arguments(parser, scenes=1500, weight=6)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

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
import torch

import vision.boards
from vision.board import shipped_board
from vision.synthetic.decks.random_deck import random_deck
from vision.training.fit import Recipe
from vision.training.layout_examples import draw, photographed, rendered
from vision.training.layout_fit import fit_temperature, train, write_network

_HELD_OUT = 60


def main() -> int:
    """Run the command."""
    args = _arguments()
    board = shipped_board(args.game)
    _say(f"rendering {args.scenes + _HELD_OUT} scenes")
    scenes = list(rendered(board, range(args.seed, args.seed + args.scenes + _HELD_OUT), random_deck))
    lessons, held_out = scenes[_HELD_OUT:], scenes[:_HELD_OUT]
    if args.photographs is not None:
        lessons += list(photographed(board, args.photographs)) * args.weight
    _say(f"learning from {len(lessons)} pictures")
    recipe = Recipe(steps=args.steps, seed=args.seed, fresh=2, peak_rate=args.rate, start=args.start)
    network = train(lessons, board, recipe, _say)
    if args.keep is not None:
        torch.save(network.state_dict(), args.keep)
    rng = np.random.default_rng(args.seed)
    temperature = fit_temperature(network, [draw(example, board, rng) for example in held_out])
    folder = Path(vision.boards.__path__[0]) / board.game.replace("-", "_")
    write_network(network, folder, board, temperature)
    _say(f"written to {folder}, temperature {temperature:.2f}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m vision.training.layout", description=__doc__)
    parser.add_argument("game", help='the table to learn, such as "royal-racers"')
    parser.add_argument("--scenes", type=int, default=1500, help="pictures to render")
    parser.add_argument("--steps", type=int, default=6000, help="batches to learn from")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest rate of learning; a third to go on")
    parser.add_argument("--start", type=Path, metavar="FILE.pt", help="go on from what an earlier run has kept")
    parser.add_argument("--keep", type=Path, metavar="FILE.pt", help="keep what was learned, to go on from")
    parser.add_argument("--photographs", type=Path, help="a folder of photographs with truth files, in our form")
    parser.add_argument("--weight", type=int, default=6, help="how often a photograph counts as a scene does")
    return parser.parse_args()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

"""Train a board's network: python -m vision.training royal-tee --scenes 1000 --steps 6000

It renders random scenes, learns from them (and from photographs with truth, if a folder is given), fits the
temperature on scenes that it has not learned from, and writes cells.onnx and cells.toml beside the board's table file.
Half an hour on two cores; the extra "train" is needed.

The network that ships for royal-tee learned from 2100 scenes and the 63 sample photographs, in four runs of 6000, 2200,
1800 and 2400 steps (--keep, --start). The first two saw only every other photograph, so that the rest could measure
them; for the last, 340 openings (`examples.opening`) were added.

Those for territory and royal-ur learned from 1650 and 1800 scenes in a run of 3500 steps, measured then on the
photographs, and with these (--photographs, --start, --rate 1.5e-3) in another of 2200 steps.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

import vision.boards
from vision.board import Board, shipped_board
from vision.recognition.labeller import height_mm
from vision.training.augment import draw
from vision.training.command import add_board_arguments, parser_of, recipe_of, say
from vision.training.examples import Example, photographed, rendered
from vision.training.export import write_network
from vision.training.fit import fit_temperature, train

_HELD_OUT = 40


def main() -> int:
    """Run the command."""
    args = _arguments()
    board = shipped_board(args.game)
    heights = _heights(board)
    planes_mm = (0.0, *(height_mm(board, name) for name in heights))
    say(f"rendering {args.scenes + _HELD_OUT} scenes")
    scenes = list(rendered(board, range(args.seed, args.seed + args.scenes + _HELD_OUT)))
    lessons, held_out = scenes[_HELD_OUT:], scenes[:_HELD_OUT]
    if args.photographs is not None:
        lessons += list(photographed(board, args.photographs)) * args.weight
    say(f"learning from {len(lessons)} pictures")
    recipe = recipe_of(args)
    network = train(lessons, board, planes_mm, recipe, say)
    temperature = fit_temperature(network, _plain(held_out, board, planes_mm, args.seed))
    folder = Path(vision.boards.__path__[0]) / board.game.replace("-", "_")
    write_network(network, folder, board, heights, temperature)
    say(f"written to {folder}, temperature {temperature:.2f}")
    return 0


def _heights(board: Board) -> tuple[str, ...]:
    """Name the heights of the planes: of each piece, and of a middling stack where pieces may be stacked."""
    pieces = sorted(board.pieces, key=lambda name: board.pieces[name].height)
    stacked = any(label.height > 1 for label in board.cell_labels)
    return (*pieces, *(f"{name}*3" for name in pieces if stacked))


def _arguments() -> argparse.Namespace:
    parser = parser_of("vision.training", __doc__, steps=6000, rate=3e-3)
    add_board_arguments(parser, scenes=1000, weight=8)
    return parser.parse_args()


def _plain(
    examples: list[Example], board: Board, planes_mm: tuple[float, ...], seed: int
) -> list[tuple[torch.Tensor, NDArray[np.int64]]]:
    rng = np.random.default_rng(seed)
    samples = [draw(example, board, planes_mm, rng) for example in examples]
    return [(torch.from_numpy(s.planes), np.where(s.visible > 0.5, s.labels, -1)) for s in samples]


if __name__ == "__main__":
    sys.exit(main())

"""Train the network for tables with figures: python -m vision.training.figures royal-study --scenes 1500 --steps 4000

It renders random scenes, learns from them (and from photographs with truth, if a folder is given), fits the
temperature on scenes that it has not learned from, and writes figures.onnx and figures.toml beside the board's table
file. An hour on two cores; the extra "train" is needed.

The network that ships for royal-study has seen no photograph: it learned from 1900 rendered scenes in three runs of
2500, 2800 and 3500 steps (--lessons, --keep, --start, --rate 2e-3, 2.5e-3, 1.6e-3); the first had 800 of the scenes and
one layer less.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import vision.boards
from vision.board import Board, shipped_board
from vision.training.command import add_board_arguments, parser_of, recipe_of, say
from vision.training.figures_examples import Lessons, joined, load, photographed, rendered, save
from vision.training.figures_export import write_figures
from vision.training.figures_fit import fit_temperature, share_of_labels, train

_HELD_OUT = 90
_SEED_OF_HELD_OUT = 1_000_000


def main() -> int:
    """Run the command."""
    args = _arguments()
    board = shipped_board(args.game)
    lessons, held_out = _rendered(board, args)
    if args.photographs is not None:
        pictures = sorted(args.photographs.rglob("*.jpg"))
        lessons = joined([lessons, *([joined(photographed(board, pictures))] * args.weight)])
    say(f"learning from {len(lessons)} cells")
    recipe = recipe_of(args)
    network = train(lessons, len(board.label_words), recipe, say)
    folder = Path(vision.boards.__path__[0]) / board.game.replace("-", "_")
    share = share_of_labels(lessons, len(board.label_words))
    temperature = fit_temperature(network, held_out, board, share)
    write_figures(network, folder, board, share, temperature)
    say(f"written to {folder}, temperature {temperature:.2f}")
    return 0


def _rendered(board: Board, args: argparse.Namespace) -> tuple[Lessons, Lessons]:
    """Render what to learn from and what to hold out, or take up what an earlier run has rendered."""
    kept = [] if args.lessons is None else sorted(args.lessons.glob("*.npz"))
    if kept:
        return joined(load(path) for path in kept[1:]), load(kept[0])
    say(f"rendering {args.scenes + _HELD_OUT} scenes")
    held_out = joined(rendered(board, range(_SEED_OF_HELD_OUT, _SEED_OF_HELD_OUT + _HELD_OUT)))
    lessons = joined(rendered(board, range(args.seed, args.seed + args.scenes)))
    if args.lessons is not None:
        args.lessons.mkdir(parents=True, exist_ok=True)
        save(held_out, args.lessons / "held-out.npz")
        save(lessons, args.lessons / "lessons.npz")
    return lessons, held_out


def _arguments() -> argparse.Namespace:
    parser = parser_of("vision.training.figures", __doc__, steps=4000, rate=2e-3)
    add_board_arguments(parser, scenes=1500, weight=4)
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", help="keep what was rendered there, or take it up")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

"""Train the model that names the figure on each cell, from rendered scenes and pictures with truth.

An hour on two cores, most of it rendering; --lessons keeps what was rendered for the next run.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from vision.board import Board, shipped_board
from vision.recognition.figure_patches import PATCH_WH
from vision.training.command import add_board_arguments, parser_of, recipe_of, say
from vision.training.figures.data import Lessons, joined, load, photographed, rendered, save
from vision.training.figures.fit import fit_temperature, share_of_labels, train
from vision.training.model_files import pictures_with_truth, record_training
from vision.training.networks import RESIDUAL, write_description, write_weights

_HELD_OUT = 90
_SEED_OF_HELD_OUT = 1_000_000


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    args = _arguments(game, argv)
    board = shipped_board(game)
    lessons, held_out = _rendered(board, args)
    pictures = list(pictures_with_truth(args.photographs, game))
    lessons = joined([lessons, *(list(photographed(board, pictures)) * args.weight)])
    say(f"learning from {len(lessons)} cells")
    network = train(lessons, len(board.label_words), recipe_of(args), say)
    share = share_of_labels(lessons, len(board.label_words))
    temperature = fit_temperature(network, held_out, board, share)
    training = record_training(game, pictures, f"{args.scenes} scenes from seed {args.seed}", args.seed)
    patches = torch.zeros(len(board.cells), 4, *PATCH_WH[::-1])
    write_weights(network, game, patches, of_any_size={0: "cells"}, input_name="patches")
    write_description(
        game,
        inputs={"patches": ("cells", "4", *(str(side) for side in PATCH_WH[::-1]))},
        network=parameters(board, share, temperature),
        training=training,
    )
    say(f"written to vision/models/{game}, temperature {temperature:.2f}")
    return 0


def parameters(board: Board, share: Sequence[float], temperature: float) -> dict[str, object]:
    """Return the [network] table of model.toml; `share`: how often each label occurred among the lessons."""
    return {
        "labels": list(board.label_words),
        "share": [round(part, 4) for part in share],
        "temperature": round(temperature, 3),
        "residual": RESIDUAL,
    }


def _rendered(board: Board, args: argparse.Namespace) -> tuple[Lessons, Lessons]:
    """Render what to learn from and what to hold out, or load what an earlier run has rendered."""
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


def _arguments(game: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of(game, __doc__, steps=4000, rate=2e-3)
    add_board_arguments(parser, scenes=1500, weight=4)
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", help="keep what was rendered there, or load it")
    return parser.parse_args(argv)

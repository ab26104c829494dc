"""Train the model that finds cards, flags and pawns on a table of cards, from rendered scenes and pictures with truth.

Which card is which this network does not learn: the model "cards" is for that. Half an hour on one core.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from vision.board import Board, shipped_board
from vision.recognition.cards.layout import CELL_PX, heights_mm, lying_words, standing_words
from vision.simulation.decks.random_deck import random_deck
from vision.training.command import add_board_arguments, parser_of, recipe_of, say
from vision.training.layout.data import draw, photographed, rendered
from vision.training.layout.fit import fit_temperature, train
from vision.training.layout.model import LayoutNet
from vision.training.model_files import pictures_with_truth, record_training
from vision.training.networks import write_description, write_weights

_HELD_OUT = 60


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = parser_of(game, __doc__, steps=6000, rate=3e-3)
    add_board_arguments(parser, scenes=1500, weight=6)
    args = parser.parse_args(argv)
    board = shipped_board(game)
    say(f"rendering {args.scenes + _HELD_OUT} scenes")
    scenes = list(rendered(board, range(args.seed, args.seed + args.scenes + _HELD_OUT), random_deck))
    lessons, held_out = scenes[_HELD_OUT:], scenes[:_HELD_OUT]
    pictures = list(pictures_with_truth(args.photographs, game))
    lessons += list(photographed(board, pictures)) * args.weight
    say(f"learning from {len(lessons)} pictures")
    network = train(lessons, board, recipe_of(args), say)
    rng = np.random.default_rng(args.seed)
    temperature = fit_temperature(network, [draw(example, board, rng) for example in held_out])
    training = record_training(game, pictures, f"{args.scenes} scenes from seed {args.seed + _HELD_OUT}", args.seed)
    write(network, board)
    write_description(
        game,
        inputs={"planes": ("1", str(3 * len(heights_mm(board))), *(f"({n} + 1) * {CELL_PX}" for n in _SIDES))},
        network=parameters(board, temperature),
        training=training,
    )
    say(f"written to vision/models/{game}, temperature {temperature:.2f}")
    return 0


_SIDES = ("rows", "columns")


def write(network: LayoutNet, board: Board) -> None:
    """Write the weights; the network takes grids of any size."""
    rows, columns = ((n + 1) * CELL_PX for n in (board.grid.rows, board.grid.columns))
    planes = torch.zeros(1, 3 * len(heights_mm(board)), rows, columns)
    write_weights(network, board.game, planes, of_any_size=dict(enumerate(_SIDES, 2)), input_name="planes")


def parameters(board: Board, temperature: float) -> dict[str, object]:
    """Return the [network] table of model.toml."""
    return {
        "lying": list(lying_words(board)),
        "standing": list(standing_words(board)),
        "temperature": round(temperature, 3),
    }

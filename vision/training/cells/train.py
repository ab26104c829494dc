"""Train the model that labels every cell of a board, from rendered scenes and pictures with truth.

Ten minutes on one core for 6000 steps; most of the rest is rendering.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from vision.board import Board, shipped_board
from vision.recognition.labeller import height_mm
from vision.training.cells.data import cell_px_of, draw, photographed, rendered
from vision.training.cells.fit import fit_temperature, train
from vision.training.cells.model import CellNet
from vision.training.command import add_board_arguments, parser_of, recipe_of, say
from vision.training.model_files import pictures_with_truth, record_training
from vision.training.networks import RESIDUAL, write_description, write_weights

_HELD_OUT = 40


def main(game: str, argv: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = parser_of(game, __doc__, steps=6000, rate=3e-3)
    add_board_arguments(parser, scenes=1000, weight=8)
    args = parser.parse_args(argv)
    board = shipped_board(game)
    heights = heights_of(board)
    planes_mm = (0.0, *(height_mm(board, name) for name in heights))
    say(f"rendering {args.scenes + _HELD_OUT} scenes")
    scenes = list(rendered(board, range(args.seed, args.seed + args.scenes + _HELD_OUT)))
    lessons, held_out = scenes[_HELD_OUT:], scenes[:_HELD_OUT]
    pictures = list(pictures_with_truth(args.photographs, game))
    lessons += list(photographed(board, pictures)) * args.weight
    say(f"learning from {len(lessons)} pictures")
    network = train(lessons, board, planes_mm, recipe_of(args), say)
    rng = np.random.default_rng(args.seed)
    samples = [draw(example, board, planes_mm, rng) for example in held_out]
    temperature = fit_temperature(
        network, [(torch.from_numpy(s.planes), np.where(s.visible > 0.5, s.labels, -1)) for s in samples]
    )
    training = record_training(game, pictures, f"{args.scenes} scenes from seed {args.seed + _HELD_OUT}", args.seed)
    write(network, board, heights)
    write_description(
        game,
        inputs={"planes": _shape(board, len(planes_mm))},
        network=parameters(board, heights, temperature),
        training=training,
    )
    say(f"written to vision/models/{game}, temperature {temperature:.2f}")
    return 0


def heights_of(board: Board) -> tuple[str, ...]:
    """Return the names of the planes' heights: of each piece, and of a medium stack where pieces are stacked."""
    pieces = sorted(board.pieces, key=lambda name: board.pieces[name].height)
    stacked = any(label.height > 1 for label in board.cell_labels)
    return (*pieces, *(f"{name}*3" for name in pieces if stacked))


def write(network: CellNet, board: Board, heights: Sequence[str]) -> None:
    """Write the weights; the network takes grids of any size."""
    cell_px = cell_px_of(board)
    rows, columns = ((n + 1) * cell_px for n in (board.grid.rows, board.grid.columns))
    planes = torch.zeros(1, 3 * (len(heights) + 1), rows, columns)
    write_weights(network, board.game, planes, of_any_size={2: "rows", 3: "columns"}, input_name="planes")


def parameters(board: Board, heights: Sequence[str], temperature: float) -> dict[str, object]:
    """Return the [network] table of model.toml."""
    return {
        "labels": list(board.label_words),
        "heights": list(heights),
        "cell_px": cell_px_of(board),
        "temperature": round(temperature, 3),
        "residual": RESIDUAL,
    }


def _shape(board: Board, planes: int) -> tuple[str, ...]:
    cell_px = cell_px_of(board)
    return ("1", f"{3 * planes}", f"(rows + 1) * {cell_px}", f"(columns + 1) * {cell_px}")

"""What the commands that train a model have in common: arguments, progress, and the loop for models of whole boards."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import torch
from torch import nn

from vision.board import Board, shipped_board
from vision.training.learning import Say, TrainingConfig
from vision.training.model_files import pictures_with_truth, record_training
from vision.training.networks import write_model

ExampleT = TypeVar("ExampleT")
NetworkT = TypeVar("NetworkT", bound=nn.Module)


def parser_of(model: str, description: str | None, *, steps: int, rate: float) -> argparse.ArgumentParser:
    """Return the parser of `python -m vision.training MODEL`, with the arguments that `recipe_of` reads."""
    parser = argparse.ArgumentParser(
        prog=f"python -m vision.training {model}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--steps", type=int, default=steps, help="batches to learn from")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=rate, help="the highest rate of learning; a third to go on")
    parser.add_argument(
        "--start",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE.pt",
        help="go on from what earlier runs have kept, their mean",
    )
    parser.add_argument("--keep", type=Path, metavar="FILE.pt", help="keep what was learned, to go on from")
    return parser


def add_board_arguments(parser: argparse.ArgumentParser, *, scenes: int, weight: int) -> None:
    """Add what the model of one board needs: how many rendered scenes, and pictures with truth to learn from."""
    parser.add_argument("--scenes", type=int, default=scenes, help="scenes to render")
    parser.add_argument("--photographs", type=Path, help="a folder of pictures with truth, as in tests/recorded")
    parser.add_argument("--weight", type=int, default=weight, help="how often a photograph counts as a scene does")


def recipe_of(args: argparse.Namespace) -> TrainingConfig:
    """Return the config in the arguments."""
    return TrainingConfig(args.steps, args.seed, args.rate, args.start, args.keep)


def say(line: str) -> None:
    """Print a line at once, also into a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneModel(Generic[ExampleT, NetworkT]):
    """How the model that reads all cells of a board at once is trained, from planes warped at some heights.

    Attributes:
        description: what `--help` says.
        scenes: how many are rendered if nothing else is asked for.
        weight: how often a photograph counts as a scene does.
        held_out: scenes to fit the temperature on.
        heights: how many planes a board has.
        cell_px: side of a cell in the planes.
        rendered, photographed: return what is learned from, of seeds and of pictures with truth.
        train: returns the network.
        fit_temperature: returns the divisor of the logits that fits what was held out.
        parameters: returns the [network] table of model.toml for a temperature.
    """

    description: str | None
    scenes: int
    weight: int
    held_out: int
    heights: Callable[[Board], int]
    cell_px: Callable[[Board], int]
    rendered: Callable[[Board, Sequence[int]], Iterable[ExampleT]]
    photographed: Callable[[Board, Iterable[Path]], Iterable[ExampleT]]
    train: Callable[[Sequence[ExampleT], Board, TrainingConfig, Say], NetworkT]
    fit_temperature: Callable[[NetworkT, Sequence[ExampleT], Board, np.random.Generator], float]
    parameters: Callable[[Board, float], dict[str, object]]


def train_planes(game: str, argv: Sequence[str], model: PlaneModel[ExampleT, NetworkT]) -> int:
    """Run the command that trains such a model; return the exit code."""
    parser = parser_of(game, model.description, steps=6000, rate=3e-3)
    add_board_arguments(parser, scenes=model.scenes, weight=model.weight)
    args = parser.parse_args(argv)
    # 1. what is learned from
    board = shipped_board(game)
    say(f"rendering {args.scenes + model.held_out} scenes")
    scenes = list(model.rendered(board, range(args.seed, args.seed + args.scenes + model.held_out)))
    lessons, held_out = scenes[model.held_out :], scenes[: model.held_out]
    pictures = list(pictures_with_truth(args.photographs, game))
    lessons += list(model.photographed(board, pictures)) * args.weight
    # 2. learning, and how far to trust what was learned
    say(f"learning from {len(lessons)} pictures")
    network = model.train(lessons, board, recipe_of(args), say)
    temperature = model.fit_temperature(network, held_out, board, np.random.default_rng(args.seed))
    # 3. the model's files; the network takes grids of any size
    planes, cell_px = 3 * model.heights(board), model.cell_px(board)
    rows, columns = ((n + 1) * cell_px for n in (board.grid.rows, board.grid.columns))
    write_model(
        game,
        network,
        torch.zeros(1, planes, rows, columns),
        inputs={"planes": ("1", str(planes), f"(rows + 1) * {cell_px}", f"(columns + 1) * {cell_px}")},
        of_any_size={2: "rows", 3: "columns"},
        parameters=model.parameters(board, temperature),
        training=record_training(
            game, pictures, f"{args.scenes} scenes from seed {args.seed + model.held_out}", args.seed
        ),
    )
    say(f"written to vision/models/{game}, temperature {temperature:.2f}")
    return 0

"""What the commands that train a model have in common: arguments, and how they report their progress."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from vision.training.learning import TrainingConfig


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

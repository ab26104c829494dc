"""What the commands that train a network have in common: arguments, and how they tell of their progress."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from vision.training.learning import Recipe


def parser_of(name: str, description: str | None, *, steps: int, rate: float) -> argparse.ArgumentParser:
    """Make the parser of python -m NAME, with the arguments that `recipe_of` takes; `steps` and `rate` by default."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
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
    """Add what a network of one board needs: which board, and rendered and real pictures of it to learn from."""
    parser.add_argument("game", help="the game whose board is to be learned")
    parser.add_argument("--scenes", type=int, default=scenes, help="pictures to render")
    parser.add_argument("--photographs", type=Path, help="a folder of photographs with truth files, in our form")
    parser.add_argument("--weight", type=int, default=weight, help="how often a photograph counts as a scene does")


def recipe_of(args: argparse.Namespace) -> Recipe:
    """Take a recipe from the arguments."""
    return Recipe(args.steps, args.seed, args.rate, args.start, args.keep)


def say(line: str) -> None:
    """Tell of the progress at once, also into a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()

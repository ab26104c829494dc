"""`python -m tests.evaluate.printed`: how well printed kits are read, on pictures made from the printed pages.

Exit codes: 0 done; 1 a figure is below its aim.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.printing.themes import THEMES
from tests.evaluate.figures import Report
from tests.evaluate.printed_pictures import PrintedPicture, picture
from tests.evaluate.tables import COLUMNS, Outcome, compared, figures
from tests.evaluate.truth import Case
from vision.board import shipped_games
from vision.frame import ImageBgr
from vision.labels import EMPTY
from vision.observation import Blind
from vision.recognition.marks import SURE_MODULE_PX
from vision.recognition.reader import Reading, TableReader
from vision.simulation.random_scene import TIERS

AIMS = {"easy": 0.99, "medium": 0.99, "hard": 0.95}
"""Share of the boards on which every cell whose uppermost piece is at least half visible is right and sure: hidden
neither by a hand nor by a lamp's mirror image."""

SMALL = "small"
"""The tier of pictures in which marks have fewer pixels than a sure reading needs: doubt is right, an error is not."""

_VISIBLE = 0.5


def measure(
    game: str, tier: str, seed: int, *, marked: bool = True, gray: bool = False, standing: bool = False
) -> tuple[Outcome, ImageBgr]:
    """Make up a picture, read it and compare."""
    rng = np.random.default_rng([seed, TIERS.index(tier) if tier in TIERS else len(TIERS)])
    theme = list(THEMES)[seed % len(THEMES)]
    made = _picture(game, tier, rng, theme, marked=marked, standing=standing)
    image = _without_colour(made.image_bgr) if gray else made.image_bgr
    return compare(game, tier, made, TableReader(made.board).read(image)), image


def _picture(
    game: str, tier: str, rng: np.random.Generator, theme: str, *, marked: bool, standing: bool
) -> PrintedPicture:
    least_px = 0.0 if tier == SMALL else SURE_MODULE_PX
    tier = "easy" if tier == SMALL else tier
    return picture(game, rng, tier=tier, least_px=least_px, theme=theme, marked=marked, standing=standing)


def _without_colour(image_bgr: ImageBgr) -> ImageBgr:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def compare(game: str, tier: str, made: PrintedPicture, seen: Reading | Blind) -> Outcome:
    """Compare a reading with the truth; the height of a stack need not be read."""
    cells = {place: made.labels.get(place, EMPTY) for place in made.visible}
    hidden = frozenset(place for place, share in made.visible.items() if share < _VISIBLE)
    case = Case(image=Path(), game=game, tier=tier, cells=cells, hidden=hidden, refusal=None)
    return compared(case, seen, heights=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; give the exit code."""
    args = _parser().parse_args(argv)
    rows: dict[str, list[Outcome]] = {}
    for outcome in _outcomes(args):
        for game in (outcome.case.game, "all"):
            rows.setdefault(f"{game} {outcome.case.tier}", []).append(outcome)
    report = Report("printed kits", COLUMNS, {row: figures(rows[row]) for row in sorted(rows)})
    report.show()
    return int(any(_below_aim(row.split()[-1], found) for row, found in report.figures.items()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.evaluate.printed",
        description="Measures how well printed kits are read, on pictures made from the printed pages.",
        epilog="example: python -m tests.evaluate.printed --pictures 20 --games royal-ur territory --tiers easy hard",
    )
    parser.add_argument("--pictures", type=int, default=100, metavar="N", help="of each game and tier")
    parser.add_argument("--games", nargs="+", choices=shipped_games(), default=shipped_games())
    parser.add_argument("--tiers", nargs="+", choices=(*TIERS, SMALL), default=(*TIERS, SMALL))
    parser.add_argument("--seed", type=int, default=0, help="of the first picture; the others follow")
    parser.add_argument("--plain", action="store_true", help="pieces without marks")
    parser.add_argument("--standing", action="store_true", help="standing figures, of games that have them")
    parser.add_argument("--gray", action="store_true", help="pictures without colour")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the pictures that were not read whole")
    return parser


def _outcomes(args: argparse.Namespace) -> Iterator[Outcome]:
    for game in args.games:
        for tier in args.tiers:
            for seed in range(args.seed, args.seed + args.pictures):
                how = {"marked": not args.plain, "gray": args.gray, "standing": args.standing}
                outcome, image = measure(game, tier, seed, **how)
                if args.keep and (outcome.silent or not outcome.exact):
                    args.keep.mkdir(parents=True, exist_ok=True)
                    path = args.keep / f"{game}-{tier}-{seed}.jpg"
                    cv2.imwrite(str(path), image)
                    sys.stdout.write(f"{path}: {outcome}\n")
                    sys.stdout.flush()
                yield outcome


def _below_aim(tier: str, found: Mapping[str, float]) -> bool:
    return found["boards_exact"] < AIMS.get(tier, 0.0) or found["silent"] > 0


if __name__ == "__main__":
    sys.exit(main())

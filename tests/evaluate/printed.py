"""`python -m tests.evaluate.printed`: how well printed kits are read, on pictures made from the printed pages.

Exit codes: 0 done; 1 a figure is below its aim.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.printing.themes import THEMES
from tests.evaluate.figures import show, table_of
from tests.evaluate.printed_pictures import PrintedPicture, picture
from vision.board import shipped_games
from vision.frame import ImageBgr
from vision.recognition.marks import SURE_MODULE_PX
from vision.recognition.reader import Reading, TableReader
from vision.simulation.random_scene import TIERS

AIMS = {"easy": 0.99, "medium": 0.99, "hard": 0.95}
"""Share of the boards on which every cell whose uppermost piece is at least half visible is right and sure: hidden
neither by a hand nor by a lamp's mirror image."""

SMALL = "small"
"""The tier of pictures in which marks have fewer pixels than a sure reading needs: doubt is right, an error is not."""

_VISIBLE = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one picture; counts of cells of which at least half can be seen."""

    game: str
    tier: str
    cells: int
    right_and_sure: int
    silent: int
    is_read: bool
    wrong: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether every cell is right and sure."""
        return self.is_read and self.right_and_sure == self.cells


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


def compare(game: str, tier: str, made: PrintedPicture, seen: object) -> Outcome:
    """Compare a reading with the truth; the height of a stack need not be read."""
    places = [place for place, share in made.visible.items() if share >= _VISIBLE]
    if not isinstance(seen, Reading):
        return Outcome(game, tier, len(places), 0, 0, is_read=False, wrong=(str(seen),))
    best = dict(zip(seen.observation.cells, seen.observation.best(), strict=True))
    unsure = dict(zip(seen.observation.cells, seen.observation.unsure(), strict=True))
    truth = {place: made.labels.get(place, "empty") for place in made.visible}
    right = {place: _same(best[place], truth[place]) for place in truth}
    wrong = tuple(
        f"{place}: {truth[place]} read as {best[place]}{' unsure' if unsure[place] else ''}"
        for place in truth
        if (not right[place] and not unsure[place]) or (place in places and unsure[place])
    )
    sure = sum(right[place] and not unsure[place] for place in places)
    silent = sum(not right[place] and not unsure[place] for place in truth)
    return Outcome(game, tier, len(places), sure, silent, is_read=True, wrong=wrong)


def _same(read: str, truth: str) -> bool:
    return read.partition("*")[0] == truth.partition("*")[0]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; give the exit code."""
    args = _parser().parse_args(argv)
    outcomes = list(_outcomes(args))
    rows = _rows(outcomes)
    show(table_of("printed kits", _COLUMNS, (_counted(*key, row) for key, row in rows.items())))
    return int(any(map(_below_aim, rows.values())))


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
                if args.keep and (outcome.wrong or not outcome.exact):
                    _keep(args.keep, outcome, image, seed)
                yield outcome


def _keep(folder: Path, outcome: Outcome, image: ImageBgr, seed: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{outcome.game}-{outcome.tier}-{seed}.jpg"
    cv2.imwrite(str(path), image)
    sys.stdout.write(f"{path}: {'; '.join(outcome.wrong[:6])}\n")
    sys.stdout.flush()


def _rows(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], list[Outcome]]:
    rows: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        rows.setdefault((outcome.game, outcome.tier), []).append(outcome)
        rows.setdefault(("all", outcome.tier), []).append(outcome)
    return dict(sorted(rows.items()))


_COLUMNS = ("game", "tier", "pictures", "not read", "boards right and sure", "cells right and sure", "silent")


def _counted(game: str, tier: str, rows: Sequence[Outcome]) -> tuple[object, ...]:
    """Return what is printed in `_COLUMNS` of the pictures of a game and tier."""
    cells = sum(row.cells for row in rows)
    boards = np.mean([row.exact for row in rows])
    sure = sum(row.right_and_sure for row in rows) / max(cells, 1)
    refused, silent = sum(not row.is_read for row in rows), sum(row.silent for row in rows)
    return game, tier, len(rows), refused, f"{boards:.1%}", f"{sure:.3%}", silent


def _below_aim(rows: Sequence[Outcome]) -> bool:
    boards = float(np.mean([row.exact for row in rows]))
    return boards < AIMS.get(rows[0].tier, 0.0) or any(row.silent for row in rows)


if __name__ == "__main__":
    sys.exit(main())

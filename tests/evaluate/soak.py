"""`python -m tests.evaluate.soak --evenings 80`: game after game in one process, and what has grown meanwhile.

Simulated players play on the simulated table, as fast as it can be computed, with the service's own settings of the
allocator. Neither memory nor descriptors nor threads nor the files in the folder may grow.

Caches and the C library's heap fill in the first evenings of each game: growth is measured once there were three of
each, from the first third of the evenings after that to the last third. What a game computes once for its longest moves
is computed before.

Evenings that players gave up, since a table was misread again and again, are counted and named: they are measured like
any other, and how often that happens is what `tests.evaluate.evenings` is for.

Exit codes: 0 nothing has grown, 1 something has, or an evening ended with a fault, with a score that is not the true
one, or with a move confirmed that was not made; 2 too few evenings to measure that.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from companion.games.engines import ENGINES
from companion.shell.session import forget_earlier_games
from engines.royal_tee.position import FIRST_SLIDER, LAST_SLIDER
from engines.royal_tee.shapes import shapes
from tests.evaluate.evenings import Evening, Outcome, play

WARM_UP = 3
"""Evenings of each game in which memory may grow: 132 to 147 MB in the first three, and flat after."""

LEAST_COMPARED = 5
"""Evenings in the first and in the last third, of which the least is taken: memory that went up by 27 MB came back only
after the fourth evening."""

MOST_GROWN_MB = 12.0
"""The C library keeps more or less of what pictures have left: memory went up and down by 14 MB in nine evenings in a
row, while 36 to 38 MB were in use. What is kept for ever stays in the least of several evenings."""

UNIT = Path(__file__).parents[2] / "deploy/pi/companion.service"


@dataclass(frozen=True, slots=True)
class Usage:
    """What the process holds: memory in MB, descriptors, threads; and how many files are in its folder.

    Kept pictures are left out: they have a limit of their own.
    """

    memory_mb: float
    descriptors: int
    threads: int
    files: int

    def grown_since(self, before: Usage) -> list[str]:
        """Say what has grown."""
        pairs = (
            ("memory", self.memory_mb - before.memory_mb, MOST_GROWN_MB),
            ("descriptors", self.descriptors - before.descriptors, 0),
            ("threads", self.threads - before.threads, 0),
            ("files", self.files - before.files, 0),
        )
        return [f"{name} grew by {grown:g}" for name, grown, most in pairs if grown > most]


@dataclass(frozen=True, slots=True)
class Growth:
    """What has grown between the first and the last third of the warm evenings, `evenings` apart."""

    before: Usage
    after: Usage
    evenings: int

    def grown(self) -> list[str]:
        """Say what has grown."""
        return self.after.grown_since(self.before)

    def __str__(self) -> str:
        memory = f"{self.before.memory_mb:.1f} to {self.after.memory_mb:.1f} MB over {self.evenings} evenings"
        return f"{memory} (less than {MOST_GROWN_MB / self.evenings:.2f} MB an evening would not show)"


def growth_of(warm: Sequence[Usage]) -> Growth:
    """Compare the first third of the warm evenings with the last third."""
    third = len(warm) // 3
    return Growth(least(warm[:third]), least(warm[-third:]), len(warm) - third)


def least(usages: Sequence[Usage]) -> Usage:
    """Return the least of each that several evenings have left."""
    return Usage(*map(min, zip(*map(astuple, usages), strict=True)))


def usage(folder: Path) -> Usage:
    """Measure this process and its folder, as they are when `companion play` begins another game."""
    forget_earlier_games()
    fields = Path("/proc/self/statm").read_text().split()
    memory_mb = int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    files = sum(1 for path in folder.rglob("*") if path.is_file() and path.parent.name != "pictures")
    return Usage(memory_mb, len(list(Path("/proc/self/fd").iterdir())), threading.active_count(), files)


def compute_ahead() -> None:
    """Compute all walks of up to nine steps: 26 MB that are kept once a slider gets there, in whichever evening."""
    for steps in range(FIRST_SLIDER, LAST_SLIDER + 1):
        shapes(steps)


def fault_of(outcome: Outcome) -> str:
    """Return how an evening ended wrongly: a score that is not the true one, moves confirmed as what they were not."""
    wrong = outcome.total("mistaken") + outcome.by_trick("accepted").total()
    score = [] if outcome.score_equal or outcome.gave_up else ["another score than the true one"]
    return ", ".join([*score, *([f"{wrong} moves confirmed wrongly"] if wrong else [])])


def allocator() -> dict[str, str]:
    """Return the variables with which the service's unit sets the allocator."""
    lines = re.findall(r"^Environment=(MALLOC_.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(setting.split("=", 1) for line in lines for setting in line.split())


def as_the_service(argv: Sequence[str]) -> None:
    """Start this process again with the service's allocator, which is set up before Python runs."""
    wanted = allocator()
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        command = [sys.executable, "-m", "tests.evaluate.soak", *argv]
        os.execve(sys.executable, command, {**os.environ, **wanted})  # noqa: S606 - this very program


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, measure, compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.soak", description=__doc__)
    parser.add_argument(
        "--evenings", type=int, default=80, metavar="N", help="how many games; 20 are about an hour at the table"
    )
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the seed of the first, to repeat one")
    parser.add_argument("--turns", type=int, default=30, metavar="N", help="of each game")
    parser.add_argument("--games", nargs="+", default=["royal-tee"], choices=list(ENGINES), help="played in turn")
    args = parser.parse_args(arguments)
    warm_up = WARM_UP * len(args.games)
    if args.evenings < warm_up + 3 * LEAST_COMPARED:
        parser.error(f"too few evenings: {warm_up} are the warm-up, and {3 * LEAST_COMPARED} are to follow")
    usages: list[Usage] = []
    ended: dict[int, Outcome] = {}
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as name:
        folder = Path(name)
        compute_ahead()
        for number in range(args.evenings):
            seed, game = args.first + number, args.games[number % len(args.games)]
            ended[seed] = play(Evening(game, seed, "pictures", turns=args.turns, inside=True), folder)
            usages.append(usage(folder))
            hours = sum(one.seconds for one in ended.values()) / 3600
            how = f", seed {seed}: {fault}" if (fault := fault_of(ended[seed])) else ""
            sys.stdout.write(f"{len(ended)} evenings, {hours:.2f} h: {usages[-1]}{how}\n")
            sys.stdout.flush()
    growth = growth_of(usages[warm_up:])
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    said = "; ".join(growth.grown()) or f"nothing has grown since evening {warm_up + 1}"
    sys.stdout.write(f"{growth}\n{said}; at most {peak_mb:.0f} MB at any time\n")
    sys.stdout.write(_ends(ended))
    return int(bool(growth.grown()) or any(map(fault_of, ended.values())))


def _ends(ended: Mapping[int, Outcome]) -> str:
    """Say how many evenings the players gave up, and how many ended wrongly, with their seeds."""
    given_up = [seed for seed, one in ended.items() if one.gave_up]
    failed = [seed for seed, one in ended.items() if fault_of(one)]
    return f"of {len(ended)} evenings {len(given_up)} given up {given_up}, {len(failed)} ended wrongly {failed}\n"


if __name__ == "__main__":
    as_the_service(sys.argv[1:])
    sys.exit(main())

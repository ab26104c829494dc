"""`python -m tests.evaluate.soak --evenings 80`: game after game in one process, and what has grown meanwhile.

Simulated players play on the simulated table, as fast as it can be computed, with the service's own settings of the
allocator. Neither memory nor descriptors nor threads nor the files in the folder may grow. With `--pictures-every 4`
the reader has pictures in every fourth evening only, and is otherwise given the placement: an hour at the table
then takes two minutes in place of seven.

Caches and the C library's heap fill in the first evenings of each kind (a game, with or without pictures): growth is
measured once there were three of each, from the first third of the evenings after that to the last third, for those
with pictures and those without.
What a game computes once for its longest moves is computed before.

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
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from companion.games.engines import ENGINES
from companion.shell.session import forget_earlier_games
from engines.royal_tee.position import FIRST_SLIDER, LAST_SLIDER
from engines.royal_tee.shapes import shapes
from tests.evaluate.evenings import Evening, play

WARM_UP = 3
"""Evenings of each kind in which memory may grow: 132 to 147 MB in the first three with pictures, and flat after."""

LEAST_COMPARED = 5
"""Evenings in the first and in the last third, of which the least is taken: memory that went up by 27 MB came back only
after the fourth evening with pictures."""

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


class Kind(NamedTuple):
    """What the memory that an evening needs depends on."""

    game: str
    pictures: bool


_SEEN = {True: "with pictures", False: "without pictures"}


@dataclass(frozen=True, slots=True)
class Growth:
    """What has grown between the first and the last third of the warm evenings, `evenings` apart."""

    kind: str
    before: Usage
    after: Usage
    evenings: int

    def grown(self) -> list[str]:
        """Say what has grown."""
        return [f"{self.kind}: {what}" for what in self.after.grown_since(self.before)]

    def __str__(self) -> str:
        memory = f"{self.before.memory_mb:.1f} to {self.after.memory_mb:.1f} MB over {self.evenings} evenings"
        return f"{self.kind}: {memory} (less than {MOST_GROWN_MB / self.evenings:.2f} MB an evening would not show)"


def kinds_of(evenings: int, games: Sequence[str], pictures_every: int) -> list[Kind]:
    """Return the kind of each evening."""
    return [Kind(games[number % len(games)], number % pictures_every == 0) for number in range(evenings)]


def warm_from(kinds: Sequence[Kind]) -> int:
    """Return the first evening before which there were `WARM_UP` of each kind; how many there are if none is."""
    for number in range(len(kinds)):
        if all(kinds[:number].count(kind) >= WARM_UP for kind in set(kinds)):
            return number
    return len(kinds)


def warm_numbers(kinds: Sequence[Kind]) -> dict[str, list[int]]:
    """Return the numbers of the warm evenings with and without pictures, as far as there are such evenings."""
    warm = range(warm_from(kinds), len(kinds))
    which = dict.fromkeys(kind.pictures for kind in kinds)
    return {_SEEN[pictures]: [number for number in warm if kinds[number].pictures == pictures] for pictures in which}


def is_measurable(kinds: Sequence[Kind]) -> bool:
    """Return whether there are enough evenings after the warm-up."""
    return all(len(numbers) >= 3 * LEAST_COMPARED for numbers in warm_numbers(kinds).values())


def growths(kinds: Sequence[Kind], usages: Sequence[Usage]) -> list[Growth]:
    """Compare the first third of the warm evenings with the last third."""
    found = []
    for kind, numbers in warm_numbers(kinds).items():
        third = len(numbers) // 3
        before, after = ([usages[number] for number in part] for part in (numbers[:third], numbers[-third:]))
        found.append(Growth(kind, least(before), least(after), numbers[-third] - numbers[0]))
    return found


def least(usages: Sequence[Usage]) -> Usage:
    """Return the least of each that several evenings have left."""
    return Usage(
        min(usage.memory_mb for usage in usages),
        min(usage.descriptors for usage in usages),
        min(usage.threads for usage in usages),
        min(usage.files for usage in usages),
    )


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


class Played(NamedTuple):
    """How a game ended: how long it took on the table in s, and whether the players gave it up.

    `wrong` counts the moves that were confirmed as what they were not, forbidden ones among them; `scored` says whether
    the companion has the true score.
    """

    taken_s: float
    gave_up: bool
    wrong: int
    scored: bool = True

    @property
    def failed(self) -> bool:
        """Whether it neither was played as it should be nor given up."""
        return bool(self.wrong) or not (self.scored or self.gave_up)

    def __str__(self) -> str:
        given_up = ["given up by the people"] if self.gave_up else []
        score = [] if self.scored else ["another score than the true one"]
        return ", ".join([*given_up, *score, *([f"{self.wrong} moves confirmed wrongly"] if self.wrong else [])])


def played(number: int, folder: Path, turns: int, game: str, *, pictures: bool) -> Played:
    """Play one game in this process."""
    evening = Evening(game, number, "pictures" if pictures else "truth", turns=turns, inside=True)
    outcome = play(evening, folder)
    wrong = outcome.total("mistaken") + outcome.by_trick("accepted").total()
    return Played(outcome.seconds, bool(outcome.gave_up), wrong, bool(outcome.score_equal))


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
    parser.add_argument("--pictures-every", type=int, default=1, metavar="N", help="evenings that have pictures")
    args = parser.parse_args(arguments)
    kinds = kinds_of(args.evenings, args.games, args.pictures_every)
    if not is_measurable(kinds):
        after = f"{3 * LEAST_COMPARED} of those with pictures and of those without are to follow"
        parser.error(f"too few evenings: {WARM_UP} of each kind are the warm-up, and {after}")
    played_s = {True: 0.0, False: 0.0}
    usages: list[Usage] = []
    ended: dict[int, Played] = {}
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as name:
        folder = Path(name)
        compute_ahead()
        for seed, kind in enumerate(kinds, args.first):
            ended[seed] = played(seed, folder, args.turns, kind.game, pictures=kind.pictures)
            played_s[kind.pictures] += ended[seed].taken_s
            usages.append(usage(folder))
            hours = f"{sum(played_s.values()) / 3600:.2f} h, {played_s[True] / 3600:.2f} of them with pictures"
            how = f", seed {seed}: {ended[seed]}" if str(ended[seed]) else ""
            sys.stdout.write(f"{len(ended)} evenings, {hours}: {usages[-1]}{how}\n")
            sys.stdout.flush()
    compared = growths(kinds, usages)
    grown = [what for growth in compared for what in growth.grown()]
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    sys.stdout.writelines(f"{growth}\n" for growth in compared)
    said = "; ".join(grown) or f"nothing has grown since evening {warm_from(kinds) + 1}"
    sys.stdout.write(f"{said}; at most {peak_mb:.0f} MB at any time\n")
    sys.stdout.write(_ends(ended))
    return int(bool(grown) or any(one.failed for one in ended.values()))


def _ends(ended: Mapping[int, Played]) -> str:
    """Say how many evenings the players gave up, and how many ended wrongly, with their seeds."""
    given_up = [seed for seed, one in ended.items() if one.gave_up]
    failed = [seed for seed, one in ended.items() if one.failed]
    return f"of {len(ended)} evenings {len(given_up)} given up {given_up}, {len(failed)} ended wrongly {failed}\n"


if __name__ == "__main__":
    as_the_service(sys.argv[1:])
    sys.exit(main())

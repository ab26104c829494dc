"""`python -m tests.evaluate.soak --evenings 40`: game after game in one process, and what has grown meanwhile.

Simulated people play on the simulated table, as fast as it can be computed. After the first few evenings, in which
libraries fill their caches, neither memory nor open files nor threads may grow.

Exit codes: 0 nothing has grown, 1 something has.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import os
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.cli import main as companion

WARM_UP = 4
MOST_GROWN_MB = 12.0
"""Measured: memory goes up and down by some 5 MB between evenings."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the process holds: memory in MB, descriptors, threads."""

    memory_mb: float
    descriptors: int
    threads: int

    def grown_since(self, before: Usage) -> list[str]:
        """Say what has grown."""
        pairs = (
            ("memory", self.memory_mb - before.memory_mb, MOST_GROWN_MB),
            ("descriptors", self.descriptors - before.descriptors, 0),
            ("threads", self.threads - before.threads, 0),
        )
        return [f"{name} grew by {grown:g}" for name, grown, most in pairs if grown > most]


def usage() -> Usage:
    """Measure this process."""
    gc.collect()
    fields = Path("/proc/self/statm").read_text().split()
    memory_mb = int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Usage(memory_mb, len(list(Path("/proc/self/fd").iterdir())), threading.active_count())


def evening(number: int, folder: Path, turns: int) -> int:
    """Play one game; return the exit code."""
    argv = ["demo", "--fast", "--game", "royal-tee", "--turns", str(turns), "--seed", str(number)]
    with contextlib.redirect_stdout(io.StringIO()):
        return companion([*argv, "--folder", str(folder)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, measure, compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.soak", description=__doc__)
    parser.add_argument("--evenings", type=int, default=40, metavar="N", help="how many games")
    parser.add_argument("--turns", type=int, default=30, metavar="N", help="of each game")
    args = parser.parse_args(arguments)
    before, codes = usage(), set()
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as folder:
        for number in range(args.evenings):
            codes.add(evening(number, Path(folder), args.turns))
            before = usage() if number < WARM_UP else before
    after = usage()
    grown = after.grown_since(before)
    sys.stdout.write(
        f"before {before}\nafter  {after}\n{'; '.join(grown) or 'nothing has grown'}; exit codes {codes}\n"
    )
    return int(bool(grown) or codes != {0})


if __name__ == "__main__":
    sys.exit(main())

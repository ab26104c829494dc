"""How long a job takes, by the time that the process spends and by the clock."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time


def spent_s(job: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    """Return the time of one run."""
    start = clock()
    job()
    return clock() - start


def taken_s(job: Callable[[], object]) -> float:
    """Return the time of one run by the clock on the wall, for work on several processors."""
    return spent_s(job, perf_counter)


def best_s(job: Callable[[], object], rounds: int) -> float:
    """Return the shortest of some runs: what the machine does beside it only ever adds."""
    return min(spent_s(job) for _ in range(rounds))

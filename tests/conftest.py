"""What every test stands on: English sentences, and properties that are not judged by the clock.

The gate tries the same examples of each property every time (profile "gate"); deploy/long.sh tries new ones, and more
of them (`HYPOTHESIS_PROFILE=long`).
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from companion.locale import speaking
from companion.shell import config_places

os.environ["LANGUAGE"] = "en"  # tests quote sentences, whatever the machine speaks
for _name in [name for name in os.environ if name.startswith("COMPANION_")]:
    del os.environ[_name]
os.environ["COMPANION_SETTINGS"] = os.devnull  # nor whatever is set on it
# OpenCV reads it once, when the first test of this process opens a video; a program's camera is the first to
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a script's "pytest &" ignores Ctrl-C, and so would every program that tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)

config_places.MOUNTS = Path(os.devnull)  # a folder for tests that is in memory is no reason to warn

# no deadline: times belong in tests/benchmarks, as ratios
settings.register_profile("gate", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=400, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))

UNTRACED = tuple(
    f"tests/{prefix}"
    for prefix in (
        "companion/core/test_step.py",
        "companion/games/test_royal_racers_cheats.py",
        "companion/games/test_royal_racers_hypotheses.py",
        "companion/games/test_royal_study_hypotheses.py",
        "companion/games/test_royal_tee_hypotheses.py",
        "companion/games/test_royal_tee_search.py",
        "companion/games/test_royal_ur_altered.py",
        "companion/games/test_royal_ur_hypotheses.py",
        "companion/games/test_territory_hypotheses.py",
        "companion/simulator/test_planner.py",
        "companion/test_another_day.py",
        "companion/test_evening_machine.py",
        "companion/test_transcripts.py",
        "companion/test_typed_play.py::test_a_random_game",
        "companion/ui/test_golden_screens.py::test_every_page_fits",
        "contracts/test_adaptors.py",
        "contracts/test_games.py",
        "contracts/test_games_pressed.py",
        "engines/royal_racers/test_rules.py",
        "engines/royal_racers/test_search.py",
        "engines/royal_tee/test_rules.py",
        "engines/royal_tee/test_search.py",
        "engines/territory/test_pressing.py",
        "engines/territory/test_rules.py",
        "engines/territory/test_search.py",
        "evaluate/test_evenings.py",
    )
)
"""Tests that walk the same lines thousands of times: to trace them doubles their time, and other tests reach all but
one in a hundred of their lines. The coverage that is reported is thus at most the true one."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what takes minutes to the long evaluation, and do not trace what others trace."""
    for item in items:
        if item.nodeid.startswith(UNTRACED):
            item.add_marker(pytest.mark.untraced)
    if os.environ.get("HYPOTHESIS_PROFILE") == "long":
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: a part of deploy/long.sh"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Run what is marked "untraced" without the tracer; pytest-cov's own mark has no effect in the workers of xdist."""
    if not item.get_closest_marker("untraced"):
        return (yield)
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(trace)


@pytest.fixture(autouse=True)
def environment_as_before() -> Iterator[None]:
    """Undo what a command run in this process has put into the environment, and the language that it has chosen."""
    before = dict(os.environ)
    with speaking(""):
        yield
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)

"""What every test stands on: English sentences, and properties that are not judged by the clock.

The gate tries the same examples of each property every time (profile "gate"); deploy/long.sh tries new ones, and more
of them (`HYPOTHESIS_PROFILE=long`).
"""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from companion.locale import speaking
from companion.shell import config_places

os.environ["LANGUAGE"] = "en"  # tests quote sentences, whatever the machine speaks
for _name in [name for name in os.environ if name.startswith("COMPANION_")]:
    del os.environ[_name]
os.environ["COMPANION_SETTINGS"] = os.devnull  # nor whatever is set on it
_HOME = tempfile.TemporaryDirectory()  # nor the games and tables of this account
os.environ |= {f"XDG_{kind}_HOME": str(Path(_HOME.name, kind.lower())) for kind in ("STATE", "CONFIG", "DATA")}
# OpenCV reads it once, when the first test of this process opens a video; a program's camera is the first to
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a script's "pytest &" ignores Ctrl-C, and so would every program that tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)

config_places.MOUNTS = Path(os.devnull)  # a folder for tests that is in memory is no reason to warn

# no deadline: times belong in tests/benchmarks, as ratios
settings.register_profile("gate", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("long", deadline=None, max_examples=400, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what takes minutes to the long evaluation, and most cases of a test that is sampled."""
    if os.environ.get("HYPOTHESIS_PROFILE") == "long":
        return
    cases: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: a part of deploy/long.sh"))
        elif sampled := item.get_closest_marker("sampled"):
            test = item.nodeid.partition("[")[0]
            if cases[test] % sampled.args[0]:
                item.add_marker(pytest.mark.skip(reason="a sample of the cases is tried; deploy/long.sh tries all"))
            cases[test] += 1


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: it took a quarter of the tests' time to look through it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def environment_as_before() -> Iterator[None]:
    """Undo what a command run in this process has put into the environment, and the language that it has chosen."""
    before = dict(os.environ)
    with speaking(""):
        yield
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)

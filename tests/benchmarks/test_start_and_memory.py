"""How long the command takes to start, beside Python and OpenCV, and how much memory a simulated game takes."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

ROUNDS = 9

MOST_OF_OPENCV = 0.6
"""Share of `import cv2` that the program may take beyond bare Python; measured 0.32 for --version."""

MOST_MB = 200
"""What `play` on the simulated table may hold; measured 176 to 184."""

MOST_TIMES_OPENCV = 5.0
"""Of what OpenCV and NumPy hold by themselves; measured 4.1 to 4.3."""

PLAYED_S = 30.0


def _cpu_s(*arguments: str) -> float:
    """Run Python and give the processor time it took, which other programs disturb less than the clock on the wall."""
    before_s = _children_s()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return _children_s() - before_s


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_version_is_reported_long_before_opencv_would_be_there(benchmark: BenchmarkFixture) -> None:
    jobs = (("-c", "pass"), ("-m", "companion", "--version"), ("-c", "import cv2"))
    bare, companion, opencv = (
        min(taken) for taken in zip(*([_cpu_s(*job) for job in jobs] for _ in range(ROUNDS)), strict=True)
    )
    benchmark(_cpu_s, "-m", "companion", "--version")
    benchmark.extra_info["share of OpenCV"] = (companion - bare) / (opencv - bare)
    assert companion - bare <= MOST_OF_OPENCV * (opencv - bare)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux reports a process's memory there")
def test_a_simulated_game_stays_small(tmp_path: Path) -> None:
    bare_mb = _most_mb(["-c", "import cv2, numpy, time; time.sleep(9)"], 5.0)
    played_mb = _most_mb(["-m", "companion", "play", "royal-tee", "--journal", str(tmp_path / "j")], PLAYED_S)
    assert played_mb <= MOST_MB
    assert played_mb <= MOST_TIMES_OPENCV * bare_mb


def _most_mb(arguments: list[str], seconds: float) -> float:
    """Let Python run for a while; give the most memory that it held (VmHWM)."""
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.terminate()
    (most_kb,) = re.findall(r"VmHWM:\s+(\d+) kB", status)
    return int(most_kb) / 1024

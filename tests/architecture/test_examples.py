"""The examples in the docstrings of the packages run as they stand there."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import companion
import engines
import vision

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("package", "least"), [(engines, 15), (vision, 5), (companion, 10)])
def test_the_examples_of_a_package_run(package: ModuleType, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(package)
    assert result.attempted >= least
    assert result.failed == 0


@pytest.mark.long
def test_the_examples_of_the_packages_pass_mypy_as_programs_of_others_do(tmp_path: Path) -> None:
    files = []
    for package in (engines, vision, companion):
        files.append(tmp_path / f"{package.__name__}_example.py")
        files[-1].write_text(doctest.script_from_examples(package.__doc__ or ""))
    for number, program in enumerate(_PROGRAMS):
        files.append(tmp_path / f"program_{number}.py")
        files[-1].write_text(program)
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'examples'}"
    # the project's own settings are not those of others; the packages are found as if they were installed
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", cache, *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        cwd=tmp_path,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("package", [engines, vision, companion])
def test_each_example_has_less_than_ten_lines(package: ModuleType) -> None:
    assert package.__doc__ is not None
    blocks = re.split(r"\n\n(?!>>>)", package.__doc__)
    lengths = [len([line for line in block.splitlines() if line.startswith((">>>", "..."))]) for block in blocks]
    assert 2 <= max(lengths) < 10


_PROGRAMS = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("program", _PROGRAMS, ids=range(len(_PROGRAMS)))
def test_the_programs_of_the_contributing_page_run(program: str, tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "COMPANION_DATA": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
    }
    command = [sys.executable, "-W", "error", "-c", program]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout or "default_path" in program
    assert len(program.splitlines()) <= 12

"""The examples in the docstrings of the packages run as they stand there."""

from __future__ import annotations

import doctest
import re
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


@pytest.mark.parametrize("package", [engines, vision, companion])
def test_each_example_has_less_than_ten_lines(package: ModuleType) -> None:
    assert package.__doc__ is not None
    blocks = re.split(r"\n\n(?!>>>)", package.__doc__)
    lengths = [len([line for line in block.splitlines() if line.startswith((">>>", "..."))]) for block in blocks]
    assert 2 <= max(lengths) < 10

"""Benchmarks hold ratios, which mean something only while measuring: pytest tests/benchmarks --benchmark-enable."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _only_when_measuring(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("benchmark_disable") and not request.config.getoption("benchmark_enable"):
        pytest.skip("ratios are measured only with --benchmark-enable")

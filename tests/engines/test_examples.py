"""The examples in the docstring of the engines run as they stand there."""

from __future__ import annotations

import doctest

import engines


def test_the_examples_of_the_engines_run() -> None:
    result = doctest.testmod(engines)
    assert result.attempted >= 15
    assert result.failed == 0

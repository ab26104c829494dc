"""Reviewed cases: a position, an action, and what the rules make of it. One file more is one test more."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.kernel import Outcome, Refusal
from engines.royal_tee import notation, rules
from engines.royal_tee.position import Position
from tests.engines.royal_tee.drawing import draw, parse

CASES = sorted((Path(__file__).parents[2] / "golden" / "royal-tee" / "cases").glob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_reviewed_case_comes_out_as_written(case: Path) -> None:
    _claim, before, action, expected = case.read_text("utf-8").strip().split("\n\n")
    result = rules.play(parse(before), notation.read_action(action))
    assert _as_text(result) == expected


def test_the_cases_have_not_silently_gone() -> None:
    assert len(CASES) >= 34


def _as_text(result: Outcome[Position] | Refusal) -> str:
    if isinstance(result, Refusal):
        return " ".join(["refused:", result.code, result.rule, *result.cells])
    return draw(result.position)

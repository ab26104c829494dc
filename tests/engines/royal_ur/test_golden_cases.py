"""Reviewed cases: a position, an action, and what the rules make of it. One file more is one test more."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.kernel import Outcome, Refusal
from engines.royal_ur import notation, rules
from engines.royal_ur.position import Position

CASES = sorted((Path(__file__).parents[2] / "golden" / "royal-ur" / "cases").glob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_reviewed_case_comes_out_as_written(case: Path) -> None:
    _claim, before, action, expected = case.read_text("utf-8").strip().split("\n\n")
    result = rules.play(notation.read_position(before), notation.read_action(action))
    assert as_text(result) == expected


def test_the_cases_have_not_silently_gone() -> None:
    assert len(CASES) >= 56


def as_text(result: Outcome[Position] | Refusal) -> str:
    """Write a refusal as a line; of an outcome one line for each event, and the position."""
    if isinstance(result, Refusal):
        return " ".join(["refused:", result.code, result.rule, *result.cells])
    events = [" ".join([event.name, *map(str, event.facts.values())]) for event in result.events]
    return "\n".join([*events, notation.write_position(result.position)])

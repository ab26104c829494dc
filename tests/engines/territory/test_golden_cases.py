"""Reviewed cases: a position, an action, and what the rules make of it. One file more is one test more.

Four parts with a blank line between them: the claim; the position as `drawing` has it; the action; then "refused: code
paragraph cells", or the names of the events and the position that follows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.kernel import Outcome, Refusal
from engines.territory import notation, rules
from engines.territory.position import Position
from tests.engines.territory.drawing import draw, parse

CASES = sorted((Path(__file__).parents[2] / "golden" / "territory" / "cases").glob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_reviewed_case_comes_out_as_written(case: Path) -> None:
    _claim, before, action, expected = case.read_text("utf-8").strip().split("\n\n")
    assert as_text(rules.play(parse(before), notation.read_action(action))) == expected


def test_the_cases_have_not_silently_gone() -> None:
    assert len(CASES) >= 40


def as_text(result: Outcome[Position] | Refusal) -> str:
    if isinstance(result, Refusal):
        return " ".join(["refused:", result.code, result.rule, *result.cells])
    events = ", ".join(event.name for event in result.events)
    return f"events: {events}\n{draw(result.position)}"

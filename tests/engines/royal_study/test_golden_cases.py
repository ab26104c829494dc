"""Reviewed cases: a position, an action, and what the rules make of it. One file more is one test more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.kernel import Outcome, Refusal
from engines.royal_study import notation, rules
from engines.royal_study.position import Position

CASES = sorted((Path(__file__).parents[2] / "golden" / "royal-study" / "cases").glob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_reviewed_case_comes_out_as_written(case: Path) -> None:
    _claim, before, action, expected = case.read_text("utf-8").strip().split("\n\n")
    position = notation.read_position(before.replace("\n", " "))
    assert as_text(rules.play(position, notation.read_action(action))) == expected


def test_the_cases_have_not_silently_gone() -> None:
    assert len(CASES) >= 60


def test_every_refusal_of_the_rules_has_a_case() -> None:
    table = Path(rules.__file__).with_name("RULES.md").read_text("utf-8").partition("## 7")[2]
    codes = set(re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE))
    refused = {case.read_text("utf-8").partition("refused: ")[2].split(" ")[0] for case in CASES}
    assert codes == refused - {""}


def as_text(result: Outcome[Position] | Refusal) -> str:
    """Write a refusal, or the names of the events and the position after them."""
    if isinstance(result, Refusal):
        return " ".join(["refused:", result.code, result.rule, *result.cells])
    events = " ".join(event.name for event in result.events)
    return f"{events}\n{layout(notation.write_position(result.position))}"


def layout(line: str) -> str:
    """Break a position's line into what a person reads together."""
    return re.sub(r"^(\S+ \S+ \S+) ", r"\1\n", line).replace(" deck=", "\ndeck=").replace(" options=", "\noptions=")

"""Reviewed cases: a position, an action, and what the rules make of it. One file more is one test more.

Four parts with a blank line between them: the claim; the position as `drawing` has it, or its line; the
action; then "refused: code paragraph cells", or the events and the position that follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from companion.games.engines import ENGINES
from companion.games.rulebook import rules_text
from engines.kernel import Outcome, Refusal
from engines.royal_racers import notation as racers_notation
from engines.royal_racers.board import SIZE
from engines.royal_racers.position import Position
from engines.royal_study import notation as study
from engines.royal_ur import notation as ur
from tests.engines import drawing

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Form:
    """How a game's cases are written: the position before, what an outcome becomes, and how many there are at least."""

    least: int
    parse: Callable[[str], Any]
    write: Callable[[Outcome[Any]], str]


def _names(outcome: Outcome[Any], between: str = ", ") -> str:
    return between.join(event.name for event in outcome.events)


def _study_line(line: str) -> str:
    """Break a position's line into what a person reads together."""
    return re.sub(r"^(\S+ \S+ \S+) ", r"\1\n", line).replace(" deck=", "\ndeck=").replace(" options=", "\noptions=")


def _racers_position(text: str) -> Position:
    """Read a position's line, of which the grid's rows and then the racers stand below one another."""
    head, *lines = text.split("\n")
    rows, racers = lines[:SIZE], lines[SIZE:]
    return racers_notation.read_position(" ".join([head, "/".join(rows).replace(" ", ""), *racers]))


def _racers_text(position: Position) -> str:
    words = racers_notation.write_position(replace(position, seen=())).split(" ")
    rows = [" ".join(wrap(row, 2)) for row in words[5].split("/")]
    return "\n".join([" ".join(words[:5]), *rows, *words[6:]])


def _ur_events(outcome: Outcome[Any]) -> list[str]:
    return [" ".join([event.name, *map(str, event.facts.values())]) for event in outcome.events]


FORMS: Mapping[str, Form] = {
    "royal-racers": Form(30, _racers_position, lambda done: f"{_names(done)}\n\n{_racers_text(done.position)}"),
    "royal-study": Form(
        60,
        lambda text: study.read_position(text.replace("\n", " ")),
        lambda done: f"{_names(done, ' ')}\n{_study_line(study.write_position(done.position))}",
    ),
    "royal-tee": Form(34, drawing.parse_tee, lambda done: drawing.draw_tee(done.position)),
    "royal-ur": Form(
        56, ur.read_position, lambda done: "\n".join([*_ur_events(done), ur.write_position(done.position)])
    ),
    "territory": Form(
        40,
        drawing.parse_territory,
        lambda done: f"events: {_names(done)}\n{drawing.draw_territory(done.position)}",
    ),
}
CASES = sorted(GOLDEN.glob("*/cases/*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parents[1].name}/{case.stem}")
def test_a_reviewed_case_comes_out_as_written(case: Path) -> None:
    game = case.parents[1].name
    form, engine = FORMS[game], ENGINES[game]
    _claim, before, action, *expected = case.read_text("utf-8").strip().split("\n\n")
    result = engine.game.play(form.parse(before), engine.notation.read_action(action))
    if isinstance(result, Refusal):
        assert [" ".join(["refused:", result.code, result.rule, *result.cells])] == expected
    else:
        assert form.write(result) == "\n\n".join(expected)


@pytest.mark.parametrize("game", FORMS)
def test_the_cases_have_not_silently_gone(game: str) -> None:
    assert sum(case.parents[1].name == game for case in CASES) >= FORMS[game].least


def test_every_refusal_of_the_study_has_a_case() -> None:
    table = rules_text("royal-study").partition("## 7")[2]
    codes = set(re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE))
    cases = [case.read_text("utf-8") for case in CASES if case.parents[1].name == "royal-study"]
    assert codes == {case.partition("refused: ")[2].split(" ")[0] for case in cases} - {""}

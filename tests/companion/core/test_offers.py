"""An explanation that DONE has made likely enough to be offered can still be chosen at the looks that follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.choices import EXPLANATION, shown_choice
from companion.core.entries import Played
from companion.core.hypothesis import Kind
from companion.core.inference import Decision, Finding, judge
from companion.core.verdicts import Unclear
from engines.kernel import Cell
from hardware.panel import Button
from tests.companion.evening_table import LONG_S, EveningTable


def test_what_done_has_offered_is_not_taken_away_by_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    table = EveningTable("royal-tee", 1)
    table.put_right()
    before = len(table.log.entries)

    def doubts(rules: Any, position: Any, left_open: Any, evidence: Any, **how: Any) -> Finding:
        """Judge a table as too close to call, with a legal explanation only if DONE was pressed."""
        found = judge(rules, position, left_open, evidence, **how)
        legal = [one for one in rules.explanations(position, left_open, evidence) if one.kind is Kind.LEGAL]
        rivals = (legal[0],) if how["pressed"] else ()
        return replace(found, decision=Decision.AMBIGUOUS, cells=(Cell("A1"),), rivals=rivals)

    monkeypatch.setattr("companion.core.looking.judge", doubts)
    table.press(Button.DONE)
    table.look(LONG_S)
    asked = table.state.verdict
    assert isinstance(asked, Unclear)
    assert asked.actions
    for _ in range(20):
        choice = shown_choice(table.state)
        if choice is not None and choice.code == EXPLANATION:
            break
        table.press(Button.MODE)
        table.look(LONG_S)
    table.press(Button.DONE)
    assert [type(entry) for entry in table.log.entries[before:]] == [Played]

"""A table that no single action explains: two actions in a row explain it, or it is as it was some actions ago."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest

from companion.core.evidence import Evidence
from companion.core.hypothesis import AnyHypothesis, Kind
from companion.core.inference import Decision, Finding, contradicted, judge, left_to_do
from companion.core.state import State, actor, placement

MOST_TRIED = 6
"""This many legal actions are tried as the first of two, those that explain most of what is seen."""

MOST_BACK = 24
"""This many actions back an earlier position is looked for, throws among them."""

NOTEWORTHY = 3.0
"""A first action whose cells do not look by so much more like it than as before, as a logarithm, is not tried."""


def actions_in_a_row(state: State, evidence: Evidence) -> tuple[AnyHypothesis, Finding] | None:
    """Return a player's action and what is found after it, where that is another player's for certain, else None.

    Both leave a trace: an action that shows nowhere is no explanation for another player's piece that was moved. How
    many of one player's actions may follow one another unseen is up to the game's own explanations.
    """
    found = {second.best.position: (first, second) for first, second in _rows(state, evidence)}
    return next(iter(found.values())) if len(found) == 1 else None


def _rows(state: State, evidence: Evidence) -> Iterator[tuple[AnyHypothesis, Finding]]:
    rules = state.rules
    for first in _first_actions(state, evidence):
        if first.position is None or actor(rules, first.position) in (None, actor(rules, state.position)):
            continue
        unseen = [choice.action for choice in rules.choices(first.position) if choice.action]
        second = judge(rules, first.position, left_to_do(first, evidence), evidence, unseen=unseen)
        if second.reported is Decision.LEGAL and second.best.expects and not second.best.then:
            yield first, second


def _first_actions(state: State, evidence: Evidence) -> list[AnyHypothesis]:
    """Return the legal actions that may have been the first, by how much of what is seen they explain."""
    before = evidence.in_sight(placement(state))
    listed = state.rules.explanations(state.position, state.progress.left_open, evidence)

    def gain(hypothesis: AnyHypothesis) -> float:
        changed = ((cell, label) for cell, label in hypothesis.expects.items() if cell in before)
        return sum(evidence.of(cell, label) - evidence.of(cell, before[cell]) for cell, label in changed)

    legal = (h for h in listed if h.kind is Kind.LEGAL and not (h.undone or h.then) and gain(h) > NOTEWORTHY)
    return nlargest(MOST_TRIED, legal, key=gain)


def actions_back(state: State, evidence: Evidence) -> int:
    """Return how many actions ago the table certainly was as it is seen; 0 where it never was."""
    now = evidence.in_sight(placement(state))
    for back, past in enumerate(reversed(state.progress.past[-MOST_BACK:]), 1):
        then = evidence.in_sight(state.rules.placement(past.position))
        changed = [cell for cell, label in then.items() if now.get(cell) != label]
        seen = changed and all(evidence.confirms(cell, {then[cell]}) for cell in changed)
        if seen and not contradicted(then, evidence):
            return back
    return 0

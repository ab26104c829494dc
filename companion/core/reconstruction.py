"""Tables that no single action explains: actions of several players in turn, or a return to an earlier position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from companion.core.evidence import Evidence
from companion.core.hypothesis import AnyHypothesis, Kind, Rules
from companion.core.inference import Decision, Finding, contradicted, judge, left_to_do
from companion.core.state import State, placement
from companion.core.turns import acting
from companion.core.verdicts import Action, PendingPlacement

MOST_TRIED = 6
"""The number of most promising rows of actions that are followed."""

MOST_IN_A_ROW = 6
"""The largest number of players in turn who may have played before the next look."""

MOST_BACK = 24
"""How many actions back an earlier position is searched, throws included."""

NOTEWORTHY = 3.0
"""The log odds that a first action's cells must gain over the position before; otherwise it is not tried."""


@dataclass(frozen=True, slots=True)
class _Row:
    """Actions that players may have taken in turn, and the log odds by which they explain the evidence better."""

    actions: tuple[Action, ...]
    position: Any
    left_open: Sequence[PendingPlacement]
    gain: float = 0.0


def actions_in_a_row(state: State, evidence: Evidence) -> tuple[tuple[Action, ...], Finding] | None:
    """Return the actions of players in turn and the finding after the last, if that is certain; None otherwise.

    Each action leaves a trace: one that shows nowhere does not explain that another player's piece was moved. How many
    unseen actions of one player may follow one another is up to the game's own explanations. The fewest actions that
    explain the table count, unless there are several ways to it.
    """
    rows = [_Row((), state.position, state.progress.left_open)]
    for _further in range(MOST_IN_A_ROW - 1):
        longer = [after for row in rows for after in _continued(state.rules, row, evidence)]
        rows = nlargest(MOST_TRIED, {row.position: row for row in longer}.values(), key=lambda row: row.gain)
        found = {}
        for row in rows:
            unseen = [choice.action for choice in state.rules.turns.choices(row.position) if choice.action]
            last = judge(state.rules, row.position, row.left_open, evidence, unseen=unseen)
            if last.decision is Decision.LEGAL and last.best.expects and not last.best.then:
                found[last.best.position] = (row.actions, last)
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _continued(rules: Rules, row: _Row, evidence: Evidence) -> Iterator[_Row]:
    """Yield the row with one more legal action, the best explanations first, if another player is next."""
    before = evidence.in_sight(rules.placement(row.position))
    listed = rules.explanations(row.position, row.left_open, evidence)

    def gain(hypothesis: AnyHypothesis) -> float:
        changed = ((cell, label) for cell, label in hypothesis.expects.items() if cell in before)
        return sum(evidence.of(cell, label) - evidence.of(cell, before[cell]) for cell, label in changed)

    seat = acting(rules.engine, row.position)
    legal = (h for h in listed if h.kind is Kind.LEGAL and not (h.undone or h.then) and gain(h) > NOTEWORTHY)
    for action in nlargest(MOST_TRIED, legal, key=gain):
        if action.position is not None and acting(rules.engine, action.position) not in (None, seat):
            played = (*row.actions, *action.actions)
            yield _Row(played, action.position, left_to_do(action, evidence), row.gain + gain(action))


def actions_back(state: State, evidence: Evidence) -> int:
    """Return how many actions ago the table certainly was as it is now, 0 if it never was."""
    now = evidence.in_sight(placement(state))
    for back, past in enumerate(reversed(state.progress.past[-MOST_BACK:]), 1):
        then = evidence.in_sight(state.rules.placement(past.position))
        changed = [cell for cell, label in then.items() if now.get(cell) != label]
        seen = changed and all(evidence.confirms(cell, {then[cell]}) for cell in changed)
        if seen and not contradicted(then, evidence):
            return back
    return 0


def round_trip(state: State) -> int:
    """Return how many actions led one player's pieces away and back to where they are now, 0 if none did.

    Each of them left a trace: an action that looks the same before and after is not part of a round trip.
    """
    past, lies = state.progress.past, placement(state)
    seat, later = past[-1].seat if past else None, lies
    for number, one in enumerate(reversed(past[-MOST_IN_A_ROW:]), 1):
        then = state.rules.placement(one.position)
        if seat is None or one.seat != seat or one.played is None or then == later:
            return 0
        if then == lies:
            return number
        later = then
    return 0

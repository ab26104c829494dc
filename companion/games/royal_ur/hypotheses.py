"""All that may have happened in a turn of the Royal Game of Ur, as hypotheses for the core to weigh.

The log priors are relative to a legal action, which has 0. They are estimates, not measurements; where the picture is
clear (a place seen well speaks with 9 and more) they matter little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import (
    PlyLine,
    TableLikelihood,
    drop_explainable_mistakes,
    lines_of_play,
    table_likelihood,
)
from companion.games.royal_ur.labels import counters_of, label_of, placement
from companion.games.royal_ur.mistakes import Explanation, mistakes
from engines.kernel import Cell, Event, Seat
from engines.royal_ur import GAME
from engines.royal_ur.position import Action, Position

NOTHING = 2.0  # nobody has moved yet: seven times as often as any one of the actions has been taken
UNSEEN = -1.0  # of a table that looks as before twenty times as often nobody has acted, as without a trace
HALF_DONE = -2.3  # one look in ten comes between the parts of a move
FOLLOWED = -2.3  # for each further action that one look in ten comes too late to see apart
MOST_ACTIONS = 3  # a move onto eyes, the forfeit for it, and what a rosette offers then
REFUTED = -9.0  # what is seen so much less likely does not hint at an action

UrLine: TypeAlias = PlyLine[Position, Action]


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """List what may have happened since a position, led by what is seen."""
    seen = table_likelihood(placement(position), left_open, evidence)
    played = list(lines_of_play(GAME, position, lambda before, after: _is_hinted(seen, before, after), MOST_ACTIONS))
    legal = [_of_line(seen, line) for line in played]
    halves = [half for line, whole in zip(played, legal, strict=True) for half in _half_done(seen, line, whole)]
    allowed = [*legal, *halves, *_nothing(seen, legal)]
    return [*allowed, *drop_explainable_mistakes(mistakes(position, seen), allowed, seen.before)]


def _is_hinted(seen: TableLikelihood, before: Position, after: Position) -> bool:
    """Return whether an action changes what can be seen, and the evidence allows that it was made."""
    earlier, later = placement(before), placement(after)
    changed = [cell for cell in seen.before if earlier[cell] != later[cell]]
    gains = (seen.evidence.of(c, later[c]) - seen.evidence.of(c, earlier[c]) for c in changed)
    return bool(changed) and sum(gains) > REFUTED


def _of_line(seen: TableLikelihood, line: UrLine) -> Explanation:
    expects = seen.changed(placement(line.position))
    first, *then = line.actions
    optional = seen.still_open(expects)
    log_prior = FOLLOWED * len(then) + (0.0 if expects else UNSEEN)
    return Hypothesis(Kind.LEGAL, log_prior, expects, optional, action=first, then=tuple(then), position=line.position)


def _nothing(seen: TableLikelihood, legal: Sequence[Explanation]) -> list[Explanation]:
    """Nobody has moved; where a single action is left and cannot be seen, it goes without saying."""
    if len(legal) == 1 and not legal[0].expects:
        return []
    return [Hypothesis(Kind.UNCHANGED, NOTHING, optional=tuple(seen.left_open.values()))]


# ---- work half done


def _half_done(seen: TableLikelihood, line: UrLine, whole: Explanation) -> Iterator[Explanation]:
    """Return the placements of a move that is partly done; the last one of a line."""
    after = {**seen.before, **whole.expects}
    for lies in _halfway(line):
        todo = tuple(
            PendingPlacement(cell, after[cell], label)
            for cell, label in lies.items()
            if after.get(cell, label) != label
        )
        expects = {**whole.expects, **{t.cell: t.observed for t in todo}}
        if todo and any(seen.before[cell] != label for cell, label in expects.items()):
            yield replace(whole, log_prior=whole.log_prior + HALF_DONE, expects=expects, undone=todo)


def _halfway(line: UrLine) -> Iterator[dict[Cell, str]]:
    """Return what may be on some places until a move is complete."""
    lay = placement(line.before)
    seat = line.before.decides
    stops = [_to(event) for event in line.events if event.name in ("moved", "moved-on")]
    for event in line.events:
        cell = _to(event)
        if event.name == "hit":  # the counter that was hit has not been taken off, or is under the other
            yield {cell: lay[cell]}
            if cell == stops[-1]:
                yield {cell: _on_top(seat, lay[cell])}
        elif event.name == "sent-off":
            yield {cell: _on_top(seat, lay[cell])}
        elif cell in stops[:-1]:  # the counter has not been moved on
            owner, number = counters_of(lay[cell])
            stopped = label_of(seat, number + 1 if owner == seat else 1)
            yield {cell: stopped, **{last: lay[last] for last in stops[-1:] if last in lay}}


def _on_top(seat: Seat, label: str) -> str:
    """Return how a counter looks that is on others: as a stack of its colour."""
    return label_of(seat, counters_of(label)[1] + 1)


def _to(event: Event) -> Cell:
    return Cell(str(event.facts.get("to", event.facts.get("cell"))))

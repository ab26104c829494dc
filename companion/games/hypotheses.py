"""What the games' hypotheses share: lines of play, the evidence beside the table before, mistakes that nobody made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis
from companion.core.verdicts import PendingPlacement
from engines.kernel import ActionT, Cell, Event, Game, Outcome, PositionT

NOTEWORTHY = 1.0
"""A cell counts as different if another label is likelier than the one before by e to this power."""


@dataclass(frozen=True, slots=True, eq=False)
class TableLikelihood:
    """The evidence, and what lay on the places that it speaks of.

    Attributes:
        evidence: what is seen.
        before: the label of each place before.
        left_open: things left to do from earlier turns, by place: there what lay `instead` is as good as before.
    """

    evidence: Evidence
    before: Mapping[Cell, str]
    left_open: Mapping[Cell, PendingPlacement]

    def gain(self, cell: Cell, label: str) -> float:
        """Return the log ratio of a label's likelihood to that of the label before."""
        return self.evidence.of(cell, label) - self._as_before(cell)

    def changed(self, placement: Mapping[Cell, str]) -> dict[Cell, str]:
        """Return what differs between another placement and the table before, on the cells that are read."""
        return {cell: label for cell, label in placement.items() if self.before.get(cell, label) != label}

    def still_open(self, expects: Mapping[Cell, str]) -> tuple[PendingPlacement, ...]:
        """Keep those things left to do that an explanation does not overthrow."""
        return tuple(todo for todo in self.left_open.values() if expects.get(todo.cell, todo.expected) == todo.expected)

    def odd(self) -> dict[Cell, str]:
        """Return the most probable labels of the cells that look different from before."""
        best = {cell: self.evidence.best(cell) for cell in self.before}
        return {cell: label for cell, label in best.items() if self.gain(cell, label) > NOTEWORTHY}

    def _as_before(self, cell: Cell) -> float:
        labels = [self.before[cell], *([self.left_open[cell].observed] if cell in self.left_open else [])]
        return max(self.evidence.of(cell, label) for label in labels)


def table_likelihood(
    placement: Mapping[Cell, str], left_open: Sequence[PendingPlacement], evidence: Evidence
) -> TableLikelihood:
    """Hold the evidence against the table as it was."""
    return TableLikelihood(evidence, evidence.in_sight(placement), {todo.cell: todo for todo in left_open})


@dataclass(frozen=True, slots=True)
class PlyLine(Generic[PositionT, ActionT]):
    """Some actions in order.

    Attributes:
        actions: what is played.
        before: the position before the last of them.
        events: the events of the last of them.
        position: the position after all of them.
    """

    actions: tuple[ActionT, ...]
    before: PositionT
    events: tuple[Event, ...]
    position: PositionT


def lines_of_play(
    game: Game[PositionT, ActionT], position: PositionT, hinted: Callable[[PositionT, PositionT], bool], most: int
) -> Iterator[PlyLine[PositionT, ActionT]]:
    """Return every legal action, and the longer lines of which every action is hinted at by what is seen.

    Args:
        game: the rules.
        position: where the lines begin.
        hinted: returns whether the evidence hints at the action between two positions.
        most: how many actions a line may have.
    """
    unfinished: list[PlyLine[PositionT, ActionT]] = [_line((), position, Outcome(position))]
    for line in unfinished:
        for action in game.actions(line.position):
            outcome = game.play(line.position, action)
            if not isinstance(outcome, Outcome):
                message = f"the rules list {action}, which they refuse: {outcome}"
                raise AssertionError(message)
            longer = _line((*line.actions, action), line.position, outcome)
            is_hinted = hinted(longer.before, longer.position)
            if is_hinted or not line.actions:
                yield longer
            if is_hinted and len(longer.actions) < most:
                unfinished.append(longer)


def _line(actions: tuple[ActionT, ...], before: PositionT, outcome: Outcome[PositionT]) -> PlyLine[PositionT, ActionT]:
    line: PlyLine[PositionT, ActionT] = PlyLine(actions, before, outcome.events, outcome.position)
    return line


Looks: TypeAlias = Mapping[Cell, frozenset[str]]
"""The labels that a hypothesis allows on the cells that it names."""


def drop_explainable_mistakes(
    forbidden: Iterable[Hypothesis[PositionT, ActionT]],
    allowed: Iterable[Hypothesis[PositionT, ActionT]],
    before: Mapping[Cell, str],
) -> Iterator[Hypothesis[PositionT, ActionT]]:
    """Leave out mistakes that leave the table as something allowed may; `before` is how it was."""
    allowed = list(allowed)
    innocent = [_looks(hypothesis) for hypothesis in allowed]
    complete = [hypothesis.expects for hypothesis in allowed]
    for hypothesis in forbidden:
        if not any(_covers(look, _looks(hypothesis), before) for look in innocent):
            yield _with_todos_undone(hypothesis) if hypothesis.expects in complete else hypothesis


def _with_todos_undone(mistake: Hypothesis[PositionT, ActionT]) -> Hypothesis[PositionT, ActionT]:
    """Narrow a mistake that with all its pieces put would look like something allowed: some of them must be missing."""
    undone = {todo.cell: todo.observed for todo in mistake.optional}
    return replace(mistake, expects={**mistake.expects, **undone}, optional=())


def _looks(hypothesis: Hypothesis[PositionT, ActionT]) -> Looks:
    looks = {cell: frozenset({label}) for cell, label in hypothesis.expects.items()}
    return looks | {todo.cell: frozenset({todo.expected, todo.observed}) for todo in hypothesis.optional}


def _covers(wide: Looks, narrow: Looks, before: Mapping[Cell, str]) -> bool:
    """Return whether the one allows every label that the other allows; cells that they do not name are as before."""
    return all(
        narrow.get(cell, {before[cell]}) <= wide.get(cell, {before[cell]}) for cell in narrow.keys() | wide.keys()
    )

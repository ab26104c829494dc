"""The shared search for a game's hypotheses: possible lines of play, half-done actions and mistakes.

The log priors are relative to a legal action, which has 0. They are estimates, not measurements; if the picture is
clear (a well-seen cell contributes 9 and more) they matter little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from operator import itemgetter
from typing import Generic, Never, TypeAlias, TypeVar

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.verdicts import PendingPlacement
from engines.kernel import ActionT, Cell, Event, Game, JsonObject, PositionT, Refusal, Seat

ChangeT = TypeVar("ChangeT")

NOTHING = 2.0  # nobody has moved yet: seven times as often as any one action
UNSEEN = -1.0  # on an unchanged table nobody has acted twenty times as often as somebody without a trace
HALF_DONE = -2.3  # one look in ten falls between the parts of an action
FOLLOWED = -2.3  # for each further action: one look in ten comes too late to see them separately
REFUTED = -9.0  # evidence below this does not hint at an action

NOTEWORTHY = 1.0
"""Log odds by which another label must beat the earlier one for a cell to count as different."""


@dataclass(frozen=True, slots=True, eq=False)
class TableLikelihood:
    """The evidence, compared with the placement before.

    Attributes:
        evidence: the evidence.
        before: the label of each place before.
        left_open: pending placements by place; there the `observed` label is as good as the one before.
    """

    evidence: Evidence
    before: Mapping[Cell, str]
    left_open: Mapping[Cell, PendingPlacement]

    def gain(self, cell: Cell, label: str) -> float:
        """Return the log ratio of a label's likelihood to that of the label before."""
        before = [self.before[cell], *([self.left_open[cell].observed] if cell in self.left_open else [])]
        return self.evidence.of(cell, label) - max(self.evidence.of(cell, one) for one in before)

    def changed(self, placement: Mapping[Cell, str]) -> dict[Cell, str]:
        """Return what differs between another placement and the table before, on the cells that are read."""
        return {cell: label for cell, label in placement.items() if self.before.get(cell, label) != label}

    def still_open(self, expects: Mapping[Cell, str]) -> tuple[PendingPlacement, ...]:
        """Return the pending placements that an explanation does not contradict."""
        return tuple(todo for todo in self.left_open.values() if expects.get(todo.cell, todo.expected) == todo.expected)

    def refused(
        self, expects: Mapping[Cell, str], refusal: Refusal, log_prior: float, facts: JsonObject
    ) -> Hypothesis[Never, Never]:
        """Return the hypothesis that the table was left like this against the rules.

        The refusal's cells show it, or all that differ if it names none.
        """
        cells = refusal.cells or tuple(expects)
        optional, code, rule = self.still_open(expects), refusal.code, refusal.rule
        return Hypothesis(Kind.ILLEGAL, log_prior, expects, optional, code=code, rule=rule, cells=cells, facts=facts)

    def odd(self) -> dict[Cell, str]:
        """Return the most probable labels of the cells that look different from before."""
        best = {cell: self.evidence.best(cell) for cell in self.before}
        return {cell: label for cell, label in best.items() if self.gain(cell, label) > NOTEWORTHY}


def table_likelihood(
    placement: Mapping[Cell, str], left_open: Sequence[PendingPlacement], evidence: Evidence
) -> TableLikelihood:
    """Compare the evidence with the table as it was."""
    return TableLikelihood(evidence, evidence.in_sight(placement), {todo.cell: todo for todo in left_open})


@dataclass(frozen=True, slots=True)
class PlyLine(Generic[PositionT, ActionT]):
    """A line of play: actions in order.

    Attributes:
        actions: the actions.
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
    """Yield every legal action, and the longer lines whose actions the evidence hints at.

    Args:
        game: the rules.
        position: where the lines begin.
        most: how many actions a line may have.
    """
    unfinished: list[PlyLine[PositionT, ActionT]] = [PlyLine((), position, (), position)]
    for line in unfinished:
        for action in game.actions(line.position):
            outcome = game.after(line.position, action)
            longer = PlyLine((*line.actions, action), line.position, outcome.events, outcome.position)
            is_hinted = hinted(longer.before, longer.position)
            if is_hinted or not line.actions:
                yield longer
            if is_hinted and len(longer.actions) < most:
                unfinished.append(longer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explainer(Generic[PositionT, ActionT]):
    """The search for hypotheses about one game's turn: legal actions, "nothing", and the game's mistakes.

    Attributes:
        game: the rules.
        labels: returns the label that a camera should see on each cell of a position.
        most_actions: the largest number of actions between two looks.
        mistakes: yields mistakes that hands may have made, given the table and the allowed hypotheses.
        lines: returns the lines of play of a special position, None if `lines_of_play` finds them.
        log_prior: returns an extra log prior of a line of play, beyond that of its number of actions.
        looks: yields what a line of play may leave on the table, given its plain look.
        weigh: returns the legal explanations weighed against one another.
        halfway: yields labels that some cells may have until a line of play is complete.
        unasked: yields labels that may remain on some cells without being asked for.
        hinted: returns whether the evidence hints at the action between two positions; None accepts any visible action
            that the evidence allows.
    """

    game: Game[PositionT, ActionT]
    labels: Callable[[PositionT], Mapping[Cell, str]]
    most_actions: int
    mistakes: Callable[
        [PositionT, TableLikelihood, Sequence[Hypothesis[PositionT, ActionT]]],
        Iterable[Hypothesis[PositionT, ActionT]],
    ]
    lines: Callable[[PositionT, TableLikelihood], Sequence[PlyLine[PositionT, ActionT]] | None] = lambda _p, _seen: None
    log_prior: Callable[[PlyLine[PositionT, ActionT]], float] = lambda _line: 0.0
    looks: Callable[
        [TableLikelihood, PlyLine[PositionT, ActionT], Hypothesis[PositionT, ActionT]],
        Iterable[Hypothesis[PositionT, ActionT]],
    ] = lambda _seen, _line, whole: (whole,)
    weigh: Callable[[Sequence[Hypothesis[PositionT, ActionT]]], Sequence[Hypothesis[PositionT, ActionT]]] = (
        lambda legal: legal
    )
    halfway: Callable[[TableLikelihood, PlyLine[PositionT, ActionT]], Iterable[Mapping[Cell, str]]] = (
        lambda _seen, _line: ()
    )
    unasked: Callable[[TableLikelihood, PlyLine[PositionT, ActionT]], Iterable[Mapping[Cell, str]]] = (
        lambda _seen, _line: ()
    )
    hinted: Callable[[TableLikelihood, PositionT, PositionT], bool] | None = None

    def explanations(
        self, position: PositionT, left_open: Sequence[PendingPlacement], evidence: Evidence
    ) -> list[Hypothesis[PositionT, ActionT]]:
        """List what may have happened since a position, guided by the evidence."""
        seen = table_likelihood(self.labels(position), left_open, evidence)
        # 1. Legal lines of play, and their looks while a part of the work is still to be done.
        looks = [
            (line, look)
            for line in self._lines(position, seen)
            for look in self.looks(seen, line, self._whole(seen, line))
        ]
        legal = self.weigh([look if look.expects else _less(look, UNSEEN) for _line, look in looks])
        halves = [half for line, look in looks for half in self._half_done(seen, line, look)]
        # 2. Nobody has moved. A single legal action that leaves no trace goes without saying.
        nothing: list[Hypothesis[PositionT, ActionT]] = []
        if len(legal) != 1 or legal[0].expects:
            nothing = [Hypothesis(Kind.UNCHANGED, NOTHING, optional=tuple(seen.left_open.values()))]
        allowed = [*legal, *halves, *nothing]
        # 3. Mistakes, except those that look like something allowed.
        return [*allowed, *drop_explainable_mistakes(self.mistakes(position, seen, allowed), allowed, seen.before)]

    def _lines(self, position: PositionT, seen: TableLikelihood) -> Iterable[PlyLine[PositionT, ActionT]]:
        special = self.lines(position, seen)
        if special is not None:
            return special

        def is_hinted(before: PositionT, after: PositionT) -> bool:
            if self.hinted is not None:
                return self.hinted(seen, before, after)
            return bool(change_is_likely(seen, self.labels(before), self.labels(after)))

        return lines_of_play(self.game, position, is_hinted, self.most_actions)

    def _whole(self, seen: TableLikelihood, line: PlyLine[PositionT, ActionT]) -> Hypothesis[PositionT, ActionT]:
        """Return the hypothesis of a line of play with all its work done."""
        expects = seen.changed(self.labels(line.position))
        first, *then = line.actions
        log_prior = FOLLOWED * len(then) + self.log_prior(line)
        optional = seen.still_open(expects)
        return Hypothesis(
            Kind.LEGAL, log_prior, expects, optional, action=first, then=tuple(then), position=line.position
        )

    def _half_done(
        self, seen: TableLikelihood, line: PlyLine[PositionT, ActionT], whole: Hypothesis[PositionT, ActionT]
    ) -> Iterator[Hypothesis[PositionT, ActionT]]:
        """Yield the looks of a table on which a part of the last action is still to be done."""
        half, after = _less(whole, HALF_DONE), {**seen.before, **whole.expects}
        for lies in self.halfway(seen, line):
            todo = tuple(
                PendingPlacement(cell, after[cell], label)
                for cell, label in lies.items()
                if after.get(cell, label) != label
            )
            expects = {**whole.expects, **{t.cell: t.observed for t in todo}}
            if todo and any(seen.before[cell] != label for cell, label in expects.items()):
                yield replace(half, expects=expects, undone=todo)
        for lies in self.unasked(seen, line):
            yield replace(half, expects={**whole.expects, **lies})


def _less(hypothesis: Hypothesis[PositionT, ActionT], log_prior: float) -> Hypothesis[PositionT, ActionT]:
    return replace(hypothesis, log_prior=hypothesis.log_prior + log_prior)


def change_is_likely(seen: TableLikelihood, earlier: Mapping[Cell, str], later: Mapping[Cell, str]) -> bool | None:
    """Return whether the evidence allows the change from one placement to another; None if they do not differ."""
    changed = [cell for cell in seen.before if earlier[cell] != later[cell]]
    gains = (seen.evidence.of(cell, later[cell]) - seen.evidence.of(cell, earlier[cell]) for cell in changed)
    return sum(gains) > REFUTED if changed else None


@dataclass(frozen=True, slots=True)
class Shift:
    """A player's piece moved from one cell to another; None: off the board, or out of sight."""

    seat: Seat
    start: Cell | None
    end: Cell | None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells in sight that it changes."""
        return tuple(cell for cell in (self.start, self.end) if cell is not None)


MOST_WEIGHED = 16
"""How many changes of one thing are weighed, the best first."""


def most_probable(changes: Iterable[tuple[float, ChangeT]]) -> list[ChangeT]:
    """Return the changes that the evidence hints at, most probable first; each comes with its gain in log p."""
    hinted = (change for change in changes if change[0] > NOTEWORTHY)
    return [change for _gain, change in nlargest(MOST_WEIGHED, hinted, key=itemgetter(0))]


Looks: TypeAlias = Mapping[Cell, frozenset[str]]
"""The labels that a hypothesis allows on the cells that it names."""


def drop_explainable_mistakes(
    forbidden: Iterable[Hypothesis[PositionT, ActionT]],
    allowed: Iterable[Hypothesis[PositionT, ActionT]],
    before: Mapping[Cell, str],
) -> Iterator[Hypothesis[PositionT, ActionT]]:
    """Yield the mistakes whose table no allowed hypothesis may leave; `before` is the placement before."""
    allowed = list(allowed)
    innocent = [_looks(hypothesis) for hypothesis in allowed]
    complete = [hypothesis.expects for hypothesis in allowed]
    for hypothesis in forbidden:
        # skip it if an allowed look allows every label that its look allows; cells that they do not name are as before
        own = _looks(hypothesis)
        if any(
            all(own.get(cell, {before[cell]}) <= look.get(cell, {before[cell]}) for cell in own.keys() | look.keys())
            for look in innocent
        ):
            continue
        if hypothesis.expects in complete:  # it looks allowed with all its pieces placed: some of them must be missing
            undone = {todo.cell: todo.observed for todo in hypothesis.optional}
            yield replace(hypothesis, expects={**hypothesis.expects, **undone}, optional=())
        else:
            yield hypothesis


def _looks(hypothesis: Hypothesis[PositionT, ActionT]) -> Looks:
    looks = {cell: frozenset({label}) for cell, label in hypothesis.expects.items()}
    return looks | {todo.cell: frozenset({todo.expected, todo.observed}) for todo in hypothesis.optional}

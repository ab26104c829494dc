"""Weighing what may have happened: legal actions, named mistakes and "nothing" compete as hypotheses.

Taking the best label of each cell would refuse honest players for one misread cell in 144; choosing among legal
actions alone would accept every cheat. So all of them are weighed by Bayes' rule, and too close to call is said so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp, log
from typing import Generic, Never, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.core.evidence import Evidence
from companion.core.hypothesis import GameRules, Hypothesis, Kind
from companion.core.state import Past
from companion.core.verdicts import ALTERED, Action, PendingPlacement, Position
from engines.kernel import ActionT, ActionT_co, Cell, Json, PositionT, PositionT_co

SURE_LEGAL = 0.97
"""Least probability of a legal action that is accepted: a wrong one would be a cheat accepted."""

SURE = 0.9
"""Least probability of any other verdict: a wrong one is corrected by the next look."""

RIVAL = 0.02
"""An explanation less probable than that is not a rival."""

ALL_PUT, NONE_PUT, SOME_PUT = log(0.45), log(0.45), log(0.1)
"""Things left to do: mostly the players do all of them at once or none yet."""

PRESSED_FOR_NOTHING = log(0.001)
"""the one who presses "done" has moved; so a walk that looks like nothing beats nothing."""

REFUTES, RECOLOURS = log(2.0), log(99.0)
"""Logarithms of odds. A table is not accepted as legal or unchanged while a visible cell contradicts it: by the first
where it looks empty instead of occupied, or the reverse; by the second where it shows another colour or card. By its
prior alone an explanation that ignores such a cell could be the most probable one."""

SURELY = -log(SURE / (1 - SURE))
"""The same as the first for cells that were never seen before: each must surely be empty or occupied as expected. How
a cell looked when its label was known settles most doubts; without that a counter too many may be no more than one."""

BARE_REFUTES, LEFT_LYING = log(99.0), log(0.05)
"""The same while nothing is laid out yet, and the log prior that something lies there all the same; both estimates.

A reader takes print on a board that it has never seen for pieces. While no piece is laid out, a cell that is not
certainly occupied is learned as empty: of a hundred tables five may begin with something left on them."""

CERTAINLY = 0.999
"""From this probability on what a cell shows is certain: it is named where it refutes all that would be accepted."""

ODD = 1.0
"""By how much likelier, as a logarithm, a label must be than the expected one to make a cell odd."""

UNEXPLAINED = log(0.01)
CELL_CHANGED = 0.01
"""Of a table that nothing explains about one cell in a hundred is not as it was, in a way that all labels share."""


class Decision(StrEnum):
    """The verdict in the protocol's words, and that a move was put back."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    UNCHANGED = "unchanged"
    PUT_BACK = "put-back"


@dataclass(frozen=True, slots=True, eq=False)
class GameFinding(Generic[PositionT_co, ActionT_co]):
    """What the weighing found.

    Attributes:
        decision: the verdict.
        best: the most probable explanation of the decided kind; of all kinds if ambiguous.
        probability: of that verdict.
        rivals: the legal outcomes that are left, most probable first, one hypothesis each.
        cells: those that contradict the verdict, or that decide between the rivals; of an illegal one where it shows.
        unsettled: those of a legal outcome that may also be as they are before the last piece is put in its place.
    """

    decision: Decision
    best: Hypothesis[PositionT_co, ActionT_co]
    probability: float
    rivals: tuple[Hypothesis[PositionT_co, ActionT_co], ...]
    cells: tuple[Cell, ...]
    unsettled: frozenset[Cell] = frozenset()


Finding: TypeAlias = GameFinding[Position, Action]
"""What the weighing found in whichever game is played."""


@dataclass(frozen=True, slots=True, eq=False)
class Weighed(Generic[PositionT_co, ActionT_co]):
    """A hypothesis and its probability after looking."""

    hypothesis: Hypothesis[PositionT_co, ActionT_co]
    probability: float


def weigh(
    hypotheses: Sequence[Hypothesis[PositionT, ActionT]],
    placement: Mapping[Cell, str],
    left_open: Sequence[PendingPlacement],
    evidence: Evidence,
    *,
    pressed: bool = False,
    first_look: bool = False,
    bare: bool = False,
) -> GameFinding[PositionT, ActionT]:
    """Weigh hypotheses about what happened since the table lay as `placement` says.

    `left_open` are the cells where `placement` need not hold yet; `pressed` says that a player claims to have moved;
    `first_look` that the table was never seen before, `bare` that nothing is laid out yet.
    """
    # 1. Bayes' rule in logarithms: the score of a hypothesis is its log likelihood plus its log prior. "Unexplained"
    #   always competes, so that the best of bad explanations does not win.
    base = _Base(placement, left_open, evidence, BARE_REFUTES if bare else SURELY if first_look else REFUTES)
    rivals = [*hypotheses, base.unexplained()]
    more = {Kind.UNCHANGED: PRESSED_FOR_NOTHING * pressed, Kind.ILLEGAL: LEFT_LYING * bare}
    scores = np.array([base.log_likelihood(h) + h.log_prior + more.get(h.kind, 0.0) for h in rivals])
    # 2. Normalise to probabilities (softmax); subtracting the largest score first keeps exp() from underflowing.
    shares = np.exp(scores - scores.max())
    weighed = [Weighed(h, float(p)) for h, p in zip(rivals, shares / shares.sum(), strict=True)]
    # 3. Add up explanations with one outcome, and choose the verdict.
    return replace(_finding(_merge(weighed), base), unsettled=_unsettled(weighed))


def _merge(weighed: Iterable[Weighed[PositionT, ActionT]]) -> list[Weighed[PositionT, ActionT]]:
    """Add up legal hypotheses with the same outcome; most probable first."""
    outcomes: dict[PositionT | int | None, Weighed[PositionT, ActionT]] = {}
    for one in sorted(weighed, key=lambda w: -w.probability):
        legal = one.hypothesis.kind is Kind.LEGAL
        key = one.hypothesis.position if legal else id(one.hypothesis)
        known = outcomes.get(key)
        outcomes[key] = replace(known, probability=known.probability + one.probability) if known else one
    return sorted(outcomes.values(), key=lambda w: -w.probability)


def _unsettled(weighed: Sequence[Weighed[object, object]]) -> frozenset[Cell]:
    """Name the cells of which explanations with the same outcome as the most probable one expect different things."""
    best = max(weighed, key=lambda one: one.probability).hypothesis
    same = [w.hypothesis for w in weighed if w.probability >= RIVAL and w.hypothesis.position == best.position]
    if best.kind is not Kind.LEGAL:
        return frozenset()
    return frozenset(cell for h in same for cell, _label in h.expects.items() ^ best.expects.items())


def _finding(weighed: Sequence[Weighed[PositionT, ActionT]], base: _Base) -> GameFinding[PositionT, ActionT]:
    first = weighed[0]
    legal = tuple(w.hypothesis for w in weighed if w.hypothesis.kind is Kind.LEGAL and w.probability >= RIVAL)
    decision, probability = _decide(weighed)
    if decision in (Decision.AMBIGUOUS, Decision.LEGAL, Decision.UNCHANGED) and (altered := _altered(weighed, base)):
        return GameFinding(Decision.ILLEGAL, altered, CERTAINLY, legal, altered.cells)
    if decision is Decision.AMBIGUOUS:
        rivals = [w.hypothesis for place, w in enumerate(weighed) if place < 2 or w.probability >= RIVAL]
        return GameFinding(decision, first.hypothesis, probability, legal, base.deciding(rivals))
    best = next(w.hypothesis for w in weighed if w.hypothesis.kind.value == decision.value)
    if decision in (Decision.LEGAL, Decision.UNCHANGED) and (refuting := base.refuting(best)):
        return GameFinding(Decision.AMBIGUOUS, best, probability, legal, refuting)
    cells = best.cells if decision is Decision.ILLEGAL else base.contradicting(best)
    return GameFinding(decision, best, probability, legal, cells)


def _altered(weighed: Sequence[Weighed[PositionT, ActionT]], base: _Base) -> Hypothesis[PositionT, ActionT] | None:
    """Return what certainly differs from every explanation that would be accepted; None if one of them may hold."""
    accepted = [w for w in weighed if w.hypothesis.kind is not Kind.ILLEGAL and w.probability >= RIVAL]
    found = [(w, base.altered(w.hypothesis)) for w in accepted]
    if not found or sum(w.probability for w, altered in found if altered is None) > 1.0 - SURE_LEGAL:
        return None
    return next((altered for _w, altered in found if altered is not None), None)


def _decide(weighed: Sequence[Weighed[object, object]]) -> tuple[Decision, float]:
    """Choose the verdict; illegal explanations stand together, legal outcomes each for itself."""
    # 1. Illegal if all illegal explanations together are probable enough: which of them holds need not be known.
    illegal = sum(w.probability for w in weighed if w.hypothesis.kind is Kind.ILLEGAL)
    if illegal >= SURE:
        return Decision.ILLEGAL, min(illegal, 1.0)
    # 2. Otherwise the single best one decides; a legal action needs more, since a wrong one would be a cheat
    #   accepted.
    best = weighed[0]
    needed = SURE_LEGAL if best.hypothesis.kind is Kind.LEGAL else SURE
    if best.hypothesis.kind is Kind.ILLEGAL or best.probability < needed:
        return Decision.AMBIGUOUS, best.probability
    return Decision(best.hypothesis.kind.value), best.probability


class _Base:
    """The table as it was, held against the evidence; hypotheses are scored by where they differ from it."""

    def __init__(
        self,
        placement: Mapping[Cell, str],
        left_open: Sequence[PendingPlacement],
        evidence: Evidence,
        refutes: float,
    ) -> None:
        self.refutes = refutes
        self.placement = placement
        self.evidence = evidence
        self.left_open = {todo.cell: todo for todo in left_open}
        self.as_before = {cell: evidence.of(cell, label) for cell, label in placement.items()}
        self.total = sum(self.as_before.values())

    def log_likelihood(self, hypothesis: Hypothesis[object, object]) -> float:
        """Add up what all cells say of a hypothesis."""
        optional = hypothesis.optional
        free = {todo.cell for todo in optional}
        # The likelihood of a table is the product over its cells; only cells that differ from the table before change
        #   it: take their old terms off the total and add the new ones.
        changed = {cell: label for cell, label in hypothesis.expects.items() if cell not in free}
        total = self.total - sum(self.as_before[cell] for cell in (*free, *changed))
        total += sum(self.evidence.of(c, label) for c, label in changed.items())
        # What is left to do may be done already, all of it, none or some.
        put = [self.evidence.of(todo.cell, todo.expected) for todo in optional]
        return total + optional_log_likelihood(put, [self.evidence.of(todo.cell, todo.observed) for todo in optional])

    def unexplained(self) -> Hypothesis[Never, Never]:
        """Make the hypothesis that any cell may be other than before; it has its likelihood in its prior."""
        # 1. Per cell: the probability of its label before, also with things left to do done or not (half each) ...
        cells = list(self.placement)
        rows = [self.evidence.row[cell] for cell in cells]
        p = np.exp(self.evidence.log_p[rows])
        same = np.exp([self.as_before[cell] for cell in cells])
        for i, cell in enumerate(cells):
            if todo := self.left_open.get(cell):
                same[i] = 0.5 * (same[i] + exp(self.evidence.of(cell, todo.observed)))
        # 2. ... and the mean of all its other labels: any of them, each as likely.
        others = (p.sum(axis=1) - same) / (p.shape[1] - 1)
        # 3. Each cell changes independently with probability CELL_CHANGED; that none changed is "unchanged", not
        #   this.
        some_changed = _all_but_none((1.0 - CELL_CHANGED) * same, CELL_CHANGED * others)
        # 4. The result goes into the prior, relative to the table before, whose total `log_likelihood` will add.
        odd = tuple(c for c in cells if self._is_odd(c, self.placement[c]))
        return Hypothesis(Kind.ILLEGAL, UNEXPLAINED + some_changed - self.total, code="unexplained", cells=odd)

    def altered(self, hypothesis: Hypothesis[PositionT, ActionT]) -> Hypothesis[PositionT, ActionT] | None:
        """Return that cells certainly differ from what a hypothesis expects; None if none does, or one is in doubt."""
        cells = self.refuting(hypothesis)
        if not cells or not all(self.evidence.is_certain(cell, CERTAINLY) for cell in cells):
            return None
        expected = {**self.placement, **hypothesis.expects}
        todo = tuple(PendingPlacement(cell, expected[cell], self.evidence.best(cell)) for cell in cells)
        changed: list[Json] = [{"cell": t.cell, "expected": t.expected, "observed": t.observed} for t in todo]
        return Hypothesis(Kind.ILLEGAL, 0.0, undone=todo, code=ALTERED, cells=cells, facts={"changed": changed})

    def contradicting(self, hypothesis: Hypothesis[object, object]) -> tuple[Cell, ...]:
        """Name the cells that look different from a hypothesis expects."""
        free = {todo.cell for todo in hypothesis.optional}
        expected = {**self.placement, **hypothesis.expects}
        return tuple(c for c, label in expected.items() if c not in free and self._is_odd(c, label))

    def refuting(self, hypothesis: Hypothesis[object, object]) -> tuple[Cell, ...]:
        """Name the visible cells that contradict a hypothesis by what is on them, however high it is stacked."""
        allowed = {cell: {label} for cell, label in {**self.placement, **hypothesis.expects}.items()}
        for todo in (*self.left_open.values(), *hypothesis.optional):
            if hypothesis.expects.get(todo.cell, todo.expected) == todo.expected:
                allowed[todo.cell] = {todo.expected, todo.observed}
        evidence = self.evidence
        return tuple(
            cell
            for cell, labels in allowed.items()
            if evidence.denies(cell, labels) > self.refutes or evidence.recolours(cell, labels) > RECOLOURS
        )

    def _is_odd(self, cell: Cell, label: str) -> bool:
        todo = self.left_open.get(cell)
        allowed = {label, todo.observed} if todo else {label}
        best, is_seen = self.evidence.best(cell), bool(self.evidence.visible[self.evidence.row[cell]])
        odds = self.evidence.of(cell, best) - self.evidence.of(cell, label)
        return is_seen and best not in allowed and odds > ODD

    def deciding(self, rivals: Sequence[Hypothesis[object, object]]) -> tuple[Cell, ...]:
        """Name the cells of which the rivals expect different things, those that are hard to see if there are any."""
        expected = [{**self.placement, **h.expects} for h in rivals]
        differ = [c for c in self.placement if len({e[c] for e in expected}) > 1]
        differ = differ or list(dict.fromkeys(cell for h in rivals for cell in h.cells))
        doubtful = set(self.evidence.unsure(0.99))
        return tuple(c for c in differ if c in doubtful) or tuple(differ)


def _all_but_none(same: NDArray[np.float64], changed: NDArray[np.float64]) -> float:
    """Return the log of the product of `same + changed` without its term in which nothing has changed."""
    # 1. prod(same + changed) sums over every choice of changed cells; prod(same) is the one choice without any.
    any_way, no_way = float(np.log(same + changed).sum()), float(np.log(same).sum())
    # 2. log(a - b) = log a + log(1 - b / a), by expm1 because b / a can be close to 1.
    return any_way + float(np.log(-np.expm1(min(no_way - any_way, -1e-12))))


def optional_log_likelihood(put: Sequence[float], instead: Sequence[float]) -> float:
    """Weigh all, none or some of the things left to do, from the log p of both labels of each of their cells."""
    if not put:
        return 0.0
    # 1. Some: every cell on its own, done or not with probability 1/2 each.
    some = float(np.logaddexp(put, instead).sum()) - len(put) * log(2.0)
    # 2. The mixture of all done, none done and some done, each with its prior.
    return float(np.logaddexp.reduce([ALL_PUT + sum(put), NONE_PUT + sum(instead), SOME_PUT + some]))


# ---- one judgement of a table

PUT_BACK = -4.0
"""log prior that the players put the last action's pieces back instead of making a new one: 2 in 100."""

DONE_SURELY = 3.0
"""Something left to do counts as done when that is likelier than not by e to this power."""


def judge(
    rules: GameRules[PositionT, ActionT],
    position: PositionT,
    left_open: Sequence[PendingPlacement],
    evidence: Evidence,
    *,
    pressed: bool = False,
    before: Past[PositionT] | None = None,
    unseen: Sequence[ActionT] = (),
    first_look: bool = False,
    bare: bool = False,
) -> GameFinding[PositionT, ActionT]:
    """Weigh all that may have happened since `position`.

    `before` is what putting the last action back leads to. `unseen` are actions that are played with a button or by
    typing: a table that looks as before does not stand for one of them. `first_look` says that the table was never
    seen before, `bare` that nothing is laid out yet.
    """
    placement = evidence.in_sight(rules.placement(position))
    hypotheses = _without_unseen(rules.explanations(position, left_open, evidence), left_open, unseen)
    if before is not None:
        hypotheses += _put_back(evidence.in_sight(rules.placement(before.position)), placement, before)
    return weigh(hypotheses, placement, left_open, evidence, pressed=pressed, first_look=first_look, bare=bare)


def _without_unseen(
    hypotheses: Sequence[Hypothesis[PositionT, ActionT]],
    left_open: Sequence[PendingPlacement],
    unseen: Sequence[ActionT],
) -> list[Hypothesis[PositionT, ActionT]]:
    """Leave out legal explanations by which nothing has changed and an unseen action was played; nothing has then."""
    seen = [h for h in hypotheses if h.expects or h.undone or h.then or h.action not in unseen]
    if len(seen) < len(hypotheses) and not any(h.kind is Kind.UNCHANGED for h in seen):
        seen.append(Hypothesis(Kind.UNCHANGED, 0.0, optional=tuple(left_open)))
    return seen


def with_doubt_of_unchanged(
    finding: GameFinding[PositionT, ActionT],
    placement: Mapping[Cell, str],
    left_open: Sequence[PendingPlacement],
    evidence: Evidence,
) -> GameFinding[PositionT, ActionT]:
    """Return a finding that nothing has changed as ambiguous where a cell is not certainly as `placement` has it.

    The most probable explanation of an unclear table is often that nobody has moved; that is no reason to play an
    action which leaves no trace. Any other finding is returned as it is.
    """
    if finding.decision is not Decision.UNCHANGED:
        return finding
    observed = {todo.cell: todo.observed for todo in left_open}
    allowed = {cell: {label, observed.get(cell, label)} for cell, label in evidence.in_sight(placement).items()}
    doubtful = tuple(cell for cell, labels in allowed.items() if not evidence.confirms(cell, labels))
    return replace(finding, decision=Decision.AMBIGUOUS, cells=doubtful) if doubtful else finding


def with_doubt_of_set_up(
    finding: GameFinding[PositionT, ActionT],
    placement: Mapping[Cell, str],
    left_open: Sequence[PendingPlacement],
    evidence: Evidence,
) -> GameFinding[PositionT, ActionT]:
    """Return a finding that a table is as a game begins, or was left, as ambiguous where other things lie there.

    Which piece or card is on a cell the position before says better than a picture; when a game begins or goes on, the
    table is another one than was seen then. One cell may be misread: things that were exchanged are on two at least.
    """
    if finding.decision is not Decision.UNCHANGED:
        return finding
    free = {todo.cell for todo in left_open}
    seen = ((cell, label) for cell, label in evidence.in_sight(placement).items() if cell not in free)
    other = tuple(cell for cell, label in seen if evidence.shows_other(cell, label, CERTAINLY))
    return replace(finding, decision=Decision.AMBIGUOUS, cells=other) if len(other) > 1 else finding


def _put_back(
    earlier: Mapping[Cell, str], placement: Mapping[Cell, str], before: Past[PositionT]
) -> list[Hypothesis[PositionT, Never]]:
    expects = {cell: label for cell, label in earlier.items() if placement[cell] != label}
    if not expects:
        return []
    return [Hypothesis(Kind.PUT_BACK, PUT_BACK, expects, before.left_open, position=before.position)]


def still_open(todos: Sequence[PendingPlacement], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """Keep the things left to do that are not certainly seen to be done."""
    return tuple(t for t in todos if evidence.of(t.cell, t.expected) - evidence.of(t.cell, t.observed) < DONE_SURELY)


def left_to_do(hypothesis: Hypothesis[object, object], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """List what the players still have to do on the table if a hypothesis holds."""
    return (*still_open(hypothesis.optional, evidence), *hypothesis.undone)


def contradicted(placement: Mapping[Cell, str], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """List the cells that certainly differ from a placement, with its label and the observed one."""
    odds = ((c, label, evidence.best(c)) for c, label in evidence.in_sight(placement).items())
    return tuple(
        PendingPlacement(cell, label, seen)
        for cell, label, seen in odds
        if evidence.of(cell, seen) - evidence.of(cell, label) > DONE_SURELY
    )

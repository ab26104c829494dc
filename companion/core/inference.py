"""Inference of what happened on a table: legal actions, named mistakes and "nothing" compete as hypotheses.

Reading the best label of each cell would refuse honest players for one misread cell in 144; choosing among legal
actions alone would accept every cheat. So all hypotheses are weighed by Bayes' rule, and the result is ambiguous if
they are too close to call.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Generic, Never, TypeAlias

import numpy as np

from companion.core.evidence import Evidence
from companion.core.hypothesis import GameRules, Hypothesis, Kind
from companion.core.state import Past
from companion.core.verdicts import ALTERED, Action, PendingPlacement, Position
from engines.kernel import ActionT, ActionT_co, Cell, Json, PositionT, PositionT_co
from vision.labels import parse_label

SURE_LEGAL = 0.97
"""Least probability of a legal action that is accepted: a wrong one would be a cheat accepted."""

SURE = 0.9
"""Least probability of any other verdict: a wrong one is corrected by the next look."""

RIVAL = 0.02
"""An explanation less probable than this is not a rival."""

ALL_PUT, NONE_PUT, SOME_PUT = log(0.45), log(0.45), log(0.1)
"""Log priors of pending placements: usually the players do all of them at once, or none yet."""

PRESSED_FOR_NOTHING = log(0.001)
"""Log prior of "unchanged" if "done" was pressed: the one who presses it has moved, so a walk that looks like nothing
wins.
"""

REFUTES, RECOLOURS = log(2.0), log(99.0)
"""Log odds above which a visible cell contradicts an explanation, so that the table is not accepted as legal or
unchanged.

REFUTES holds for a cell that looks empty instead of occupied, or the reverse; RECOLOURS for one that shows another
colour or card. Without this bound an explanation that ignores such a cell could win by its prior alone.
"""

SURELY = -log(SURE / (1 - SURE))
"""REFUTES for cells that were never seen before, or were touched although the explanation leaves them alone: each must
certainly be empty or occupied as expected.

How a cell looked when its label was known settles most doubts; without that an extra counter may pass for one.
"""

BARE_REFUTES, LEFT_LYING = log(99.0), log(0.05)
"""REFUTES while nothing is laid out yet, and the log prior that something is on the board all the same; both estimates.

A reader takes print on a board that it has never seen for pieces. While no piece is laid out, a cell that is not
certainly occupied is learned as empty: five tables in a hundred may begin with something left on them.
"""

CERTAINLY = 0.999
"""A cell is certain from this probability on; it is named if it refutes everything that would be accepted."""

ODD = 1.0
"""Log odds by which a label must beat the expected one to make a cell odd."""

UNEXPLAINED = log(0.01)
CELL_CHANGED = 0.01
"""The share of cells, about one in a hundred, that differ at random (any label alike) on a table that nothing explains.
"""


@dataclass(frozen=True, slots=True, eq=False)
class GameFinding(Generic[PositionT_co, ActionT_co]):
    """The result of weighing hypotheses.

    Attributes:
        decision: the verdict.
        best: the most probable explanation of the decided kind; of all kinds if ambiguous.
        probability: of that verdict.
        rivals: the legal outcomes that are left, most probable first, one hypothesis each.
        cells: those that contradict the verdict, or that decide between the rivals; for an illegal one, where it shows.
        unsettled: cells of a legal outcome that may still look as they did before its last piece was placed.
    """

    decision: Kind
    best: Hypothesis[PositionT_co, ActionT_co]
    probability: float
    rivals: tuple[Hypothesis[PositionT_co, ActionT_co], ...]
    cells: tuple[Cell, ...]
    unsettled: frozenset[Cell] = frozenset()


Finding: TypeAlias = GameFinding[Position, Action]
"""The result of weighing hypotheses, for any game."""


def weigh(
    hypotheses: Sequence[Hypothesis[PositionT, ActionT]],
    placement: Mapping[Cell, str],
    left_open: Sequence[PendingPlacement],
    evidence: Evidence,
    *,
    pressed: bool = False,
    first_look: bool = False,
    touched: Collection[Cell] = (),
    bare: bool = False,
) -> GameFinding[PositionT, ActionT]:
    """Weigh hypotheses about what happened since the table matched `placement`.

    `left_open` are the cells where `placement` need not hold yet. `pressed` means that a player claims to have moved,
    `first_look` that the table was never seen before, `bare` that nothing is laid out yet. `touched` are the cells that
    look different from when their label was known.
    """
    # 1. Bayes' rule in logarithms: the score of a hypothesis is its log likelihood plus its log prior. "Unexplained"
    #   always competes, so that the best of bad explanations does not win.
    refutes = BARE_REFUTES if bare else SURELY if first_look else REFUTES
    base = _Base(placement, left_open, evidence, refutes, () if bare else touched)
    rivals = [*hypotheses, base.unexplained()]
    more = {Kind.UNCHANGED: PRESSED_FOR_NOTHING * pressed, Kind.ILLEGAL: LEFT_LYING * bare}
    scores = np.array([base.log_likelihood(h) + h.log_prior + more.get(h.kind, 0.0) for h in rivals])
    # 2. Normalise to probabilities (softmax); subtracting the largest score first keeps exp() from underflowing.
    shares = np.exp(scores - scores.max())
    return _decide(list(zip((shares / shares.sum()).tolist(), rivals, strict=True)), base)


def _decide(
    weighed: Sequence[tuple[float, Hypothesis[PositionT, ActionT]]], base: _Base
) -> GameFinding[PositionT, ActionT]:
    """Choose the verdict, given the probability of each hypothesis."""
    # 1. Add up legal explanations with one outcome. They may expect different labels of a cell; on those of the most
    #   probable outcome this is not settled yet.
    weighed = sorted(weighed, key=lambda one: -one[0])
    outcomes: dict[PositionT | int | None, tuple[float, Hypothesis[PositionT, ActionT]]] = {}
    for p, one in weighed:
        key = one.position if one.kind is Kind.LEGAL else id(one)
        sum_before, most_probable = outcomes.get(key, (0.0, one))
        outcomes[key] = sum_before + p, most_probable
    best = weighed[0][1]
    same = [h for p, h in weighed if p >= RIVAL and h.position == best.position]
    differing = {cell for h in same for cell, _label in h.expects.items() ^ best.expects.items()}
    unsettled = frozenset(differing if best.kind is Kind.LEGAL else ())
    weighed = sorted(outcomes.values(), key=lambda one: -one[0])
    # 2. Illegal explanations add up: which of them holds need not be known. Otherwise the single best outcome decides,
    #   and a legal one needs more, because accepting a wrong one accepts a cheat.
    probability, first = weighed[0]
    illegal = sum(p for p, h in weighed if h.kind is Kind.ILLEGAL)
    needed, decision = SURE_LEGAL if first.kind is Kind.LEGAL else SURE, first.kind
    if illegal >= SURE:
        decision, probability = Kind.ILLEGAL, min(illegal, 1.0)
    elif decision is Kind.ILLEGAL or probability < needed:
        decision = Kind.AMBIGUOUS
    # 3. Cells that certainly differ from every acceptable explanation make it illegal as well, unless one of these may
    #   hold.
    legal = tuple(h for p, h in weighed if h.kind is Kind.LEGAL and p >= RIVAL)
    if decision in (Kind.AMBIGUOUS, Kind.LEGAL, Kind.UNCHANGED):
        found = [(p, base.altered(h)) for p, h in weighed if h.kind is not Kind.ILLEGAL and p >= RIVAL]
        holding = sum(p for p, altered in found if altered is None)
        altered = next((altered for _p, altered in found if altered is not None), None)
        if altered is not None and holding <= 1.0 - SURE_LEGAL:
            return GameFinding(Kind.ILLEGAL, altered, CERTAINLY, legal, altered.cells, unsettled)
    # 4. What remains is too close to call, or holds unless a cell refutes it.
    if decision is Kind.AMBIGUOUS:
        rivals = [h for place, (p, h) in enumerate(weighed) if place < 2 or p >= RIVAL]
        return GameFinding(decision, first, probability, legal, base.deciding(rivals), unsettled)
    best = next(h for _p, h in weighed if h.kind is decision)
    if best.kind is Kind.LEGAL:  # where a cell refutes one look of an outcome, another look of it may hold
        looks = (h for h in same if h.position == best.position and not base.refuting(h))
        best = next(looks, best)
    refuting: tuple[Cell, ...] = ()
    if decision is Kind.PUT_BACK and base.only_counts(best):
        refuting = tuple(best.expects)
    elif decision in (Kind.LEGAL, Kind.UNCHANGED):
        refuting = base.refuting(best)
    if refuting:
        return GameFinding(Kind.AMBIGUOUS, best, probability, legal, refuting, unsettled)
    cells = best.cells if decision is Kind.ILLEGAL else base.contradicting(best)
    return GameFinding(decision, best, probability, legal, cells, unsettled)


class _Base:
    """The table as it was, compared with the evidence; hypotheses are scored by their differences from it."""

    def __init__(
        self,
        placement: Mapping[Cell, str],
        left_open: Sequence[PendingPlacement],
        evidence: Evidence,
        refutes: float,
        touched: Collection[Cell],
    ) -> None:
        self.refutes = refutes
        self.touched = frozenset(touched)
        self.placement = placement
        self.evidence = evidence
        self.left_open = {todo.cell: todo for todo in left_open}
        self.as_before = {cell: evidence.of(cell, label) for cell, label in placement.items()}
        self.total = sum(self.as_before.values())

    def log_likelihood(self, hypothesis: Hypothesis[object, object]) -> float:
        """Return the log likelihood of a hypothesis, summed over all cells."""
        optional = hypothesis.optional
        free = {todo.cell for todo in optional}
        # The likelihood of a table is the product over its cells. Only cells that differ from the table before change
        # it: subtract their old terms from the total and add the new ones.
        changed = {cell: label for cell, label in hypothesis.expects.items() if cell not in free}
        total = self.total - sum(self.as_before[cell] for cell in (*free, *changed))
        total += sum(self.evidence.of(c, label) for c, label in changed.items())
        # Pending placements may be done already: all of them, none or some.
        put = [self.evidence.of(todo.cell, todo.expected) for todo in optional]
        return total + optional_log_likelihood(put, [self.evidence.of(todo.cell, todo.observed) for todo in optional])

    def unexplained(self) -> Hypothesis[Never, Never]:
        """Return the hypothesis that any cell may have changed; its prior includes its likelihood."""
        # 1. Per cell: the probability of its label before, also with things left to do done or not (half each) ...
        cells = list(self.placement)
        rows = [self.evidence.row[cell] for cell in cells]
        p = np.exp(self.evidence.log_p[rows])
        same = np.exp([self.as_before[cell] for cell in cells])
        for i, cell in enumerate(cells):
            if todo := self.left_open.get(cell):
                same[i] = 0.5 * (same[i] + exp(self.evidence.of(cell, todo.observed)))
        # 2. ... and the mean of all its other labels: each is equally probable.
        others = (p.sum(axis=1) - same) / (p.shape[1] - 1)
        # 3. Each cell changes independently with probability CELL_CHANGED: prod(same + changed) sums over every choice
        #   of changed cells. The choice without any, prod(same), is "unchanged", not this.
        same, changed = (1.0 - CELL_CHANGED) * same, CELL_CHANGED * others
        any_way, no_way = float(np.log(same + changed).sum()), float(np.log(same).sum())
        # 4. log(a - b) = log a + log(1 - b / a), with expm1 because b / a can be close to 1.
        some_changed = any_way + float(np.log(-np.expm1(min(no_way - any_way, -1e-12))))
        # 5. The result goes into the prior, relative to the table before, whose total `log_likelihood` will add.
        odd = tuple(c for c in cells if self._is_odd(c, self.placement[c]))
        return Hypothesis(Kind.ILLEGAL, UNEXPLAINED + some_changed - self.total, code="unexplained", cells=odd)

    def altered(self, hypothesis: Hypothesis[PositionT, ActionT]) -> Hypothesis[PositionT, ActionT] | None:
        """Return an illegal hypothesis naming the cells that certainly differ.

        None if no cell does, or one more may; a touched cell that is most probably as expected does not count.
        """
        cells = self.refuting(hypothesis, strictly=False)
        if not cells or not all(self.evidence.is_certain(cell, CERTAINLY) for cell in cells):
            return None
        expected = {**self.placement, **hypothesis.expects}
        todo = tuple(PendingPlacement(cell, expected[cell], self.evidence.best(cell)) for cell in cells)
        changed: list[Json] = [{"cell": t.cell, "expected": t.expected, "observed": t.observed} for t in todo]
        return Hypothesis(Kind.ILLEGAL, 0.0, undone=todo, code=ALTERED, cells=cells, facts={"changed": changed})

    def contradicting(self, hypothesis: Hypothesis[object, object]) -> tuple[Cell, ...]:
        """Return the cells that look different from what a hypothesis expects."""
        free = {todo.cell for todo in hypothesis.optional}
        expected = {**self.placement, **hypothesis.expects}
        return tuple(c for c, label in expected.items() if c not in free and self._is_odd(c, label))

    def refuting(self, hypothesis: Hypothesis[object, object], *, strictly: bool = True) -> tuple[Cell, ...]:
        """Return the visible cells that contradict a hypothesis by their label, whatever the height of a stack.

        `strictly`: touched cells that it leaves alone must certainly be as expected, pending ones aside: hands are
        expected there.
        """
        allowed = {cell: {label} for cell, label in {**self.placement, **hypothesis.expects}.items()}
        for todo in (*self.left_open.values(), *hypothesis.optional):
            if hypothesis.expects.get(todo.cell, todo.expected) == todo.expected:
                allowed[todo.cell] = {todo.expected, todo.observed}
        evidence = self.evidence
        left_alone = self.touched - {*hypothesis.expects, *self.left_open} if strictly else frozenset()
        return tuple(
            cell
            for cell, labels in allowed.items()
            if evidence.denies(cell, labels) > (SURELY if cell in left_alone else self.refutes)
            or evidence.recolours(cell, labels) > RECOLOURS
        )

    def only_counts(self, hypothesis: Hypothesis[object, object]) -> bool:
        """Return whether a hypothesis differs from the table before only in how many pieces are stacked.

        The number of pieces is the least certain part of a reading.
        """
        changed = ((parse_label(label), parse_label(self.placement[c])) for c, label in hypothesis.expects.items())
        return all(replace(now, height=before.height) == before for now, before in changed)

    def _is_odd(self, cell: Cell, label: str) -> bool:
        todo, best = self.left_open.get(cell), self.evidence.best(cell)
        if best in (label, todo.observed if todo else label) or not self.evidence.visible[self.evidence.row[cell]]:
            return False
        return self.evidence.of(cell, best) - self.evidence.of(cell, label) > ODD

    def deciding(self, rivals: Sequence[Hypothesis[object, object]]) -> tuple[Cell, ...]:
        """Return the cells on which the rivals expect different labels: only those that are hard to see.

        If none of them is, those that contradict the first rival and are hard to see; without any all that differ.
        """
        expected = [{**self.placement, **h.expects} for h in rivals]
        differ = [c for c in self.placement if len({e[c] for e in expected}) > 1]
        differ = differ or list(dict.fromkeys(cell for h in rivals for cell in h.cells))
        doubtful = set(self.evidence.unsure(0.99))
        named = (differ, self.refuting(rivals[0]))
        return next((found for cells in named if (found := tuple(c for c in cells if c in doubtful))), tuple(differ))


def optional_log_likelihood(put: Sequence[float], instead: Sequence[float]) -> float:
    """Return the log likelihood that all, none or some pending placements are done.

    `put` and `instead` are the log p of the expected and the observed label on each cell.
    """
    if not put:
        return 0.0
    # 1. Some: every cell on its own, done or not with probability 1/2 each.
    some = float(np.logaddexp(put, instead).sum()) - len(put) * log(2.0)
    # 2. The mixture of all done, none done and some done, each with its prior.
    return float(np.logaddexp.reduce([ALL_PUT + sum(put), NONE_PUT + sum(instead), SOME_PUT + some]))


# ---- one judgement of a table

PUT_BACK = -4.0
"""Log prior that the players put the last action's pieces back instead of making a new one: 2 in 100."""

DONE_SURELY = 3.0
"""Log odds above which a pending placement counts as done."""


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
    touched: Collection[Cell] = (),
    bare: bool = False,
) -> GameFinding[PositionT, ActionT]:
    """Weigh everything that may have happened since `position`.

    `before` is the state that putting the last action back leads to. `unseen` are actions played with a button or by
    typing: an unchanged table does not stand for one of them. `first_look`, `touched` and `bare` as in `weigh`.
    """
    placement = evidence.in_sight(rules.placement(position))
    # 1. The game's explanations; of those without a change, "unchanged" replaces the ones by an unseen action.
    listed = rules.explanations(position, left_open, evidence)
    hypotheses = [h for h in listed if h.expects or h.undone or h.then or h.action not in unseen]
    if len(hypotheses) < len(listed) and not any(h.kind is Kind.UNCHANGED for h in hypotheses):
        hypotheses.append(Hypothesis(Kind.UNCHANGED, 0.0, optional=tuple(left_open)))
    # 2. The last action's pieces were put back.
    if before is not None:
        earlier = evidence.in_sight(rules.placement(before.position))
        back = {cell: label for cell, label in earlier.items() if placement[cell] != label}
        if back:
            hypotheses.append(Hypothesis(Kind.PUT_BACK, PUT_BACK, back, before.left_open, position=before.position))
    return weigh(
        hypotheses, placement, left_open, evidence, pressed=pressed, first_look=first_look, touched=touched, bare=bare
    )


def doubtful(
    placement: Mapping[Cell, str], left_open: Sequence[PendingPlacement], evidence: Evidence
) -> tuple[Cell, ...]:
    """Return the cells that do not certainly match a placement.

    The most probable explanation of an unclear table is often that nobody has moved; that is not enough to play an
    action that leaves no trace.
    """
    observed = {todo.cell: todo.observed for todo in left_open}
    allowed = {cell: {label, observed.get(cell, label)} for cell, label in evidence.in_sight(placement).items()}
    return tuple(cell for cell, labels in allowed.items() if not evidence.confirms(cell, labels))


def exchanged(
    placement: Mapping[Cell, str], left_open: Sequence[PendingPlacement], evidence: Evidence
) -> tuple[Cell, ...]:
    """Return the cells of a set-up table that certainly hold other things than a placement has, if at least two do.

    The position before tells better than a picture which piece or card is on a cell; but when a game begins or is
    resumed, the table may differ from the one seen then. One cell may be misread, so one is not enough: exchanged
    things are on at least two.
    """
    free = {todo.cell for todo in left_open}
    seen = ((cell, label) for cell, label in evidence.in_sight(placement).items() if cell not in free)
    other = tuple(cell for cell, label in seen if evidence.shows_other(cell, label, CERTAINLY))
    return other if len(other) > 1 else ()


def rearranged(placement: Mapping[Cell, str], cells: Collection[Cell], evidence: Evidence) -> tuple[Cell, ...]:
    """Return those of some cells on which most probably one another's things are now, none if not so.

    Which piece or card is where is known better from the game than from a picture, but not if every cell looks more
    like what another of them had.
    """
    other = [cell for cell in evidence.cells if cell in cells and evidence.best(cell) != placement[cell]]
    log_p = evidence.log_p[[evidence.row[cell] for cell in other]]
    had = np.array([evidence.column[placement[cell]] for cell in other], dtype=np.intp)
    # 1. The most probable arrangement: two cells exchange what they have as long as that is clearly more probable, the
    #   best two first. Row i, column j of `on` is the log p on cell i of what cell j has.
    has, cell = had.copy(), np.arange(len(other))
    while len(other) > 1:
        on = log_p[:, has]
        gain = on + on.T - np.diag(on) - np.diag(on)[:, None]
        one, two = divmod(int(gain.argmax()), len(other))
        if gain[one, two] <= ODD:
            break
        has[[one, two]] = has[[two, one]]
    # 2. Each of its cells must look clearly more like what it has now.
    moved = np.flatnonzero(has != had)
    holds = bool((log_p[cell, has] - log_p[cell, had] > ODD)[moved].all())
    return tuple(other[row] for row in moved) if holds else ()


def still_open(todos: Sequence[PendingPlacement], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """Return the pending placements that are not certainly done."""
    return tuple(t for t in todos if evidence.of(t.cell, t.expected) - evidence.of(t.cell, t.observed) < DONE_SURELY)


def left_to_do(hypothesis: Hypothesis[object, object], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """Return the placements that the players still have to make if a hypothesis holds."""
    return (*still_open(hypothesis.optional, evidence), *hypothesis.undone)


def contradicted(placement: Mapping[Cell, str], evidence: Evidence) -> tuple[PendingPlacement, ...]:
    """Return the cells that certainly differ from a placement, with its label and the observed one."""
    odds = ((c, label, evidence.best(c)) for c, label in evidence.in_sight(placement).items())
    return tuple(
        PendingPlacement(cell, label, seen)
        for cell, label, seen in odds
        if evidence.of(cell, seen) - evidence.of(cell, label) > DONE_SURELY
    )

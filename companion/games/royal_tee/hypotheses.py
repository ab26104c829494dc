"""Hypotheses on what happened in a turn of Royal Tee, for the core to weigh.

The log priors below are relative to a legal walk, which has 0. They are estimates, not measurements: about one turn in
ten has a mistake at some moment, mostly a miscounted walk or a forgotten tee. They matter little if the picture is
clear (a cell seen well has a log ratio of 9 and more) and keep a doubtful picture from being called certain. The number
of walks is left out, because it is the same for legal walks and miscounted ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from heapq import heappop, heappush
from math import inf, log
from typing import TypeAlias

import numpy as np

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.inference import optional_log_likelihood
from companion.core.stability import PATIENT_LOOKS
from companion.core.verdicts import ALTERED, PendingPlacement
from companion.games.hypotheses import NOTEWORTHY, TableLikelihood, drop_explainable_mistakes, table_likelihood
from companion.games.royal_tee.table import is_royal, placement, royal_label
from engines.grid import Bitboard, CellIndex, bit, cells_in, set_of
from engines.kernel import Cell, Json, JsonObject, Outcome, Refusal, Seat
from engines.royal_tee import GAME
from engines.royal_tee.board import NAMES, NEIGHBOURS, SIZE, cell_index, within
from engines.royal_tee.position import Action, Pass, Position
from engines.royal_tee.rules import can_walk, enclosed_by, walk_along
from vision.labels import EMPTY

# ---- the evidence for one player's walk, as arrays by space, so that the search needs no labels


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The evidence compared with the position before, for the walk of one player.

    Attributes:
        position: the position before, with the walking player as `turn`.
        table: the evidence compared with the placement before.
        before: log p that a space is as before.
        tee, royal: log p of the player's tee and Royal Tee on each space.
        gain: log ratio of the player's tee to the label before; 0 on the player's own spaces.
        most_probable, highest: the most probable label of each space, and its log p.
    """

    position: Position
    table: TableLikelihood
    before: list[float]
    tee: list[float]
    royal: list[float]
    gain: list[float]
    most_probable: tuple[str, ...]
    highest: list[float]

    @property
    def seat(self) -> Seat:
        """The walking player."""
        return self.position.turn

    @property
    def own(self) -> Bitboard:
        """The player's spaces before."""
        return self.position.claimed[self.position.place(self.seat)]

    @property
    def start(self) -> CellIndex:
        """The space of the player's Royal Tee before."""
        return self.position.royal(self.seat)


def look(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> Seen:
    """Return the evidence compared with a position, for a walk of the player whose turn it is."""
    table = table_likelihood(placement(position), left_open, evidence)
    rows = evidence.log_p[[evidence.row[name] for name in NAMES]]
    column = evidence.column
    before = [float(rows[i, column[table.before[name]]]) for i, name in enumerate(NAMES)]
    for todo in left_open:
        cell = NAMES.index(todo.cell)
        before[cell] = float(np.logaddexp(before[cell], rows[cell, column[todo.observed]])) - log(2.0)
    tee: list[float] = rows[:, column[position.turn]].tolist()
    royal: list[float] = rows[:, column[royal_label(position.turn)]].tolist()
    own = position.claimed[position.place(position.turn)]
    gain = [0.0 if own >> i & 1 else tee[i] - before[i] for i in range(len(NAMES))]
    most_probable = tuple(evidence.labels[j] for j in rows.argmax(axis=1))
    highest: list[float] = rows.max(axis=1).tolist()
    return Seen(position, table, before, tee, royal, gain, most_probable, highest)


# ---- the most probable walks


WINDOW = 9.0
"""Log ratio to the best walk below which walks are left out: together they weigh less than a thousandth."""

REFUTED = 5.0
"""A space is certainly not the player's if the player's tee costs more than this in log p."""

MOST_WALKS = 24
MOST_NODES = 2500
"""Limits of the search for pictures so doubtful that everything is possible; the best walks come first anyway."""


@dataclass(frozen=True, slots=True)
class SeenWalk:
    """All walks with one end and the same new spaces.

    Attributes:
        end: the last space.
        new: the spaces that become the player's by stepping on them.
        bonus: the spaces that they enclose and that were not the player's before.
        path: the spaces stepped on by a shortest of these walks.
        score: log likelihood, relative to an unchanged table.
    """

    end: CellIndex
    new: Bitboard
    bonus: Bitboard
    path: tuple[CellIndex, ...]
    score: float

    def as_long_as(self, start: CellIndex, steps: int, resting: CellIndex | None) -> tuple[CellIndex, ...]:
        """Return a walk of exactly `steps` steps, lengthened back and forth at its end.

        `resting` is an own space next to the start, for a walk without a path.
        """
        if len(self.path) > 1:
            other: CellIndex | None = self.path[-2]
        else:
            other = start if self.path else resting
        there_and_back = (other, self.end) if other is not None else ()
        return self.path + there_and_back * ((steps - len(self.path)) // 2)


def _colour(cell: int) -> int:
    """Return the space's colour on a chessboard, 0 or 1, which every step changes."""
    return (cell // SIZE + cell % SIZE) % 2


def resting_place(seen: Seen) -> CellIndex | None:
    """Return an own space next to the start, to which one can walk and back without claiming anything; or None."""
    free = seen.own & ~seen.position.royals_but(seen.seat)
    return next((n for n in NEIGHBOURS[seen.start] if free >> n & 1), None)


class _Stage(IntEnum):
    """How far a node has been searched; of equal bounds a lower stage is taken first."""

    SCORED = 0
    ENDED = 1
    ON_THE_WAY = 2


_Node: TypeAlias = tuple[CellIndex, Bitboard]
"""The space of the Royal Tee, and the new spaces that it has claimed."""


class WalkSearch:
    """A best-first search: a node's bound is the highest score that any walk through it can have.

    Args:
        seen: the evidence for the player.
        steps: the number of steps.
        exactly: whether walks have exactly that many steps; otherwise 1 to that many.
        through_royals: whether walks may step onto other Royal Tees, which the rules forbid.
        most_nodes: the number of nodes after which the search ends.
    """

    def __init__(
        self, seen: Seen, steps: int, *, exactly: bool, through_royals: bool = False, most_nodes: int = MOST_NODES
    ) -> None:
        self.seen = seen
        self.steps = steps
        self.most_nodes = most_nodes
        self.exactly = exactly
        others = seen.position.royals_but(seen.seat)
        self.closed = 0 if through_royals else others
        self.claimable = ~(seen.own | others)
        self.as_end = [royal - tee for royal, tee in zip(seen.royal, seen.tee, strict=True)]
        self.leaving = seen.tee[seen.start] - seen.before[seen.start]
        self.wanted = set_of(CellIndex(i) for i, gain in enumerate(seen.gain) if gain > 0) & self.claimable
        # the wanted spaces that would be enclosed if all others that may be the player's were
        likely = (CellIndex(i) for i, gain in enumerate(self.seen.gain) if gain > -REFUTED)
        wall = self.seen.own | set_of(likely) & self.claimable & within(self.seen.start, self.steps)
        enclosing = (
            (c, enclosed_by(self.seen.position, self.seen.seat, wall & ~bit(c))) for c in cells_in(self.wanted)
        )
        self.enclosable = set_of(c for c, enclosed in enclosing if enclosed >> c & 1)
        self.fewest: dict[_Node, int] = {}
        self.came_from: dict[_Node, _Node] = {}
        self.gained: dict[Bitboard, float] = {}
        self.heap: list[tuple[float, int, _Node, _Stage, Bitboard]] = []
        self.best_end = cache(self._best_end)
        self.gains_of = cache(self._gains_of)
        ends = sorted(range(SIZE * SIZE), key=lambda i: -self.as_end[i])
        self.ends = [CellIndex(i) for i in ends if not others >> i & 1]

    def best(self) -> list[SeenWalk]:
        """Return the walks that explain the evidence best, most probable first."""
        start = (self.seen.start, 0)
        self._reach(start, start, 0, self.leaving)
        found: dict[_Node, SeenWalk] = {}
        least = -inf
        for _ in range(self.most_nodes):
            if not self.heap or len(found) == MOST_WALKS or -self.heap[0][0] < least:
                break
            bound, steps, node, stage, bonus = heappop(self.heap)
            if stage is _Stage.ON_THE_WAY:
                self._expand(steps, node)
            elif stage is _Stage.ENDED:
                self._enclose(steps, node)
            elif node not in found:
                least = max(least, -bound - WINDOW)
                found[node] = SeenWalk(*node, bonus, self._path(node), -bound)
        return list(found.values())

    def _expand(self, steps: int, node: _Node) -> None:
        if self.fewest[node] < steps:
            return
        cell, new = node
        gained = self.gained[new]
        # 1. the walk may end here: at best it encloses all wanted spaces that can be enclosed
        if self._may_end(cell, steps):
            hoped = self._gains_of(self.wanted & ~new & self.enclosable, SIZE * SIZE)
            heappush(self.heap, (-(gained + self.as_end[cell] + hoped), steps, node, _Stage.ENDED, 0))
        if steps == self.steps:
            return
        # 2. or go on to each neighbour
        for neighbour in NEIGHBOURS[cell]:
            if self.closed >> neighbour & 1:
                continue
            claimed = bit(neighbour) & self.claimable & ~new
            gain = self.seen.gain[neighbour] if claimed else 0.0
            self._reach((neighbour, new | claimed), node, steps + 1, gained + gain)

    def _reach(self, node: _Node, before: _Node, steps: int, gained: float) -> None:
        """Add a node that is reached in this many steps, unless it was reached in as few."""
        if self.fewest.get(node, self.steps + 1) <= steps:
            return
        self.fewest[node] = steps
        self.came_from[node] = before
        cell, new = node
        self.gained[new] = gained
        # the bound: what was gained, the best spaces within reach, all that may be enclosed, and the best end
        left = self.steps - steps
        hoped = self.wanted & ~new
        bound = gained + self.gains_of(hoped & within(cell, left) & ~self.enclosable, left)
        bound += self.gains_of(hoped & self.enclosable, SIZE * SIZE) + self.best_end(cell, left)
        heappush(self.heap, (-bound, steps, node, _Stage.ON_THE_WAY, 0))

    def _path(self, node: _Node) -> tuple[CellIndex, ...]:
        """Return the spaces stepped on, along the nodes that led here."""
        path: list[CellIndex] = []
        while node != (before := self.came_from[node]):
            path.append(node[0])
            node = before
        return tuple(reversed(path))

    def _may_end(self, cell: CellIndex, steps: int) -> bool:
        if self.closed == 0 and self.seen.position.royals_but(self.seen.seat) >> cell & 1:
            return False
        if steps == 0:
            return self.exactly and self.steps % 2 == 0 and resting_place(self.seen) is not None
        return not self.exactly or (self.steps - steps) % 2 == 0

    def _enclose(self, steps: int, node: _Node) -> None:
        """Score a walk that ends here, with what it encloses; enclosed tees may be missing still."""
        cell, new = node
        own = self.seen.own | new
        bonus = enclosed_by(self.seen.position, self.seen.seat, own) & ~own
        cells = cells_in(bonus)
        score = self.gained[new] + self.as_end[cell] - sum(self.seen.before[c] for c in cells)
        score += optional_log_likelihood([self.seen.tee[c] for c in cells], [self.seen.before[c] for c in cells])
        heappush(self.heap, (-score, steps, node, _Stage.SCORED, bonus))

    def _gains_of(self, cells: Bitboard, most: int) -> float:
        """Return the sum of the `most` largest gains of these cells."""
        return sum(sorted((self.seen.gain[c] for c in cells_in(cells)), reverse=True)[:most])

    def _best_end(self, cell: CellIndex, left: int) -> float:
        """Return the highest gain of ending on a space within reach of the remaining steps."""
        near = within(cell, left)
        colour = (_colour(cell) + left) % 2
        fits = (e for e in self.ends if near >> e & 1 and (not self.exactly or _colour(e) == colour))
        return next((self.as_end[e] for e in fits), -inf)


# ---- what hands may have done as a whole: a walk, legal or not, or a Royal Tee put elsewhere


Explanation: TypeAlias = Hypothesis[Position, Action]


def of_walk(seen: Seen, walk: SeenWalk) -> Explanation:
    """Return the explanation by a walk, as yet without its action; its bonus tees may be missing still."""
    seat, left_open = str(seen.seat), seen.table.left_open
    expects = {NAMES[cell]: seat for cell in cells_in(walk.new | bit(seen.start) | walk.bonus)}
    expects[NAMES[walk.end]] = royal_label(seen.seat)
    bonus = [NAMES[cell] for cell in cells_in(walk.bonus)]
    instead = {name: left_open[name].observed if name in left_open else seen.table.before[name] for name in bonus}
    missing = (PendingPlacement(name, seat, label) for name, label in instead.items())
    return Hypothesis(Kind.LEGAL, 0.0, expects, (*missing, *seen.table.still_open(expects)))


def _refuse(seen: Seen, walk: SeenWalk, log_prior: float, refusal: Refusal, **facts: Json) -> Explanation:
    """Return the explanation by a walk that the rules forbid."""
    story, end = of_walk(seen, walk), NAMES[walk.end]
    refused = seen.table.refused(
        story.expects,
        replace(refusal, cells=refusal.cells or (end,)),
        log_prior,
        {"player": seen.seat, "to": end, **facts},
    )
    return replace(refused, optional=story.optional)


# ---- mistakes on single cells, whatever the Royal Tee did


BESIDES = -3.2
"""Log prior that cells are wrong besides the story: 4 in 100."""


_FAULTS: Mapping[str, tuple[str, float]] = {
    "royal-unplaced": ("2.1", -4.0),
    "two-royals": ("1.4", -6.0),
    "not-enclosed": ("4.2", -4.0),
    "tee-missing": ("3.1", -2.0),
    "extra-tee": ("3.1", -5.0),
    ALTERED: ("", -5.0),
}
"""Kinds of mistakes: the paragraph of RULES.md that each breaks, and its log prior on one given cell.

A tee is missing on one of a few visited spaces, but an extra one may be on any of 144: hence the different priors. What
is altered in another way is said best by naming the pieces that have come, gone or moved.
"""


@dataclass(frozen=True, slots=True)
class _Deviation:
    cell: Cell
    expected: str
    observed: str
    code: str
    gain: float


def with_faults(seen: Seen, story: Explanation) -> Explanation | None:
    """Return an explanation with the faults on single cells that explain the evidence best; None if there are none.

    A story that is itself against the rules keeps its own code.
    """
    deviations = _deviations(seen, story)
    if not deviations:
        return None
    worthwhile = [d for d in deviations if d.gain > 0] or [max(deviations, key=lambda d: d.gain)]
    cells, codes = tuple(d.cell for d in worthwhile), {d.code for d in worthwhile}
    code = codes.pop() if len(codes) == 1 else ALTERED
    facts: JsonObject = {"player": seen.seat}
    if code == ALTERED:
        changed = ({"cell": d.cell, "expected": d.expected, "observed": d.observed} for d in worthwhile)
        facts = {"changed": list[Json](changed)}
    return Hypothesis(
        kind=Kind.ILLEGAL,
        log_prior=story.log_prior + BESIDES + sum(_FAULTS[d.code][1] for d in worthwhile),
        expects={**story.expects, **{d.cell: d.observed for d in worthwhile}},
        optional=tuple(todo for todo in story.optional if todo.cell not in cells),
        code=story.code or code,
        rule=story.rule if story.code else _FAULTS[code][0],
        cells=tuple(dict.fromkeys((*story.cells, *cells))),
        facts=story.facts if story.code else facts,
    )


def _deviations(seen: Seen, story: Explanation) -> list[_Deviation]:
    seat = Seat(str(story.facts.get("player", seen.seat)))
    own_royal = royal_label(seat)
    expected = {**seen.table.before, **story.expects}
    allowed = {todo.cell: (todo.expected, todo.observed) for todo in story.optional}
    odd = [
        (name, label, odds)
        for name, label, highest in zip(NAMES, seen.most_probable, seen.highest, strict=True)
        if label not in (expected[name], *allowed.get(name, ()))
        and (odds := highest - seen.table.evidence.of(name, expected[name])) > NOTEWORTHY
    ]
    claimed = {name for name, label in story.expects.items() if label == seat and name not in allowed}
    # extra tees that fill a whole area between the player's spaces were put down as if these were enclosed
    wall = seen.position.claimed[seen.position.place(seat)] | set_of(map(cell_index, claimed))
    extra = set_of(cell_index(name) for name, label, _odds in odd if label == seat) | seen.position.royals_but(seat)
    found = []
    for name, label, odds in odd:
        if own_royal in (label, expected[name]):
            code = "two-royals" if label == own_royal else "royal-unplaced"
        elif is_royal(label) or is_royal(expected[name]):
            code = ALTERED
        elif label == seat:
            code = "extra-tee" if _area(cell_index(name), wall) & ~extra else "not-enclosed"
        else:
            is_missing = name in claimed and label in (EMPTY, seen.table.before[name])
            code = "tee-missing" if is_missing else ALTERED
        found.append(_Deviation(name, expected[name], label, code, odds + _FAULTS[code][1]))
    return found


def _area(cell: CellIndex, wall: Bitboard) -> Bitboard:
    """Return the spaces connected to one by orthogonal steps that do not cross the wall."""
    area, rim = bit(cell), bit(cell)
    while rim:
        near = set_of(n for c in cells_in(rim) for n in NEIGHBOURS[c])
        rim = near & ~wall & ~area
        area |= rim
    return area


# ---- what may have happened


NOTHING = 3.0  # a table that looks as before is twenty times as likely from no move as from a walk to and fro
MISCOUNTED = -3.5  # the commonest mistake
OUT_OF_TURN = -4.6
THROUGH_ROYAL = -4.6
PUT_ELSEWHERE = -4.6
TAKEN_OFF = -5.3

LONGEST = 12
"""Longest walk that is searched: a miscount by more than three counts as a Royal Tee put elsewhere."""

GLANCE = 700
"""Nodes of the search for mistakes, fewer than for legal walks: if it misses the most probable one, no hypothesis fits
well, and the table is reported as unclear."""

DISTINCT = 6
"""How many walks of another length are weighed, the most probable first."""


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """Return the hypotheses on what happened since a position that explain the evidence best."""
    seen = look(position, left_open, evidence)
    walks = WalkSearch(seen, position.slider, exactly=True).best() if can_walk(position) else []
    legal, resting = [], resting_place(seen)
    for walk in walks:
        action = walk_along(walk.as_long_as(seen.start, position.slider, resting))
        after, to_and_fro = GAME.after(position, action).position, (position.slider - len(walk.path)) // 2
        looks = min(1 + to_and_fro, PATIENT_LOOKS)
        legal.append(replace(of_walk(seen, walk), action=action, position=after, least_looks=looks))
    # nothing moved; for a player who cannot walk, that is the pass
    nothing: Explanation = Hypothesis(Kind.UNCHANGED, NOTHING, optional=tuple(seen.table.left_open.values()))
    if not can_walk(position):
        passed = GAME.after(position, Pass()).position
        nothing = replace(nothing, kind=Kind.LEGAL, log_prior=0.0, action=Pass(), position=passed)
    # the Royal Tee was taken off; its space has a tee or is empty
    start, by = NAMES[seen.start], {"player": seen.seat}
    gone = Refusal("royal-missing", "3.2", (start,))
    mistakes = [
        *_miscounts(seen, walks),
        *_through_royals(seen),
        *_put_elsewhere(seen),
        *(seen.table.refused({start: left}, gone, TAKEN_OFF, by) for left in (str(seen.seat), EMPTY)),
        *_out_of_turn(seen),
    ]
    faulty = (with_faults(seen, story) for story in (*legal, *mistakes, replace(nothing, log_prior=0.0)))
    forbidden = [*mistakes, *(story for story in faulty if story is not None)]
    allowed = [*legal, nothing]
    return [*allowed, *drop_explainable_mistakes(forbidden, allowed, seen.table.before)]


def _against_the_engine(seen: Seen, walk: SeenWalk, log_prior: float) -> Explanation:
    """Return the explanation by a walk that the engine refuses."""
    refusal = GAME.play(seen.position, walk_along(walk.path))
    if isinstance(refusal, Outcome):
        message = f"the rules allow a walk that was taken for a mistake: {walk}"
        raise AssertionError(message)
    return _refuse(seen, walk, log_prior, refusal, steps=len(walk.path), slider=seen.position.slider)


def _miscounts(seen: Seen, legal: Iterable[SeenWalk]) -> list[Explanation]:
    """Return the explanations by walks that cannot have as many steps as the slider shows."""
    slider = seen.position.slider
    allowed = {(walk.end, walk.new) for walk in legal}
    walks = WalkSearch(seen, LONGEST, exactly=False, most_nodes=GLANCE).best()
    others = (walk for walk in walks if (walk.end, walk.new) not in allowed)
    # back and forth, a walk can be lengthened by two steps each time
    wrong = [walk for walk in others if len(walk.path) > slider or (slider - len(walk.path)) % 2]
    return [_against_the_engine(seen, walk, MISCOUNTED) for walk in wrong[:DISTINCT]]


def _through_royals(seen: Seen) -> list[Explanation]:
    """Return the explanations by walks over other Royal Tees; none if these are too far away."""
    others = seen.position.royals_but(seen.seat)
    if not within(seen.start, seen.position.slider - 1) & others:
        return []
    walks = WalkSearch(seen, seen.position.slider, exactly=True, through_royals=True, most_nodes=GLANCE).best()
    through = [walk for walk in walks if any(others >> cell & 1 for cell in walk.path)]
    full = (replace(walk, path=walk.as_long_as(seen.start, seen.position.slider, None)) for walk in through[:2])
    return [_against_the_engine(seen, walk, THROUGH_ROYAL) for walk in full]


def _put_elsewhere(seen: Seen) -> Iterator[Explanation]:
    """Yield the explanation that the Royal Tee was put where it most probably is, without a walk."""
    others = seen.position.royals_but(seen.seat)
    free = [CellIndex(i) for i in range(len(NAMES)) if i != seen.start and not others >> i & 1]
    end = max(free, key=lambda i: seen.royal[i] - seen.before[i])
    reachable = within(seen.start, seen.position.slider) >> end & 1
    code, rule = ("tees-missing", "3.1") if reachable else ("unreachable", "2.1")
    facts: JsonObject = {"player": seen.seat, "to": NAMES[end], "slider": seen.position.slider}
    jumped = {NAMES[seen.start]: str(seen.seat), NAMES[end]: royal_label(seen.seat)}
    yield seen.table.refused(jumped, Refusal(code, rule, (NAMES[end],)), PUT_ELSEWHERE, facts)


def _out_of_turn(seen: Seen) -> Iterator[Explanation]:
    """Yield the explanations that another player's Royal Tee has walked."""
    for seat, royal in zip(seen.position.players, seen.position.royals, strict=True):
        if seat != seen.seat and seen.most_probable[royal] != royal_label(seat):
            position, left_open = replace(seen.position, turn=seat), tuple(seen.table.left_open.values())
            other = look(position, left_open, seen.table.evidence)
            for walk in WalkSearch(other, LONGEST, exactly=False, most_nodes=GLANCE).best()[:2]:
                refusal = Refusal("out-of-turn", "1.3", (NAMES[other.start], NAMES[walk.end]))
                yield _refuse(other, walk, OUT_OF_TURN, refusal, turn=seen.seat)

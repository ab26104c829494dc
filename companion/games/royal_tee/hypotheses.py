"""All that may have happened in a turn of Royal Tee, as hypotheses for the core to weigh.

The log priors below are relative to a walk by the rules, which has 0. They are estimates, not measurements: at a
table of players about one turn in ten shows a mistake at some moment, mostly a miscounted walk or a forgotten tee.
They matter little where the picture is clear (a cell seen well speaks with 9 and more) and keep a doubtful picture
from being called certain. How many walks there are is left out: it is the same for legal walks and miscounted ones.
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
from companion.core.verdicts import ALTERED, PendingPlacement
from companion.games.hypotheses import drop_explainable_mistakes
from companion.games.royal_tee.table import is_royal, placement, royal_label
from engines.grid import Bitboard, CellIndex, bit, cells_in, set_of
from engines.kernel import Cell, Json, JsonObject, Outcome, Seat
from engines.royal_tee import GAME
from engines.royal_tee.board import NAMES, NEIGHBOURS, SIZE
from engines.royal_tee.position import Action, Pass, Position, Walk
from engines.royal_tee.rules import can_walk, enclosed_by, walk_along
from vision.labels import EMPTY

# ---- what is seen, as one player's walk feels it: numbers by space, so that the search needs no words


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The evidence beside the position before, for the walk of one player.

    Attributes:
        position: the position before, with the walker as `turn`.
        evidence: what is seen.
        labels: the label of every space before, by its number.
        left_open: things left to do from earlier turns, by space.
        before: log p that a space is as before, by space.
        tee, royal: log p of the walker's tee and Royal Tee, by space.
        gain: what a space adds to an explanation when it is claimed; 0 for the walker's own.
        most_probable, highest: the most probable label of each space, and its log p.
    """

    position: Position
    evidence: Evidence
    labels: tuple[str, ...]
    left_open: dict[CellIndex, PendingPlacement]
    before: list[float]
    tee: list[float]
    royal: list[float]
    gain: list[float]
    most_probable: tuple[str, ...]
    highest: list[float]

    @property
    def seat(self) -> Seat:
        """The walker."""
        return self.position.turn

    @property
    def own(self) -> Bitboard:
        """The walker's spaces before."""
        return self.position.claimed[self.position.place(self.seat)]

    @property
    def start(self) -> CellIndex:
        """Where the walker's Royal Tee stood."""
        return self.position.royal(self.seat)


def look(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> Seen:
    """Hold the evidence against the position before, for the walk of the player whose turn it is."""
    labels = tuple(placement(position).values())
    todos = {CellIndex(NAMES.index(todo.cell)): todo for todo in left_open}
    rows = evidence.log_p[[evidence.row[name] for name in NAMES]]
    column = evidence.column
    before = [float(rows[i, column[label]]) for i, label in enumerate(labels)]
    for cell, todo in todos.items():
        before[cell] = float(np.logaddexp(before[cell], rows[cell, column[todo.observed]])) - log(2.0)
    tee: list[float] = rows[:, column[position.turn]].tolist()
    royal: list[float] = rows[:, column[royal_label(position.turn)]].tolist()
    own = position.claimed[position.place(position.turn)]
    gain = [0.0 if own >> i & 1 else tee[i] - before[i] for i in range(len(NAMES))]
    most_probable = tuple(evidence.labels[j] for j in rows.argmax(axis=1))
    highest: list[float] = rows.max(axis=1).tolist()
    return Seen(position, evidence, labels, todos, before, tee, royal, gain, most_probable, highest)


# ---- the most probable walks


WINDOW = 9.0
"""Walks less likely than the best by e to this power are left out: together they weigh less than a thousandth."""

REFUTED = 5.0
"""A space is certainly not the walker's when seeing the walker's tee there costs more than that."""

MOST_WALKS = 24
MOST_NODES = 2500
"""An end to the search where the picture is so doubtful that everything is possible; the best come first anyway."""


@dataclass(frozen=True, slots=True)
class SeenWalk:
    """All walks with one end and the same new spaces.

    Attributes:
        end: the last space.
        new: the spaces that become the walker's by stepping on them.
        bonus: the spaces that they enclose, without those that were the walker's before.
        path: the spaces stepped on by one with the fewest steps.
        score: log likelihood, relative to a table where nothing has changed.
    """

    end: CellIndex
    new: Bitboard
    bonus: Bitboard
    path: tuple[CellIndex, ...]
    score: float

    def as_long_as(self, start: CellIndex, steps: int, resting: CellIndex | None) -> tuple[CellIndex, ...]:
        """Return a walk of exactly that many steps, back and forth at its end; `resting`: an own space by the start."""
        if len(self.path) > 1:
            other: CellIndex | None = self.path[-2]
        else:
            other = start if self.path else resting
        there_and_back = (other, self.end) if other is not None else ()
        return self.path + there_and_back * ((steps - len(self.path)) // 2)


@cache
def within(cell: CellIndex, steps: int) -> Bitboard:
    """Return the spaces at most that many steps away, on a board without Royal Tees."""
    row, column = divmod(cell, SIZE)
    near = (i for i in range(SIZE * SIZE) if abs(i // SIZE - row) + abs(i % SIZE - column) <= steps)
    return set_of(CellIndex(i) for i in near)


def _colour(cell: int) -> int:
    """Return 0 or 1 as on a chessboard: every step changes it."""
    return (cell // SIZE + cell % SIZE) % 2


def resting_place(seen: Seen) -> CellIndex | None:
    """Find an own space beside the start: one can walk there and back without claiming anything."""
    free = seen.own & ~seen.position.royals_but(seen.seat)
    return next((n for n in NEIGHBOURS[seen.start] if free >> n & 1), None)


def best_walks(
    seen: Seen, *, steps: int, exactly: bool, through_royals: bool = False, most_nodes: int = MOST_NODES
) -> list[SeenWalk]:
    """Find the walks that explain best what is seen, most probable first.

    Args:
        seen: what is seen, for the walker.
        steps: how many steps.
        exactly: walks of exactly that many steps; otherwise of 1 up to that many.
        through_royals: let the walk step onto other Royal Tees, which the rules forbid.
        most_nodes: where to give up.
    """
    search = _Search(seen, steps, exactly=exactly, through_royals=through_royals, most_nodes=most_nodes)
    return list(search.run())


class _Stage(IntEnum):
    """How far the search is with a node; a later one is taken first where bounds are equal."""

    SCORED = 0
    ENDED = 1
    ON_THE_WAY = 2


_Node: TypeAlias = tuple[CellIndex, Bitboard]
"""Where the Royal Tee stands and which new spaces it has claimed."""


class _Search:
    def __init__(self, seen: Seen, steps: int, *, exactly: bool, through_royals: bool, most_nodes: int) -> None:
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
        self.enclosable = self._enclosable()
        self.fewest: dict[_Node, int] = {}
        self.came_from: dict[_Node, _Node] = {}
        self.gained: dict[Bitboard, float] = {}
        self.heap: list[tuple[float, int, _Node, _Stage, Bitboard]] = []
        self.best_end = cache(self._best_end)
        self.gains_of = cache(self._gains_of)
        ends = sorted(range(SIZE * SIZE), key=lambda i: -self.as_end[i])
        self.ends = [CellIndex(i) for i in ends if not others >> i & 1]

    def run(self) -> Iterator[SeenWalk]:
        """Return the walks, most probable first."""
        start = (self.seen.start, 0)
        self._reach(start, start, 0, self.leaving)
        found: set[_Node] = set()
        least = -inf
        for _ in range(self.most_nodes):
            if not self.heap or len(found) == MOST_WALKS or -self.heap[0][0] < least:
                return
            bound, steps, node, stage, bonus = heappop(self.heap)
            if stage is _Stage.ON_THE_WAY:
                self._expand(steps, node)
            elif stage is _Stage.ENDED:
                self._enclose(steps, node)
            elif node not in found:
                found.add(node)
                least = max(least, -bound - WINDOW)
                yield SeenWalk(*node, bonus, self._path(node), -bound)

    def _expand(self, steps: int, node: _Node) -> None:
        if self.fewest[node] < steps:
            return
        cell, new = node
        gained = self.gained[new]
        if self._may_end(cell, steps):
            hoped = self._gains_of(self.wanted & ~new & self.enclosable, SIZE * SIZE)
            heappush(self.heap, (-(gained + self.as_end[cell] + hoped), steps, node, _Stage.ENDED, 0))
        if steps == self.steps:
            return
        for neighbour in NEIGHBOURS[cell]:
            if self.closed >> neighbour & 1:
                continue
            claimed = bit(neighbour) & self.claimable & ~new
            gain = self.seen.gain[neighbour] if claimed else 0.0
            self._reach((neighbour, new | claimed), node, steps + 1, gained + gain)

    def _reach(self, node: _Node, before: _Node, steps: int, gained: float) -> None:
        """Note that a node is reached in that many steps, unless it has been in as few."""
        if self.fewest.get(node, self.steps + 1) <= steps:
            return
        self.fewest[node] = steps
        self.came_from[node] = before
        cell, new = node
        self.gained[new] = gained
        left = self.steps - steps
        hoped = self.wanted & ~new
        bound = gained + self.gains_of(hoped & within(cell, left) & ~self.enclosable, left)
        bound += self.gains_of(hoped & self.enclosable, SIZE * SIZE) + self.best_end(cell, left)
        heappush(self.heap, (-bound, steps, node, _Stage.ON_THE_WAY, 0))

    def _path(self, node: _Node) -> tuple[CellIndex, ...]:
        """Return the spaces stepped on, from the nodes that led here."""
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
        """Score a walk that ends here, with what it encloses."""
        cell, new = node
        own = self.seen.own | new
        bonus = enclosed_by(self.seen.position, self.seen.seat, own) & ~own
        cells = cells_in(bonus)
        score = self.gained[new] + self.as_end[cell] - sum(self.seen.before[c] for c in cells)
        score += optional_log_likelihood([self.seen.tee[c] for c in cells], [self.seen.before[c] for c in cells])
        heappush(self.heap, (-score, steps, node, _Stage.SCORED, bonus))

    def _gains_of(self, cells: Bitboard, most: int) -> float:
        """Add up the `most` largest gains of these cells."""
        return sum(sorted((self.seen.gain[c] for c in cells_in(cells)), reverse=True)[:most])

    def _best_end(self, cell: CellIndex, left: int) -> float:
        """Return the best end within reach of the steps left."""
        near = within(cell, left)
        colour = (_colour(cell) + left) % 2
        fits = (e for e in self.ends if near >> e & 1 and (not self.exactly or _colour(e) == colour))
        return next((self.as_end[e] for e in fits), -inf)

    def _enclosable(self) -> Bitboard:
        """Return the wanted spaces that the others which may well be the walker's could enclose."""
        likely = (CellIndex(i) for i, gain in enumerate(self.seen.gain) if gain > -REFUTED)
        wall = self.seen.own | set_of(likely) & self.claimable & within(self.seen.start, self.steps)
        enclosing = (
            (c, enclosed_by(self.seen.position, self.seen.seat, wall & ~bit(c))) for c in cells_in(self.wanted)
        )
        return set_of(c for c, enclosed in enclosing if enclosed >> c & 1)


# ---- what hands may have done as a whole, legal or not


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Story(Hypothesis[Position, Action]):
    """Where a Royal Tee went and which spaces its player claimed by that; no code: the rules do not forbid it.

    Attributes:
        seat: the player.
        claimed: the spaces that should have got the player's tee by stepping on them.
    """

    seat: Seat
    claimed: Bitboard = 0


def _story(seen: Seen, expects: dict[Cell, str], claimed: Bitboard, optional: Iterable[PendingPlacement]) -> Story:
    return Story(Kind.ILLEGAL, 0.0, expects, tuple(optional), seat=seen.seat, claimed=claimed)


def of_walk(seen: Seen, walk: SeenWalk) -> Story:
    """Return what the table should look like after a walk."""
    claimed = walk.new | (0 if walk.end == seen.start else bit(seen.start))
    expects = {NAMES[cell]: str(seen.seat) for cell in cells_in(claimed | walk.bonus)}
    expects[NAMES[walk.end]] = royal_label(seen.seat)
    bonus = tuple(PendingPlacement(NAMES[c], str(seen.seat), _instead(seen, c)) for c in cells_in(walk.bonus))
    return _story(seen, expects, claimed, (*bonus, *_still_open(seen, expects)))


def of_nothing(seen: Seen) -> Story:
    """Return the explanation that no Royal Tee has moved."""
    return _story(seen, {}, 0, seen.left_open.values())


def of_jump(seen: Seen, end: CellIndex | None) -> Story:
    """Return the explanation that the Royal Tee was put somewhere (None: off the board) without a walk."""
    expects = {NAMES[seen.start]: str(seen.seat)}
    if end is not None:
        expects[NAMES[end]] = royal_label(seen.seat)
    return _story(seen, expects, bit(seen.start), _still_open(seen, expects))


def _instead(seen: Seen, cell: CellIndex) -> str:
    todo = seen.left_open.get(cell)
    return todo.observed if todo else seen.labels[cell]


def _still_open(seen: Seen, expects: dict[Cell, str]) -> tuple[PendingPlacement, ...]:
    return tuple(todo for todo in seen.left_open.values() if expects.get(todo.cell, todo.expected) == todo.expected)


# ---- what hands do wrong on single cells, whatever the Royal Tee did


Explanation: TypeAlias = Hypothesis[Position, Action]

BESIDES = -3.2
"""log prior that something on the cells is wrong besides what the story says: 4 in 100."""

NOTEWORTHY = 1.0
"""A cell is looked at when another label is likelier than the expected one by e to this power."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """A named fault: the paragraph that it breaks and how rare it is on one given cell, as log prior."""

    rule: str
    log_prior: float


# In the order of what is told first. A tee is missing on one of a few visited spaces, but an extra one may be on any
# of 144: hence the different weights. What players hardly do by accident is rarer still.
_FAULTS: Mapping[str, _Fault] = {
    "royal-displaced": _Fault("2.1", -6.0),
    "two-royals": _Fault("1.4", -6.0),
    "not-enclosed": _Fault("4.2", -4.0),
    "royal-unplaced": _Fault("2.1", -4.0),
    "wrong-colour": _Fault("3.1", -4.0),
    "tee-missing": _Fault("3.1", -2.0),
    "extra-tee": _Fault("3.1", -5.0),
    "tee-removed": _Fault("3.4", -5.0),
    "foreign-tee": _Fault("3.1", -5.0),
}


@dataclass(frozen=True, slots=True)
class _Deviation:
    cell: CellIndex
    label: str
    code: str
    gain: float


def with_faults(seen: Seen, story: Story) -> Explanation | None:
    """Add to an explanation the faults on single cells that explain the evidence best; None if nothing hints at one.

    A story that is itself against the rules keeps its own reason.
    """
    deviations = _deviations(seen, story)
    if not deviations:
        return None
    worthwhile = [d for d in deviations if d.gain > 0] or [max(deviations, key=lambda d: d.gain)]
    code = min((d.code for d in worthwhile), key=list(_FAULTS).index)
    cells = tuple(NAMES[d.cell] for d in worthwhile)
    facts: JsonObject = story.facts if story.code else {"player": story.seat}
    if len({d.code for d in worthwhile}) > 1 and not story.code:  # one name would be wrong of some of the cells
        expected = {d.cell: story.expects.get(NAMES[d.cell], seen.labels[d.cell]) for d in worthwhile}
        changed: list[Json] = [
            {"cell": NAMES[d.cell], "expected": expected[d.cell], "observed": d.label} for d in worthwhile
        ]
        code, facts = ALTERED, {"changed": changed}
    return Hypothesis(
        kind=Kind.ILLEGAL,
        log_prior=story.log_prior + BESIDES + sum(_FAULTS[d.code].log_prior for d in worthwhile),
        expects={**story.expects, **{NAMES[d.cell]: d.label for d in worthwhile}},
        optional=tuple(todo for todo in story.optional if todo.cell not in cells),
        code=story.code or code,
        rule=story.rule or (_FAULTS[code].rule if code in _FAULTS else ""),
        cells=tuple(dict.fromkeys((*story.cells, *cells))),
        facts=facts,
    )


def _deviations(seen: Seen, story: Story) -> Sequence[_Deviation]:
    expected = dict(enumerate(seen.labels))
    expected.update((NAMES.index(cell), label) for cell, label in story.expects.items())
    differ = [(CellIndex(i), label) for i, label in expected.items() if label != seen.most_probable[i]]
    odd = [i for i, label in differ if _odds(seen, i, label) > NOTEWORTHY]
    allowed = {todo.cell: (todo.expected, todo.observed) for todo in story.optional}
    odd = [i for i in odd if seen.most_probable[i] not in allowed.get(NAMES[i], ())]
    filled = _filled(seen, story, [i for i in odd if seen.most_probable[i] == story.seat])
    return [_deviation(seen, story, i, expected[i], filled) for i in odd]


def _odds(seen: Seen, cell: int, label: str) -> float:
    """Return the log ratio of the most probable label's likelihood to that of another, expected one."""
    return seen.highest[cell] - seen.evidence.of(NAMES[cell], label)


def _deviation(seen: Seen, story: Story, cell: CellIndex, expected: str, filled: Bitboard) -> _Deviation:
    label = seen.most_probable[cell]
    code = _code(story, cell, expected, label, is_as_before=label == seen.labels[cell], filled=filled)
    return _Deviation(cell, label, code, _odds(seen, cell, expected) + _FAULTS[code].log_prior)


def _code(story: Story, cell: CellIndex, expected: str, label: str, *, is_as_before: bool, filled: Bitboard) -> str:
    """Name what is wrong where `label` is and `expected` should."""
    own_royal = royal_label(story.seat)
    if own_royal in (label, expected):
        return "two-royals" if label == own_royal else "royal-unplaced"
    if is_royal(label) or is_royal(expected):
        return "royal-displaced"
    if label == story.seat:
        return "not-enclosed" if filled >> cell & 1 else "extra-tee"
    if story.claimed >> cell & 1:
        return "tee-missing" if is_as_before or label == EMPTY else "wrong-colour"
    return "tee-removed" if label == EMPTY else "foreign-tee"


def _filled(seen: Seen, story: Story, extra: Sequence[CellIndex]) -> Bitboard:
    """Return the extra tees that fill whole areas between the player's spaces: somebody took them for enclosed."""
    held = seen.position.claimed[seen.position.place(story.seat)] | story.claimed
    royals = seen.position.royals_but(story.seat)
    filled, wanted = 0, set_of(extra)
    for cell in extra:
        area = _area(cell, held)
        filled |= bit(cell) if not area & ~(wanted | royals) else 0
    return filled


def _area(cell: CellIndex, wall: Bitboard) -> Bitboard:
    """Return the spaces joined to one by orthogonal steps that do not cross the wall."""
    area, rim = bit(cell), bit(cell)
    while rim:
        near = set_of(n for c in cells_in(rim) for n in NEIGHBOURS[c])
        rim = near & ~wall & ~area
        area |= rim
    return area


# ---- what may have happened


NOTHING = 3.0  # of a table that looks as before twenty times as often nobody has moved, as somebody to and fro
MISCOUNTED = -3.5  # the commonest mistake
OUT_OF_TURN = -4.6
THROUGH_ROYAL = -4.6
PUT_ELSEWHERE = -4.6
TAKEN_OFF = -5.3

LONGEST = 12
"""Walks are followed that far: a miscount by more than three looks like a Royal Tee put elsewhere."""

GLANCE = 700
"""Mistakes are searched less hard than legal walks: where the most probable one is missed, the picture explains
itself badly and is reported as such."""

DISTINCT = 6
"""This many of the most probable walks of another length are weighed."""


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """List what may have happened since a position, led by what is seen."""
    seen = look(position, left_open, evidence)
    walks = best_walks(seen, steps=position.slider, exactly=True) if can_walk(position) else []
    legal = [of_walk(seen, walk) for walk in walks]
    stories = [*_wrong_stories(seen, walks), of_nothing(seen)]
    faulty = (with_faults(seen, story) for story in (*legal, *stories))
    allowed = [*(_legal(seen, walk, story) for walk, story in zip(walks, legal, strict=True)), _nothing(seen)]
    forbidden = [*(story for story in stories if story.code), *(h for h in faulty if h is not None)]
    before = dict(zip(NAMES, seen.labels, strict=True))
    return [*allowed, *drop_explainable_mistakes(forbidden, allowed, before)]


def _nothing(seen: Seen) -> Explanation:
    """Nothing moved; for a player who cannot move, that is the pass."""
    open_todos = tuple(seen.left_open.values())
    if can_walk(seen.position):
        return Hypothesis(Kind.UNCHANGED, NOTHING, optional=open_todos)
    return _played(seen, Pass(), Hypothesis(Kind.LEGAL, 0.0, optional=open_todos))


def _legal(seen: Seen, walk: SeenWalk, story: Story) -> Explanation:
    path = walk.as_long_as(seen.start, seen.position.slider, resting_place(seen))
    return _played(seen, walk_along(path), Hypothesis(Kind.LEGAL, 0.0, story.expects, story.optional))


def _played(seen: Seen, action: Walk | Pass, hypothesis: Explanation) -> Explanation:
    """Let the engine say what an action leads to."""
    outcome = GAME.play(seen.position, action)
    if not isinstance(outcome, Outcome):
        message = f"the search offered {action}, which the rules refuse: {outcome}"
        raise AssertionError(message)
    return replace(hypothesis, action=action, position=outcome.position)


def _wrong_stories(seen: Seen, legal: Sequence[SeenWalk]) -> list[Story]:
    return [
        *_miscounted(seen, legal),
        *_through_royals(seen),
        *_put_elsewhere(seen),
        *_taken_off(seen),
        *_out_of_turn(seen),
    ]


def _refused(seen: Seen, walk: SeenWalk, log_prior: float) -> Story:
    """Return the explanation by a walk that the rules forbid, with the engine's reason."""
    refusal = GAME.play(seen.position, walk_along(walk.path))
    if isinstance(refusal, Outcome):
        message = f"the rules allow a walk that was taken for a mistake: {walk}"
        raise AssertionError(message)
    facts: JsonObject = {
        "player": seen.seat,
        "steps": len(walk.path),
        "slider": seen.position.slider,
        "to": NAMES[walk.end],
    }
    return replace(
        of_walk(seen, walk),
        log_prior=log_prior,
        code=refusal.code,
        rule=refusal.rule,
        cells=refusal.cells or (NAMES[walk.end],),
        facts=facts,
    )


def _miscounted(seen: Seen, legal: Iterable[SeenWalk]) -> list[Story]:
    """Walks of another number of steps than the slider shows."""
    allowed = {(walk.end, walk.new) for walk in legal}
    walks = best_walks(seen, steps=LONGEST, exactly=False, most_nodes=GLANCE)
    wrong = [w for w in walks if (w.end, w.new) not in allowed and not _fits(w, seen.position.slider)]
    return [_refused(seen, walk, MISCOUNTED) for walk in wrong[:DISTINCT]]


def _fits(walk: SeenWalk, slider: int) -> bool:
    """Return whether a walk can be lengthened, back and forth, to exactly that many steps."""
    return len(walk.path) <= slider and (slider - len(walk.path)) % 2 == 0


def _through_royals(seen: Seen) -> list[Story]:
    """Walks over spaces where other Royal Tees stand; only tried where one stands near enough."""
    others = seen.position.royals_but(seen.seat)
    if not within(seen.start, seen.position.slider - 1) & others:
        return []
    walks = best_walks(seen, steps=seen.position.slider, exactly=True, through_royals=True, most_nodes=GLANCE)
    through = [walk for walk in walks if any(others >> cell & 1 for cell in walk.path)]
    return [replace(_refused_at_full_length(seen, walk), log_prior=THROUGH_ROYAL) for walk in through[:2]]


def _refused_at_full_length(seen: Seen, walk: SeenWalk) -> Story:
    full = replace(walk, path=walk.as_long_as(seen.start, seen.position.slider, None))
    return _refused(seen, full, THROUGH_ROYAL)


def _put_elsewhere(seen: Seen) -> list[Story]:
    """The Royal Tee stands where it looks most like it, and was not walked there."""
    others = seen.position.royals_but(seen.seat)
    free = [CellIndex(i) for i in range(len(NAMES)) if i != seen.start and not others >> i & 1]
    end = max(free, key=lambda i: seen.royal[i] - seen.before[i])
    reachable = within(seen.start, seen.position.slider) >> end & 1
    code, rule = ("tees-missing", "3.1") if reachable else ("unreachable", "2.1")
    facts: JsonObject = {"player": seen.seat, "to": NAMES[end], "slider": seen.position.slider}
    story = of_jump(seen, end)
    return [replace(story, log_prior=PUT_ELSEWHERE, code=code, rule=rule, cells=(NAMES[end],), facts=facts)]


def _taken_off(seen: Seen) -> list[Story]:
    """The Royal Tee is nowhere; its space is bare or has got its tee."""
    start = NAMES[seen.start]
    with_tee = of_jump(seen, None)
    bare = replace(with_tee, expects={start: "empty"})
    facts = {"player": seen.seat}
    return [
        replace(s, log_prior=TAKEN_OFF, code="royal-missing", rule="3.2", cells=(start,), facts=facts)
        for s in (with_tee, bare)
    ]


def _out_of_turn(seen: Seen) -> list[Story]:
    """Another player's Royal Tee has walked."""
    moved = [
        seat
        for seat, royal in zip(seen.position.players, seen.position.royals, strict=True)
        if seat != seen.seat and seen.most_probable[royal] != royal_label(seat)
    ]
    stories = []
    for seat in moved:
        other = look(replace(seen.position, turn=seat), tuple(seen.left_open.values()), seen.evidence)
        for walk in best_walks(other, steps=LONGEST, exactly=False, most_nodes=GLANCE)[:2]:
            facts = {"player": seat, "turn": seen.seat, "to": NAMES[walk.end]}
            cells = (NAMES[other.start], NAMES[walk.end])
            story = replace(of_walk(other, walk), code="out-of-turn", rule="1.3", cells=cells, facts=facts)
            stories.append(replace(story, log_prior=OUT_OF_TURN))
    return stories

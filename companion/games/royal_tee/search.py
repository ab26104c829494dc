"""The walks that explain best what is seen: best-first search (A*) led by the evidence.

A walk matters only by where it ends, which new spaces it claims, and the fewest steps that do so: from the second step
on any walk can be lengthened by two, back and forth, over spaces that it has visited anyway. So a node is (space, new
spaces), and a walk of exactly n steps exists when the fewest are at most n and both are odd or both even.

A node's bound is what it has gained, plus all gains that are within reach of the steps left, plus the best end within
reach. It never is below what the node can lead to, but for one thing that is left out on purpose: an enclosure
counts ahead only where its wall is not refuted by what is seen. Such a walk is still scored rightly when it is met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from heapq import heappop, heappush
from math import inf
from typing import TypeAlias

from companion.core.inference import optional_log_likelihood
from companion.games.royal_tee.seen import Seen
from engines.grid import Bitboard, CellIndex, bit, cells_in, set_of
from engines.royal_tee.board import NEIGHBOURS, SIZE
from engines.royal_tee.rules import enclosed_by

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

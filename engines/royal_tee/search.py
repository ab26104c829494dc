"""Which walk to propose: the best of the moment, or the one that keeps most after the strongest reply.

An easy adviser takes most spaces for itself. A medium one takes most too, and of equal walks the one that leaves the
fewest spaces exposed: own ones so near to another Royal Tee that it can step there on its next walk. A strong one
answers the walks that take most, and those that come nearest to unclaimed spaces, with the next player's strongest
replies: it proposes the one after which it leads most when the next player has answered. Leads that differ little
count as equal; then the walk is taken that claims or approaches most of what is unclaimed, since the game ends only
with the last space. A walk that ends the game with a win is taken at once. Players of four are answered by the next
one only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.grid import Bitboard, CellIndex, cells_in
from engines.kernel import Advice, Level
from engines.royal_tee.board import NEIGHBOURS, SIZE
from engines.royal_tee.enclosure import enclosed_rows
from engines.royal_tee.position import LAST_SLIDER, Action, Pass, Position
from engines.royal_tee.replies import Replies
from engines.royal_tee.rules import can_walk, enclosed_by, walk_along
from engines.royal_tee.shapes import Fitting, Rows, count, of_turn, rows_of, set_of_rows, words_of

SURVEYED, FEW_REPLIES = 150, 12
"""So many of the walks that take most are answered with a few replies first."""

CANDIDATES = 10
"""So many of those that come off best are answered with all replies."""

FINISHERS = 16
"""So many of the walks that come nearest to spaces that nobody holds are answered besides."""

ENDS = 2
"""So many ends of each of them are tried, those nearest to a space that nobody holds first."""

REPLIES = 160
"""So many replies are looked at."""

UNCLAIMED_COSTS, AWAY_COSTS = 3.0, 2.0
"""What a space that nobody holds costs a finisher, and a step from its end to the nearest of them, in spaces."""

GRAIN, SAFE = 16, 64
"""Leads that differ by less than the first count as equal, and those above the second: then spaces that nobody holds
decide, since only they bring the game to its end."""

LATE, LATE_GRAIN = 16, 32
"""With so few spaces left that nobody holds, larger differences count as equal for a player who leads on the average of
both turns. That is never true of both players, so that one of two advisers ends the game."""

_LOST = -1000.0

_Counts = npt.NDArray[np.int64]
_Tried: TypeAlias = tuple[int, CellIndex]
"""A walk by the place of its set of spaces and its end."""


@dataclass(frozen=True, slots=True)
class _Worth:
    """What a turn comes to: the mover's spaces less the best other player's, and what happened to which spaces.

    Attributes:
        lead: the mover's spaces less the best other player's, after the turn.
        exposed: how many of the mover's spaces others can reach next.
        gained: spaces new to the mover.
        enclosed: how many of those were enclosed, not stepped on.
        taken: how many of those were another player's.
    """

    lead: int
    exposed: int
    gained: int
    enclosed: int
    taken: int


def advise(position: Position, *, level: Level = Level.STRONG) -> Advice[Action] | None:
    """Propose a walk; None when the game is over.

    Codes: "encloses", "takes" and "claims" by what brings the walk most, "nothing-new", and "boxed-in" for the pass.
    The numbers are those of the turn: "lead" (the mover's spaces less the best other player's), "exposed", "gained"
    (spaces new to the mover), and how many of those are "enclosed" and "taken". The value is the lead.
    """
    if position.over:
        return None
    reachable = _within_reach(position)
    own = position.claimed[position.place(position.turn)]
    if not can_walk(position):
        return _advice(Pass(), "boxed-in", _worth(position, own, own, reachable))
    turn = _Turn.of(position)
    place, end = turn.best(reachable, level)
    visited = set_of_rows(turn.fitting.rows[:, place])
    stepped = own | visited & ~position.royals_but(position.turn)
    worth = _worth(position, stepped, stepped | enclosed_by(position, position.turn, stepped), reachable)
    return _advice(walk_along(_example(turn.fitting, place, end)), _code(worth), worth)


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """All walks of the mover.

    Attributes:
        position: before the walk.
        fitting: the sets of spaces that can be visited, n of them.
        after: (12, n): the mover's spaces after each.
        own: (n,): how many they are.
    """

    position: Position
    fitting: Fitting
    after: Rows
    own: _Counts

    @classmethod
    def of(cls, position: Position) -> _Turn:
        """Play every set of spaces that can be visited."""
        held, place = of_turn(position), position.place(position.turn)
        stepped = held.rows | rows_of(position.claimed[place])[:, None]
        closed = rows_of(position.royals_but(position.turn))[:, None]
        after = stepped | enclosed_rows(stepped, position.zones[place]) & ~closed
        return cls(position, held, after, count(words_of(after)))

    def best(self, reachable: Bitboard, level: Level) -> _Tried:
        """Return the place of the best set and where the walk is to end."""
        if level is Level.STRONG:
            return self._best_answered()
        if level is Level.EASY:
            return self._any_end(int(self.own.argmax()))
        exposed = count(words_of(self.after & rows_of(reachable)[:, None]))
        return self._any_end(int(np.lexsort((exposed, -self.own))[0]))

    def _any_end(self, place: int) -> _Tried:
        return place, self.fitting.ends_of(place)[0]

    def _best_answered(self) -> _Tried:
        """Return what leaves the mover best off after the next player's reply; a win at once before that."""
        ending = map(int, np.flatnonzero(self._left_free() == 0))
        if won := [place for place in ending if self._lead(place) > 0]:
            return self._any_end(max(won, key=self._lead))
        replies = Replies.of(self.position, REPLIES)
        tried = [(place, end) for place in self._candidates(replies) for end in self._ends(place)] + self._finishers()
        places, ends = zip(*tried, strict=True)
        kept, theirs = replies.strongest(self.after[:, list(places)], ends, REPLIES)
        best = int(np.argmax(kept - theirs))
        ahead = self._lead(places[best]) + int(kept[best] - theirs[best]) > 0
        grain = LATE_GRAIN if ahead and self.position.unclaimed.bit_count() <= LATE else GRAIN
        leads = zip(map(int, kept), map(int, theirs), strict=True)
        values = [self._value(*walk, *lead, grain) for walk, lead in zip(tried, leads, strict=True)]
        return tried[int(np.argmax(values))]

    def _candidates(self, replies: Replies) -> list[int]:
        """Return the walks that take most and come off best against a few replies, wherever they end."""
        surveyed = np.argsort(-self.own, kind="stable")[:SURVEYED]
        ends = [self._any_end(int(surveyed[0]))[1]] * len(surveyed)
        kept, theirs = replies.strongest(self.after[:, surveyed], ends, FEW_REPLIES)
        return [int(place) for place in surveyed[np.argsort(theirs - kept, kind="stable")[:CANDIDATES]]]

    def _finishers(self) -> list[_Tried]:
        """List the walks that take most, less what their ends are away from a space that nobody holds."""
        walks = self.fitting.walks()
        shapes, (row, column) = self.fitting.shapes, self.fitting.start
        sets = np.searchsorted(self.fitting.which, shapes.of_walk[walks])
        ends = (shapes.ends[0, walks] + row) * SIZE + shapes.ends[1, walks] + column
        claimed = UNCLAIMED_COSTS * self._left_free()
        worth = (self.own - claimed)[sets] - AWAY_COSTS * _distances(self.position.unclaimed)[ends]
        best = np.argsort(-worth, kind="stable")[:FINISHERS]
        return [(int(sets[walk]), CellIndex(int(ends[walk]))) for walk in best]

    def _left_free(self) -> _Counts:
        """Count for each walk the spaces that nobody holds afterwards."""
        return count(words_of(rows_of(self.position.unclaimed)[:, None] & ~self.after))

    def _lead(self, place: int) -> int:
        after = set_of_rows(self.after[:, place])
        return after.bit_count() - max(
            (held & ~after).bit_count()
            for seat, held in zip(self.position.players, self.position.claimed, strict=True)
            if seat != self.position.turn
        )

    def _ends(self, place: int) -> list[CellIndex]:
        free = self.position.unclaimed & ~set_of_rows(self.after[:, place])
        return sorted(self.fitting.ends_of(place), key=lambda end: _away(end, free))[:ENDS]

    def _value(self, place: int, end: CellIndex, mine: int, theirs: int, grain: int) -> float:
        """Return what a walk is worth, the mover and the next player having so many spaces after the reply."""
        free = self.position.unclaimed & ~set_of_rows(self.after[:, place])
        if not free:
            return _LOST if self._lead(place) < 0 else float(self.own[place])
        lead = mine - theirs
        if lead < 0 and mine + theirs == SIZE * SIZE:
            return _LOST / 2 + lead
        unclaimed = free.bit_count() + _away(end, free) / (2 * SIZE)
        return grain * (min(lead, SAFE) // grain) - unclaimed + lead / 1000


def _distances(free: Bitboard) -> _Counts:
    """Return how many steps each space is away from the nearest of others, 0 if there is none."""
    return np.array([_away(CellIndex(index), free) for index in range(SIZE * SIZE)], np.int64)


def _away(end: CellIndex, free: Bitboard) -> int:
    """Count the steps from a space to the nearest of others, 0 if there is none."""
    row, column = divmod(end, SIZE)
    return min((abs(cell // SIZE - row) + abs(cell % SIZE - column) for cell in cells_in(free)), default=0)


def _example(held: Fitting, place: int, end: CellIndex) -> list[CellIndex]:
    """Return a walk that visits the set with this place and ends there."""
    row, column = end // SIZE - held.start[0], end % SIZE - held.start[1]
    ends = held.shapes.ends
    found = (held.shapes.of_walk == held.which[place]) & (ends[0] == row) & (ends[1] == column)
    down, right = held.shapes.examples[:, found.argmax()].astype(int)
    return [CellIndex(int(i)) for i in (down + held.start[0]) * SIZE + right + held.start[1]]


def _worth(position: Position, stepped: Bitboard, after: Bitboard, reachable: Bitboard) -> _Worth:
    """Weigh a turn: the mover's spaces once it has walked, and once it has enclosed; others can reach some next."""
    place = position.place(position.turn)
    others = [held for seat, held in enumerate(position.claimed) if seat != place]
    left = [(held & ~after).bit_count() for held in others]
    return _Worth(
        lead=after.bit_count() - max(left),
        exposed=(after & reachable).bit_count(),
        gained=(after & ~position.claimed[place]).bit_count(),
        enclosed=(after & ~stepped).bit_count(),
        taken=sum(held.bit_count() for held in others) - sum(left),
    )


def _within_reach(position: Position) -> Bitboard:
    """Return the spaces that the others' Royal Tees can step on with one step more than now."""
    steps = min(position.slider + 1, LAST_SLIDER)
    reached = frontier = position.royals_but(position.turn)
    for _ in range(steps):
        near = 0
        for cell in cells_in(frontier):
            for neighbour in NEIGHBOURS[cell]:
                near |= 1 << neighbour
        frontier = near & ~reached
        reached |= frontier
    return reached


def _code(held: _Worth) -> str:
    stepped = held.gained - held.enclosed
    if held.gained == 0:
        return "nothing-new"
    if held.enclosed > stepped:
        return "encloses"
    return "takes" if 2 * held.taken > held.gained else "claims"


def _advice(action: Action, code: str, held: _Worth) -> Advice[Action]:
    numbers = {
        "lead": held.lead,
        "exposed": held.exposed,
        "gained": held.gained,
        "enclosed": held.enclosed,
        "taken": held.taken,
    }
    return Advice(action, code, numbers, held.lead)

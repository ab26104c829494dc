"""Which walk to propose: the best of the moment, or the one that keeps most after the strongest reply.

An easy adviser takes most spaces for itself. A medium one takes most too, and of equal walks the one that leaves the
fewest spaces exposed: own ones so near to another Royal Tee that it can step there on its next walk. A strong one
looks at the replies to the walks that take most: it proposes the one after which it keeps most spaces when the next
player has answered. Since spaces that stay unclaimed go on with the game for ever, each costs it a little, and a
walk that ends the game with a win is taken at once. Players of four are answered by the next one only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.kernel import Advice, Level, Seat
from engines.royal_tee.board import NEIGHBOURS, SIZE, Bitboard, CellIndex, spaces_in
from engines.royal_tee.enclosure import enclosed_rows
from engines.royal_tee.position import LAST_SLIDER, Action, Pass, Position
from engines.royal_tee.rules import after_walk, can_walk, enclosed_by, walk_along
from engines.royal_tee.shapes import Fitting, Rows, count, fitting, of_turn, rows_of, set_of_rows, words_of

CANDIDATES = 8
"""So many of the walks that take most are answered."""

ENDS = 2
"""So many ends of each of them are tried, those nearest to a space that nobody holds first."""

REPLIES = 40
"""So many of the replies that take most by stepping are tried with what they enclose."""

UNCLAIMED_COSTS, AWAY_COSTS = 1.0, 0.3
"""What a space that nobody holds costs, and a step from the end of the walk to the nearest of them, in spaces."""

LAST, LAST_COST = 4, 3.0
"""What each of the last spaces that nobody holds costs besides for a player who leads: leaders end the game."""

_LOST = -1000.0

_Counts = npt.NDArray[np.int64]


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

    def best(self, reachable: Bitboard, level: Level) -> tuple[int, CellIndex]:
        """Return the place of the best set and where the walk is to end."""
        if level is Level.STRONG:
            return self._best_answered()
        if level is Level.EASY:
            return self._any_end(int(self.own.argmax()))
        exposed = count(words_of(self.after & rows_of(reachable)[:, None]))
        return self._any_end(int(np.lexsort((exposed, -self.own))[0]))

    def _any_end(self, place: int) -> tuple[int, CellIndex]:
        return place, self.fitting.ends_of(place)[0]

    def _best_answered(self) -> tuple[int, CellIndex]:
        """Return what keeps most spaces after the next player's reply; a win at once before that."""
        free = self._left_free()
        ending = np.flatnonzero(free == 0)
        won = [int(place) for place in ending if self._lead(int(place)) > 0]
        if won:
            return self._any_end(max(won, key=self._lead))
        order = np.argsort(-self.own, kind="stable")[:CANDIDATES]
        tried = [(int(place), end) for place in order for end in self._ends(int(place))]
        return max(tried, key=lambda walk: self._kept(*walk))

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

    def _kept(self, place: int, end: CellIndex) -> float:
        """Return what a walk is worth: the spaces kept after the strongest reply, less what is still unclaimed."""
        position, mover = self.position, self.position.turn
        after = after_walk(position, end, set_of_rows(self.fitting.rows[:, place])).position
        if after.over:
            return _LOST if self._lead(place) < 0 else float(self.own[place])
        free = after.unclaimed
        costs = UNCLAIMED_COSTS * free.bit_count() + AWAY_COSTS * _away(end, free)
        if self._lead(place) > 0:
            costs += LAST_COST * min(free.bit_count(), LAST)
        return _kept_after_reply(after, mover) - costs


def _kept_after_reply(position: Position, mover: Seat) -> int:
    """Count the mover's spaces after the reply by which the next player's spaces, and the mover's losses, are most."""
    place, replier = position.place(mover), position.place(position.turn)
    mine, theirs = position.claimed[place], position.claimed[replier]
    stepped = _stepped_most(position, mine)
    if not stepped.size:
        return mine.bit_count()
    closed = rows_of(position.royals_but(position.turn))[:, None]
    after = stepped | rows_of(theirs)[:, None]
    after |= enclosed_rows(after, position.zones[replier]) & ~closed
    kept = count(words_of(rows_of(mine)[:, None] & ~after))
    return int(kept[np.argmax(count(words_of(after)) - kept)])


def _stepped_most(position: Position, mine: Bitboard) -> Rows:
    """Return the sets, (12, n), by which a reply takes most: what was the mover's counts twice."""
    held = fitting(position.royal(position.turn), position.slider, 0)
    closed, taken, free = (
        words_of(rows_of(s))[:, None] for s in (position.royals_but(position.turn), mine, position.unclaimed)
    )
    gained = 2 * count(held.words & taken) + count(held.words & free)
    gained[(held.words & closed).any(axis=0)] = -1
    best = np.argpartition(-gained, REPLIES)[:REPLIES] if len(gained) > REPLIES else np.arange(len(gained))
    return np.ascontiguousarray(held.rows[:, best[gained[best] >= 0]])


def _away(end: CellIndex, free: Bitboard) -> int:
    """Count the steps from a space to the nearest of others, 0 if there is none."""
    row, column = divmod(end, SIZE)
    return min((abs(cell // SIZE - row) + abs(cell % SIZE - column) for cell in spaces_in(free)), default=0)


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
        for cell in spaces_in(frontier):
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

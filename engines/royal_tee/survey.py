"""All walks of the mover as sets of spaces, each played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.grid import Bitboard, CellIndex, cells_in
from engines.royal_tee.board import SIZE
from engines.royal_tee.enclosure import enclosed_rows
from engines.royal_tee.position import Position
from engines.royal_tee.shapes import Counts, Fitting, Rows, count, of_turn, rows_of, set_of_rows, words_of

Tried: TypeAlias = tuple[int, CellIndex]
"""A walk by the place of its set of spaces and its end."""


@dataclass(frozen=True, slots=True, eq=False)
class Holdings:
    """Who holds what on n boards.

    Attributes:
        mine: (12, n): the mover's spaces.
        others: (12, n) each: those of the others, the next player's first.
    """

    mine: Rows
    others: tuple[Rows, ...]

    def lead(self) -> Counts:
        """Return how many spaces more the mover has than the best other player, (n,)."""
        most = np.max([count(words_of(held)) for held in self.others], axis=0)
        return np.asarray(count(words_of(self.mine)) - most)

    def unclaimed(self) -> Counts:
        """Count the unclaimed spaces, (n,)."""
        claimed = sum(count(words_of(held)) for held in (self.mine, *self.others))
        return np.asarray(SIZE * SIZE - claimed)


@dataclass(frozen=True, eq=False)
class WalkSurvey:
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
    own: Counts

    @classmethod
    def of(cls, position: Position) -> WalkSurvey:
        """Play every set of spaces that can be visited."""
        held, place = of_turn(position), position.place(position.turn)
        stepped = held.rows | rows_of(position.claimed[place])[:, None]
        closed = rows_of(position.royals_but(position.turn))[:, None]
        after = stepped | enclosed_rows(stepped, position.zones[place]) & ~closed
        return cls(position, held, after, count(words_of(after)))

    @cached_property
    def left(self) -> Counts:
        """For each set the number of unclaimed spaces afterwards."""
        return count(words_of(rows_of(self.position.unclaimed)[:, None] & ~self.after))

    def unclaimed_after(self, place: int) -> Bitboard:
        """Return the spaces unclaimed after a walk."""
        return self.position.unclaimed & ~set_of_rows(self.after[:, place])

    def holdings(self, places: Sequence[int] | npt.NDArray[np.intp]) -> Holdings:
        """Return who holds what after some of the walks."""
        mine, mover = self.after[:, list(places)], self.position.place(self.position.turn)
        others = (held for place, held in enumerate(self.position.claimed) if place != mover)
        return Holdings(mine, tuple(rows_of(held)[:, None] & ~mine for held in others))

    def any_end(self, place: int) -> Tried:
        """Return a walk that visits a set."""
        return place, self.fitting.ends_of(place)[0]

    def example(self, place: int, end: CellIndex) -> list[CellIndex]:
        """Return the steps of a walk that visits the set with this place and ends there."""
        held = self.fitting
        row, column = end // SIZE - held.start[0], end % SIZE - held.start[1]
        ends = held.shapes.ends
        found = (held.shapes.of_walk == held.which[place]) & (ends[0] == row) & (ends[1] == column)
        down, right = held.shapes.examples[:, found.argmax()].astype(int)
        return [CellIndex(int(i)) for i in (down + held.start[0]) * SIZE + right + held.start[1]]


def distances(spaces: Bitboard) -> Counts:
    """Return how many steps each space of the board is away from the nearest of others, 0 if there is none."""
    rows, columns = np.divmod(np.arange(SIZE * SIZE), SIZE)
    there = np.array(cells_in(spaces), np.int64)
    if not there.size:
        return np.zeros(SIZE * SIZE, np.int64)
    apart = np.abs(rows[:, None] - there // SIZE) + np.abs(columns[:, None] - there % SIZE)
    nearest: Counts = apart.min(axis=1)
    return nearest

"""The strong adviser's look ahead: a walk, the next player's strongest reply, and the best walk after that.

Leads swing from turn to turn, so what counts is the average of the mover's leads on both sides of the reply. The more
spaces are left unclaimed, the longer the game goes on and the less a lead says; and only those spaces bring the
game to its end, so that a player ahead gains by every one that is claimed.

Walks are chosen in three rounds. Those that take most are held against a few replies; the best of them, and the walks
that come nearest to unclaimed spaces, against many; and for the best of those the mover's own next walk is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.grid import Bitboard, CellIndex, bit, cells_in
from engines.royal_tee.board import SIZE, Side
from engines.royal_tee.position import LAST_SLIDER, Position
from engines.royal_tee.rules import enclosed_rows
from engines.royal_tee.shapes import (
    Counts,
    Fitting,
    Rows,
    count,
    fitting,
    longest,
    of_turn,
    rows_of,
    set_of_rows,
    words_of,
)

# ---- what each walk takes

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


_BARRED, _ENDING = -1000, 500


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """The replies that are looked at.

    Attributes:
        rows: (12, k): the sets of spaces that they visit, those that take most first.
        others: the spaces of the players but the mover now, the next player's first.
        zone: the side of the next player's zone.
        closed: the spaces of Royal Tees that stay where they are.
    """

    rows: Rows
    others: tuple[Bitboard, ...]
    zone: Side
    closed: Bitboard

    @classmethod
    def of(cls, position: Position, most: int) -> Replies:
        """Find the next player's walks that take most as the board is now, the mover's Royal Tee being elsewhere."""
        place = position.place(position.turn)
        following = (place + 1) % len(position.players)
        slider = min(position.slider + (following == 0), LAST_SLIDER)
        others, zone = (*position.claimed[place + 1 :], *position.claimed[:place]), position.zones[following]
        still = (royal for seat, royal in enumerate(position.royals) if seat not in (place, following))
        closed = sum(bit(royal) for royal in still)
        rows = fitting(position.royals[following], slider, closed).rows
        stepped = rows | rows_of(others[0])[:, None]
        after = stepped | enclosed_rows(stepped, zone) & ~rows_of(closed)[:, None]
        best = np.argsort(-count(words_of(after)), kind="stable")[:most]
        return cls(np.ascontiguousarray(rows[:, best]), others, zone, closed)

    def strongest(self, mine: Rows, ends: Sequence[CellIndex], most: int) -> Holdings:
        """Answer several walks of the mover, each with that of the first replies that is best for who makes it.

        Args:
            mine: (12, n): the mover's spaces after each walk.
            ends: where each walk ends.
            most: that many replies are tried.

        Returns:
            Who holds what after the replies; as before if no reply is possible.
        """
        rows, theirs = self.rows[:, None, :most], (rows_of(self.others[0])[:, None] & ~mine)[:, :, None]
        closed = np.stack([rows_of(self.closed | bit(end)) for end in ends], axis=1)[:, :, None]
        stepped = rows | theirs
        flat = stepped.reshape(len(stepped), -1)
        after = stepped | enclosed_rows(flat, self.zone).reshape(stepped.shape) & ~closed
        held, kept = count(words_of(after)), count(words_of(mine[:, :, None] & ~after))
        barred: npt.NDArray[np.bool_] = np.bitwise_or.reduce(rows & closed, axis=0) != 0
        ending = _ENDING * (held + kept == SIZE * SIZE) * np.sign(held - kept)
        best = np.where(barred, _BARRED, held - kept + ending).argmax(axis=1)
        each = np.arange(len(best))
        now = np.where(barred[each, best], theirs[:, :, 0], after[:, each, best])
        left = (rows_of(held)[:, None] & ~mine & ~now for held in self.others[1:])
        return Holdings(mine & ~now, (now, *left))


# ---- looking ahead

SURVEYED, FEW_REPLIES = 150, 12
"""This many of the walks that take most are answered with a few replies first."""

CANDIDATES = 10
"""This many of those that come off best are answered with all replies."""

FINISHERS = 16
"""This many of the walks that come nearest to unclaimed spaces are answered besides."""

ENDS = 2
"""This many ends of each of them are tried, those nearest to an unclaimed space first."""

REPLIES = 160
"""This many replies are looked at."""

FOLLOWED = 12
"""For this many walks the mover's next one is looked at."""

UNCLAIMED_COSTS, AWAY_COSTS = 3.0, 2.0
"""What an unclaimed space costs a finisher, and a step from its end to the nearest of them, in spaces."""

SWING, SETTLED = 3.0, 4.0
"""How fast leads lose their meaning with the number of unclaimed spaces, and what is added to that number."""

PROGRESS = 0.01
"""What an unclaimed space less is worth, so that advisers bring games to their end."""

AWAY = 0.3
"""As how many such spaces a step to the nearest of them counts."""

SLACK = 4
"""How many spaces a player ahead may fall behind on the average for that."""

WON = 2.0
"""What a game won is worth; every other outlook is below 1."""

_Outlooks: TypeAlias = npt.NDArray[np.float64]


def best_walk(survey: WalkSurvey) -> Tried:
    """Return what leaves the mover best off: a win at once before that, and another end of the game after it."""
    ending = np.flatnonzero(survey.left == 0)
    leads = survey.holdings(ending).lead()
    if (leads > 0).any():
        return survey.any_end(int(ending[leads.argmax()]))
    replies = Replies.of(survey.position, REPLIES)
    # list the walks to be tried, without those that end the game
    taking = [(place, end) for place in _candidates(survey, replies) for end in _ends(survey, place)]
    if tried := [(place, end) for place, end in dict.fromkeys([*taking, *_finishers(survey)]) if survey.left[place]]:
        return _Lookahead.of(survey, tried, replies).best()
    return survey.any_end(int(ending[leads.argmax()]))


@dataclass(frozen=True, slots=True, eq=False)
class _Lookahead:
    """The walks that are tried, each with the next player's strongest reply.

    Attributes:
        survey: all walks.
        tried: those that are tried, n of them.
        answered: who holds what after the replies.
        away: (n,): as how many unclaimed spaces the way to the nearest of them counts.
    """

    survey: WalkSurvey
    tried: Sequence[Tried]
    answered: Holdings
    away: _Outlooks

    @classmethod
    def of(cls, survey: WalkSurvey, tried: Sequence[Tried], replies: Replies) -> _Lookahead:
        """Answer walks."""
        places, ends = zip(*tried, strict=True)
        away = np.array([AWAY * distances(survey.unclaimed_after(place))[end] for place, end in tried])
        return cls(survey, tried, replies.strongest(survey.after[:, list(places)], ends, REPLIES), away)

    def best(self) -> Tried:
        """Return the walk with the best outlook once the mover has walked again.

        A player ahead takes one that claims or approaches an unclaimed space. So of two players who look ahead
        one brings the game to its end, since no space is ever unclaimed again.
        """
        lead = self.answered.lead()
        average = (self.survey.holdings([place for place, _ in self.tried]).lead() + lead) / 2
        first = outlook(average, lead, self.answered.unclaimed(), self.away)
        best = self._best_of(first, lead)
        onward = self._progress() & (average > -SLACK)
        if average[best] > 0 and onward.any():
            best = self._best_of(np.where(onward, first, -np.inf), lead)
        return self.tried[best]

    def _best_of(self, first: _Outlooks, lead: Counts) -> int:
        followed = [int(each) for each in np.argsort(-first, kind="stable")[:FOLLOWED] if first[each] > -np.inf]
        return max(followed, key=lambda each: self._followed(each, int(lead[each])))

    def _progress(self) -> npt.NDArray[np.bool_]:
        """Return which walks claim or approach an unclaimed space."""
        position = self.survey.position
        left = self.survey.left[[place for place, _ in self.tried]]
        now = position.unclaimed.bit_count() + AWAY * distances(position.unclaimed)[position.royal(position.turn)]
        return np.asarray(left + self.away < now)

    def _followed(self, each: int, lead: int) -> float:
        """Return the best outlook that the mover's next walk can reach, after one walk with its reply."""
        position, (_, end) = self.survey.position, self.tried[each]
        mine, others = self.answered.mine[:, [each]], [held[:, [each]] for held in self.answered.others]
        if not self.answered.unclaimed()[each]:
            return float(final(lead))
        stepped = longest(end, min(position.slider + 1, LAST_SLIDER)) | mine
        zone = position.zones[position.place(position.turn)]
        after = stepped | enclosed_rows(stepped, zone)
        then = Holdings(after, tuple(held & ~after for held in others))
        leads = then.lead()
        return float(outlook((lead + leads) / 2, leads, then.unclaimed(), self.away[each]).max())


def outlook(average: npt.ArrayLike, lead: npt.ArrayLike, unclaimed: npt.ArrayLike, away: npt.ArrayLike) -> _Outlooks:
    """Return what positions are worth, from -WON to WON: near 1 for who is as good as certain to win.

    Args:
        average: the mover's lead on the average of both players' turns.
        lead: the mover's lead now, which decides where nothing is left to claim.
        unclaimed: how many spaces are unclaimed.
        away: what the way to them adds to that number.
    """
    left = np.asarray(unclaimed, np.float64) + np.asarray(away, np.float64)
    leads = np.asarray(average, np.float64)
    going_on = np.tanh(leads / (SWING * np.sqrt(left + SETTLED))) - PROGRESS * left
    return np.where(np.asarray(unclaimed) == 0, final(lead), going_on)


def final(lead: npt.ArrayLike) -> _Outlooks:
    """Return what leads are worth at the end of the game; of wins, and of losses, the larger is the better."""
    held: _Outlooks = WON * np.sign(lead) + np.asarray(lead) / (SIZE * SIZE)
    return held


def _candidates(survey: WalkSurvey, replies: Replies) -> list[int]:
    """Return the walks that take most and come off best against a few replies, wherever they end."""
    surveyed = np.argsort(-survey.own, kind="stable")[:SURVEYED]
    ends = [survey.any_end(int(surveyed[0]))[1]] * len(surveyed)
    lead = replies.strongest(survey.after[:, surveyed], ends, FEW_REPLIES).lead()
    return [int(place) for place in surveyed[np.argsort(-lead, kind="stable")[:CANDIDATES]]]


def _ends(survey: WalkSurvey, place: int) -> list[CellIndex]:
    away = distances(survey.unclaimed_after(place))
    return sorted(survey.fitting.ends_of(place), key=lambda end: away[end])[:ENDS]


def _finishers(survey: WalkSurvey) -> list[Tried]:
    """List the walks that take most, less what their ends are away from an unclaimed space."""
    walks = survey.fitting.walks()
    shapes, (row, column) = survey.fitting.shapes, survey.fitting.start
    sets = np.searchsorted(survey.fitting.which, shapes.of_walk[walks])
    ends = (shapes.ends[0, walks] + row) * SIZE + shapes.ends[1, walks] + column
    away = distances(survey.position.unclaimed)[ends]
    worth = (survey.own - UNCLAIMED_COSTS * survey.left)[sets] - AWAY_COSTS * away
    best = np.argsort(-worth, kind="stable")[:FINISHERS]
    return [(int(sets[walk]), CellIndex(int(ends[walk]))) for walk in best]

"""The strong adviser's lookahead: a walk, the next player's strongest reply, and the best walk after that.

Leads swing from turn to turn, so the value is the average of the mover's leads before and after the reply. The more
spaces are unclaimed, the longer the game lasts and the less a lead means. Only those spaces bring the game to its end,
so a player ahead gains by every one that is claimed.

Walks are chosen in three rounds. Those that take most are tried against a few replies; the best of them, and the walks
that come nearest to unclaimed spaces, against many; and for the best of those the mover's own next walk is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.grid import Bitboard, CellIndex, bit, cells_in
from engines.royal_tee.board import SIZE, Side
from engines.royal_tee.position import LAST_SLIDER, Position
from engines.royal_tee.rules import enclosed_rows
from engines.royal_tee.shapes import Counts, Fitting, Rows, count, fitting, longest, of_turn, rows_of, set_of_rows

# ---- what each walk takes

Tried: TypeAlias = tuple[int, CellIndex]
"""A walk as the index of its set of spaces and its end."""


@dataclass(frozen=True, eq=False)
class Holdings:
    """The owners of spaces on n boards.

    Attributes:
        mine: (12, n): the mover's spaces.
        others: (12, n) each: those of the others, the next player's first.
    """

    mine: Rows
    others: tuple[Rows, ...]

    def lead(self) -> Counts:
        """Return the mover's spaces less those of the best other player, (n,)."""
        mine, *others = self._counts
        return np.asarray(mine - np.max(others, axis=0))

    def unclaimed(self) -> Counts:
        """Count the unclaimed spaces, (n,)."""
        return np.asarray(SIZE * SIZE - sum(self._counts))

    @cached_property
    def _counts(self) -> list[Counts]:
        return [count(held) for held in (self.mine, *self.others)]


@dataclass(frozen=True, eq=False)
class WalkSurvey:
    """All walks of the mover.

    Attributes:
        position: before the walk.
        fitting: the n sets of spaces that can be visited.
        after: (12, n): the mover's spaces after each.
        own: (n,): the number of these spaces.
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
        return cls(position, held, after, count(after))

    @cached_property
    def left(self) -> Counts:
        """The number of unclaimed spaces after each set, (n,)."""
        return count(rows_of(self.position.unclaimed)[:, None] & ~self.after)

    def unclaimed_after(self, place: int) -> Bitboard:
        """Return the unclaimed spaces after a walk."""
        return self.position.unclaimed & ~set_of_rows(self.after[:, place])

    def holdings(self, places: Sequence[int] | npt.NDArray[np.intp]) -> Holdings:
        """Return the owners of spaces after some of the walks."""
        mine, mover = self.after[:, list(places)], self.position.place(self.position.turn)
        others = (held for place, held in enumerate(self.position.claimed) if place != mover)
        return Holdings(mine, tuple(rows_of(held)[:, None] & ~mine for held in others))

    def any_end(self, place: int) -> Tried:
        """Return a walk that visits a set."""
        return place, self.fitting.ends_of(place)[0]

    def example(self, place: int, end: CellIndex) -> list[CellIndex]:
        """Return the steps of a walk that visits the set at this index and ends there."""
        held, shapes = self.fitting, self.fitting.shapes
        found = (shapes.of_walk == held.which[place]) & (held.cells(shapes.ends) == end)
        steps: list[CellIndex] = held.cells(shapes.examples[:, found.argmax()]).tolist()
        return steps


def distances(spaces: Bitboard) -> Counts:
    """Return the steps from each space of the board to the nearest of `spaces`, (144,); 0 if there is none."""
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
    """The replies that are considered.

    Attributes:
        rows: (12, k): the sets of spaces that they visit, those that take most first.
        others: the spaces of the players other than the mover, the next player's first.
        zone: the side of the next player's zone.
        closed: the spaces of Royal Tees that do not move.
    """

    rows: Rows
    others: tuple[Bitboard, ...]
    zone: Side
    closed: Bitboard

    @classmethod
    def of(cls, position: Position, most: int) -> Replies:
        """Find the next player's walks that take most on the current board, without the mover's Royal Tee."""
        place = position.place(position.turn)
        following = (place + 1) % len(position.players)
        slider = min(position.slider + (following == 0), LAST_SLIDER)
        others, zone = (*position.claimed[place + 1 :], *position.claimed[:place]), position.zones[following]
        still = (royal for seat, royal in enumerate(position.royals) if seat not in (place, following))
        closed = sum(bit(royal) for royal in still)
        rows = fitting(position.royals[following], slider, closed).rows
        stepped = rows | rows_of(others[0])[:, None]
        after = stepped | enclosed_rows(stepped, zone) & ~rows_of(closed)[:, None]
        best = np.argsort(-count(after), kind="stable")[:most]
        return cls(np.ascontiguousarray(rows[:, best]), others, zone, closed)

    def strongest(self, mine: Rows, ends: Sequence[CellIndex], most: int) -> Holdings:
        """Answer several walks of the mover, each with the best of the first replies for the replying player.

        Args:
            mine: (12, n): the mover's spaces after each walk.
            ends: the end of each walk.
            most: the number of replies that are tried.


        Returns:
            The owners of spaces after the replies; unchanged if no reply is possible.
        """
        rows, theirs = self.rows[:, None, :most], (rows_of(self.others[0])[:, None] & ~mine)[:, :, None]
        closed = np.stack([rows_of(self.closed | bit(end)) for end in ends], axis=1)[:, :, None]
        stepped = rows | theirs
        flat = stepped.reshape(len(stepped), -1)
        after = stepped | enclosed_rows(flat, self.zone).reshape(stepped.shape) & ~closed
        held, kept = count(after), count(mine[:, :, None] & ~after)
        barred: npt.NDArray[np.bool_] = np.bitwise_or.reduce(rows & closed, axis=0) != 0
        ending = _ENDING * (held + kept == SIZE * SIZE) * np.sign(held - kept)
        best = np.where(barred, _BARRED, held - kept + ending).argmax(axis=1)
        each = np.arange(len(best))
        now = np.where(barred[each, best], theirs[:, :, 0], after[:, each, best])
        left = (rows_of(held)[:, None] & ~mine & ~now for held in self.others[1:])
        return Holdings(mine & ~now, (now, *left))


# ---- looking ahead

SURVEYED, FEW_REPLIES = 150, 12
"""The number of walks that take most and are first answered with few replies, and the number of these replies."""

CANDIDATES = 10
"""The number of the best of those that are answered with all replies."""

FINISHERS = 16
"""The number of additional walks that come nearest to unclaimed spaces."""

ENDS = 2
"""The number of ends of each walk that are tried, those nearest to an unclaimed space first."""

REPLIES = 160
"""The number of replies that are considered."""

FOLLOWED = 12
"""The number of walks for which the mover's next one is considered."""

UNCLAIMED_COSTS, AWAY_COSTS = 3.0, 2.0
"""The costs of an unclaimed space, and of a step from a finisher's end to the nearest one, in spaces."""

SWING, SETTLED = 3.0, 4.0
"""How fast leads lose their meaning with the number of unclaimed spaces, and an offset added to that number."""

PROGRESS = 0.01
"""The value of one unclaimed space less, so that advisers bring games to their end."""

AWAY = 0.3
"""The number of unclaimed spaces that a step to the nearest of them counts for."""

SLACK = 4
"""The number of spaces that a player ahead may fall behind on average for that."""

WON = 2.0
"""The value of a won game; every other outlook is below 1."""

_Outlooks: TypeAlias = npt.NDArray[np.float64]


def best_walk(survey: WalkSurvey) -> Tried:
    """Return the walk with the best outlook: an immediate win first, any other end of the game last."""
    ending = np.flatnonzero(survey.left == 0)
    leads = survey.holdings(ending).lead()
    if (leads > 0).any():
        return survey.any_end(int(ending[leads.argmax()]))
    replies = Replies.of(survey.position, REPLIES)
    # the walks to be tried, without those that end the game
    taking: list[Tried] = []
    surveyed = np.argsort(-survey.own, kind="stable")[:SURVEYED]
    anywhere = [survey.any_end(int(surveyed[0]))[1]] * len(surveyed)
    answered = replies.strongest(survey.after[:, surveyed], anywhere, FEW_REPLIES).lead()
    for place in map(int, surveyed[np.argsort(-answered, kind="stable")[:CANDIDATES]]):
        away = distances(survey.unclaimed_after(place))
        taking += [(place, end) for end in sorted(survey.fitting.ends_of(place), key=away.__getitem__)[:ENDS]]
    if tried := [(place, end) for place, end in dict.fromkeys([*taking, *_finishers(survey)]) if survey.left[place]]:
        return _best_answered(survey, tried, replies)
    return survey.any_end(int(ending[leads.argmax()]))


def _best_answered(survey: WalkSurvey, tried: Sequence[Tried], replies: Replies) -> Tried:
    """Return the walk with the best outlook after the next player's strongest reply and the mover's next walk.

    A player ahead takes one that claims or approaches an unclaimed space. So one of two players who look ahead
    brings the game to its end, because a claimed space never becomes unclaimed.
    """
    position, places = survey.position, [place for place, _ in tried]
    # 1. the owners after the replies, and the way to the nearest unclaimed space, counted in unclaimed spaces, (n,)
    answered = replies.strongest(survey.after[:, places], [end for _, end in tried], REPLIES)
    away = np.array([AWAY * distances(survey.unclaimed_after(place))[end] for place, end in tried])
    lead, unclaimed = answered.lead(), answered.unclaimed()
    average = (survey.holdings(places).lead() + lead) / 2
    first = outlook(average, lead, unclaimed, away)

    @cache
    def followed(each: int) -> float:
        """Return the best outlook that the mover's next walk can reach, after one walk with its reply."""
        if not unclaimed[each]:
            return float(final(int(lead[each])))
        stepped = longest(tried[each][1], min(position.slider + 1, LAST_SLIDER)) | answered.mine[:, [each]]
        after = stepped | enclosed_rows(stepped, position.zones[position.place(position.turn)])
        then = Holdings(after, tuple(held[:, [each]] & ~after for held in answered.others))
        leads = then.lead()
        return float(outlook((lead[each] + leads) / 2, leads, then.unclaimed(), away[each]).max())

    def best_of(outlooks: _Outlooks) -> int:
        likely = (int(each) for each in np.argsort(-outlooks, kind="stable")[:FOLLOWED])
        return max((each for each in likely if outlooks[each] > -np.inf), key=followed)

    # 2. of those that are best so far the one that is best after the next walk
    best = best_of(first)
    # 3. for a player ahead, of the walks that claim or approach an unclaimed space
    now = position.unclaimed.bit_count() + AWAY * distances(position.unclaimed)[position.royal(position.turn)]
    onward = np.asarray(survey.left[places] + away < now) & (average > -SLACK)
    if average[best] > 0 and onward.any():
        best = best_of(np.where(onward, first, -np.inf))
    return tried[best]


def outlook(average: npt.ArrayLike, lead: npt.ArrayLike, unclaimed: npt.ArrayLike, away: npt.ArrayLike) -> _Outlooks:
    """Return the value of positions, from -WON to WON; near 1 for a mover who is almost certain to win.

    Args:
        average: the mover's average lead over both players' turns.
        lead: the mover's lead now, which decides if nothing is left to claim.
        unclaimed: the number of unclaimed spaces.
        away: what the way to them adds to that number.
    """
    left = np.asarray(unclaimed, np.float64) + np.asarray(away, np.float64)
    leads = np.asarray(average, np.float64)
    going_on = np.tanh(leads / (SWING * np.sqrt(left + SETTLED))) - PROGRESS * left
    return np.where(np.asarray(unclaimed) == 0, final(lead), going_on)


def final(lead: npt.ArrayLike) -> _Outlooks:
    """Return the value of leads at the end of the game; a larger win, or a smaller loss, is better."""
    held: _Outlooks = WON * np.sign(lead) + np.asarray(lead) / (SIZE * SIZE)
    return held


def _finishers(survey: WalkSurvey) -> list[Tried]:
    """Return the walks that take most, less the distance of their ends from unclaimed spaces."""
    walks, sets = survey.fitting.walks()
    ends = survey.fitting.cells(survey.fitting.shapes.ends[:, walks])
    away = distances(survey.position.unclaimed)[ends]
    worth = (survey.own - UNCLAIMED_COSTS * survey.left)[sets] - AWAY_COSTS * away
    best = np.argsort(-worth, kind="stable")[:FINISHERS]
    return [(int(sets[walk]), CellIndex(int(ends[walk]))) for walk in best]

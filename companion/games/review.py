"""What a played game shows afterwards: what decisions cost, who had luck, and single feats. Pure, for any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

from companion.games.discovery import Parts
from companion.games.engines import ENGINES
from companion.games.record import GameRecord, replay
from companion.locale import _
from companion.ui.names import Names
from engines.kernel import Event, Outcome, Seat, ToAct


@dataclass(frozen=True, slots=True)
class Turn:
    """One action of a finished or unfinished game with what came of it.

    Attributes:
        number: counted from 1.
        by: who was to act.
        action: what was played.
        before, after: the positions around it.
        events: what it caused.
    """

    number: int
    by: ToAct
    action: Any
    before: Any
    after: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Something of every player over a game.

    Attributes:
        title: what it is, for the axis of a plot.
        values: by player, an action's number (0: the beginning) and the value after it.
    """

    title: str
    values: Mapping[Seat, Sequence[tuple[int, float]]]


@dataclass(frozen=True, slots=True)
class Review:
    """What is to be said of a game after its end.

    Attributes:
        sentences: about the whole game, one each.
        remarks: about single actions, by their number.
        curve: what shows the course of the game better than the score; None if nothing does.
    """

    sentences: tuple[str, ...] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)
    curve: Curve | None = None


NOTHING = Review()

Reviewer: TypeAlias = Callable[[Sequence[Turn], Names], Review]

REVIEWS: Mapping[str, Reviewer] = Parts("review", "review")
"""What each game has to say after its end, by the game's name; a game without a `review` module says nothing."""


def turns_of(record: GameRecord) -> Iterator[Turn]:
    """Return the legal actions of a record in order."""
    before = record.start
    for ply in replay(record):
        if not isinstance(ply.outcome, Outcome):
            return
        yield Turn(ply.number, ply.by, ply.action, before, ply.outcome.position, ply.outcome.events)
        before = ply.outcome.position


def review_of(game: str, turns: Sequence[Turn], names: Names) -> Review:
    """Return what a game has to say about how it was played."""
    return REVIEWS[game](turns, names) if game in REVIEWS else NOTHING


# ---- the course of a game

MOST_MOMENTS = 4
"""This many moments of a game are shown."""


def score_curve(game: str, start: object, turns: Sequence[Turn]) -> Curve:
    """Return every player's points after every action."""
    scores = [ENGINES[game].game.score(position) for position in (start, *(turn.after for turn in turns))]
    seats = [seat for seat in scores[-1] if seat in scores[0]]
    numbers = [0, *(turn.number for turn in turns)]
    values = {
        seat: [(number, float(score.get(seat, 0))) for number, score in zip(numbers, scores, strict=True)]
        for seat in seats
    }
    return Curve(_("points"), values)


def moments(curve: Curve, most: int = MOST_MOMENTS) -> list[int]:
    """Return the numbers of the actions at which the players' values changed most against each other, in order.

    A change between two known values belongs to the last action before the later one.
    """
    changes = _changes(curve.values)
    largest = sorted(changes, key=lambda number: (changes[number], number), reverse=True)[:most]
    return sorted(number for number in largest if changes[number] > 0)


def _changes(values: Mapping[Seat, Sequence[tuple[int, float]]]) -> dict[int, float]:
    """Return by action how far apart the largest rise and the largest fall of a player's value are."""
    rises: dict[int, list[float]] = {}
    for points in values.values():
        for number, rise in _rises(points):
            rises.setdefault(number, []).append(rise)
    return {number: max(0.0, *found) - min(0.0, *found) for number, found in rises.items()}


def _rises(points: Sequence[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    for (_earlier, before), (number, after) in pairwise(points):
        yield number, after - before

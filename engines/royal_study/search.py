"""The fewest steps, the lines of fewest steps, and advice. The tables are computed on the first call.

A card may be turned at any time, so that only its final orientation counts. The least total is therefore the minimum,
over all orientations of the cards and both orders of meeting them, of the turnings and the moves on the way (RULES.md,
section 3). Lines that differ only in when cards are turned count as one: cards are turned first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations, product

import numpy as np
from numpy.typing import NDArray

from engines.kernel import Advice, BadRequestError, Json, JsonObject, Level
from engines.royal_study.action_codec import action_to_json
from engines.royal_study.board import NAMES, SQUARES, Piece
from engines.royal_study.graph import Graph, Indices, graph
from engines.royal_study.placement import Placement, Way, colouring, missing_pieces, turned
from engines.royal_study.position import (
    FIRST_LEVEL,
    MOST_STEPS,
    Action,
    Await,
    Call,
    Match,
    Move,
    Position,
    Puzzle,
    Say,
    Step,
    Target,
    Turning,
    puzzle_of,
)

Line = tuple[Step, ...]

_QUARTERS: tuple[tuple[Way, ...], ...] = (
    (),
    (Way.CLOCKWISE,),
    (Way.COUNTER_CLOCKWISE,),
    (Way.CLOCKWISE, Way.CLOCKWISE),
)
_MIRRORED: tuple[tuple[Way, ...], ...] = (
    (Way.LEFT_RIGHT,),
    (Way.TOP_BOTTOM,),
    (Way.CLOCKWISE, Way.LEFT_RIGHT),
    (Way.CLOCKWISE, Way.TOP_BOTTOM),
)
WAYS_TO_LIE: Mapping[int, tuple[tuple[Way, ...], ...]] = {1: ((),), 2: _QUARTERS, 3: (*_QUARTERS, *_MIRRORED)}
"""The orientations of a card on each level, each by the fewest turnings; every turning costs a step."""


@dataclass(frozen=True, slots=True, eq=False)
class _Route:
    """A way to solve a puzzle: turnings, moves to one of some placements, then to the nearest of others, if any.

    Attributes:
        turnings: the turnings of the cards, which come first.
        stops: the placements that meet the first card.
        moves: the fewest moves of the whole way over each stop.
        rest: the placements that meet the second card, too; for one card the stops themselves.
    """

    turnings: Line
    stops: Indices
    moves: NDArray[np.integer]
    rest: Indices

    @property
    def steps(self) -> int:
        """The fewest steps of this way."""
        return len(self.turnings) + int(self.moves.min())


def least(puzzle: Puzzle) -> int:
    """Return the fewest steps that solve a puzzle.

    Raises:
        BadRequestError: the puzzle has no pieces yet.
    """
    marked = puzzle.marked()
    return min((route.steps for route in _routes(_tables(marked), marked)), default=0)


def best_line(puzzle: Puzzle) -> Line:
    """Return a line of fewest steps; empty if the puzzle is solved."""
    return next(best_lines(puzzle))


def best_lines(puzzle: Puzzle) -> Iterator[Line]:
    """Yield every line of fewest steps once, cards turned first; there can be very many."""
    puzzle = puzzle.marked()
    tables = _tables(puzzle)
    routes = _routes(tables, puzzle)
    if not routes:
        yield ()
        return
    # the lines of the quickest routes; one comes more than once if a placement meets two cards
    here, fewest, found = tables.number[puzzle.pieces], min(route.steps for route in routes), set[Line]()
    for route in (route for route in routes if route.steps == fewest):
        for line in ((*route.turnings, *moves) for moves in _ways(tables, here, route)):
            if line not in found:
                found.add(line)
                yield line


def solve(position: Position, most_lines: int = 0) -> JsonObject:
    """Return the answer to the protocol's `solve`: {"least": n, "line": [steps]}, for the cards that were not met.

    Args:
        position: a bare puzzle, or a match.
        most_lines: the largest number of best lines under "lines"; none by default.
    """
    puzzle = puzzle_of(position)
    line = best_line(puzzle)
    answer: dict[str, Json] = {"least": len(line), "line": _line_to_json(line)}
    if most_lines:
        answer["lines"] = [_line_to_json(line) for line in islice(best_lines(puzzle), most_lines)]
    return answer


def _line_to_json(line: Line) -> list[Json]:
    return [action_to_json(step) for step in line]


_SPARE: Mapping[Level, int] = {Level.EASY: 3, Level.MEDIUM: 1, Level.STRONG: 0}
"""How many steps above the least number an adviser calls, or accepts without a challenge."""


def advise(position: Position, *, level: Level = Level.STRONG) -> Advice[Action] | None:
    """Return a proposal for the player who decides; None if nobody does.

    An easy or medium adviser calls a number some steps above the least one, and challenges only larger ones.

    The value is the fewest steps from here to the end of the task, so less is better. Codes: "least-total" for the
    number to name; "fewer-are-enough", "none-fewer" and "named-too-few" for the answer to it; "best-line" for a step,
    "out-of-reach" for giving up; alone "fewer-are-enough" for trying again and "none-fewer" for going on. Numbers:
    "least", and where there are such "called", "left" and "steps" (made in the execution that has ended).
    """
    if isinstance(position, Puzzle):
        return _advise_step(position, None)
    match position.awaits:
        case Await.CALL:
            steps = least(position.puzzle)
            number = min(steps + _SPARE[level], MOST_STEPS)
            return Advice(Call(number, position.turn), "least-total", {"least": steps}, steps)
        case Await.CHALLENGE:
            return _advise_answer(position, _SPARE[level])
        case Await.EXECUTE:
            return _advise_step(position.puzzle, position.limit - position.used)
        case Await.NEXT:
            return _advise_next(position)
    return None


def _advise_answer(match: Match, spare: int) -> Advice[Action]:
    steps, called = least(match.puzzle), match.called or 0
    numbers = {"least": steps, "called": called}
    if steps + spare < called:
        return Advice(Say.CHALLENGE, "fewer-are-enough", numbers, steps)
    return Advice(Say.DECLINE, "named-too-few" if steps > called else "none-fewer", numbers, steps)


def _advise_step(puzzle: Puzzle, left: int | None) -> Advice[Action] | None:
    """Return the next step, or giving up if it takes more steps than are left (None: any number)."""
    line = best_line(puzzle)
    if not line:
        return None
    numbers = {"least": len(line)} if left is None else {"least": len(line), "left": left}
    if left is not None and len(line) > left:
        return Advice(Say.GIVE_UP, "out-of-reach", numbers, len(line))
    return Advice(line[0], "best-line", numbers, len(line))


def _advise_next(match: Match) -> Advice[Action]:
    """Return trying again if it could have been done in fewer steps, else the next card or the end."""
    steps = least(match.begun or match.puzzle)
    numbers = {"least": steps, "steps": match.used}
    if not match.puzzle.solved or match.used > steps:
        return Advice(Say.AGAIN, "fewer-are-enough", numbers, steps)
    return Advice(Say.NEXT if len(match.deck) >= match.terms.cards else Say.STOP, "none-fewer", numbers, 0)


def _tables(puzzle: Puzzle) -> Graph:
    shade = colouring(puzzle.pieces)
    if shade is None:
        raise BadRequestError("there is nothing to solve before the pieces have been placed")
    return graph(shade)


def _routes(tables: Graph, puzzle: Puzzle) -> list[_Route]:
    """Return a route for every order and orientation of the cards not met yet; empty if there are none."""
    here = tables.number[puzzle.pieces]
    # the orientations of each card: the turnings for it, and the placements that meet it
    views = [
        [
            (tuple(Turning(way, place) for way in ways), tables.showing(turned(target.picture, *ways)))
            for ways in WAYS_TO_LIE[puzzle.level]
        ]
        for place, target in enumerate(puzzle.targets)
        if place in puzzle.open_targets
    ]
    away = tables.distances_to(here)
    if len(views) == 1:
        return [_Route(turnings, goals, away[goals], goals) for turnings, goals in views[0]]
    onward = [[(tables.distances_to(*goals.tolist()), turnings, goals) for turnings, goals in one] for one in views]
    return [
        _Route((*first, *second), stops, away[stops].astype(np.int32) + to_second[stops], rest)
        for one, other in permutations(range(len(views)), 2)
        for (first, stops), (to_second, second, rest) in product(views[one], onward[other])
    ]


def _ways(tables: Graph, here: int, route: _Route) -> Iterator[Line]:
    """Yield every shortest path of a route: to each of its best stops, and on to each of the nearest of the rest."""
    for stop in map(int, route.stops[route.moves == route.moves.min()]):
        distances = tables.distances_to(stop)[route.rest]
        goals = [int(goal) for goal in route.rest[distances == distances.min()]]
        for moves in _paths(tables, here, stop):
            yield from ((*moves, *rest) for goal in goals for rest in _paths(tables, stop, goal))


def _paths(tables: Graph, here: int, goal: int) -> Iterator[Line]:
    """Yield every shortest path from one placement to another."""
    if here == goal:
        yield ()
        return
    neighbours = tables.neighbours[here]
    distances = tables.distances_to(goal)[neighbours]
    for there in map(int, neighbours[distances == distances.min()]):
        before = tables.placements[here]
        after = tables.placements[there]
        start, end = sorted((s for s in SQUARES if before[s] != after[s]), key=lambda square: before[square] == ".")
        move = Move(Piece(before[start]), NAMES[start], NAMES[end])
        for rest in _paths(tables, there, goal):
            yield (move, *rest)


# ---- how hard the cards of a deck are


DIFFICULTIES = ("easy", "medium", "hard")
"""The names of the thirds of a deck, from the fewest to the most steps."""


@lru_cache(maxsize=8)
def difficulties(cards: tuple[Placement, ...], level: int = FIRST_LEVEL) -> tuple[str, ...]:
    """Return the difficulty of each card of a deck: its third by the mean of the least steps to it.

    The steps are those from every other card that shows all pieces, as in a match.
    """
    starts = [card for card in cards if not missing_pieces(card)]
    means = [
        np.mean([least(Puzzle(start, (Target(card),), level)) for start in starts if start != card] or [0])
        for card in cards
    ]
    order = sorted(range(len(cards)), key=lambda number: (means[number], number))
    third = {number: place * len(DIFFICULTIES) // len(cards) for place, number in enumerate(order)}
    return tuple(DIFFICULTIES[third[number]] for number in range(len(cards)))

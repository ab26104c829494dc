"""All that may have happened to the pieces of The Royal Study, as hypotheses for the core to weigh.

The log priors are relative to a single move, which has 0. They are estimates, not measurements. What a piece is the
position before says better than the picture, which therefore counts for little (`IDENTITY_ERROR`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import TableLikelihood, table_likelihood
from companion.games.royal_study.labels import WORDS, look_of, placement
from companion.games.royal_study.mistakes import Explanation, mistakes
from engines.kernel import Outcome
from engines.royal_study import GAME
from engines.royal_study.board import NAMES
from engines.royal_study.placement import Placement
from engines.royal_study.position import Await, Match, Move, Position, puzzle_of
from engines.royal_study.steps import moved, moves

IDENTITY_ERROR = 0.05
"""How often the look of a piece does not say which piece it is, however certain the reading is."""

NOTHING = 2.0  # nobody has moved yet: seven times as often as any one of the moves has been made
FOLLOWED = -4.0  # for each further move that one look in fifty comes too late to see apart
MOST_MOVES = 3  # between two looks: about a thousand placements, found in some milliseconds
MOST_PLACEMENTS = 32  # so many placements are weighed; the others explain worse what is seen

Chain: TypeAlias = tuple[Move, ...]


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """List what may have happened since a position, led by what is seen."""
    seen = table_likelihood(placement(position), left_open, evidence)
    nothing: Explanation = Hypothesis(Kind.UNCHANGED, NOTHING, optional=tuple(seen.left_open.values()))
    allowed = [nothing, *(_moving(position, seen) if _may_move(position) else ())]
    return [*allowed, *mistakes(position, seen, allowed)]


def _may_move(position: Position) -> bool:
    return not isinstance(position, Match) or position.awaits is Await.EXECUTE


def _moving(position: Position, seen: TableLikelihood) -> Iterator[Explanation]:
    """Return the moves, and the chains of moves, that explain best what is seen."""
    reached = chains(puzzle_of(position).pieces)
    table = {(cell, letter): seen.gain(cell, word) for cell in seen.before for letter, word in WORDS.items()}

    def score(there: Placement) -> float:
        gains = (table.get(on, 0.0) for on in zip(NAMES, there, strict=True))
        return sum(gains) + _prior(reached[there][0])

    for there in nlargest(MOST_PLACEMENTS, reached, key=score):
        yield from _outcomes(position, seen, there, reached[there])


def _prior(chain: Chain) -> float:
    return FOLLOWED * (len(chain) - 1)


def _outcomes(
    position: Position, seen: TableLikelihood, there: Placement, ways: Sequence[Chain]
) -> Iterator[Explanation]:
    """Return a hypothesis for each position that the rules make of a placement: on the way a card may be met."""
    expects = seen.changed(look_of(there))
    after: dict[Position, Chain] = {}
    for chain in ways:
        played = _play(position, chain)
        if played is not None:
            after.setdefault(played, chain)
    for played, chain in after.items():
        first, *then = chain
        optional = seen.still_open(expects)
        yield Hypothesis(Kind.LEGAL, _prior(chain), expects, optional, action=first, then=tuple(then), position=played)


def _play(position: Position, chain: Chain) -> Position | None:
    """Make the moves; None if the execution ends before the last of them."""
    for move in chain:
        result = GAME.play(position, move)
        if not isinstance(result, Outcome):
            return None
        position = result.position
    return position


# ---- moves in a row, made before anybody looked again


@lru_cache(maxsize=16)
def chains(pieces: Placement) -> Mapping[Placement, tuple[Chain, ...]]:
    """Return the shortest ways to every other placement within a number of moves, in every order."""
    found: dict[Placement, tuple[Chain, ...]] = {pieces: ((),)}
    latest = found
    for _ in range(MOST_MOVES):
        latest = _one_further(latest, found)
        found = found | latest
    return {placement: ways for placement, ways in found.items() if placement != pieces}


def _one_further(
    latest: Mapping[Placement, tuple[Chain, ...]], known: Mapping[Placement, tuple[Chain, ...]]
) -> dict[Placement, tuple[Chain, ...]]:
    further: dict[Placement, list[Chain]] = {}
    for pieces, ways in latest.items():
        for move in moves(pieces):
            there = moved(pieces, move)
            if there not in known:
                further.setdefault(there, []).extend((*way, move) for way in ways)
    return {placement: tuple(ways) for placement, ways in further.items()}

"""The best walk by a named measure: the lead.

The lead is the mover's spaces less those of the best other player, once the turn is over: stepped on, enclosed and
taken alike. One turn is looked at, no replies: at slider 9 there are some 80,000 of them to every walk. Of walks with
the same lead the one is proposed that leaves the fewest spaces exposed: own ones so near to another Royal Tee that it
can step there on its next walk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engines.kernel import Advice
from engines.royal_tee.board import NEIGHBOURS, Bitboard, CellIndex, spaces_in
from engines.royal_tee.position import LAST_SLIDER, Action, Pass, Position
from engines.royal_tee.rules import choices, enclosed_by, walk_along
from engines.royal_tee.walks import DistinctWalk


@dataclass(frozen=True, slots=True, order=True)
class _Worth:
    """What a turn comes to; more is better, the lead before the rest.

    Attributes:
        lead: the mover's spaces less the best other player's, after the turn.
        exposed: how many of the mover's spaces others can reach next, as a negative number: fewer is better.
        gained: spaces new to the mover.
        enclosed: how many of those were enclosed, not stepped on.
        taken: how many of those were another player's.
    """

    lead: int
    exposed: int
    gained: int
    enclosed: int
    taken: int


def advise(position: Position) -> Advice[Action] | None:
    """Propose the walk with the best lead; None when the game is over.

    Codes: "encloses", "takes" and "claims" by what brings the walk most, "nothing-new", and "boxed-in" for the pass.
    The numbers are those of the turn: "lead", "exposed", "gained" (spaces new to the mover), and how many of those are
    "enclosed" and "taken". The value is the lead.
    """
    if position.over:
        return None
    reachable = _within_reach(position)
    walks = [choice for choice in choices(position) if isinstance(choice, DistinctWalk)]
    if not walks:
        own = position.claimed[position.place(position.turn)]
        return _advice(Pass(), "boxed-in", _worth(position, own, own, reachable))
    best, its_worth = _best(position, walks, reachable)
    return _advice(walk_along(best.example), _code(its_worth), its_worth)


def _best(position: Position, walks: Iterable[DistinctWalk], reachable: Bitboard) -> tuple[DistinctWalk, _Worth]:
    """Give the best walk; where a walk ends changes nothing of its worth, so each set of spaces is weighed once."""
    by_spaces = {walk.visited: walk for walk in walks}
    worths = {visited: _worth_of_walk(position, visited, reachable) for visited in by_spaces}
    best = max(worths, key=worths.__getitem__)
    return by_spaces[best], worths[best]


def _worth_of_walk(position: Position, visited: Bitboard, reachable: Bitboard) -> _Worth:
    own = position.claimed[position.place(position.turn)]
    stepped = own | visited & ~position.royals_but(position.turn)
    return _worth(position, stepped, stepped | enclosed_by(position, position.turn, stepped), reachable)


def _worth(position: Position, stepped: Bitboard, after: Bitboard, reachable: Bitboard) -> _Worth:
    """Weigh a turn: the mover's spaces once it has walked, and once it has enclosed; others can reach some next."""
    place = position.place(position.turn)
    others = [held for seat, held in enumerate(position.claimed) if seat != place]
    left = [(held & ~after).bit_count() for held in others]
    return _Worth(
        lead=after.bit_count() - max(left),
        exposed=-(after & reachable).bit_count(),
        gained=(after & ~position.claimed[place]).bit_count(),
        enclosed=(after & ~stepped).bit_count(),
        taken=sum(held.bit_count() for held in others) - sum(left),
    )


def _within_reach(position: Position) -> Bitboard:
    """Give the spaces that the others' Royal Tees can step on with one more step than now, the slider's next place."""
    steps = min(position.slider + 1, LAST_SLIDER)
    reached = frontier = position.royals_but(position.turn)
    for _ in range(steps):
        frontier = _beside(spaces_in(frontier)) & ~reached
        reached |= frontier
    return reached


def _beside(cells: Iterable[CellIndex]) -> Bitboard:
    spaces = 0
    for cell in cells:
        for neighbour in NEIGHBOURS[cell]:
            spaces |= 1 << neighbour
    return spaces


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
        "exposed": -held.exposed,
        "gained": held.gained,
        "enclosed": held.enclosed,
        "taken": held.taken,
    }
    return Advice(action, code, numbers, held.lead)

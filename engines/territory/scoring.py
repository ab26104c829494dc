"""The score of Territory: each player's best group of spaces that share edges (RULES.md, section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engines.grid import Bitboard
from engines.kernel import Seat
from engines.territory.board import HIGHEST_NUMBER, LOWEST_NUMBER, Board
from engines.territory.position import Position

POINTS: Mapping[int, int] = {
    number: 13 - 2 * (6 - abs(7 - number)) for number in range(LOWEST_NUMBER, HIGHEST_NUMBER + 1)
}
"""The points of a space by its number: 13 less twice the ways of rolling it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Connected spaces of one player, and their points."""

    spaces: Bitboard
    points: int


def groups(board: Board, spaces: Bitboard) -> Iterator[Group]:
    """Yield the connected groups of spaces; corners do not connect."""
    while spaces:
        group = spaces & -spaces
        while grown := board.beside(group) & spaces & ~group:
            group |= grown
        counts = ((group & board.spaces_of[number]).bit_count() * points for number, points in POINTS.items())
        yield Group(group, sum(counts))
        spaces ^= group


@lru_cache(maxsize=256)  # the spaces of all but the mover stay as they are while the mover's choices are weighed
def best_group(board: Board, spaces: Bitboard) -> Group:
    """Return the group with the most points, of equal ones the first from the top left; an empty one if none."""
    return max(groups(board, spaces), key=lambda group: group.points, default=Group(0, 0))


def score(position: Position) -> Mapping[Seat, int]:
    """Return the points of each player's best group; white pieces are nobody's yet."""
    owners = zip(position.players, position.owners, strict=True)
    return {seat: best_group(position.board, spaces).points for seat, spaces in owners}

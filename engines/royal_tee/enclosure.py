"""Which spaces a player's own spaces and zone cut off from the outside (RULES.md, section 4).

The ring of 52 places around the board is outside, but for the twelve before the player's zone, which are wall. The ring
need not be drawn: every edge space touches an open place of it, except the ten inner ones of the zone's side (a corner
space touches the ring round the corner). A flood of all spaces at once starts from those edge spaces.
"""

from __future__ import annotations

from engines.royal_tee.board import ALL_SPACES, SIZE, Bitboard, CellIndex, Side, set_of

_LAST = SIZE - 1


def _line(first: int, stride: int) -> Bitboard:
    return set_of(CellIndex(first + stride * k) for k in range(SIZE))


_EDGES = {
    Side.BOTTOM: _line(SIZE * _LAST, 1),
    Side.RIGHT: _line(_LAST, SIZE),
    Side.TOP: _line(0, 1),
    Side.LEFT: _line(0, SIZE),
}
_BESIDE_THE_RING: dict[Side, Bitboard] = {
    zone: _EDGES[others[0]] | _EDGES[others[1]] | _EDGES[others[2]]
    for zone in Side
    for others in [[side for side in Side if side is not zone]]
}
_NOT_FIRST_COLUMN = ALL_SPACES & ~_EDGES[Side.LEFT]
_NOT_LAST_COLUMN = ALL_SPACES & ~_EDGES[Side.RIGHT]


def enclosed(own: Bitboard, zone: Side) -> Bitboard:
    """Give the spaces outside `own` that no steps to 8 neighbours over spaces outside `own` join to the open ring."""
    passable = ALL_SPACES & ~own
    reached = _BESIDE_THE_RING[zone] & passable
    before = 0
    while reached != before:
        before = reached
        wide = reached | (reached & _NOT_LAST_COLUMN) << 1 | (reached & _NOT_FIRST_COLUMN) >> 1
        reached = (wide | wide << SIZE | wide >> SIZE) & passable
    return passable & ~reached

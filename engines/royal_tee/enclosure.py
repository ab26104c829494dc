"""Which spaces a player's own spaces and zone cut off from the outside (RULES.md, section 4).

The ring of 52 places around the board is outside, but for the twelve before the player's zone, which are wall. The ring
need not be drawn: every edge space touches an open place of it, except the ten inner ones of the zone's side (a corner
space touches the ring round the corner). A flood of all spaces at once starts from those edge spaces.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
    """Return the spaces outside `own` that no steps to 8 neighbours over spaces outside `own` join to the open ring."""
    passable = ALL_SPACES & ~own
    reached = _BESIDE_THE_RING[zone] & passable
    before = 0
    while reached != before:
        before = reached
        wide = reached | (reached & _NOT_LAST_COLUMN) << 1 | (reached & _NOT_FIRST_COLUMN) >> 1
        reached = (wide | wide << SIZE | wide >> SIZE) & passable
    return passable & ~reached


_BORDERS: dict[Side, tuple[int, int, int]] = {
    zone: (
        (1 << SIZE) - 1 if zone is not Side.TOP else 1 | 1 << _LAST,
        (1 << SIZE) - 1 if zone is not Side.BOTTOM else 1 | 1 << _LAST,
        (zone is not Side.LEFT) | (zone is not Side.RIGHT) << _LAST,
    )
    for zone in Side
}
"""For each zone the spaces beside the open ring: those of the top row, of the bottom row, and of any row between."""


def enclosed_rows(own: npt.NDArray[np.uint16], zone: Side) -> npt.NDArray[np.uint16]:
    """Return what `enclosed` returns, for many sets at once: both as rows, (12, n) uint16.

    The flood goes down and up the rows until nothing changes; within a row it fills all that is joined.
    """
    passable = ~own & np.uint16((1 << SIZE) - 1)
    top, bottom, between = _BORDERS[zone]
    reached = passable & np.uint16(between)
    reached[0], reached[_LAST] = passable[0] & np.uint16(top), passable[_LAST] & np.uint16(bottom)
    before = None
    while before is None or not np.array_equal(before, reached):
        before = reached.copy()
        for row in range(SIZE):
            _fill_row(reached, passable, row, row - 1)
        for row in range(_LAST, -1, -1):
            _fill_row(reached, passable, row, row + 1)
    return passable & ~reached


_DOUBLING = tuple(np.uint16(width) for width in (1, 2, 4, 8))


def _fill_row(reached: npt.NDArray[np.uint16], passable: npt.NDArray[np.uint16], row: int, beside: int) -> None:
    """Let the flood come into a row from the one beside it, and fill what is joined to it there."""
    open_row, filled = passable[row], reached[row]
    if 0 <= beside < SIZE:
        near = reached[beside]
        filled = filled | (near | near << _DOUBLING[0] | near >> _DOUBLING[0]) & open_row
    left, right, way = filled, filled, open_row
    for width in _DOUBLING:
        left = left | left << width & way
        right = right | right >> width & _shifted_way(open_row, width)
        way = way & way << width
    reached[row] = left | right


def _shifted_way(open_row: npt.NDArray[np.uint16], width: np.uint16) -> npt.NDArray[np.uint16]:
    """Return the spaces from which `width` steps to the higher columns stay on open spaces, themselves included."""
    way, done = open_row, np.uint16(1)
    while done < width:
        way, done = way & way >> done, np.uint16(2 * done)
    return way

"""Which spaces a player's own spaces and zone cut off from the outside (RULES.md, section 4).

The ring of 52 places around the board is outside, but for the twelve before the player's zone, which are wall. The ring
need not be drawn: every edge space touches an open place of it, except the ten inner ones of the zone's side (a corner
space touches the ring round the corner). A flood of all spaces at once starts from those edge spaces.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.grid import Bitboard, CellIndex, set_of
from engines.royal_tee.board import ALL_SPACES, SIZE, Side

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


Rows: TypeAlias = npt.NDArray[np.uint16]

_ONE, _ROW = np.uint16(1), np.uint16((1 << SIZE) - 1)
_MIRROR: Rows = np.array([int(f"{row:0{SIZE}b}"[::-1], 2) for row in range(1 << SIZE)], np.uint16)
"""Each row with its spaces in the other order."""

_BORDERS: dict[Side, tuple[int, int, int]] = {
    zone: (
        (1 << SIZE) - 1 if zone is not Side.TOP else 1 | 1 << _LAST,
        (1 << SIZE) - 1 if zone is not Side.BOTTOM else 1 | 1 << _LAST,
        (zone is not Side.LEFT) | (zone is not Side.RIGHT) << _LAST,
    )
    for zone in Side
}
"""For each zone the spaces beside the open ring: those of the top row, of the bottom row, and of any row between."""


def enclosed_rows(own: Rows, zone: Side) -> Rows:
    """Return what `enclosed` returns, for many sets at once: both as rows, (12, n) uint16."""
    passable = ~own & _ROW
    top, bottom, between = _BORDERS[zone]
    reached = passable & np.uint16(between)
    reached[0], reached[_LAST] = passable[0] & np.uint16(top), passable[_LAST] & np.uint16(bottom)
    _flood(reached, passable)
    dry: Rows = passable & ~reached
    return dry


def _flood(reached: Rows, passable: Rows) -> None:
    """Let the flood go down and up the rows; the sets in which it could go on after that are flooded once more."""
    mirrored = _MIRROR[passable]
    for row in range(SIZE):
        _fill_row(reached, passable, mirrored, row, row - 1)
    for row in range(_LAST - 1, -1, -1):
        _fill_row(reached, passable, mirrored, row, row + 1)
    going_on = np.flatnonzero((_widened(reached) & passable & ~reached).any(axis=0))
    if going_on.size:
        some = reached[:, going_on]
        _flood(some, passable[:, going_on])
        reached[:, going_on] = some


def _widened(reached: Rows) -> Rows:
    """Return the spaces and their eight neighbours; bits beyond a row do no harm."""
    wide: Rows = reached | reached << _ONE | reached >> _ONE
    wide[1:] |= wide[:-1].copy()
    wide[:-1] |= wide[1:].copy()
    return wide


def _fill_row(reached: Rows, passable: Rows, mirrored: Rows, row: int, beside: int) -> None:
    """Let the flood come into a row from the one beside it, and fill what is joined to it there.

    Adding a space to a run of open ones carries through to the end of the run; the other way it does in the mirror.
    """
    filled, open_row, open_mirrored = reached[row], passable[row], mirrored[row]
    if beside >= 0:
        near = reached[beside]
        filled = filled | (near | near << _ONE | near >> _ONE) & open_row
    turned = _MIRROR[filled]
    back = (open_mirrored + turned ^ open_mirrored) & open_mirrored
    reached[row] = filled | (open_row + filled ^ open_row) & open_row | _MIRROR[back]

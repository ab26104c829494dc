"""The rules once more, space by space and walk by walk: slow, plain, and without the engine's ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines.royal_tee.board import SIZE, Bitboard, CellIndex, Side
from engines.royal_tee.position import Position

_Place = tuple[int, int]  # row, column; the ring has -1 and SIZE


def enclosed(own: Bitboard, zone: Side) -> Bitboard:
    """Flood from a corner of the ring, place by place; what stays dry and is not own is enclosed."""
    dry = {place for place in _places() if not _is_own(own, place) and not _is_zone(zone, place)}
    ring = [(row, column) for row, column in dry if row in (-1, SIZE) or column in (-1, SIZE)]
    flood = list(ring)
    dry -= set(ring)
    while flood:
        row, column = flood.pop()
        near = {(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & dry
        dry -= near
        flood += near
    return sum(1 << row * SIZE + column for row, column in dry)


def _places() -> Iterator[_Place]:
    return ((row, column) for row in range(-1, SIZE + 1) for column in range(-1, SIZE + 1))


def _is_own(own: Bitboard, place: _Place) -> bool:
    row, column = place
    return 0 <= row < SIZE and 0 <= column < SIZE and bool(own >> row * SIZE + column & 1)


def _is_zone(zone: Side, place: _Place) -> bool:
    row, column = place
    along_row, along_column = 0 <= column < SIZE, 0 <= row < SIZE
    return {
        Side.BOTTOM: row == SIZE and along_row,
        Side.TOP: row == -1 and along_row,
        Side.RIGHT: column == SIZE and along_column,
        Side.LEFT: column == -1 and along_column,
    }[zone]


def outcomes(position: Position, steps: int) -> Counter[tuple[CellIndex, Bitboard]]:
    """Walk every walk of the mover one after the other; count them by end and spaces visited."""
    closed = {royal for seat, royal in zip(position.players, position.royals, strict=True) if seat != position.turn}
    start = position.royal(position.turn)
    return Counter(_walks(start, frozenset(closed), 1 << start, steps))


def _walks(
    cell: CellIndex, closed: frozenset[CellIndex], visited: Bitboard, steps: int
) -> Iterator[tuple[CellIndex, Bitboard]]:
    if steps == 0:
        yield cell, visited
        return
    row, column = divmod(cell, SIZE)
    for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        there = CellIndex((row + down) * SIZE + column + right)
        if 0 <= row + down < SIZE and 0 <= column + right < SIZE and there not in closed:
            yield from _walks(there, closed, visited | 1 << there, steps - 1)

"""The rules once more, space by space and walk by walk: slow, plain, and without the engine's ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engines.grid import Bitboard, cells_in
from engines.royal_tee.board import SIZE, Side
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


Found = dict[tuple[int, frozenset[int]], list[Any]]


def listing(position: Position) -> list[dict[str, Any]]:
    """List the distinct walks as the protocol does, each with the first walk that was found as its example."""
    closed = {
        int(royal) for seat, royal in zip(position.players, position.royals, strict=True) if seat != position.turn
    }
    start, found = int(position.royal(position.turn)), Found()
    _go_on(start, closed, (), frozenset([start]), position.slider, found)
    names = ["ABCDEFGHIJKL"[index % SIZE] + str(index // SIZE + 1) for index in range(SIZE * SIZE)]
    return [
        {
            "walk": [names[cell] for cell in walk],
            "end": names[end],
            "visited": sorted(names[cell] for cell in visited),
            "walks": walks,
        }
        for (end, visited), (walk, walks) in found.items()
    ]


def _go_on(
    cell: int, closed: set[int], walked: tuple[int, ...], visited: frozenset[int], steps: int, found: Found
) -> None:
    if steps == 0:
        found.setdefault((cell, visited), [walked, 0])[1] += 1
        return
    row, column = divmod(cell, SIZE)
    for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        there = (row + down) * SIZE + column + right
        if 0 <= row + down < SIZE and 0 <= column + right < SIZE and there not in closed:
            _go_on(there, closed, (*walked, there), visited | {there}, steps - 1, found)


# ---- a whole turn


@dataclass
class Table:
    """A game by places: who owns each, where each Royal Tee stands."""

    zones: dict[str, Side]
    royals: dict[str, _Place]
    owners: dict[_Place, str]

    @property
    def over(self) -> bool:
        return len(self.owners) == SIZE * SIZE

    @classmethod
    def of(cls, position: Position) -> Table:
        """Lay a position out."""
        seats = zip(position.players, position.claimed, strict=True)
        return cls(
            dict(zip(position.players, position.zones, strict=True)),
            {seat: divmod(position.royal(seat), SIZE) for seat in position.players},
            {divmod(cell, SIZE): seat for seat, spaces in seats for cell in cells_in(spaces)},
        )

    def points(self) -> dict[str, int]:
        return {seat: list(self.owners.values()).count(seat) for seat in self.royals}

    def steps(self, seat: str, place: _Place) -> list[_Place]:
        """List the next places for a Royal Tee: above, right, below, left, as far as there are any."""
        row, column = place
        near = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        closed = [royal for other, royal in self.royals.items() if other != seat]
        return [(r, c) for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE and (r, c) not in closed]

    def walk(self, seat: str, walked: list[_Place]) -> None:
        """Claim what is walked over, and then what is enclosed by it."""
        for place in [self.royals[seat], *walked]:
            self.owners[place] = seat
        self.royals[seat] = walked[-1]
        own = sum(1 << row * SIZE + column for (row, column), owner in self.owners.items() if owner == seat)
        cut_off = enclosed(own, self.zones[seat])
        closed = [royal for other, royal in self.royals.items() if other != seat]
        for row in range(SIZE):
            for column in range(SIZE):
                if cut_off >> row * SIZE + column & 1 and (row, column) not in closed:
                    self.owners[row, column] = seat

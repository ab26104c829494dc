"""The shapes of walks: the spaces that a walk of some length visits and its end, relative to its start.

The spaces alone determine where a Royal Tee may step, so a walk is legal exactly if all spaces that it visits are on
the board and free of other Royal Tees. The distinct walks of a length are therefore listed once, on a board without
edges; the walks from a space are the shapes that fit there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engines.grid import Bitboard, CellIndex
from engines.royal_tee.board import SIZE
from engines.royal_tee.position import LAST_SLIDER, Position

Rows: TypeAlias = npt.NDArray[np.uint16]
Counts: TypeAlias = npt.NDArray[np.int64]
_Ints: TypeAlias = npt.NDArray[np.int32]

_MIDDLE = LAST_SLIDER
_SPAN = 2 * LAST_SLIDER + 1
_WIDTH = 32
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def bits_by_table(rows: npt.NDArray[np.uint32] | Rows) -> npt.NDArray[np.uint8]:
    """Return the number of bits set in each row, as `numpy.bitwise_count` does, which NumPy below 2 lacks."""
    ones = np.array([number.bit_count() for number in range(1 << 8)], np.uint8)
    bits: npt.NDArray[np.uint8] = ones[np.ascontiguousarray(rows)[..., None].view(np.uint8)].sum(-1, dtype=np.uint8)
    return bits


_count_bits: Callable[[npt.NDArray[np.uint32] | Rows], npt.NDArray[np.uint8]]
_count_bits = getattr(np, "bitwise_count", bits_by_table)


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """All distinct walks of one length on a board without edges.

    Attributes:
        sets: (19, n_sets) uint32: the rows of each distinct set of visited spaces, the start at row 9, bit 9.
        box: (4, n_sets): least and greatest row and column, the start being (0, 0).
        of_walk: (n_walks,): the index of the set that a walk visits.
        ends: (2, n_walks): row and column of its end.
        walks: (n_walks,): the number of walks with this set and this end.
        examples: (2, n_walks, steps): row and column of each space that one of them steps on.
    """

    sets: npt.NDArray[np.uint32]
    box: _Ints
    of_walk: _Ints
    ends: _Ints
    walks: _Ints
    examples: npt.NDArray[np.int8]


@cache
def shapes(steps: int) -> Shapes:
    """Return the shapes of walks with this many steps; computed on first use, then cached."""
    layer, examples = _layer(steps)
    numbers: dict[int, int] = {}
    of_walk = [numbers.setdefault(visited, len(numbers)) for visited, _ in layer]
    width = _SPAN * _WIDTH // 8
    rows = np.frombuffer(b"".join(visited.to_bytes(width, "little") for visited in numbers), np.uint32)
    sets = np.ascontiguousarray(rows.reshape(-1, _SPAN).T)
    ends = np.array([divmod(end, _WIDTH) for _, end in layer], np.int32).T - _MIDDLE
    used = sets != 0
    columns = np.bitwise_or.reduce(sets, axis=0)
    held = (columns[:, None] >> np.arange(_WIDTH, dtype=np.uint32) & 1).astype(bool)
    first_row, last_row = used.argmax(axis=0), _SPAN - 1 - used[::-1].argmax(axis=0)
    first_column, last_column = held.argmax(axis=1), _WIDTH - 1 - held[:, ::-1].argmax(axis=1)
    box = np.stack([first_row, last_row, first_column, last_column]).astype(np.int32) - _MIDDLE
    return Shapes(sets, box, np.array(of_walk, np.int32), ends, np.array([*layer.values()], np.int32), examples)


def _layer(steps: int) -> tuple[dict[tuple[int, int], int], npt.NDArray[np.int8]]:
    """Count the walks by visited set and end, with an example of each."""
    start = _MIDDLE * _WIDTH + _MIDDLE
    layer = {(1 << start, start): 1}
    examples = np.zeros((2, 1, 0), np.int8)
    for _ in range(steps):
        longer: dict[tuple[int, int], int] = {}
        before: list[int] = []
        for place, ((visited, end), walks) in enumerate(layer.items()):
            for down, right in _STEPS:
                there = end + down * _WIDTH + right
                key = visited | 1 << there, there
                if key not in longer:
                    longer[key] = 0
                    before.append(place)
                longer[key] += walks
        last = np.array([divmod(end, _WIDTH) for _, end in longer], np.int8).T - np.int8(_MIDDLE)
        examples = np.concatenate([examples[:, before], last[:, :, None]], axis=2)
        layer = longer
    return layer, examples


@dataclass(frozen=True, slots=True, eq=False)
class Fitting:
    """The sets of spaces that walks from a space can visit without stepping on other Royal Tees.

    Attributes:
        shapes: the shapes that they come from.
        start: row and column of the start of the walks.
        which: (n,): the indices of these sets in `shapes.sets`.
        rows: (12, n): each set, row by row; bit 0 is column A.
    """

    shapes: Shapes
    start: tuple[int, int]
    which: npt.NDArray[np.intp]
    rows: Rows

    def sets(self) -> list[Bitboard]:
        """Return these sets, each as one integer."""
        rows = self.rows.astype(np.uint64).reshape(3, 4, -1)  # a third of the board has four rows of twelve bits
        thirds = sum(rows[:, place] << np.uint64(SIZE * place) for place in range(4))
        low, middle, high = np.asarray(thirds).tolist()
        return [one | two << 4 * SIZE | three << 8 * SIZE for one, two, three in zip(low, middle, high, strict=True)]

    def walks(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the indices in `shapes` of the walks that visit these sets, and the index of each one's set here."""
        fits = np.zeros(self.shapes.sets.shape[1], bool)
        fits[self.which] = True
        walks = np.flatnonzero(fits[self.shapes.of_walk])
        return walks, (np.cumsum(fits) - 1)[self.shapes.of_walk[walks]]

    def cells(self, relative: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Return the cells, (...), at these rows and columns relative to the start, (2, ...)."""
        down, right = relative.astype(np.int64)
        cells: npt.NDArray[np.int64] = (down + self.start[0]) * SIZE + right + self.start[1]
        return cells

    def ends_of(self, place: int) -> list[CellIndex]:
        """Return the ends of the walks that visit the set at this index of `rows`."""
        ends: list[CellIndex] = self.cells(self.shapes.ends[:, self.shapes.of_walk == self.which[place]]).tolist()
        return ends


def fitting(start: CellIndex, steps: int, closed: Bitboard) -> Fitting:
    """Return the sets of spaces that walks with this many steps can visit from a space without `closed` ones."""
    held = _on_board(start, steps)
    if not closed:
        return held
    free = ~((held.rows & rows_of(closed)[:, None]).any(axis=0))
    if free.all():
        return held
    return Fitting(held.shapes, held.start, held.which[free], held.rows[:, free])


@lru_cache(maxsize=6)  # up to 1.8 MB each
def _on_board(start: CellIndex, steps: int) -> Fitting:
    held = shapes(steps)
    which, rows = _shift(held.sets, held.box, start)
    return Fitting(held, divmod(start, SIZE), which, rows)


def _shift(sets: npt.NDArray[np.uint32], box: _Ints, start: CellIndex) -> tuple[npt.NDArray[np.intp], Rows]:
    """Return the indices of the sets that stay on the board from a start, and their rows on it, (12, n)."""
    (row, column), (top, bottom, left, right) = divmod(start, SIZE), box
    fits = (top + row >= 0) & (bottom + row < SIZE) & (left + column >= 0) & (right + column < SIZE)
    which = np.flatnonzero(fits)
    shifted = np.zeros((SIZE, len(which)), np.uint16)
    first, last = max(0, row - _MIDDLE), min(SIZE, row + _MIDDLE + 1)
    rows = sets[first - row + _MIDDLE : last - row + _MIDDLE, which]
    shifted[first:last] = rows << np.uint32(column) >> np.uint32(_MIDDLE)
    return which, shifted


@lru_cache(maxsize=32)  # up to 0.3 MB each
def longest(start: CellIndex, steps: int) -> Rows:
    """Return the sets of spaces of the walks from a space that visit no space twice, (12, n)."""
    held, places = shapes(steps), _of_longest(steps)
    return _shift(held.sets[:, places], held.box[:, places], start)[1]


@cache
def _of_longest(steps: int) -> npt.NDArray[np.intp]:
    return np.flatnonzero(_count_bits(shapes(steps).sets).sum(axis=0) > steps)


def of_turn(position: Position) -> Fitting:
    """Return the sets of spaces that the mover's walks can visit."""
    return fitting(position.royal(position.turn), position.slider, position.royals_but(position.turn))


def rows_of(spaces: Bitboard) -> Rows:
    """Return a set of spaces row by row."""
    return np.array([spaces >> SIZE * row & (1 << SIZE) - 1 for row in range(SIZE)], np.uint16)


def set_of_rows(rows: Rows) -> Bitboard:
    """Return the set of spaces with these twelve rows."""
    return sum(int(held) << SIZE * row for row, held in enumerate(rows))


def count(rows: Rows) -> Counts:
    """Count the spaces of sets given row by row, (12, ...)."""
    counted: Counts = _count_bits(rows).sum(axis=0, dtype=np.uint8).astype(np.int64)  # at most 144
    return counted

"""All placements of the five pieces and the distances between them: the tables of search.py.

Turning or mirroring both ends of a path does not change its length. So it is enough to search from one of each eight
placements that are turned and mirrored copies of one another, and all these searches run at once, with a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from engines.grid import CellIndex
from engines.royal_study.board import MIDDLE, REACH, SQUARES, Colouring, Piece, colouring_of
from engines.royal_study.placement import Placement, Way, turned

Bits = NDArray[np.uint64]
Indices = NDArray[np.int32]
Steps = NDArray[np.uint8]

_PIECES = tuple(Piece)
_WORD_BITS = 64
_DIGITS = np.array([len(SQUARES) ** place for place in range(len(_PIECES))], np.int32)

SYMMETRIES: tuple[tuple[Way, ...], ...] = tuple(
    (*[Way.CLOCKWISE] * turns, *mirror) for mirror, turns in product([(), (Way.LEFT_RIGHT,)], range(4))
)
"""The eight orientations of a square."""


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """All placements of five pieces on a board of one colouring, and the moves and distances between them.

    Attributes:
        placements: the n placements; the index of each is its number.
        number: the number of each placement.
        letters: (n, 9): the placements letter by letter.
        neighbours: (n, most): the numbers that one move leads to; filled up with the placement's own number.
        images: (8, n): the number of each placement's copy under each of SYMMETRIES.
        base: (n,): the column of `distances` that belongs to each placement's eight copies.
        onto_base: (n,): the index in SYMMETRIES that leads from each placement to the one of that column.
        distances: (n, n / 8): the fewest moves from each placement to each source of the search.
    """

    placements: tuple[Placement, ...]
    number: dict[Placement, int]
    letters: NDArray[np.uint8]
    neighbours: Indices
    images: Indices
    base: Indices
    onto_base: NDArray[np.uint8]
    distances: Steps

    def distances_from(self, number: int) -> Steps:
        """Return the fewest moves between one placement and each other one."""
        steps: Steps = self.distances[self.images[self.onto_base[number]], self.base[number]]
        return steps

    def distances_between(self, number: int, others: Indices) -> Steps:
        """Return the fewest moves between one placement and some others; faster than to all."""
        steps: Steps = self.distances[self.images[self.onto_base[number], others], self.base[number]]
        return steps

    def distances_to_each(self, goals: Sequence[Indices]) -> Sequence[Steps]:
        """Return for each set of placements the fewest moves from every placement to the nearest one of the set."""
        if all(len(some) == 1 for some in goals):
            return [self.distances_from(int(some[0])) for some in goals]
        sources = np.zeros((len(self.placements), len(goals)), bool)
        for column, some in enumerate(goals):
            sources[some, column] = True
        return list(_spread(self.neighbours, sources).T)

    def showing(self, picture: Placement) -> Indices:
        """Return the numbers of the placements that meet a picture: a single one if it shows all pieces."""
        if picture in self.number:
            return np.array([self.number[picture]], np.int32)
        shown = np.frombuffer(picture.encode("ascii"), np.uint8)
        some = shown != ord(".")
        return np.flatnonzero((self.letters[:, some] == shown[some]).all(axis=1)).astype(np.int32)


@cache
def graph(colouring: Colouring) -> Graph:
    """Return the graph of a colouring, computed on the first call."""
    squares = _squares(colouring)
    numbers = np.full(len(SQUARES) ** len(_PIECES), -1, np.int32)
    numbers[squares @ _DIGITS] = np.arange(len(squares), dtype=np.int32)
    # the number of each placement's copies; a symmetry is a permutation of the squares
    named = Placement("012345678")
    goes_to = [np.argsort(np.array([int(square) for square in turned(named, *ways)])) for ways in SYMMETRIES]
    images = np.stack([numbers[to.astype(np.int32)[squares] @ _DIGITS] for to in goes_to])
    bases, base = np.unique(images.min(axis=0), return_inverse=True)
    neighbours = _neighbours(squares, numbers)
    letters = _letters(squares)
    text, width = letters.tobytes().decode("ascii"), letters.shape[1]
    placements = tuple(Placement(text[at : at + width]) for at in range(0, len(text), width))
    return Graph(
        placements=placements,
        number={placement: number for number, placement in enumerate(placements)},
        letters=letters,
        neighbours=neighbours,
        images=images,
        base=base.astype(np.int32),
        onto_base=images.argmin(axis=0).astype(np.uint8),
        distances=_spread(neighbours, np.arange(len(squares))[:, None] == bases),
    )


def _squares(colouring: Colouring) -> Indices:
    """Return the squares of the five pieces in all placements, (n, 5), in the order of `Piece`."""
    bishop, knight = _PIECES.index(Piece.BISHOP), _PIECES.index(Piece.KNIGHT)
    every = np.array(list(permutations(SQUARES, len(_PIECES))), np.int32)
    dark = np.array([colouring_of(square) == colouring for square in SQUARES])
    possible: Indices = every[dark[every[:, bishop]] & (every[:, knight] != MIDDLE)]
    return possible


def _letters(squares: Indices) -> NDArray[np.uint8]:
    letters = np.full((len(squares), len(SQUARES)), ord("."), np.uint8)
    for place, piece in enumerate(_PIECES):
        letters[np.arange(len(squares)), squares[:, place]] = ord(piece)
    return letters


def _neighbours(squares: Indices, numbers: Indices) -> Indices:
    """Return the numbers that one move leads to from each placement, as `Graph.neighbours`."""
    ways = [_moves_along(squares, *way) for way in _ways()]
    before = np.concatenate([rows for rows, _ in ways])
    after = numbers[np.concatenate([codes for _, codes in ways])]
    order = np.argsort(before, kind="stable")
    before, after = before[order], after[order]
    counts = np.bincount(before, minlength=len(squares))
    column = np.arange(len(before)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.repeat(np.arange(len(squares), dtype=np.int32)[:, None], counts.max(), axis=1)
    table[before, column] = after
    return table


def _ways() -> Iterable[tuple[int, CellIndex, CellIndex, int]]:
    """Yield each move of a piece on an empty board: its index in `Piece`, from, to, and the squares to be free."""
    for place, piece in enumerate(_PIECES):
        for start in SQUARES:
            for end, over in REACH[piece][start]:
                squares = [end, *over]
                yield place, start, end, sum(1 << square for square in squares)


def _moves_along(
    squares: Indices, place: int, start: CellIndex, end: CellIndex, free: int
) -> tuple[NDArray[np.intp], Indices]:
    """Return the placements in which a piece can make a move, and the codes of those that it leads to."""
    rows = np.flatnonzero(squares[:, place] == start)
    rows = rows[np.bitwise_or.reduce(1 << squares[rows], axis=1) & free == 0]
    return rows, squares[rows] @ _DIGITS + (end - start) * _DIGITS[place]


def _spread(neighbours: Indices, sources: NDArray[np.bool_]) -> Steps:
    """Return the fewest moves to each of several sets of sources, by one breadth-first search for all.

    Args:
        neighbours: as `Graph.neighbours`.
        sources: (n, k): whether a placement belongs to each set.

    Returns:
        (n, k). It ends only because every placement can be reached from every other.
    """
    padding = -sources.shape[1] % _WORD_BITS
    reached = np.packbits(np.pad(sources, ((0, 0), (0, padding))), axis=1).view(np.uint64)
    distances = np.zeros(sources.shape, np.uint8)
    while (missing := np.unpackbits((~reached).view(np.uint8), axis=1, count=sources.shape[1])).any():
        distances += missing
        before = reached.copy()
        for column in neighbours.T:
            reached |= before[column]
    return distances

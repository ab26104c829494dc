"""All placements of the five pieces and the distances between them, searched breadth first: the tables of search.py."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engines.grid import CellIndex
from engines.royal_study.board import MIDDLE, REACH, SQUARES, Colouring, Piece, colouring_of
from engines.royal_study.placement import Placement

Indices = NDArray[np.int32]
Steps = NDArray[np.uint8]

_PIECES = tuple(Piece)
_DIGITS = np.array([len(SQUARES) ** place for place in range(len(_PIECES))], np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """All placements of five pieces on a board of one colouring, and the moves and distances between them.

    Attributes:
        colouring: that of the board.
        placements: the n placements; the index of each is its number.
        number: the number of each placement.
        letters: (n, 9): the placements letter by letter.
        neighbours: (n, most): the numbers that one move leads to; filled up with the placement's own number.
    """

    colouring: Colouring
    placements: tuple[Placement, ...]
    number: dict[Placement, int]
    letters: NDArray[np.uint8]
    neighbours: Indices

    def distances_to(self, *goals: int) -> Steps:
        """Return the fewest moves between each placement and the nearest of some goals; moves can be taken back."""
        return _distances(self.colouring, goals)

    def showing(self, picture: Placement) -> Indices:
        """Return the numbers of the placements that meet a picture: a single one if it shows all pieces."""
        if picture in self.number:
            return np.array([self.number[picture]], np.int32)
        shown = np.frombuffer(picture.encode("ascii"), np.uint8)
        some = shown != ord(".")
        return np.flatnonzero((self.letters[:, some] == shown[some]).all(axis=1)).astype(np.int32)


@lru_cache(maxsize=1024)  # some 8 kB each
def _distances(colouring: Colouring, goals: tuple[int, ...]) -> Steps:
    """Search breadth first from the goals; it ends with every placement, since each can be reached from each."""
    neighbours = graph(colouring).neighbours
    distances = np.zeros(len(neighbours), np.uint8)
    reached = np.zeros(len(neighbours), bool)
    reached[[*goals]] = True
    while not reached.all():
        distances += ~reached
        reached |= reached[neighbours].any(axis=1)
    return distances


@cache
def graph(colouring: Colouring) -> Graph:
    """Return the graph of a colouring, computed on the first call."""
    squares = _squares(colouring)
    numbers = np.full(len(SQUARES) ** len(_PIECES), -1, np.int32)
    numbers[squares @ _DIGITS] = np.arange(len(squares), dtype=np.int32)
    letters = _letters(squares)
    text, width = letters.tobytes().decode("ascii"), letters.shape[1]
    placements = tuple(Placement(text[at : at + width]) for at in range(0, len(text), width))
    return Graph(
        colouring=colouring,
        placements=placements,
        number={placement: number for number, placement in enumerate(placements)},
        letters=letters,
        neighbours=_neighbours(squares, numbers),
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

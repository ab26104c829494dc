"""All placements of the five pieces and the distances between them, searched breadth first: the tables of search.py."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engines.royal_study.board import MIDDLE, SQUARES, Colouring, Piece, colouring_of
from engines.royal_study.placement import Placement
from engines.royal_study.rules import moved, moves

Indices = NDArray[np.int32]
Steps = NDArray[np.uint8]

_PIECES = tuple(Piece)


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
    # all placements, in the order of the pieces' squares
    found: list[Placement] = []
    for squares in permutations(SQUARES, len(_PIECES)):
        on = dict(zip(_PIECES, squares, strict=True))
        if colouring_of(on[Piece.BISHOP]) == colouring and on[Piece.KNIGHT] != MIDDLE:
            pieces = {square: piece.value for piece, square in on.items()}
            found.append(Placement("".join(pieces.get(square, ".") for square in SQUARES)))
    placements = tuple(found)
    number = {placement: place for place, placement in enumerate(placements)}
    moves_of = (sorted(moves(placement), key=lambda move: _PIECES.index(move.piece)) for placement in placements)
    ways = [[number[moved(one, move)] for move in those] for one, those in zip(placements, moves_of, strict=True)]
    most = max(map(len, ways))
    neighbours = np.array([[*those, *[own] * (most - len(those))] for own, those in enumerate(ways)], np.int32)
    letters = np.frombuffer("".join(placements).encode("ascii"), np.uint8).reshape(len(placements), -1)
    return Graph(colouring, placements, number, letters, neighbours)

"""Looks at a table that need no picture: what a good eye would say of a placement."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from companion.core.messages import FrameRead
from engines.kernel import Cell
from vision.board import Board
from vision.observation import Observation

SURE = 0.999


def observation(board: Board, placement: Mapping[Cell, str], hidden: Collection[str] = ()) -> Observation:
    """See every cell as it is, with a probability of nearly 1; nothing of the hidden ones."""
    labels = board.label_words
    p = np.full((len(board.cells), len(labels)), (1 - SURE) / (len(labels) - 1))
    for row, cell in enumerate(board.cells):
        p[row, labels.index(placement[Cell(cell)])] = SURE
    visible = np.array([cell not in hidden for cell in board.cells])
    return Observation(board.cells, labels, p, visible)


def looks(board: Board, placement: Mapping[Cell, str], from_ns: int) -> Iterator[FrameRead]:
    """Look at a table that lies still, ten times a second, for as long as anybody asks."""
    seen = observation(board, placement)
    at_ns = from_ns
    while True:
        at_ns += 100_000_000
        yield FrameRead(seen, still=True, at_ns=at_ns)

"""Looks at a table that need no picture: what a good eye would say of a placement."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from companion.core.messages import FrameRead
from engines.kernel import Cell
from vision.board import Board
from vision.geometry import Lens, Pose
from vision.labels import EMPTY
from vision.observation import Observation

SURE = 0.9999


def observation(
    board: Board,
    placement: Mapping[Any, str],
    hidden: Collection[str] = (),
    *,
    doubtful: Collection[str] = (),
) -> Observation:
    """See every place as it is, with a probability of nearly 1; nothing of hidden ones, anything on doubtful ones."""
    places, labels = board.places, board.label_words
    p = np.full((len(places), len(labels)), (1 - SURE) / (len(labels) - 1))
    for row, place in enumerate(places):
        p[row, labels.index(placement.get(place, EMPTY))] = SURE
        if place in doubtful:
            p[row] = 1 / len(labels)
    return Observation(places, labels, p, np.array([place not in hidden for place in places]))


def from_above(board: Board, size_wh: tuple[int, int]) -> Pose:
    """Look straight down at the whole board."""
    width, height = board.size
    lens = Lens(size_wh[1] / height * 500.0, Lens.middle_of(size_wh))
    return Pose.from_matrix(lens, np.diag([1.0, 1.0, -1.0]), (width / 2, height / 2, 550.0))


def looks(board: Board, placement: Mapping[Cell, str], from_ns: int) -> Iterator[FrameRead]:
    """Look at a table that lies still, ten times a second, for as long as anybody asks."""
    seen = observation(board, placement)
    at_ns = from_ns
    while True:
        at_ns += 100_000_000
        yield FrameRead(seen, still=True, at_ns=at_ns)
